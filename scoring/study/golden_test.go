package study_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"amdb/scoring"
	"amdb/scoring/study"
	"amdb/sql"
	"amdb/sql/ingest"
)

// now is the clock of every test: nothing that is compared depends on it.
var now = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// lines are a golden set's runs, one JSON object each.
func lines(t testing.TB, set string) [][]byte {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "testdata", "golden", set+".runs.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out [][]byte
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		out = append(out, bytes.Clone(sc.Bytes()))
	}
	return out
}

// database loads runs, split into files, with some number of threads.
func database(t testing.TB, files [][][]byte, threads int) *sql.DB {
	t.Helper()
	dir := t.TempDir()
	var paths []string
	for i, f := range files {
		p := filepath.Join(dir, fmt.Sprintf("runs%d.jsonl", i))
		body := append(bytes.Join(f, []byte("\n")), '\n')
		if i%2 == 1 { // packing must not matter either
			var buf bytes.Buffer
			zw := gzip.NewWriter(&buf)
			_, _ = zw.Write(body)
			_ = zw.Close()
			body, p = buf.Bytes(), p+".gz"
		}
		if err := os.WriteFile(p, body, 0o644); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, p)
	}
	ctx := context.Background()
	db, err := sql.Open(ctx, filepath.Join(dir, "t.duckdb"), sql.Options{Mode: sql.Make, Threads: threads})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if _, err := ingest.Load(ctx, db, ingest.Options{Paths: paths, Format: "auto", OnConflict: ingest.ConflictError, Now: now, Version: "test"}); err != nil {
		t.Fatal(err)
	}
	return db
}

func calibrate(t testing.TB, db *sql.DB) *scoring.Calibration {
	t.Helper()
	c, err := study.Calibrate(context.Background(), db, study.CalibrateOptions{Name: "main", Tasks: "all", Rules: scoring.DefaultRules(), Now: now})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func score(t testing.TB, db *sql.DB, tasks string) *study.Scores {
	t.Helper()
	s, err := study.Score(context.Background(), db, study.ScoreOptions{Tasks: tasks, Condition: "original", Policies: study.DefaultPolicies(), Views: true})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// expected is what the independent program computed.
type expected struct {
	Calibration struct {
		Alpha   float64
		Budgets map[string][]float64
		Effort  map[string]float64
		Eta     map[string]*float64
		Stats   map[string]struct {
			MedianTokens float64 `json:"median_tokens"`
			MedianSteps  float64 `json:"median_steps"`
			ZeroRate     float64 `json:"zero_rate"`
		}
		Stratum map[string]string
	}
	Leaderboard map[string]struct {
		AMS, TQ, AUBQC, EFR float64
		Strata              map[string]scoring.StratumScore
	}
	Ranks map[string]int
}

func golden(t testing.TB, name string) (e expected) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "testdata", "golden", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &e); err != nil {
		t.Fatal(err)
	}
	return e
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-12*max(1, math.Abs(want))) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

func TestGoldenSetsThroughTheDatabase(t *testing.T) {
	for _, set := range []string{"paper", "attempts", "ties"} {
		t.Run(set, func(t *testing.T) {
			db := database(t, [][][]byte{lines(t, set)}, 0)
			cal := calibrate(t, db)
			for _, c := range []struct{ tasks, want string }{
				{"all", set + ".expected-all"},
				{"@" + filepath.Join("..", "..", "testdata", "golden", set+".core.txt"), set + ".expected"},
			} {
				want := golden(t, c.want)
				checkCalibration(t, cal, want)
				checkLeaderboard(t, score(t, db, c.tasks), want)
			}
		})
	}
}

func checkCalibration(t *testing.T, cal *scoring.Calibration, want expected) {
	t.Helper()
	if len(cal.Tasks) != len(want.Calibration.Effort) {
		t.Fatalf("%d tasks, want %d", len(cal.Tasks), len(want.Calibration.Effort))
	}
	for _, task := range cal.Tasks {
		s := want.Calibration.Stats[task.Task]
		near(t, task.Task+" effort", task.Effort, want.Calibration.Effort[task.Task])
		near(t, task.Task+" median_tokens", *task.MedianTokens, s.MedianTokens)
		near(t, task.Task+" median_steps", *task.MedianSteps, s.MedianSteps)
		near(t, task.Task+" zero_rate", task.ZeroRate, s.ZeroRate)
		if got := task.Stratum.String(); got != want.Calibration.Stratum[task.Task] {
			t.Errorf("%s is %s, want %s", task.Task, got, want.Calibration.Stratum[task.Task])
		}
	}
	for _, s := range scoring.Strata {
		r, name := cal.Strata[s], s.String()
		for i, b := range want.Calibration.Budgets[name] {
			near(t, fmt.Sprintf("%s budget %d", name, i+1), r.Budgets[i], b)
		}
		if eta := want.Calibration.Eta[name]; (eta == nil) != (r.EtaUSD == nil) {
			t.Errorf("%s eta = %v, want %v", name, r.EtaUSD, eta)
		} else if eta != nil {
			near(t, name+" eta", *r.EtaUSD, *eta)
		}
	}
}

func checkLeaderboard(t *testing.T, got *study.Scores, want expected) {
	t.Helper()
	if len(got.Leaderboard) != len(want.Leaderboard) {
		t.Fatalf("%d configurations, want %d", len(got.Leaderboard), len(want.Leaderboard))
	}
	for _, s := range got.Leaderboard {
		w := want.Leaderboard[s.Config]
		near(t, s.Config+" ams", s.AMS, w.AMS)
		near(t, s.Config+" tq", s.TQ, w.TQ)
		near(t, s.Config+" aubqc", s.AUBQC, w.AUBQC)
		near(t, s.Config+" efr", s.EFR, w.EFR)
		for _, st := range scoring.Strata {
			x, y := s.Strata[st], w.Strata[st.String()]
			near(t, s.Config+" "+st.String()+" tq", x.TQ, y.TQ)
			near(t, s.Config+" "+st.String()+" aubqc", x.AUBQC, y.AUBQC)
			near(t, s.Config+" "+st.String()+" efr", x.EFR, y.EFR)
			near(t, s.Config+" "+st.String()+" ams", x.AMS, y.AMS)
		}
		if s.Rank != want.Ranks[s.Config] {
			t.Errorf("%s has rank %d, want %d", s.Config, s.Rank, want.Ranks[s.Config])
		}
	}
}

// bits is everything that two equal studies must share to the last bit.
func bits(t testing.TB, db *sql.DB) string {
	t.Helper()
	cal := calibrate(t, db)
	b, err := json.Marshal(score(t, db, "all"))
	if err != nil {
		t.Fatal(err)
	}
	return cal.Digest + string(b)
}

func TestRowOrderFilesAndThreadsDoNotChangeABit(t *testing.T) {
	for _, set := range []string{"paper", "attempts"} {
		t.Run(set, func(t *testing.T) {
			runs := lines(t, set)
			want := bits(t, database(t, [][][]byte{runs}, 1))
			rng := rand.New(rand.NewPCG(1, 2))
			shuffled := slices.Clone(runs)
			rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
			seven := make([][][]byte, 7)
			for _, r := range shuffled {
				i := rng.IntN(7)
				seven[i] = append(seven[i], r)
			}
			for name, db := range map[string]*sql.DB{
				"shuffled":        database(t, [][][]byte{shuffled}, 1),
				"eight threads":   database(t, [][][]byte{runs}, 8),
				"seven files":     database(t, seven, 8),
				"in seven, twice": database(t, append(slices.Clone(seven), seven...), 2),
			} {
				if got := bits(t, db); got != want {
					t.Errorf("%s: digest or scores differ", name)
				}
			}
		})
	}
}

func TestViewsAndScoreAgreeBitForBit(t *testing.T) {
	for _, set := range []string{"paper", "attempts", "ties", "attempts with small rewards"} {
		t.Run(set, func(t *testing.T) {
			name, _, small := strings.Cut(set, " ")
			db := database(t, [][][]byte{lines(t, name)}, 0)
			cal := calibrate(t, db)
			if small { // below 2⁻⁸ the units of an exact sum round
				if err := db.Exec(context.Background(), "UPDATE stored_runs SET reward = reward / 3331"); err != nil {
					t.Fatal(err)
				}
			}
			res := score(t, db, "all") // leaves the scope in place
			ctx := context.Background()
			for _, s := range res.Leaderboard {
				var rank int
				var ams, tq, aubqc, efr float64
				err := db.Row(ctx, "SELECT rank, ams, tq, aubqc, efr FROM scores WHERE description = 'original' AND config = ?",
					[]any{s.Config}, &rank, &ams, &tq, &aubqc, &efr)
				if err != nil {
					t.Fatal(err)
				}
				if rank != s.Rank || ams != s.AMS || tq != s.TQ || aubqc != s.AUBQC || efr != s.EFR {
					t.Errorf("%s: view %d %v %v %v %v, score %d %v %v %v %v", s.Config, rank, ams, tq, aubqc, efr, s.Rank, s.AMS, s.TQ, s.AUBQC, s.EFR)
				}
				for _, st := range scoring.Strata {
					// The curve's mean over budgets is the area under it.
					var area float64
					if err := db.Row(ctx, "SELECT avg(quality) FROM budget_curve WHERE description = 'original' AND config = ? AND stratum = ?",
						[]any{s.Config, st.String()}, &area); err != nil {
						t.Fatal(err)
					}
					near(t, s.Config+" area under budget_curve", area, s.Strata[st].AUBQC)
				}
			}
			checkCurve(t, db)
			for _, task := range cal.Tasks {
				var effort float64
				if err := db.Row(ctx, "SELECT effort FROM task_effort WHERE benchmark = ? AND task = ?", []any{task.Benchmark, task.Task}, &effort); err != nil {
					t.Fatal(err)
				}
				near(t, task.Task+" effort", effort, task.Effort)
			}
		})
	}
}

// checkCurve holds every point of budget_curve to its definition, run by run.
func checkCurve(t *testing.T, db *sql.DB) {
	t.Helper()
	var points, wrong int
	if err := db.Row(context.Background(), `
		WITH tasks AS (
			SELECT m.description, m.config, m.stratum, b.level, m.benchmark, m.task, avg(CASE WHEN m.cost_usd <= b.budget_usd THEN m.reward ELSE 0 END) AS quality
			FROM masked_runs AS m JOIN calibration_budgets AS b ON b.stratum = m.stratum
			GROUP BY ALL),
		want AS (SELECT description, config, stratum, level, count(*) AS tasks, avg(quality) AS quality FROM tasks GROUP BY ALL)
		SELECT count(*), count(*) FILTER (WHERE c.tasks IS DISTINCT FROM w.tasks OR c.quality IS NULL OR w.quality IS NULL OR abs(c.quality - w.quality) > 1e-12)
		FROM budget_curve AS c FULL JOIN want AS w USING (description, config, stratum, level)`, nil, &points, &wrong); err != nil {
		t.Fatal(err)
	}
	if points < 100 || wrong > 0 {
		t.Errorf("%d of %d points of budget_curve are not what the runs say", wrong, points)
	}
}

// writeLines writes a file of one line each.
func writeLines(t testing.TB, path string, rows [][]byte) {
	t.Helper()
	if err := os.WriteFile(path, append(bytes.Join(rows, []byte("\n")), '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}
