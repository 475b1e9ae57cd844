package scoring

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Rules are the choices that a calibration freezes. Those marked [ours] are
// defaults of amdb where the paper is silent.
type Rules struct {
	Alpha        float64    `json:"alpha"`         // mixing weight [ours: 0.5]
	BudgetLevels int        `json:"budget_levels"` // K [ours: 10]; 0 = budgets set by hand
	EtaQuantile  float64    `json:"eta_quantile"`  // [ours: 0.75]
	Percentile   Percentile `json:"percentile"`    // [ours: mid]
	EffortTerms  []Term     `json:"effort_terms"`
	// What was done with reference runs that lack something.
	MissingReward string `json:"missing_reward"` // error, zero, exclude
	MissingCost   string `json:"missing_cost"`   // error, exclude
	MissingTerms  string `json:"missing_terms"`  // error, known: the mean over the attempts that have the term
}

// DefaultRules are the defaults of section 2.
func DefaultRules() Rules {
	return Rules{
		Alpha: 0.5, BudgetLevels: 10, EtaQuantile: 0.75, Percentile: Mid, EffortTerms: AllTerms,
		MissingReward: "error", MissingCost: "error", MissingTerms: "error",
	}
}

// Validate says what is wrong with the rules, in the words of the flags.
func (r Rules) Validate() error {
	switch {
	case !(r.Alpha >= 0 && r.Alpha <= 1):
		return fmt.Errorf("alpha %v is outside [0,1]", r.Alpha)
	case r.BudgetLevels < 1 || r.BudgetLevels > MaxBudgetLevels:
		return fmt.Errorf("budget levels %d is outside 1 to %d", r.BudgetLevels, MaxBudgetLevels)
	case !(r.EtaQuantile >= 0 && r.EtaQuantile <= 1):
		return fmt.Errorf("eta quantile %v is outside [0,1]", r.EtaQuantile)
	}
	return nil
}

// MaxBudgetLevels bounds K, so that a sum of masked rewards stays exact.
const MaxBudgetLevels = 1000

// StratumRules is what a calibration fixes for one stratum.
type StratumRules struct {
	Tasks   int       `json:"tasks"`
	Budgets []float64 `json:"budgets"` // USD, ascending, equal levels kept
	EtaUSD  *float64  `json:"eta_usd"` // nil: no reference run failed here
}

// Calibration is everything that scoring needs, fixed before scoring
// (section 2). It never changes once stored.
type Calibration struct {
	Name   string `json:"name"`
	Digest string `json:"digest"`
	Rules
	Prices    string                   `json:"prices_digest,omitempty"` // of the price table in force; empty = none
	Reference []string                 `json:"reference"`               // configurations, sorted
	Strata    map[Stratum]StratumRules `json:"-"`
	Tasks     []TaskEffort             `json:"tasks"` // in effort order
	Warnings  []string                 `json:"warnings"`
}

// calibrationJSON gives Strata the names of the strata as keys.
type calibrationJSON struct {
	*calibrationAlias
	Strata map[string]StratumRules `json:"strata"`
}

type calibrationAlias Calibration

// MarshalJSON writes the calibration as docs/json.md describes it.
func (c Calibration) MarshalJSON() ([]byte, error) {
	if c.Warnings == nil {
		c.Warnings = []string{}
	}
	alias := calibrationAlias(c)
	return json.Marshal(calibrationJSON{&alias, c.strata()})
}

// strata are the strata's rules by name.
func (c Calibration) strata() map[string]StratumRules {
	out := map[string]StratumRules{}
	for s, r := range c.Strata {
		out[s.String()] = r
	}
	return out
}

// UnmarshalJSON reads what MarshalJSON wrote. It does not verify the digest.
func (c *Calibration) UnmarshalJSON(b []byte) error {
	var in struct {
		calibrationAlias
		Strata map[string]StratumRules `json:"strata"`
	}
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&in); err != nil {
		return err
	}
	*c = Calibration(in.calibrationAlias)
	c.Strata = map[Stratum]StratumRules{}
	for name, r := range in.Strata {
		s, err := ParseStratum(name)
		if err != nil {
			return err
		}
		c.Strata[s] = r
	}
	return nil
}

// digested is what a digest is of: a calibration without its name, its digest
// and its warnings.
type digested struct {
	*calibrationAlias
	Strata   map[string]StratumRules `json:"strata"`
	Name     *string                 `json:"name,omitempty"`
	Digest   *string                 `json:"digest,omitempty"`
	Warnings *string                 `json:"warnings,omitempty"`
}

// ComputeDigest is the SHA-256 of the canonical JSON: keys sorted, floats in
// their shortest form that reads back equal, no name, no times, no warnings.
// Equal data and choices give an equal digest on any machine.
func (c Calibration) ComputeDigest() (string, error) {
	alias := calibrationAlias(c)
	b, err := json.Marshal(digested{calibrationAlias: &alias, Strata: c.strata()})
	if err != nil {
		return "", err
	}
	canonical := jsontext.Value(b)
	if err := canonical.Canonicalize(canonicalJSON...); err != nil {
		return "", err
	}
	sum := sha256.Sum256(canonical)
	return hex.EncodeToString(sum[:]), nil
}

// canonicalJSON sorts the keys and leaves numbers and strings as encoding/json
// writes them.
var canonicalJSON = []jsontext.Options{
	jsontext.CanonicalizeRawInts(false), jsontext.CanonicalizeRawFloats(false),
	jsontext.EscapeForHTML(true), jsontext.EscapeForJS(true),
}

// Stratify maps every reference task to its stratum.
func (c Calibration) Stratify() map[TaskKey]Stratum {
	m := make(map[TaskKey]Stratum, len(c.Tasks))
	for _, t := range c.Tasks {
		m[t.Key()] = t.Stratum
	}
	return m
}

// CostQuantiles are which quantiles of the costs of the reference executions,
// every attempt, a calibration needs.
type CostQuantiles struct {
	Rewarded []float64 // of executions with R > 0: k/K for B_s (section 2.5)
	Zero     []float64 // of executions with R = 0: for η_s (section 2.6)
}

// ReferenceCosts are the quantiles in USD that CostQuantiles asks for, in one
// stratum; nil where no execution is of the kind.
type ReferenceCosts struct {
	Rewarded, Zero []float64
}

// costQuantiles are the quantiles that the rules need.
func (r Rules) costQuantiles() CostQuantiles {
	q := CostQuantiles{Zero: []float64{r.EtaQuantile}}
	for k := 1; k <= r.BudgetLevels; k++ {
		q.Rewarded = append(q.Rewarded, float64(k)/float64(r.BudgetLevels))
	}
	return q
}

// CalibrationBuilder is a calibration that knows its strata and awaits the costs of the
// reference executions in them, which are many and are read only then.
type CalibrationBuilder struct {
	Strata map[TaskKey]Stratum
	Need   CostQuantiles
	cal    Calibration
	byHand map[Stratum][]float64
}

// Calibrate drafts a calibration from the reference tasks' statistics (sections
// 2.1 to 2.4). prices is the digest of the price table in force; byHand, where
// not nil, replaces the budgets of section 2.5.
func Calibrate(rules Rules, prices string, reference []string, stats []TaskStats, byHand map[Stratum][]float64) (*CalibrationBuilder, error) {
	if byHand == nil {
		if err := rules.Validate(); err != nil {
			return nil, err
		}
	} else {
		rules.BudgetLevels = 0
	}
	tasks, err := Efforts(stats, rules.Percentile, rules.EffortTerms)
	if err != nil {
		return nil, err
	}
	cal := Calibration{
		Rules: rules, Prices: prices, Tasks: tasks, Warnings: []string{},
		Reference: slices.Sorted(slices.Values(reference)),
	}
	return &CalibrationBuilder{Strata: cal.Stratify(), Need: rules.costQuantiles(), cal: cal, byHand: byHand}, nil
}

// Fix is the calibration, with budgets and thresholds from the costs that it
// needs (sections 2.5 and 2.6).
func (d *CalibrationBuilder) Fix(costs map[Stratum]ReferenceCosts) (*Calibration, error) {
	cal := d.cal
	cal.Strata = map[Stratum]StratumRules{}
	for _, s := range Strata {
		r := StratumRules{Budgets: costs[s].Rewarded}
		for _, of := range d.Strata {
			if of == s {
				r.Tasks++
			}
		}
		if d.byHand != nil {
			r.Budgets = slices.Sorted(slices.Values(d.byHand[s]))
		} else if r.Budgets == nil {
			return nil, &NoRewardError{Stratum: s}
		}
		if eta := costs[s].Zero; eta != nil {
			r.EtaUSD = &eta[0]
		} else {
			cal.Warnings = append(cal.Warnings, fmt.Sprintf(
				"stratum %s: no reference run with reward 0 and a known cost, so no run counts as an expensive failure there", s))
		}
		cal.Strata[s] = r
	}
	var err error
	cal.Digest, err = cal.ComputeDigest()
	return &cal, err
}

// NoRewardError says that a stratum has no reference execution with a reward
// and a known cost, so that its budgets are undefined.
type NoRewardError struct{ Stratum Stratum }

func (e *NoRewardError) Error() string {
	return fmt.Sprintf("stratum %s has no reference run with a reward above 0 and a known cost, so its budgets are undefined", e.Stratum)
}
