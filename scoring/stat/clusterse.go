package stat

import "math"

// ClusterSE is the mean over tasks of each task's mean attempt, and its
// standard error with the task as the unit: the standard deviation of the task
// means over √G. Repeated attempts at one task are not independent, so they do
// not count as more tasks. It reports false for fewer than two tasks; tasks
// without an attempt are left out.
func ClusterSE(tasks [][]float64) (mean, se float64, ok bool) {
	var means []float64
	for _, attempts := range tasks {
		if m, ok := Mean(attempts); ok {
			means = append(means, m)
		}
	}
	g := float64(len(means))
	mean, _ = Mean(means)
	if g < 2 {
		return mean, 0, false
	}
	sum := 0.0
	for _, m := range means {
		sum += float64((m - mean) * (m - mean))
	}
	return mean, math.Sqrt(sum / (g - 1) / g), true
}
