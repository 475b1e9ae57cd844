package report

import (
	"encoding/json"
	"slices"

	"amdb/scoring"
)

// The JSON that the page's own script draws from. Names are short because there
// may be many; the comments here and the names in Go say what they mean.
type (
	chartData struct {
		Configs  []chartConfig  `json:"configs"`
		Strata   []chartStratum `json:"strata"`
		Level    float64        `json:"level"`
		Alpha    chartAlpha     `json:"alpha"`
		Wordings *chartWordings `json:"wordings"`
		Tasks    int            `json:"tasks"`
		Runs     chartRuns      `json:"runs"`
		Cond     string         `json:"condition"`
	}
	chartConfig struct {
		Name   string        `json:"n"`
		Rank   int           `json:"r"`
		Parts  [4][4]float64 `json:"p"` // all, Easy, Medium, Hard × ams, tq, aubqc, efr
		Lo     *float64      `json:"lo"`
		Hi     *float64      `json:"hi"`
		RankLo *int          `json:"rl"`
		RankHi *int          `json:"rh"`
		PBest  *float64      `json:"pb"`
		Cost   *float64      `json:"c"`
		Priced int           `json:"ck"`
		Runs   int           `json:"k"`
		Reward float64       `json:"mr"`
		Front  bool          `json:"f"`
		Curves [3][]*float64 `json:"q"`
		Tasks  [3]int64      `json:"qt"` // tasks behind the curves
		At     [2]float64    `json:"a"`  // ams at α = 0 and 1
	}
	chartStratum struct {
		Name    string    `json:"n"`
		Tasks   int       `json:"t"`
		Budgets []float64 `json:"b"`
		Eta     *float64  `json:"eta"`
	}
	chartAlpha struct {
		Value   float64      `json:"v"`
		Leaders []leaderSpan `json:"leaders"`
	}
	chartRuns struct {
		Count    int  `json:"count"`
		Bound    int  `json:"bound"`
		Included bool `json:"included"`
		Mixed    bool `json:"mixed"`
	}
	chartWordings struct {
		Conditions []string     `json:"conditions"`
		Targets    []string     `json:"targets"`
		AMS        [][]*float64 `json:"ams"` // by condition, target
	}
	leaderSpan struct {
		From   float64  `json:"from"`
		To     float64  `json:"to"`
		Leader []string `json:"leader"`
	}
)

// leaderSpans joins neighbouring ranges of α that have the same leaders.
func leaderSpans(a scoring.AlphaSensitivity) []leaderSpan {
	out := []leaderSpan{}
	for _, in := range a.Intervals {
		if n := len(out); n > 0 && slices.Equal(out[n-1].Leader, in.Leader) {
			out[n-1].To = in.To
			continue
		}
		out = append(out, leaderSpan{in.From, in.To, in.Leader})
	}
	return out
}

// chartData is the page's JSON. encoding/json writes <, > and & as escapes, so
// that no name can end the script element that it stands in.
func (r *report) chartData() ([]byte, error) {
	res := r.res
	d := chartData{
		Configs: []chartConfig{}, Level: r.o.Bootstrap.Level, Alpha: chartAlpha{res.Alpha, leaderSpans(r.alpha)}, Tasks: res.Tasks,
		Runs: chartRuns{r.runCount, r.o.Runs, r.runCount <= r.o.Runs && !r.mixed, r.mixed}, Cond: clean(res.Condition),
	}
	for i := range d.Alpha.Leaders {
		d.Alpha.Leaders[i].Leader = cleanAll(d.Alpha.Leaders[i].Leader)
	}
	for _, s := range scoring.Strata {
		rules := res.Cal.Strata[s]
		d.Strata = append(d.Strata, chartStratum{s.String(), len(res.Panel.StratumTasks(s)), rules.Budgets, rules.EtaUSD})
	}
	for _, st := range res.Leaderboard {
		c, _ := slices.BinarySearch(res.Panel.Configs, st.Config)
		u := r.uncertainty.Configs[c]
		cc := chartConfig{
			Name: clean(st.Config), Rank: st.Rank, Lo: u.AMSLo, Hi: u.AMSHi, RankLo: u.RankLo, RankHi: u.RankHi, PBest: u.PBest,
			Cost: st.TotalCostUSD, Priced: st.CostKnownRuns, Runs: st.Runs, Reward: st.MeanReward, Front: st.Pareto,
		}
		cc.Parts[0] = [4]float64{st.AMS, st.TQ, st.AUBQC, st.EFR}
		for _, s := range scoring.Strata {
			x := st.Strata[s]
			cc.Parts[1+s] = [4]float64{x.AMS, x.TQ, x.AUBQC, x.EFR}
			cc.Curves[s] = make([]*float64, len(res.Cal.Strata[s].Budgets))
			if q := r.curves[st.Config]; q != nil {
				for k := range min(len(q[s]), len(cc.Curves[s])) {
					cc.Curves[s][k], cc.Tasks[s] = &q[s][k].Quality, q[s][k].Tasks
				}
			}
		}
		for _, v := range r.ablation {
			switch v.Name {
			case scoring.NoTQ:
				cc.At[0] = v.Scores[c]
			case scoring.NoAUBQC:
				cc.At[1] = v.Scores[c]
			}
		}
		d.Configs = append(d.Configs, cc)
	}
	if w := r.o.Descriptions; w != nil {
		d.Wordings = &chartWordings{Targets: cleanAll(w.Targets)}
		for _, c := range w.Conditions {
			d.Wordings.Conditions = append(d.Wordings.Conditions, c.Condition)
			row := make([]*float64, len(c.Configs))
			for i := range c.Configs {
				row[i] = c.Configs[i].AMS
			}
			d.Wordings.AMS = append(d.Wordings.AMS, row)
		}
	}
	return json.Marshal(d)
}
