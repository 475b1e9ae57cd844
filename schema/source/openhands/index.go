package openhands

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"amdb/schema"
	"amdb/schema/source/reader"
)

// openHandsIndex reads the OpenHands index: a folder for each configuration,
// with metadata.json (agent and model), scores.json (the averages that are
// shown) and one BENCHMARK.json each, a cost and a verdict for every instance.
type openHandsIndex struct{}

// NewIndex makes a reader for one tree.
func NewIndex() reader.Harness { return openHandsIndex{} }

func (openHandsIndex) Name() string { return "openhands-index" }

func (openHandsIndex) Doc() string {
	return "OpenHands index folders: metadata.json, scores.json and one BENCHMARK.json each"
}

// Claims implements Harness.
func (openHandsIndex) Claims(f reader.File, head []byte) bool {
	switch base := path.Base(reader.StripCompression(f.Path)); {
	case base == "metadata.json":
		return isIndexMetadata(head)
	case base == "scores.json" || isIndexResults(head):
		_, ok := indexMetadata(f)
		return ok
	}
	return false
}

func isIndexMetadata(head []byte) bool {
	return reader.HasAll(reader.HeadFields(head, "agent_name", "model", "directory_name"), "agent_name", "model", "directory_name")
}

// isIndexResults tells a map of instances by its first.
func isIndexResults(head []byte) bool {
	first := reader.FirstMember(head)
	return reader.HasAll(reader.HeadFields(first, "cost", "resolved"), "cost", "resolved")
}

// indexMetadata finds the metadata.json beside a file or, of the layout with
// instance_results, one folder above.
func indexMetadata(f reader.File) (reader.File, bool) {
	for _, rel := range []string{"metadata.json", "../metadata.json"} {
		if m := f.Beside(rel); isIndexMetadata(m.Head()) {
			return m, true
		}
	}
	return reader.File{}, false
}

// indexConfig is what is read of a metadata.json.
type indexConfig struct {
	Agent   reader.Value `json:"agent_name"`
	Version reader.Value `json:"agent_version"`
	Model   reader.Value `json:"model"`
}

// indexResults is a BENCHMARK.json in its order.
type indexResults []indexInstance

type indexInstance struct {
	name     string
	Cost     reader.Value `json:"cost"`
	Resolved reader.Value `json:"resolved"`
}

// UnmarshalJSONFrom reads the map of instances.
func (r *indexResults) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	return reader.EachMember(dec, func(name string, one *indexInstance) error {
		one.name = name
		*r = append(*r, *one)
		return reader.TooMany(len(*r))
	})
}

// indexScore is one entry of scores.json.
type indexScore struct {
	Benchmark reader.Value `json:"benchmark"`
	Score     reader.Value `json:"score"`
	Version   reader.Value `json:"agent_version"`
}

// Read implements Harness.
func (openHandsIndex) Read(_ context.Context, f reader.File, out reader.Sink) error {
	base := path.Base(reader.StripCompression(f.Path))
	if base == "metadata.json" || base == "scores.json" {
		return nil // read with the results
	}
	at, ok := indexMetadata(f)
	if !ok {
		return &reader.FileError{File: f.Name, Reason: "has no metadata.json of the OpenHands index beside it"}
	}
	config, _, err := reader.ReadJSON[indexConfig](at)
	if err != nil {
		return err
	}
	results, _, err := reader.ReadJSON[indexResults](f)
	if err != nil {
		return err
	}
	benchmark := strings.TrimSuffix(base, ".json")
	score, err := indexScoreOf(at.Beside("scores.json"), benchmark)
	if err != nil {
		return err
	}
	solved := 0
	for i, one := range *results {
		row := &schema.Row{Number: int64(i + 1), File: f.Name}
		row.Set(schema.Benchmark, benchmark)
		row.Set(schema.Task, one.name)
		reader.Set(row, schema.Model, config.Model)
		reader.Set(row, schema.CLI, config.Agent)
		reader.Set(row, schema.CLIVersion, score.Version)
		reader.SetNew(row, schema.CLIVersion, config.Version)
		reader.Set(row, schema.Reward, one.Resolved)
		reader.Set(row, schema.CostUSD, one.Cost)
		switch string(one.Resolved) {
		case "true":
			solved++
			row.Set(schema.Status, "resolved")
		case "false":
			row.Set(schema.Status, "unresolved")
		}
		if err := out.Run(row); err != nil {
			return err
		}
	}
	if said, ok := reader.Number(score.Score); ok && len(*results) > 0 {
		got := 100 * float64(solved) / float64(len(*results))
		if diff := said - got; diff > 0.051 || diff < -0.051 { // shown with one decimal
			out.Note(schema.Note{File: f.Name, Kind: "mismatch", Message: fmt.Sprintf("scores.json says %v; %d of %d solved is %.1f", said, solved, len(*results), got)})
		}
	}
	return nil
}

// indexScoreOf is the entry of scores.json for a benchmark; the zero value
// where there is none.
func indexScoreOf(f reader.File, benchmark string) (indexScore, error) {
	if f.Head() == nil {
		return indexScore{}, nil
	}
	scores, _, err := reader.ReadJSON[[]indexScore](f)
	if err != nil {
		return indexScore{}, err
	}
	for _, s := range *scores {
		if reader.Text(s.Benchmark) == benchmark {
			return s, nil
		}
	}
	return indexScore{}, nil
}
