package study

import (
	"encoding/csv"
	"errors"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"amdb/schema"
	"amdb/scoring"
)

// ReadBudgets reads budgets set by hand: CSV with the columns stratum and
// budget_usd, a budget a row, at least one a stratum.
func ReadBudgets(path string) (map[scoring.Stratum][]float64, error) {
	const hint = "a budget file has the columns stratum,budget_usd with the strata Easy, Medium and Hard"
	bad := func(format string, args ...any) error {
		return schema.Faultf(schema.Rejected, path, hint, format, args...)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, schema.Faultf(schema.Failed, path, "", "%s", plain(err))
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.TrimLeadingSpace = true
	header, err := r.Read()
	if err != nil {
		return nil, bad("is no table: %v", err)
	}
	at, usd := slices.Index(header, "stratum"), slices.Index(header, "budget_usd")
	if at < 0 || usd < 0 {
		return nil, bad("has the columns %s", strings.Join(header, ", "))
	}
	out := map[scoring.Stratum][]float64{}
	for row := 1; ; row++ {
		rec, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, bad("row %d: %v", row, err)
		}
		s, err := scoring.ParseStratum(rec[at])
		if err != nil {
			return nil, bad("row %d: %v", row, err)
		}
		b, err := strconv.ParseFloat(strings.TrimSpace(rec[usd]), 64)
		if err != nil || !(b >= 0) || math.IsInf(b, 0) {
			return nil, bad("row %d: budget_usd %q is not a number of at least 0", row, rec[usd])
		}
		out[s] = append(out[s], b)
	}
	for _, s := range scoring.Strata {
		if n := len(out[s]); n == 0 || n > scoring.MaxBudgetLevels {
			return nil, bad("gives %d budgets for stratum %s; from 1 to %d are needed", n, s, scoring.MaxBudgetLevels)
		}
		slices.Sort(out[s])
	}
	return out, nil
}
