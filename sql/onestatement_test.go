package sql

import "testing"

func TestOnlyOneStatementIsRun(t *testing.T) {
	for query, one := range map[string]bool{
		"SELECT 1":                           true,
		"SELECT 1;":                          true,
		"SELECT 1; -- done\n /* really */ ":  true,
		"SELECT ';'":                         true,
		`SELECT 1 AS ";"`:                    true,
		"SELECT 'it''s; fine'":               true,
		"SELECT $$;$$":                       true,
		"SELECT $t$; $$ ;$t$":                true,
		"SELECT 1 -- ; SELECT 2":             true,
		"SELECT 1; SELECT 2":                 false,
		"CREATE TEMP TABLE x(i INT); FROM x": false,
		"SELECT ';'; SELECT 2":               false,
		"SELECT 1;;SELECT 2":                 false,
		"/* ' */ SELECT 1; SELECT ' '":       false,
		"":                                   true,
	} {
		if got := oneStatement(query); got != one {
			t.Errorf("oneStatement(%q) = %v", query, got)
		}
	}
}

func TestAQueryOrdersItselfOnlyAtItsEnd(t *testing.T) {
	for query, itself := range map[string]bool{
		"SELECT * FROM runs ORDER BY run_id":                 true,
		"SELECT * FROM runs order\n by 1 LIMIT 3":            true,
		"SELECT list(x ORDER BY y) FROM runs":                false,
		"SELECT * FROM (SELECT * FROM runs ORDER BY run_id)": false,
		"SELECT 'order by' AS x FROM runs":                   false,
		"SELECT reorder by_x FROM runs -- order by":          false,
	} {
		if got := ordersItself(query); got != itself {
			t.Errorf("ordersItself(%q) = %v", query, got)
		}
	}
}
