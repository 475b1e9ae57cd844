package scoring

// CrossCells counts the cells (target, task, source other than the target)
// that improve the target's reward over the original description, or keep it
// at lower cost (section 4; the paper reports 114 of 192).
type CrossCells struct {
	ImprovedOrCheaper int `json:"improved_or_cheaper"`
	Of                int `json:"of"` // cells with a run under both descriptions
	Improved          int `json:"improved"`
	Cheaper           int `json:"cheaper"`   // equal reward, lower cost
	Undecided         int `json:"undecided"` // equal reward, a cost unknown: not counted as cheaper
}

// CountCrossCells compares the means of a cell's attempts. Rewards are equal,
// and costs lower, at 12 decimals.
func (w DescriptionPanels) CountCrossCells() CrossCells {
	var out CrossCells
	for c, target := range w.Original.Configs {
		for _, source := range w.SourceNames() {
			if source == target {
				continue
			}
			for t := range w.Original.Tasks {
				before, after := w.Original.At(c, t), w.Sources[source].At(c, t)
				if before.Runs == 0 || after.Runs == 0 {
					continue
				}
				out.Of++
				switch improves(before.Reward, after.Reward, cellCost(before), cellCost(after)) {
				case improved:
					out.Improved++
				case cheaper:
					out.Cheaper++
				case undecided:
					out.Undecided++
				}
			}
		}
	}
	out.ImprovedOrCheaper = out.Improved + out.Cheaper
	return out
}

// An improvement says how one description did against another.
type improvement int

const (
	noBetter  improvement = iota
	improved              // a higher reward
	cheaper               // the same reward at a lower cost
	undecided             // the same reward, and a cost is unknown
)

// improves compares a reward, then a cost in USD (nil = unknown).
func improves(before, after float64, costBefore, costAfter *float64) improvement {
	before, after = round12(before), round12(after)
	switch {
	case after > before:
		return improved
	case after < before:
		return noBetter
	case costBefore == nil || costAfter == nil:
		return undecided
	case round12(*costAfter) < round12(*costBefore):
		return cheaper
	}
	return noBetter
}
