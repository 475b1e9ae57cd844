// Package stat holds statistics that know nothing of agents: quantiles and their
// search in passes, correlations, intervals, tests, and exact sums. Each function
// returns the same bits on every processor (docs/method.md).
package stat
