package sql

import "embed"

//go:embed queries/*.sql
var queryFiles embed.FS

// Query is the text of an embedded query, by its file's name. A name that is
// not there is a mistake of ours, which every test that runs it finds.
func Query(name string) string {
	text, err := queryFiles.ReadFile("queries/" + name + ".sql")
	if err != nil {
		panic(err)
	}
	return string(text)
}
