package study

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"amdb/schema"
	"amdb/scoring"
	"amdb/sql"
)

// CalibrationInfo is one line of the list of calibrations.
type CalibrationInfo struct {
	Name      string    `json:"name"`
	Digest    string    `json:"digest"`
	Alpha     float64   `json:"alpha"`
	Levels    int32     `json:"budget_levels"`
	Reference int32     `json:"reference"`
	Tasks     int32     `json:"tasks"`
	CreatedAt time.Time `json:"created_at"`
}

// Calibrations lists the calibrations, oldest first.
func Calibrations(ctx context.Context, db *sql.DB) ([]CalibrationInfo, error) {
	list, _, err := calibrations(ctx, db, "")
	return list, err
}

// calibrations lists the calibrations, oldest first, with the document of one: ""
// means the newest.
func calibrations(ctx context.Context, db *sql.DB, name string) (list []CalibrationInfo, document string, err error) {
	rows, err := db.Rows(ctx, sql.Query("calibrations"), name)
	if err != nil {
		return nil, "", err
	}
	defer rows.Close()
	list = []CalibrationInfo{}
	for rows.Next() {
		var c CalibrationInfo
		var d *string
		if err := rows.Scan(&c.Name, &c.Digest, &c.Alpha, &c.Levels, &c.Reference, &c.Tasks, &c.CreatedAt, &d); err != nil {
			return nil, "", err
		}
		if d != nil {
			document = *d
		}
		list = append(list, c)
	}
	return list, document, rows.Err()
}

// ReadCalibration reads a stored calibration and proves its digest. An empty
// name means the only one, else the newest; chosen then says so in words.
func ReadCalibration(ctx context.Context, db *sql.DB, name string) (c *scoring.Calibration, chosen string, err error) {
	list, doc, err := calibrations(ctx, db, name)
	if err != nil {
		return nil, "", err
	}
	if len(list) == 0 {
		return nil, "", schema.Faultf(schema.Failed, "calibration", "amdb calibrate NAME makes one", "there is none yet")
	}
	if name == "" {
		name = list[len(list)-1].Name
		if len(list) > 1 {
			chosen = fmt.Sprintf("calibration %s, the newest of %d (--calibration NAME chooses)", name, len(list))
		}
	}
	if doc == "" {
		var names []string
		for _, i := range list {
			names = append(names, i.Name)
		}
		return nil, "", schema.Faultf(schema.Failed, "calibration "+name, "there are: "+some(names), "is not known")
	}
	c, err = ParseCalibration([]byte(doc))
	if err != nil {
		return nil, "", schema.Faultf(schema.Failed, "calibration "+name, "", "%w", err)
	}
	return c, chosen, nil
}

// ParseCalibration reads a calibration's JSON and proves that its digest is
// that of its content.
func ParseCalibration(doc []byte) (*scoring.Calibration, error) {
	var c scoring.Calibration
	if err := json.Unmarshal(doc, &c); err != nil {
		return nil, fmt.Errorf("is not a calibration: %w", err)
	}
	digest, err := c.ComputeDigest()
	if err != nil {
		return nil, err
	}
	if digest != c.Digest {
		return nil, errors.New("its digest is not that of its content: it was changed")
	}
	for _, s := range scoring.Strata {
		if len(c.Strata[s].Budgets) == 0 {
			return nil, fmt.Errorf("has no budgets for stratum %s", s)
		}
	}
	return &c, nil
}

// ImportCalibration stores a calibration that another database exported, under
// its own name or another.
func ImportCalibration(ctx context.Context, db *sql.DB, doc []byte, as, version string, now time.Time) (*scoring.Calibration, error) {
	c, err := ParseCalibration(doc)
	if err != nil {
		return nil, schema.Faultf(schema.Rejected, "calibration", "amdb calibration export writes one", "%w", err)
	}
	if as != "" {
		c.Name = as
	}
	var taken int
	if err := db.Row(ctx, "SELECT count(*) FROM calibrations WHERE name = ?", []any{c.Name}, &taken); err != nil {
		return nil, err
	}
	if taken > 0 {
		return nil, schema.Faultf(schema.Failed, "calibration "+c.Name, "--as NAME imports it under another name", "the name is taken")
	}
	return c, db.Tx(ctx, func() error { return store(ctx, db, c, version, now) })
}
