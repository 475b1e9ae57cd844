package study

import (
	"fmt"

	"amdb/schema"
	"amdb/scoring"
)

// CI says how the intervals of a leaderboard were made.
type CI struct {
	Draws      int     `json:"draws"`
	Seed       uint64  `json:"seed"`
	Confidence float64 `json:"confidence"` // of the two-sided intervals
	Unit       string  `json:"unit"`       // that is resampled
}

// Certainty is how sure a standing is: what its figures would be had other
// tasks of the same kind been drawn (section 5.4). A nil figure is undefined,
// and Reason says why.
type Certainty struct {
	AMSLo        *float64 `json:"ams_lo"`
	AMSHi        *float64 `json:"ams_hi"`
	RankLo       *int     `json:"rank_lo"`
	RankHi       *int     `json:"rank_hi"`
	MeanRank     *float64 `json:"mean_rank"`
	PBest        *float64 `json:"p_best"`
	Tier         int      `json:"tier"` // 1: not separated from the leader
	BehindLeader *float64 `json:"behind_leader"`
	BehindLo     *float64 `json:"behind_lo"`
	BehindHi     *float64 `json:"behind_hi"`
	Interval     string   `json:"interval"` // bootstrap, wilson, or empty: none
	Degenerate   bool     `json:"degenerate"`
	Reason       string   `json:"interval_reason,omitempty"`
}

// addCertainty bootstraps the leaderboard. It changes no score.
func (res *Scores) addCertainty(o *scoring.BootstrapOptions) error {
	if o == nil {
		return nil
	}
	if err := checkBootstrap(*o); err != nil {
		return err
	}
	u, err := scoring.Bootstrap(res.Panel, res.Alpha, *o)
	if err != nil {
		return strataFault(err, res.TaskSet)
	}
	by := map[string]*Certainty{}
	for _, c := range u.Configs {
		by[c.Config] = &Certainty{
			AMSLo: c.AMSLo, AMSHi: c.AMSHi, RankLo: c.RankLo, RankHi: c.RankHi, MeanRank: c.MeanRank, PBest: c.PBest, Tier: c.Tier,
			BehindLeader: c.BehindLeader, BehindLo: c.BehindLo, BehindHi: c.BehindHi,
			Interval: c.Method, Degenerate: c.Degenerate, Reason: c.Reason,
		}
	}
	for i := range res.Leaderboard {
		res.Leaderboard[i].Certainty = by[res.Leaderboard[i].Config]
	}
	res.CI = &CI{Draws: o.Draws, Seed: o.Seed, Confidence: o.Level, Unit: "task within stratum"}
	res.Warnings = append(res.Warnings, u.Warnings...)
	return nil
}

// checkBootstrap says which flag is wrong.
func checkBootstrap(o scoring.BootstrapOptions) error {
	if err := o.Validate(); err != nil {
		return &schema.Fault{Class: schema.Usage, What: "--draws, --confidence", Err: err}
	}
	return nil
}

// addPassK adds pass@k and pass^k to every standing.
func (res *Scores) addPassK(ks []int) error {
	for _, k := range ks {
		if k < 1 {
			return schema.Faultf(schema.Usage, "--pass-k", "as --pass-k 1,3", "%d is below 1", k)
		}
	}
	at := map[string]int{}
	for c, name := range res.Panel.Configs {
		at[name] = c
	}
	for i := range res.Leaderboard {
		s := &res.Leaderboard[i]
		for _, k := range ks {
			s.PassK = append(s.PassK, scoring.PassKOf(res.Panel.Row(at[s.Config]), k))
		}
	}
	return nil
}

// Line says how the intervals were made.
func (c *CI) Line() string {
	return fmt.Sprintf("intervals at %v %%: %d bootstrap draws of tasks within strata, seed %d · tier 1 is not separated from the leader",
		c.Confidence*100, c.Draws, c.Seed)
}
