package scoring

import "fmt"

// The criteria that a leaderboard can be ranked by (section 5).
const (
	ByAMS                     = "ams"
	ByPasses                  = "passes"
	ByMeanReward              = "mean_reward"
	ByUSDPerPass              = "usd_per_pass"
	ByTokensPerPass           = "tokens_per_pass"
	BySuccessfulUSDPerPass    = "successful_usd_per_pass"
	BySuccessfulTokensPerPass = "successful_tokens_per_pass"
)

// Criterion is one ranking and how far it agrees with that by AMS. Correlations
// are over the configurations that have the figure, oriented so that 1 means
// the same order of merit.
type Criterion struct {
	Criterion string   `json:"criterion"`
	Better    string   `json:"better"` // higher or lower
	Leader    []string `json:"leader"`
	Configs   int      `json:"configs"` // that have the figure
	Spearman  *float64 `json:"spearman"`
	Kendall   *float64 `json:"kendall"`
	Reason    string   `json:"reason,omitempty"`
}

// CriterionRow is one configuration's figure and rank by every criterion; nil
// where the figure is undefined.
type CriterionRow struct {
	Config string              `json:"config"`
	Values map[string]*float64 `json:"values"`
	Ranks  map[string]*int     `json:"ranks"`
}

// Rankings puts conventional criteria beside AMS.
type Rankings struct {
	Criteria []Criterion    `json:"criteria"`
	Configs  []CriterionRow `json:"configs"` // in the order given
}

// RankByCriteria ranks the configurations by every criterion. names,
// components and figures are in one order.
func RankByCriteria(names []string, components []Components, figures []Figures) Rankings {
	criteria := []struct {
		name  string
		lower bool
		value func(i int) *float64
	}{
		{ByAMS, false, func(i int) *float64 { return &components[i].AMS }},
		{ByPasses, false, func(i int) *float64 { return ptr(float64(figures[i].Passes)) }},
		{ByMeanReward, false, func(i int) *float64 { return &figures[i].MeanReward }},
		{ByUSDPerPass, true, func(i int) *float64 { return figures[i].USDPerPass }},
		{ByTokensPerPass, true, func(i int) *float64 { return figures[i].TokensPerPass }},
		{BySuccessfulUSDPerPass, true, func(i int) *float64 { return figures[i].PassUSDPerPass }},
		{BySuccessfulTokensPerPass, true, func(i int) *float64 { return figures[i].PassTokenPerPass }},
	}
	out := Rankings{Configs: make([]CriterionRow, len(names))}
	for i, name := range names {
		out.Configs[i] = CriterionRow{name, map[string]*float64{}, map[string]*int{}}
	}
	for _, c := range criteria {
		var at []int
		var having []string
		var merit, ams []float64
		for i, name := range names {
			v := c.value(i)
			out.Configs[i].Values[c.name], out.Configs[i].Ranks[c.name] = v, nil
			if v == nil {
				continue
			}
			m := *v
			if c.lower {
				m = -m
			}
			at, having = append(at, i), append(having, name)
			merit, ams = append(merit, m), append(ams, components[i].AMS)
		}
		ranks := Ranks(merit)
		for k, i := range at {
			out.Configs[i].Ranks[c.name] = &ranks[k]
		}
		row := Criterion{Criterion: c.name, Better: "higher", Leader: Leaders(having, ranks), Configs: len(at)}
		if c.lower {
			row.Better = "lower"
		}
		row.Spearman, row.Kendall, row.Reason = correlate(ams, merit)
		if n := len(names) - len(at); n > 0 {
			row.Reason = joinReasons(row.Reason, fmt.Sprintf("%d of %d configurations have no such figure", n, len(names)))
		}
		out.Criteria = append(out.Criteria, row)
	}
	return out
}
