package export

import (
	"context"
	"errors"

	"amdb/scoring/study"
	"amdb/sql"
)

// WorkbookOptions are the choices of one workbook.
type WorkbookOptions struct{ Version string }

// WriteWorkbook is a placeholder until the branch with the workbook lands.
func WriteWorkbook(context.Context, *sql.DB, *study.Scores, string, WorkbookOptions) ([]string, error) {
	return nil, errors.New("workbook: not yet")
}
