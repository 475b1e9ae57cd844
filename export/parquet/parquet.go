// Package parquet writes tables and views as Parquet, one file or a folder.
package parquet

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"

	"amdb/export"
	"amdb/export/table"
	"amdb/schema"
	"amdb/sql"
)

// File writes a query's rows to one Parquet file, whole or not at all.
func File(ctx context.Context, db *sql.DB, query, path string, metadata map[string]string) error {
	return export.Atomic(path, func(f *os.File) error {
		// DuckDB opens the file by its name; ours is only the reservation.
		return db.CopyParquet(ctx, query, f.Name(), metadata)
	})
}

// marker is the file that says that a folder is an export of ours, so that a
// new export may take its place.
const marker = "_amdb_export.json"

// Folder writes every table and view as a Parquet file of its name into a
// folder, which appears whole or not at all. An earlier export of ours there is
// replaced, files that are no longer exported included; any other folder that
// is not empty is left alone.
func Folder(ctx context.Context, db *sql.DB, path string, relations []string, metadata map[string]string) error {
	return folder(path, metadata, func(temp string) error {
		for _, r := range relations {
			query, err := sql.Ordered(r)
			if err != nil {
				return err
			}
			if err := db.CopyParquet(ctx, query, filepath.Join(temp, r+".parquet"), metadata); err != nil {
				return err
			}
		}
		return nil
	})
}

// Partitioned writes a query's rows into a folder with one Parquet file a value
// of a column, as column=value/part-0.parquet: the layout that DuckDB, pyarrow
// and pandas read as one table. The column is in the path and not in the files.
// A query without rows gives one file without rows, which holds the columns.
func Partitioned(ctx context.Context, db *sql.DB, query, column, path string, metadata map[string]string) error {
	return folder(path, metadata, func(temp string) error {
		values, err := db.Values(ctx, query, column)
		if err != nil {
			return err
		}
		if len(values) == 0 {
			return db.CopyParquet(ctx, query, filepath.Join(temp, "part-0.parquet"), metadata)
		}
		for _, v := range values {
			dir := filepath.Join(temp, url.PathEscape(column)+"="+nullPartition)
			if v != nil {
				dir = filepath.Join(temp, url.PathEscape(column)+"="+url.PathEscape(*v))
			}
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return err
			}
			if err := db.CopyParquet(ctx, sql.Partition(query, column, v), filepath.Join(dir, "part-0.parquet"), metadata); err != nil {
				return err
			}
		}
		return nil
	})
}

// nullPartition is the value of a partition without one, as readers expect it.
const nullPartition = "__HIVE_DEFAULT_PARTITION__"

// folder fills a folder that appears whole or not at all.
func folder(path string, metadata map[string]string, fill func(temp string) error) (err error) {
	if err := replaceable(path); err != nil {
		return err
	}
	parent := filepath.Dir(filepath.Clean(path))
	temp, err := os.MkdirTemp(parent, ".amdb-export-*")
	if err != nil {
		return err
	}
	done := sql.Scratch(temp)
	defer func() { os.RemoveAll(temp); done() }()
	if err := fill(temp); err != nil {
		return err
	}
	b, err := table.Marshal(metadata)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(temp, marker), append(b, '\n'), 0o644); err != nil {
		return err
	}
	if err := os.Chmod(temp, 0o755); err != nil {
		return err
	}
	done() // from here on, to stop in a hurry would lose the earlier export
	old := ""
	if _, err := os.Stat(path); err == nil {
		old = temp + "-old"
		if err := os.Rename(path, old); err != nil {
			return err
		}
	}
	if err := os.Rename(temp, path); err != nil {
		if old != "" {
			err = errors.Join(err, os.Rename(old, path))
		}
		return err
	}
	if old != "" {
		return os.RemoveAll(old)
	}
	return nil
}

// replaceable says whether a folder may be written.
func replaceable(path string) error {
	entries, err := os.ReadDir(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return schema.Faultf(schema.Failed, path, "name a folder, or a file that ends in .parquet, .xlsx, .csv or .json", "is not a folder")
	case len(entries) == 0, slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == marker }):
		return nil
	}
	return &schema.Fault{
		Class: schema.Failed, What: path, Hint: "name a folder that is empty, new, or an earlier export",
		Err: fmt.Errorf("holds %d files that amdb did not write", len(entries)),
	}
}
