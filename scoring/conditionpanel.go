package scoring

// Panel is the cells of one condition, so that whatever works on a panel works
// on it: a target's cell is the mean over the descriptions that the condition
// gives it, with equal weights (section 4). A cell that one of them lacks, or
// that the condition does not have for the target, is missing.
func (w DescriptionPanels) Panel(condition string) *Panel {
	out := NewPanel(w.Original.Configs, w.Original.Tasks)
	for c, target := range out.Configs {
		panels, _ := w.panelsOf(condition, target)
		for t := range out.Tasks {
			*out.At(c, t) = meanCell(panels, c, t)
		}
	}
	return out
}

// meanCell averages a cell over panels as pooledCells does. A cell whose runs
// merely do not count keeps its totals, so that policies can count them.
func meanCell(panels []*Panel, c, t int) Cell {
	var out Cell
	counts := len(panels) > 0
	for _, p := range panels {
		cell := p.At(c, t)
		if cell.Totals.Runs == 0 {
			return Cell{}
		}
		counts = counts && cell.Runs > 0
		out.Runs += cell.Runs
		out.Reward += cell.Reward
		out.Masked += cell.Masked
		out.Failure += cell.Failure
		out.Totals.add(cell.Totals)
	}
	if !counts {
		return Cell{Totals: out.Totals}
	}
	n := float64(len(panels))
	out.Reward, out.Masked, out.Failure = out.Reward/n, out.Masked/n, out.Failure/n
	return out
}
