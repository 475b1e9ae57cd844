package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"amdb/export"
	"amdb/schema"
	"amdb/scoring"
	"amdb/scoring/study"
	"amdb/sql"
)

func errorf(format string, args ...any) error { return fmt.Errorf(format, args...) }

func (a *app) calibrationCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "calibration",
		Short: "List, show, export and import calibrations",
		Args:  usageArgs(cobra.NoArgs),
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.calibrationList(), a.calibrationShow(), a.calibrationExport(), a.calibrationImport())
	return cmd
}

func (a *app) calibrationList() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the calibrations, oldest first", Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.with(cmd.Context(), sql.Read, func(db *sql.DB) error {
				list, err := study.Calibrations(cmd.Context(), db)
				if err != nil {
					return err
				}
				rows := [][]any{}
				for _, c := range list {
					rows = append(rows, []any{
						c.Name, c.Digest[:12], int64(c.Tasks), int64(c.Reference), c.Alpha, int64(c.Levels), c.CreatedAt.UTC().Format("2006-01-02 15:04"),
					})
				}
				return a.printResult(list, export.NewTable([]export.Column{
					{Name: "name"},
					{Name: "digest"},
					{Name: "tasks", Kind: export.Integer},
					{Name: "reference", Kind: export.Integer},
					{Name: "alpha", Kind: export.Number},
					{Name: "budget_levels", Kind: export.Integer},
					{Name: "created_at"},
				}, rows))
			})
		},
	}
}

// readCalibration reads a calibration by name, or the one that is meant
// without one.
func (a *app) readCalibration(cmd *cobra.Command, args []string) (*scoring.Calibration, error) {
	name := ""
	if len(args) > 0 {
		name = args[0]
	}
	var cal *scoring.Calibration
	err := a.with(cmd.Context(), sql.Read, func(db *sql.DB) error {
		c, chosen, err := study.ReadCalibration(cmd.Context(), db, name)
		if chosen != "" {
			a.warn([]string{chosen})
		}
		cal = c
		return err
	})
	return cal, err
}

func (a *app) calibrationShow() *cobra.Command {
	return &cobra.Command{
		Use: "show [NAME]", Short: "Show a calibration; -f json shows all of it", Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			cal, err := a.readCalibration(cmd, args)
			if err != nil {
				return err
			}
			return a.showCalibration(cal)
		},
	}
}

func (a *app) calibrationExport() *cobra.Command {
	return &cobra.Command{
		Use: "export [NAME]", Short: "Write a calibration as JSON, for another database",
		Example: "  amdb calibration export main -o main.json", Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			cal, err := a.readCalibration(cmd, args)
			if err != nil {
				return err
			}
			a.format = "json"
			return a.printJSON(cal)
		},
	}
}

func (a *app) calibrationImport() *cobra.Command {
	var as string
	cmd := &cobra.Command{
		Use: "import FILE", Short: "Store a calibration that another database exported",
		Example: "  amdb calibration import main.json --as theirs", Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			doc, err := a.readFile(args[0])
			if err != nil {
				return err
			}
			return a.with(cmd.Context(), sql.Make, func(db *sql.DB) error {
				cal, err := study.ImportCalibration(cmd.Context(), db, doc, as, version, a.now())
				if err != nil {
					return err
				}
				db.Keep()
				a.inform("calibration %s imported, digest %s", cal.Name, cal.Digest)
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&as, "as", "", "store it under this name")
	return cmd
}

// readFile reads a file, or standard input for "-".
func (a *app) readFile(path string) ([]byte, error) {
	if path == "-" {
		return io.ReadAll(a.stdin)
	}
	b, err := os.ReadFile(path)
	var pe *os.PathError
	if errors.As(err, &pe) {
		return nil, schema.Faultf(schema.Failed, path, "", "%w", pe.Err)
	}
	return b, err
}
