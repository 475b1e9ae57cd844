package study

import (
	"fmt"
	"strings"
)

// Basis is what a result rests on: its calibration, condition, task set and
// policies, and what these left out. Every result carries it.
type Basis struct {
	Calibration CalibrationRef `json:"calibration"`
	Condition   string         `json:"condition"`
	TaskSet     string         `json:"task_set"`
	Alpha       float64        `json:"alpha"`
	Policies    PoliciesUsed   `json:"policies"`
	Excluded    []Excluded     `json:"excluded"`
	Warnings    []string       `json:"warnings"`
}

// Basis is what the leaderboard rests on.
func (res *Scores) Basis() Basis {
	return Basis{res.Calibration, res.Condition, res.TaskSet, res.Alpha, res.Policies, res.Excluded, res.Warnings}
}

// PolicyLine says the policies and what they touched in one line.
func (res *Scores) PolicyLine() string { return res.Basis().PolicyLine() }

// PolicyLine says the policies and what they touched in one line.
func (b Basis) PolicyLine() string {
	p := b.Policies
	incomplete := fmt.Sprintf("incomplete: %s (%d configurations)", p.Incomplete, len(b.Excluded))
	if p.Incomplete == "zero" {
		incomplete = fmt.Sprintf("incomplete: zero (%d cells count as 0)", p.ZeroCells)
	}
	return strings.Join([]string{
		fmt.Sprintf("missing reward: %s (%d runs)", p.MissingReward, p.RunsWithoutReward),
		fmt.Sprintf("missing cost: %s (%d runs)", p.MissingCost, p.RunsWithoutCost),
		incomplete,
	}, " · ")
}

// Line says in one line what was scored, on how many tasks and under what.
func (b Basis) Line(tasks int) string {
	return fmt.Sprintf("calibration %s (%.12s) · %d tasks (%s) · condition %s · alpha %v",
		b.Calibration.Name, b.Calibration.Digest, tasks, b.TaskSet, b.Condition, b.Alpha)
}
