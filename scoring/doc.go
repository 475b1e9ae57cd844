// Package scoring is the method: how runs become effort strata, budget-masked
// rewards, expensive failures and the AgentMeter Score (AMS).
//
// Everything here is a pure function of its arguments: no database, no clock,
// no global state. The same functions are what package udf puts into SQL, what
// the views call and what the services in scoring/study use, so each formula
// stands once, here.
//
// The order of averaging is the method's and never changes, each level with
// equal weights: attempts → (task, description) → task → stratum → score.
//
// Section numbers in comments refer to docs/method.md.
package scoring
