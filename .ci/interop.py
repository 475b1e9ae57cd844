"""Read what amdb wrote with other programs, and want the same values."""
import json
import pathlib
import subprocess
import sys

import duckdb
import openpyxl
import pandas as pd
import polars as pl
import pyarrow.parquet as pq

demo = pathlib.Path(sys.argv[1])
db = demo / "amdb-demo" / "amdb.duckdb"


def amdb(*args):
    out = subprocess.run([demo / "amdb", "--db", db, *args], capture_output=True, text=True)
    assert out.returncode == 0, (args, out.stderr)
    return out.stdout


# The stock DuckDB opens the file and reads every table and view in it.
amdb("score", "--tasks", "core", "--save", "review")
con = duckdb.connect(str(db), read_only=True)
names = [r[0] for r in con.execute("SELECT table_name FROM information_schema.tables WHERE table_schema = 'main'").fetchall()]
for name in names:
    con.execute(f'SELECT * FROM "{name}"').fetchall()
assert {"runs", "tasks", "configs", "coverage", "budgets", "thresholds", "saved_leaderboard", "calibrations"} <= set(names), names
saved = dict(con.execute("SELECT config, ams FROM saved_leaderboard WHERE name = 'review' AND rank IS NOT NULL").fetchall())
con.close()
board = {r["config"]: r["ams"] for r in json.loads(amdb("score", "--tasks", "core", "-f", "json"))["leaderboard"]}
assert saved == board, "saved scores differ"

# Every exported Parquet file reads equal in four programs.
amdb("export", str(demo / "all") + "/", "--tasks", "core")
for path in sorted((demo / "all").glob("*.parquet")):
    table = pq.read_table(path)
    rows = table.num_rows
    assert len(pd.read_parquet(path)) == rows and pl.read_parquet(path).height == rows, path
    assert duckdb.connect().execute(f"SELECT count(*) FROM '{path}'").fetchall()[0][0] == rows, path
    for field in table.schema:
        assert str(field.type) in {"string", "double", "int32", "int64", "uint64", "bool", "date32[day]", "timestamp[us, tz=UTC]"} or str(field.type).startswith("list"), (path, field)
    assert b"amdb_version" in pq.read_metadata(path).metadata, path
scores = pq.read_table(demo / "all" / "scores.parquet").to_pylist()
assert {r["config"]: r["ams"] for r in scores if r["description"] == "original" and r["ams"] is not None} == board
assert pl.read_parquet(demo / "all" / "runs.parquet")["reward"].sum() == pd.read_parquet(demo / "all" / "runs.parquet")["reward"].sum()

# openpyxl reads every sheet of the workbook, and no cell holds an error.
book = openpyxl.load_workbook(demo / "amdb-demo" / "review.xlsx", data_only=True)
for sheet in book.worksheets:
    for row in sheet.iter_rows(values_only=True):
        for value in row:
            assert not (isinstance(value, str) and value.startswith("#") and value.endswith(("!", "?", "/0!", "N/A"))), (sheet.title, value)
print(f"{len(names)} tables and views, {len(list((demo / 'all').glob('*.parquet')))} Parquet files, {len(book.worksheets)} sheets: read equal")
