package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"amdb/export"
	"amdb/sql"
)

// version is amdb's own; it goes into every load, calibration and export.
const version = "0.1.0"

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Say the versions of amdb and of what it is made from", Args: usageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			v := map[string]string{"amdb": version, "go": runtime.Version(), "format": fmt.Sprint(sql.FormatVersion)}
			names := []string{"amdb", "format", "go"}
			if info, ok := debug.ReadBuildInfo(); ok {
				for _, m := range info.Deps {
					switch m.Path {
					case "github.com/duckdb/duckdb-go/v2", "github.com/apache/arrow-go/v18", "github.com/xuri/excelize/v2":
						v[m.Path] = m.Version
						names = append(names, m.Path)
					}
				}
			}
			var rows [][]any
			for _, n := range names {
				rows = append(rows, []any{n, v[n]})
			}
			return a.printResult(v, export.NewTable([]export.Column{{Name: "part"}, {Name: "version"}}, rows))
		},
	}
}
