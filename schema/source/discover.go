package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"amdb/schema"
	"amdb/schema/source/reader"
	"amdb/schema/source/table"
)

// Input is one source of a load: a table file, or the harness files of one
// file or folder. Exactly one of Path and Files is set.
type Input struct {
	Name   string        // as shown to people
	Format string        // one of table.Formats, or a harness's name
	Path   string        // a table's file
	Files  []reader.File // a harness's files, in path order
	reader reader.Harness
	temp   bool      // Path is a copy, of standard input or out of an archive
	within io.Closer // the archive that the files are in
	passed []string  // tables of the folder that were passed over for the harness's files
}

// Close removes a temporary copy and closes an archive.
func (in *Input) Close() {
	if in.temp {
		os.Remove(in.Path)
	}
	if in.within != nil {
		in.within.Close()
	}
}

// NotFoundError says that a path or pattern names nothing to load.
type NotFoundError struct{ Path, Reason string }

func (e *NotFoundError) Error() string { return e.Path + ": " + e.Reason }

// Discover finds what to load behind paths: files, patterns, folders, or "-"
// for standard input. format is "auto", one of table.Formats or a harness's
// name. The result is in the order of paths, each folder's in path order.
func Discover(ctx context.Context, paths []string, format string, o reader.Options, stdin io.Reader) ([]Input, error) {
	var out []Input
	harnesses := Harnesses(o)
	if format != "auto" && !slices.Contains(table.Formats, format) {
		i := slices.IndexFunc(harnesses, func(h reader.Harness) bool { return h.Name() == format })
		if i < 0 {
			return nil, &schema.Fault{
				Class: schema.Usage, What: "--input-format", Hint: "there are: auto, " + strings.Join(FormatNames(o), ", "),
				Err: fmt.Errorf("there is no format %q", format),
			}
		}
		harnesses = harnesses[i : i+1]
	}
	for _, p := range paths {
		if ctx.Err() != nil {
			return out, context.Cause(ctx)
		}
		if p == "-" {
			in, err := spool(ctx, stdin, format)
			if err != nil {
				return out, err
			}
			out = append(out, in)
			continue
		}
		names := []string{p}
		_, err := os.Stat(p)
		if errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(p, "*?[") {
			if names, err = filepath.Glob(p); err == nil && len(names) == 0 {
				return out, &NotFoundError{p, "matches no file"}
			}
			slices.Sort(names)
		}
		if err != nil {
			return out, &NotFoundError{p, reader.PlainReason(err)}
		}
		for _, name := range names {
			info, err := os.Stat(name)
			if err != nil {
				return out, &NotFoundError{name, reader.PlainReason(err)}
			}
			var found []Input
			if info.IsDir() {
				found, err = discoverTree(ctx, os.DirFS(name), name, format, harnesses)
			} else {
				found, err = discoverFile(ctx, name, format, harnesses)
			}
			if err != nil {
				return out, err
			}
			out = append(out, found...)
		}
	}
	return out, nil
}

// FormatNames lists every input format.
func FormatNames(o reader.Options) []string {
	names := slices.Clone(table.Formats)
	for _, h := range Harnesses(o) {
		names = append(names, h.Name())
	}
	return names
}

// spool copies standard input to a file: Parquet needs its end first. A read
// that blocks does not keep a person from stopping the program.
func spool(ctx context.Context, stdin io.Reader, format string) (Input, error) {
	f, err := os.CreateTemp("", "amdb-stdin-*")
	if err != nil {
		return Input{}, err
	}
	copied := make(chan error, 1)
	go func() {
		_, err := io.Copy(f, stdin)
		copied <- err
	}()
	select {
	case err = <-copied:
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(f.Name())
		return Input{}, fmt.Errorf("reading standard input: %w", err)
	}
	in := Input{Name: "-", Path: f.Name(), Format: format, temp: true}
	if format == "auto" {
		head, _ := reader.ReadHead(os.DirFS(filepath.Dir(f.Name())), filepath.Base(f.Name()))
		in.Format = tableFormat("-", head)
	}
	return in, nil
}

// discoverFile finds one file's format: a harness's by content, else a table's.
func discoverFile(ctx context.Context, name, format string, harnesses []reader.Harness) ([]Input, error) {
	if slices.Contains(table.Formats, format) {
		return []Input{{Name: name, Format: format, Path: name}}, nil
	}
	f := reader.File{FS: os.DirFS(filepath.Dir(name)), Path: filepath.Base(name), Name: name}
	head, err := reader.ReadHead(f.FS, f.Path)
	if err != nil {
		return nil, &NotFoundError{name, reader.PlainReason(err)}
	}
	if IsArchive(name, head) {
		return discoverArchive(ctx, name, format, harnesses)
	}
	for _, h := range harnesses {
		if format == h.Name() || h.Claims(f, head) {
			return []Input{{Name: name, Format: h.Name(), Files: []reader.File{f}, reader: h}}, nil
		}
	}
	return []Input{{Name: name, Format: tableFormat(name, head), Path: name}}, nil
}

// discoverArchive finds what an archive holds, as if it were a folder. Tables in
// it are copied out, for their readers want a file.
func discoverArchive(ctx context.Context, name, format string, harnesses []reader.Harness) ([]Input, error) {
	a, err := OpenArchive(name)
	if err != nil {
		return nil, &reader.FileError{File: name, Reason: reader.PlainReason(err)}
	}
	found, err := discoverTree(ctx, a.FS, name, format, harnesses)
	for i := range found {
		in := &found[i]
		if in.Path == "" {
			continue
		}
		inside := strings.TrimPrefix(filepath.ToSlash(in.Path), filepath.ToSlash(name)+"/")
		f, ferr := a.Open(inside)
		if ferr != nil {
			err = errors.Join(err, ferr)
			continue
		}
		copied, ferr := spool(ctx, f, in.Format)
		f.Close()
		in.Path, in.temp = copied.Path, ferr == nil
		err = errors.Join(err, ferr)
	}
	if len(found) == 0 || err != nil {
		return found, errors.Join(err, a.Close())
	}
	found[len(found)-1].within = a
	return found, nil
}

// discoverTree finds what a folder holds: the files of harnesses where there
// are any, and only then tables, for the work of an agent may hold tables too.
// Hidden files and folders are passed over.
func discoverTree(ctx context.Context, fsys fs.FS, root, format string, harnesses []reader.Harness) ([]Input, error) {
	claimed := map[string][]reader.File{}
	var tables []Input
	err := fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case p != "." && strings.HasPrefix(path.Base(p), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case !d.Type().IsRegular():
			return nil
		}
		f := reader.File{FS: fsys, Path: p, Name: filepath.Join(root, filepath.FromSlash(p))}
		if !slices.Contains(table.Formats, format) && mayBeHarness(p) {
			head, err := reader.ReadHead(fsys, p)
			if err != nil {
				return &NotFoundError{f.Name, reader.PlainReason(err)}
			}
			for _, h := range harnesses {
				if h.Claims(f, head) {
					claimed[h.Name()] = append(claimed[h.Name()], f)
					return nil
				}
			}
		}
		if t := formatByName(p); t != "" && (format == "auto" || format == t) {
			tables = append(tables, Input{Name: f.Name, Format: t, Path: f.Name})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var out []Input
	for _, h := range harnesses {
		if files := claimed[h.Name()]; len(files) > 0 {
			out = append(out, Input{Name: root, Format: h.Name(), Files: files, reader: h})
		}
	}
	if len(out) == 0 {
		out = tables
	} else {
		for _, t := range tables {
			out[0].passed = append(out[0].passed, t.Name)
		}
	}
	if len(out) == 0 {
		return nil, &NotFoundError{root, "holds no file that amdb reads"}
	}
	return out, nil
}

// mayBeHarness keeps the walk from opening files that no harness writes.
func mayBeHarness(p string) bool {
	switch strings.ToLower(path.Ext(reader.StripCompression(p))) {
	case ".json", ".jsonl", ".eval", ".traj", ".ndjson":
		return true
	}
	return false
}

// formatByName is a table's format by its file's name, "" where that says none.
func formatByName(p string) string {
	switch strings.ToLower(path.Ext(reader.StripCompression(p))) {
	case ".xlsx", ".xlsm":
		return "xlsx"
	case ".parquet", ".pq":
		return "parquet"
	case ".arrow", ".arrows", ".feather", ".ipc":
		return "arrow"
	case ".csv":
		return "csv"
	case ".tsv", ".tab":
		return "tsv"
	case ".jsonl", ".ndjson":
		return "jsonl"
	case ".json":
		return "json"
	}
	return ""
}

// tableFormat is a table's format: by content where that is sure, else by name,
// else by the first line.
func tableFormat(name string, head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("PAR1")):
		return "parquet"
	case bytes.HasPrefix(head, []byte("ARROW1")), bytes.HasPrefix(head, []byte{0xff, 0xff, 0xff, 0xff}):
		return "arrow"
	}
	text := bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")))
	isJSON := bytes.HasPrefix(text, []byte(`{"`))
	if f := formatByName(name); f != "" && (f != "csv" || !isJSON) {
		return f
	}
	line, _, _ := bytes.Cut(text, []byte("\n"))
	switch {
	case bytes.HasPrefix(text, []byte("[")):
		return "json"
	case bytes.HasPrefix(text, []byte("{")):
		if bytes.HasSuffix(bytes.TrimSpace(line), []byte("}")) {
			return "jsonl"
		}
		return "json"
	case bytes.Contains(line, []byte("\t")) && !bytes.Contains(line, []byte(",")):
		return "tsv"
	}
	return "csv"
}
