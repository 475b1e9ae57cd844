package study_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"amdb/scoring/study"
	"amdb/sql"
)

// The key that a view's documentation names tells its rows apart, and where it
// leads the columns, sorting by it is sorting by all columns.
func TestKeysTellRowsApart(t *testing.T) {
	ctx := t.Context()
	runs := lines(t, "attempts")
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(runs), func(i, j int) { runs[i], runs[j] = runs[j], runs[i] })
	db := database(t, [][][]byte{runs}, 2)
	calibrate(t, db)
	if _, err := study.SetScope(ctx, db, "", "all", study.DefaultPolicies()); err != nil {
		t.Fatal(err)
	}
	views, err := sql.Views()
	if err != nil {
		t.Fatal(err)
	}
	byKey := 0
	for _, v := range views {
		key := v.Key()
		if len(key) == 0 {
			continue
		}
		var rows, keys int
		query := fmt.Sprintf("SELECT count(*), count(DISTINCT row(%s)) FROM %s", strings.Join(key, ", "), v.Name)
		if err := db.Row(ctx, query, nil, &rows, &keys); err != nil || rows != keys {
			t.Errorf("view %s: %d rows, %d keys %v (%v)", v.Name, rows, keys, key, err)
		}
		ordered, err := sql.Ordered(v.Name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(ordered, "ORDER BY ALL") {
			continue
		}
		byKey++
		// The place of every row by the key is its place by all columns.
		var moved int
		err = db.Row(ctx, fmt.Sprintf(`SELECT count(*) FROM (SELECT row_number() OVER () AS n, row(COLUMNS(*)) AS r FROM (%s)) AS a
			JOIN (SELECT row_number() OVER () AS n, row(COLUMNS(*)) AS r FROM (SELECT * FROM %s ORDER BY ALL)) AS b ON a.n = b.n
			WHERE CAST(a AS VARCHAR) <> CAST(b AS VARCHAR)`, ordered, v.Name), nil, &moved)
		if err != nil || moved > 0 {
			t.Errorf("view %s: %d rows stand elsewhere when sorted by %v (%v)", v.Name, moved, key, err)
		}
	}
	if byKey < 5 {
		t.Errorf("%d views are sorted by their key", byKey)
	}
}
