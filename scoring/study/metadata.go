package study

import (
	"context"
	"strconv"

	"amdb/sql"
)

// HelperRelations are tables of the process, and views that only build others: a
// person's folder of exports does not need them.
var HelperRelations = []string{
	"scope_keys", "scope_tasks", "cell_sums", "study_tasks", "study_configs", "flagged_cells", "functions",
	"counted_cells", "counted_flags", "flag_sums", "far_runs", "twin_runs",
	"pair_cells", "pair_sums", "counted_pair_cells", "counted_pairs",
}

// Metadata is what an exported file says of itself: the version, the format and
// the scope, no clock.
func Metadata(ctx context.Context, db *sql.DB, version string) (map[string]string, error) {
	meta := map[string]string{"amdb_version": version, "amdb_format": strconv.Itoa(sql.FormatVersion)}
	rows, err := db.Rows(ctx, "SELECT calibration, digest, task_set, alpha, missing_reward, missing_cost FROM scope")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var calibration, digest, set, reward, cost string
		var alpha float64
		if err := rows.Scan(&calibration, &digest, &set, &alpha, &reward, &cost); err != nil {
			return nil, err
		}
		meta["amdb_calibration"], meta["amdb_calibration_digest"], meta["amdb_task_set"] = calibration, digest, set
		meta["amdb_alpha"] = strconv.FormatFloat(alpha, 'g', -1, 64)
		meta["amdb_missing_reward"], meta["amdb_missing_cost"] = reward, cost
	}
	return meta, rows.Err()
}
