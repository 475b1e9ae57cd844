//go:build race

package scoring

// raceEnabled makes simulations smaller where each step costs ten.
const raceEnabled = true
