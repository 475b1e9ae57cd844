package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"amdb/export"
	"amdb/export/table"
	"amdb/schema"
	"amdb/scoring/study"
)

// section is one of several tables of a result.
type section struct {
	title string
	table *export.Table
	notes []string // under it, for people
}

// printSections prints a result of several tables: its JSON contract, all
// tables for people, or, where a format holds one table, the first.
func (a *app) printSections(v any, sections ...section) error {
	if err := a.checkFormat(); err != nil {
		return err
	}
	switch a.format {
	case "json", "jsonl":
		return a.printJSON(v)
	case "csv", "tsv":
		if n := len(sections) - 1; n > 0 {
			a.inform("%d more tables of this result are in -f table, markdown and json", n)
		}
		return a.print(sections[0].table)
	}
	return a.out(func(w io.Writer) error {
		for i, s := range sections {
			if i > 0 {
				fmt.Fprintln(w)
			}
			if a.format == "markdown" {
				if s.title != "" {
					fmt.Fprintf(w, "**%s**\n\n", oneLine(s.title))
				}
				if err := table.Write(w, a.format, s.table); err != nil {
					return err
				}
				continue
			}
			if s.title != "" {
				fmt.Fprintln(w, oneLine(s.title))
			}
			if err := a.terminal(w, s.table, s.notes); err != nil {
				return err
			}
		}
		return nil
	})
}

// basisNotes say under a table what it rests on, and who is not ranked.
func (a *app) basisNotes(b study.Basis, tasks int) []string {
	notes := []string{b.Line(tasks), b.PolicyLine()}
	for i, e := range b.Excluded {
		if i == maxNotes {
			notes = append(notes, fmt.Sprintf("not ranked: … and %d more (-f json lists all)", len(b.Excluded)-i))
			break
		}
		line := fmt.Sprintf("not ranked: %s lacks %d of %d cells", oneLine(e.Config), e.MissingCells, e.MissingCells+e.Cells)
		if e.Uncounted > 0 {
			line += fmt.Sprintf("; in %d of them it has runs that the policies leave out", e.Uncounted)
		}
		notes = append(notes, line)
	}
	return notes
}

// reason is a note that says why figures are undefined; none where none is.
func reason(why string) []string {
	if why == "" {
		return nil
	}
	return []string{"· = undefined: " + oneLine(why)}
}

// onlyWith refuses flags that mean nothing without another.
func onlyWith(cmd *cobra.Command, need string, flags ...string) error {
	for _, f := range flags {
		if cmd.Flags().Changed(f) {
			return schema.Faultf(schema.Usage, "--"+f, "", "means something with %s only", need)
		}
	}
	return nil
}
