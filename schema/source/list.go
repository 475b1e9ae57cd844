// Package source finds runs as other programs write them: tables (package table)
// and the result folders of agent harnesses, one package each. This file has the
// one list of all harness readers.
package source

import (
	"amdb/schema/source/atif"
	"amdb/schema/source/harbor"
	"amdb/schema/source/inspect"
	"amdb/schema/source/minisweagent"
	"amdb/schema/source/openhands"
	"amdb/schema/source/reader"
	"amdb/schema/source/sweagent"
	"amdb/schema/source/terminalbench"
)

// Harnesses lists the harness readers in the order in which they are asked:
// the first that claims a file reads it.
func Harnesses(o reader.Options) []reader.Harness {
	return []reader.Harness{
		harbor.New(),
		terminalbench.New(),
		inspect.New(o.Scorer),
		atif.New(),
		sweagent.New(),
		minisweagent.New(),
		openhands.NewIndex(),
		openhands.New(),
	}
}
