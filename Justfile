# The commands of the project. Everything here also works as plain go commands;
# see README.md.

tags := "duckdb_arrow"
tools := "-modfile=.ci/tools/go.mod"

# test and lint
default: test lint

# make up runs and do the whole job with them
demo:
    go run -tags {{tags}} ./cmd/amdb demo

# build the program into bin/
build:
    go build -tags {{tags}} -trimpath -o bin/amdb ./cmd/amdb

# all tests, as CI runs them
test *args:
    go test -tags {{tags}} -race -shuffle=on ./... {{args}}

# formatting, vet and lint
lint:
    test -z "$(go tool {{tools}} gofumpt -l cmd export schema scoring sql udf | tee /dev/stderr)"
    go vet -tags {{tags}} ./...
    go tool {{tools}} golangci-lint run ./...

fmt:
    go tool {{tools}} gofumpt -w cmd export schema scoring sql udf

# benchmarks; `just bench 10_000_000` for more runs
bench runs="1_000_000":
    go run -tags {{tags}} ./cmd/amdb-bench --runs {{runs}}

# every fuzz target for some seconds each
fuzz seconds="10":
    ./.ci/fuzz {{seconds}}

# docs that are made from the code
docs:
    go run -tags {{tags}} ./cmd/amdb-docs

# statement coverage by package
cover:
    go test -tags {{tags}} -coverprofile=coverage.out ./... && go tool cover -func=coverage.out | tail -1
