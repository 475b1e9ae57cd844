module amdb

go 1.26.0
