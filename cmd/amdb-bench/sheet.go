package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"
)

// The formulas of a run in amdb's sheet Runs, by column from 0; # is the row.
var runFormulas = map[int]string{
	8:  "IF(AND(ISNUMBER(G#),ISNUMBER(H#)),1,0)",
	9:  "IF(ISNUMBER(H#),SUMPRODUCT(ISNUMBER(budgets_Medium)*(budgets_Medium>=H#)),0)",
	10: `IF(I#=1,N(G#)*J#/levels_Medium,"")`,
	11: `IF(I#=1,(N(G#)=0)*ISNUMBER(H#)*ISNUMBER(eta_Medium)*(N(H#)>N(eta_Medium)),"")`,
}

// writeBareSheet writes the cells of n runs as amdb's sheet Runs has them, with
// formulas, values and styles, from memory and with excelize's stream writer
// alone.
func writeBareSheet(path string, n int) (err error) {
	f := excelize.NewFile()
	defer f.Close()
	style, err := f.NewStyle(&excelize.Style{NumFmt: 2})
	if err != nil {
		return err
	}
	sw, err := f.NewStreamWriter("Sheet1")
	if err != nil {
		return err
	}
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	cells := make([]any, 19)
	for i := range n {
		row := fmt.Sprint(i + 2)
		for k, v := range []any{
			"provider/model-001/agent-01", "skillsbench", "skillsbench-00001", "Medium", int64(i%5 + 1), fmt.Sprintf("run-%09d", i),
			float64(i%101) / 100, float64(i*7919%9973+1) / 10000, int64(1), int64(7), 0.259, int64(0),
			int64(1000 + i*31%99991), int64(i%40 + 1), at.Add(time.Duration(i) * time.Second), at.Add(time.Duration(i+300) * time.Second), "completed", "1.0", "reported",
		} {
			cells[k] = excelize.Cell{StyleID: style, Value: v, Formula: strings.ReplaceAll(runFormulas[k], "#", row)}
		}
		if err := sw.SetRow("A"+row, cells); err != nil {
			return err
		}
	}
	if err := sw.Flush(); err != nil {
		return err
	}
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Write(out), out.Close())
}
