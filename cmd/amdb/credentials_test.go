package main

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is planted: values that only their field's name gives away, and values
// that only their own look does.
const (
	byName = "PLANTED-plain-word"
	byLook = "sk-PLANTEDabcdefgh0123456789"
)

// keyLike are fields whose values must never be kept.
var keyLike = []string{
	"api_key", "apiKey", "OPENAI_API_KEY", "token", "auth_token", "authorization", "Authorization", "x-api-key",
	"password", "client_secret", "aws_secret_access_key", "private_key", "cookie", "env", "headers",
}

// texts are fields that harnesses fill with words of their own or of a program.
var texts = map[string]bool{
	"error": true, "message": true, "exception_message": true, "exit_status": true, "failure_mode": true, "status_note": true,
	"exception_type": true, "explanation": true,
}

// plant puts secrets into every object that holds a plain value.
func plant(v any) any {
	switch v := v.(type) {
	case map[string]any:
		plain := false
		for k, child := range v {
			switch c := child.(type) {
			case string:
				plain = true
				if texts[k] {
					v[k] = c + " with " + byLook + " and OPENAI_API_KEY=" + byName + ` and {"password": "` + byName + `"} at https://me:` + byName + "@host/"
				}
			case json.Number, bool, nil:
				plain = true
			default:
				v[k] = plant(c)
			}
		}
		if plain {
			for i, k := range keyLike {
				if _, there := v[k]; !there {
					v[k] = [...]any{byName, byLook, map[string]any{"value": byName}, []any{byName}}[i%4]
				}
			}
		}
	case []any:
		for i := range v {
			v[i] = plant(v[i])
		}
	}
	return v
}

// planted copies a tree with secrets in every JSON file of it.
func planted(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(from, p)
		if err != nil {
			return err
		}
		body, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		switch filepath.Ext(p) {
		case ".json", ".traj":
			body = plantJSON(body)
		case ".jsonl":
			var out [][]byte
			for _, line := range bytes.Split(bytes.TrimSpace(body), []byte("\n")) {
				out = append(out, bytes.ReplaceAll(plantJSON(line), []byte("\n"), nil))
			}
			body = bytes.Join(out, []byte("\n"))
		}
		dst := filepath.Join(to, rel)
		if err := os.MkdirAll(filepath.Dir(dst), 0o755); err != nil {
			return err
		}
		return os.WriteFile(dst, body, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func plantJSON(body []byte) []byte {
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil {
		return body // a broken file stays one
	}
	out, err := json.Marshal(plant(v))
	if err != nil {
		panic(err)
	}
	return out
}

// session runs commands and searches all that they say and write.
type session struct {
	t   *testing.T
	dir string
	out bytes.Buffer
}

func (s *session) amdb(args ...string) int {
	var out, errs bytes.Buffer
	code := run(context.Background(), append([]string{"--db", filepath.Join(s.dir, "t.duckdb")}, args...), strings.NewReader(""), &out, &errs)
	fmt.Fprintf(&s.out, "\n$ amdb %s\n%s%s", strings.Join(args, " "), out.String(), errs.String())
	search(s.t, "output of amdb "+strings.Join(args, " "), append(out.Bytes(), errs.Bytes()...))
	return code
}

func search(t *testing.T, where string, b []byte) {
	t.Helper()
	for _, secret := range []string{byName, byLook, "PLANTED"} {
		if i := bytes.Index(b, []byte(secret)); i >= 0 {
			t.Errorf("%s holds a credential: …%s…", where, b[max(0, i-150):min(len(b), i+60)])
			return
		}
	}
}

func TestNoCredentialIsStoredPrintedOrExported(t *testing.T) {
	s := &session{t: t, dir: t.TempDir()}
	root := filepath.Join("..", "..", "testdata")
	in := t.TempDir()
	for _, tree := range []string{"formats/harbor", "formats/terminal-bench", "raw/inspect", "raw/harbor_atif", "raw/swe_agent", "raw/mini_swe_agent", "raw/openhands_output", "raw/openhands_index"} {
		to := filepath.Join(in, filepath.Base(tree))
		planted(t, filepath.Join(root, tree), to)
		s.amdb("load", to, "--explain")
		s.amdb("load", to, "--scorer", "nonsense")
		args := []string{"load", to, "--allow-rejects", "-f", "json"}
		if strings.HasSuffix(tree, "agent") || strings.HasSuffix(tree, "output") {
			args = append(args, "--map", "model?=unknown")
		}
		s.amdb(args...)
	}
	write := func(name, body string) string {
		p := filepath.Join(in, name)
		if err := os.WriteFile(p, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
		return p
	}
	table := write("t.csv", "task,model,cli,reward,status,api_key,token,authorization,note,extra\n"+
		"t1,m,c,1,died with "+byLook+","+byName+","+byLook+",Bearer "+byName+",use "+byLook+",\"{\"\"nested\"\":{\"\"api_key\"\":\"\""+byName+"\"\",\"\"n\"\":1},\"\"token\"\":\"\""+byName+"\"\"}\"\n"+
		"t2,m,c,"+byLook+",x,,,,,\n"+ // rejected: the value is the secret
		"t3,m,c --api-key "+byLook+",1,x,,,,,\n"+ // a name that holds one
		"t4,m,c,1,x,,,,,not JSON: password="+byName+"\n")
	lines := write("t.jsonl", `{"task":"t5","model":"m","cli":"c","reward":1,"api_key":"`+byName+`","config":{"key":"`+byName+`"},"more":{"deep":[{"Authorization":"Basic `+byName+`"}],"`+byLook+`":1}}`+"\n")
	for _, p := range []string{table, lines} {
		s.amdb("load", p, "--explain")
		s.amdb("load", p, "--explain", "-f", "json")
		s.amdb("load", p)
		if code := s.amdb("load", p, "--allow-rejects"); code != 0 {
			t.Errorf("%s does not load", p)
		}
	}
	for _, format := range []string{"harbor", "terminal-bench", "inspect", "atif", "swe-agent", "mini-swe-agent", "openhands", "openhands-index", "csv", "jsonl"} {
		s.amdb("sql", "SELECT format, sum(inserted) AS n FROM loads WHERE format = '"+format+"' GROUP BY format HAVING sum(inserted) > 0", "-f", "csv")
		if !strings.Contains(s.out.String(), "\n"+format+",") {
			t.Errorf("no run of %s was loaded, so nothing is proved for it", format)
		}
	}

	s.amdb("check")
	s.amdb("check", "-f", "json")
	s.amdb("sql", "SELECT * FROM runs", "-f", "json")
	s.amdb("sql", "SELECT * FROM rejects", "-f", "json")
	s.amdb("sql", "SELECT * FROM load_notes", "-f", "json")
	s.amdb("sql", "SELECT * FROM loads", "-f", "json")
	for _, name := range []string{"runs.csv", "runs.json", "runs.jsonl", "runs.md", "runs.tsv", "runs.parquet", "all/"} {
		if code := s.amdb("export", filepath.Join(s.dir, name)); code != 0 {
			t.Errorf("export %s: exit %d", name, code)
		}
	}
	s.amdb("calibrate", "m", "--missing-reward", "zero", "--missing-cost", "exclude", "--missing-terms", "known")
	s.amdb("export", filepath.Join(s.dir, "review.xlsx"), "--missing-reward", "zero", "--missing-cost", "unaffordable", "--incomplete", "zero")
	err := filepath.WalkDir(s.dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		search(t, p, b)
		if zr, err := zip.NewReader(bytes.NewReader(b), int64(len(b))); err == nil {
			for _, f := range zr.File {
				r, err := f.Open()
				if err != nil {
					return err
				}
				part, err := io.ReadAll(r)
				if err != nil {
					return err
				}
				search(t, p+"/"+f.Name, part)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	// The pages of the file and of Parquet are packed: read them as DuckDB does.
	for _, table := range []string{"stored_runs", "task_keys", "config_keys", "description_keys", "loads", "rejects", "load_notes"} {
		s.amdb("sql", "SELECT * FROM "+table, "-f", "csv")
	}
}
