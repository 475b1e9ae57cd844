package schema

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/compute"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// instant is the type of the time columns.
var instant = &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}

// Conformed is the Arrow schema of checked runs, as they enter the database:
// tasks, configurations and descriptions by number (see Keys), everything else
// as Columns says. row is the run's number in its file.
var Conformed = arrow.NewSchema([]arrow.Field{
	{Name: "run_id", Type: arrow.BinaryTypes.String},
	{Name: "task_key", Type: arrow.PrimitiveTypes.Int32},
	{Name: "config_key", Type: arrow.PrimitiveTypes.Int32},
	{Name: "description_key", Type: arrow.PrimitiveTypes.Int32},
	{Name: "attempt", Type: arrow.PrimitiveTypes.Int32, Nullable: true},
	{Name: "cli_version", Type: arrow.BinaryTypes.String, Nullable: true},
	{Name: "reward", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
	{Name: "reported_cost_usd", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
	{Name: "cost_source", Type: arrow.BinaryTypes.String, Nullable: true},
	{Name: "input_tokens", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
	{Name: "cached_input_tokens", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
	{Name: "output_tokens", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
	{Name: "total_tokens", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
	{Name: "steps", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
	{Name: "started_at", Type: instant, Nullable: true},
	{Name: "finished_at", Type: instant, Nullable: true},
	{Name: "status", Type: arrow.BinaryTypes.String, Nullable: true},
	{Name: "extra", Type: arrow.BinaryTypes.String, Nullable: true},
	{Name: "row", Type: arrow.PrimitiveTypes.Int64},
}, nil)

// Conformer checks batches against the rules and gives them the schema
// Conformed. It is for one file, or for one tree of a harness.
type Conformer struct {
	File      string
	Keys      *Keys
	Constants map[Col]Constant // declared for the whole source
	Rewards   *Range           // declared scale of its rewards; nil: [0,1]
	buf       []byte
}

// Conform checks a batch. It returns the rows that hold all rules, and the
// rows that do not with the first rule that each broke, in column order.
func (c *Conformer) Conform(ctx context.Context, b *Batch) (arrow.RecordBatch, []Reject, error) {
	c.declare(b)
	f := &faults{file: c.File, batch: b}
	var text [NumColumns]*texts
	for _, col := range []Col{RunID, Benchmark, Task, Model, CLI, CLIVersion, Description, CostSource, Status} {
		text[col] = f.text(col)
	}
	attempts := f.integers(Attempt)
	cost := f.numbers(CostUSD)
	var reward *array.Float64
	if c.Rewards != nil {
		reward = f.rewards(c.Rewards)
	} else {
		reward = f.numbers(Reward)
	}
	var ints [NumColumns]*array.Int64
	for _, col := range []Col{InputTokens, CachedInputTokens, OutputTokens, TotalTokens, Steps} {
		ints[col] = f.integers(col)
	}
	ints[TotalTokens] = f.totalTokens(ints[TotalTokens], ints[InputTokens], ints[OutputTokens])
	started, finished := f.times(StartedAt), f.times(FinishedAt)

	runID := array.NewStringBuilder(memory.DefaultAllocator)
	extra := array.NewStringBuilder(memory.DefaultAllocator)
	attempt := array.NewInt32Builder(memory.DefaultAllocator)
	row := array.NewInt64Builder(memory.DefaultAllocator)
	keys := [3]*array.Int32Builder{}
	for i := range keys {
		keys[i] = array.NewInt32Builder(memory.DefaultAllocator)
		keys[i].Reserve(b.Rows)
	}
	runID.Reserve(b.Rows)
	hasExtra := b.Columns[Extra] != nil || len(b.Others) > 0
	for i := range b.Rows {
		row.Append(b.number(i))
		if attempts.IsNull(i) {
			attempt.AppendNull()
		} else {
			attempt.Append(int32(attempts.Value(i)))
		}
		if f.bad(i) {
			runID.Append("")
			extra.AppendNull()
			for _, k := range keys {
				k.Append(0)
			}
			continue
		}
		benchmark, task := text[Benchmark].at(i), text[Task].at(i)
		model, cli := text[Model].at(i), text[CLI].at(i)
		description := text[Description].at(i)
		if description == "" {
			description = "original"
		}
		keys[0].Append(c.Keys.Tasks.ID(Key{benchmark, task}))
		keys[1].Append(c.Keys.Configs.ID(Key{model, cli}))
		keys[2].Append(c.Keys.Descriptions.ID(Key{description}))
		id := text[RunID].at(i)
		if id == "" {
			n := int64(1)
			if attempts.IsValid(i) {
				n = attempts.Value(i)
			}
			id, c.buf = hashID(c.buf, benchmark, task, model, cli, description, n)
		}
		runID.Append(id)
		e := ""
		if hasExtra {
			e = extraOf(b.Columns[Extra], b.Others, i)
		}
		if e == "" {
			extra.AppendNull()
		} else {
			extra.Append(e)
		}
	}
	out := array.NewRecordBatch(Conformed, []arrow.Array{
		runID.NewArray(), keys[0].NewArray(), keys[1].NewArray(), keys[2].NewArray(), attempt.NewArray(),
		text[CLIVersion].array(true), reward, cost, costSource(text[CostSource], cost),
		ints[InputTokens], ints[CachedInputTokens], ints[OutputTokens], ints[TotalTokens], ints[Steps],
		started, finished, text[Status].array(true), extra.NewArray(), row.NewArray(),
	}, int64(b.Rows))
	rejects := append(append([]Reject{}, b.Rejects...), f.list()...)
	if len(f.found) == 0 {
		return out, rejects, nil
	}
	defer out.Release()
	mask := array.NewBooleanBuilder(memory.DefaultAllocator)
	for i := range b.Rows {
		mask.Append(!f.bad(i))
	}
	kept, err := compute.FilterRecordBatch(ctx, out, mask.NewArray(), compute.DefaultFilterOptions())
	return kept, rejects, err
}

// costSource says of every known cost whether it was reported, which is what a
// source means that does not say.
func costSource(t *texts, cost *array.Float64) arrow.Array {
	b := array.NewStringBuilder(memory.DefaultAllocator)
	b.Reserve(t.rows)
	for i := range t.rows {
		switch {
		case cost.IsNull(i):
			b.AppendNull()
		case t.at(i) == "priced":
			b.Append("priced")
		default:
			b.Append("reported")
		}
	}
	return b.NewArray()
}

// texts is a text column as it is read row by row. A nil array is all NULL.
type texts struct {
	values arrow.Array
	str    *array.String // values, where they are plain strings
	rows   int
	redact bool
}

// at is row i's text; "" for NULL.
func (t *texts) at(i int) string {
	if t.str != nil {
		if t.str.IsNull(i) {
			return ""
		}
		return t.str.Value(i)
	}
	if t.values == nil || t.values.IsNull(i) {
		return ""
	}
	return t.values.ValueStr(i)
}

// array is the column as an array of strings, "" as NULL, credentials out.
func (t *texts) array(redact bool) arrow.Array {
	b := array.NewStringBuilder(memory.DefaultAllocator)
	b.Reserve(t.rows)
	for i := range t.rows {
		s := t.at(i)
		switch {
		case s == "" || !utf8.ValidString(s):
			b.AppendNull()
		case redact:
			b.Append(RedactText(s))
		default:
			b.Append(s)
		}
	}
	return b.NewArray()
}

// faults collects the first rule that each row of a batch broke.
type faults struct {
	file  string
	batch *Batch
	found map[int]Reject
}

// maxShown bounds the value that a reject shows.
const maxShown = 200

func (f *faults) add(i int, c Col, value string, err error) {
	if f.found == nil {
		f.found = map[int]Reject{}
	}
	if prev, ok := f.found[i]; ok && columnOf(prev) <= c {
		return
	}
	file := f.file
	if f.batch.Files != nil && f.batch.Files[i] != "" {
		file = f.batch.Files[i]
	}
	if len(value) > maxShown {
		value = value[:maxShown] + "…"
	}
	f.found[i] = Reject{
		File: file, Row: f.batch.number(i), Column: Columns[c].Name,
		Value: RedactText(strings.ToValidUTF8(value, "\uFFFD")), Reason: err.Error(),
	}
}

func columnOf(r Reject) Col {
	c := byName[r.Column]
	return c
}

func (f *faults) bad(i int) bool {
	_, ok := f.found[i]
	return ok
}

// list is the rejects in row order.
func (f *faults) list() []Reject {
	if len(f.found) == 0 {
		return nil
	}
	out := make([]Reject, 0, len(f.found))
	for i := range f.batch.Rows {
		if r, ok := f.found[i]; ok {
			out = append(out, r)
		}
	}
	return out
}

// text checks a text column.
func (f *faults) text(c Col) *texts {
	t := &texts{values: f.batch.Columns[c], rows: f.batch.Rows}
	t.str, _ = t.values.(*array.String)
	if t.values == nil && !Columns[c].NotEmpty {
		return t
	}
	prev := "\x00"
	for i := range f.batch.Rows {
		s := t.at(i)
		if s == prev {
			continue // checked a row ago, and held
		}
		if err := checkText(c, s); err != nil {
			f.add(i, c, s, err)
			continue
		}
		prev = s
	}
	return t
}
