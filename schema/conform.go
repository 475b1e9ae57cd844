package schema

import (
	"context"
	"strings"

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

	attempt := array.NewInt32Builder(memory.DefaultAllocator)
	row := array.NewInt64Builder(memory.DefaultAllocator)
	attempt.Reserve(b.Rows)
	row.Reserve(b.Rows)
	keys := [3]*array.Int32Builder{}
	for i := range keys {
		keys[i] = array.NewInt32Builder(memory.DefaultAllocator)
		keys[i].Reserve(b.Rows)
	}
	nothing := newTexts(nil, b.Rows)
	number := [3]*pairs{
		newPairs(text[Benchmark], text[Task], &c.Keys.Tasks, ""),
		newPairs(text[Model], text[CLI], &c.Keys.Configs, ""),
		newPairs(text[Description], nothing, &c.Keys.Descriptions, "original"),
	}
	for i := range b.Rows {
		row.UnsafeAppend(b.number(i))
		if attempts.IsNull(i) {
			attempt.UnsafeAppendBoolToBitmap(false)
		} else {
			attempt.UnsafeAppend(int32(attempts.Value(i)))
		}
		if f.bad(i) {
			for _, k := range keys {
				k.UnsafeAppend(0)
			}
			continue
		}
		for j, k := range keys {
			k.UnsafeAppend(number[j].id(i))
		}
	}
	runID := c.runIDs(f, text, attempts)
	out := array.NewRecordBatch(Conformed, []arrow.Array{
		runID, keys[0].NewArray(), keys[1].NewArray(), keys[2].NewArray(), attempt.NewArray(),
		text[CLIVersion].array(), reward, cost, costSource(text[CostSource], cost),
		ints[InputTokens], ints[CachedInputTokens], ints[OutputTokens], ints[TotalTokens], ints[Steps],
		started, finished, text[Status].array(), f.extras(), row.NewArray(),
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

// runIDs are the runs' ids: the source's own, as they are where every row has
// one, else a hash of what the run is.
func (c *Conformer) runIDs(f *faults, text [NumColumns]*texts, attempts *array.Int64) arrow.Array {
	own := text[RunID]
	if own.str != nil && own.str.NullN() == 0 && len(f.found) == 0 && !hasEmpty(own.str) {
		own.str.Retain()
		return own.str
	}
	b := array.NewStringBuilder(memory.DefaultAllocator)
	b.Reserve(f.batch.Rows)
	for i := range f.batch.Rows {
		id := own.at(i)
		switch {
		case f.bad(i):
			id = ""
		case id == "":
			n := int64(1)
			if attempts.IsValid(i) {
				n = attempts.Value(i)
			}
			description := text[Description].at(i)
			if description == "" {
				description = "original"
			}
			id, c.buf = hashID(c.buf, text[Benchmark].at(i), text[Task].at(i), text[Model].at(i), text[CLI].at(i), description, n)
		}
		b.Append(id)
	}
	return b.NewArray()
}

func hasEmpty(a *array.String) bool {
	for i := range a.Len() {
		if a.ValueLen(i) == 0 {
			return true
		}
	}
	return false
}

// costSource is the column of sources: what does not say that it was priced was
// reported, which is stored as NULL.
func costSource(t *texts, cost *array.Float64) arrow.Array {
	if t.values == nil {
		return t.array()
	}
	b := array.NewStringBuilder(memory.DefaultAllocator)
	b.Reserve(t.rows)
	for i := range t.rows {
		if cost.IsValid(i) && t.at(i) == "priced" {
			b.Append("priced")
		} else {
			b.AppendNull()
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
		Value: RedactText(strings.ToValidUTF8(value, "\uFFFD")), Reason: RedactText(err.Error()),
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

// extras are the rows' extras as JSON texts.
func (f *faults) extras() arrow.Array {
	b := f.batch
	if b.Columns[Extra] == nil && len(b.Others) == 0 {
		return array.MakeArrayOfNull(memory.DefaultAllocator, arrow.BinaryTypes.String, b.Rows)
	}
	out := array.NewStringBuilder(memory.DefaultAllocator)
	var clean cleaner
	for i := range b.Rows {
		e := ""
		if !f.bad(i) {
			e = extraOf(&clean, b.Columns[Extra], b.Others, i)
		}
		if e == "" {
			out.AppendNull()
		} else {
			out.Append(e)
		}
	}
	return out.NewArray()
}

// text checks a text column: a dictionary's words once each, other texts row by
// row.
func (f *faults) text(c Col) *texts {
	t := newTexts(f.batch.Columns[c], f.batch.Rows)
	if t.values == nil && !Columns[c].NotEmpty {
		return t
	}
	if c == RunID && t.plainASCII() {
		return t // any text is an id
	}
	if t.dict != nil && f.wordsHold(c, t) {
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

// wordsHold says whether all words of a dictionary column hold the rules, so
// that no row needs a look.
func (f *faults) wordsHold(c Col, t *texts) bool {
	if Columns[c].NotEmpty && (t.dict.NullN() > 0 || t.words.NullN() > 0) {
		return false
	}
	for w := range t.words.Len() {
		if checkText(c, t.words.Value(w)) != nil {
			return false
		}
	}
	return true
}
