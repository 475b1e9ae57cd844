package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// trialTemplate is a made-up Harbor trial of the tests, whose names become those
// of every made-up trial.
const trialTemplate = "testdata/formats/harbor/jobs/demo/pdf-merge__Ab3xQ9z/result.json"

// makeTrials writes n Harbor trials, a folder each: some hundred to a task.
func makeTrials(dir string, n int) error {
	template, err := os.ReadFile(trialTemplate)
	if err != nil {
		return err
	}
	part := dir + ".part"
	if err := os.RemoveAll(part); err != nil {
		return err
	}
	for i := range n {
		task := fmt.Sprintf("task-%04d", i/200)
		trial := fmt.Sprintf("%s__%07d", task, i)
		text := bytes.ReplaceAll(template, []byte("pdf-merge__Ab3xQ9z"), []byte(trial))
		text = bytes.ReplaceAll(text, []byte("pdf-merge"), []byte(task))
		text = bytes.ReplaceAll(text, []byte("000000001671"), fmt.Appendf(nil, "%012d", i))
		if err := os.MkdirAll(filepath.Join(part, trial), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(part, trial, "result.json"), text, 0o644); err != nil { //nolint:gosec // made-up data, for anybody
			return err
		}
	}
	return os.Rename(part, dir)
}

// readAll reads every byte of a folder's files: what no reader of it can do
// without.
func readAll(dir string) error {
	files := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		_, err = os.ReadFile(path)
		return err
	})
	if err == nil && files == 0 {
		return errors.New(dir + " has no files")
	}
	return err
}
