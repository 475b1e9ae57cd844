"""The same scoring written plainly with pandas or polars: reads the runs, scores
them under a calibration that amdb exported, and wants amdb's numbers.

    python peer.py pandas|polars RUNS.parquet CALIBRATION.json SCORE.json
"""
import json
import sys

import numpy as np

engine, runs, calibration, score = sys.argv[1:]
cal = json.load(open(calibration))
alpha = cal["alpha"]
strata = {(t["benchmark"], t["task"]): t["stratum"] for t in cal["tasks"]}
columns = ["benchmark", "task", "model", "cli", "description", "reward", "cost_usd"]


def level(stratum, cost):
    """How many budgets a cost does not exceed, row by row."""
    out = np.zeros(len(cost), dtype="int64")
    for name, rules in cal["strata"].items():
        at = stratum == name
        budgets = np.array(rules["budgets"])
        out[at] = len(budgets) - np.searchsorted(budgets, cost[at], side="left")
    return out


def failed(stratum, reward, cost):
    eta = np.array([cal["strata"][s]["eta_usd"] if cal["strata"][s]["eta_usd"] is not None else np.inf for s in ("Easy", "Medium", "Hard")])
    place = np.select([stratum == "Easy", stratum == "Medium"], [0, 1], 2)
    return ((reward == 0) & (cost > eta[place])).astype("float64")


if engine == "pandas":
    import pandas as pd

    df = pd.read_parquet(runs, columns=columns)
    df = df[df.description == "original"]
    names = pd.DataFrame([(b, t, s) for (b, t), s in strata.items()], columns=["benchmark", "task", "stratum"])
    df = df.merge(names, on=["benchmark", "task"])
    st, reward, cost = df.stratum.to_numpy(), df.reward.to_numpy(), df.cost_usd.to_numpy()
    df["masked"] = reward * level(st, cost) / len(cal["strata"]["Easy"]["budgets"])
    df["failed"] = failed(st, reward, cost)
    cells = df.groupby(["model", "cli", "stratum", "benchmark", "task"], observed=True)[["reward", "masked", "failed"]].mean()
    by = cells.groupby(["model", "cli", "stratum"]).mean().reset_index()
    by["ams"] = (alpha * by.reward + (1 - alpha) * by.masked) * (1 - by.failed)
    ams = {f"{m}/{c}": v for (m, c), v in by.groupby(["model", "cli"]).ams.mean().items()}
else:
    import polars as pl

    names = pl.DataFrame([(b, t, s) for (b, t), s in strata.items()], schema=["benchmark", "task", "stratum"], orient="row")
    df = pl.scan_parquet(runs).select(columns).filter(pl.col("description") == "original").join(names.lazy(), on=["benchmark", "task"]).collect()
    st, reward, cost = df["stratum"].to_numpy(), df["reward"].to_numpy(), df["cost_usd"].to_numpy()
    df = df.with_columns(masked=pl.Series(reward * level(st, cost) / len(cal["strata"]["Easy"]["budgets"])), failed=pl.Series(failed(st, reward, cost)))
    cells = df.group_by(["model", "cli", "stratum", "benchmark", "task"]).agg(pl.col("reward", "masked", "failed").mean())
    by = cells.group_by(["model", "cli", "stratum"]).agg(pl.col("reward", "masked", "failed").mean())
    by = by.with_columns(ams=(alpha * pl.col("reward") + (1 - alpha) * pl.col("masked")) * (1 - pl.col("failed")))
    ams = {f"{m}/{c}": v for m, c, v in by.group_by(["model", "cli"]).agg(pl.col("ams").mean()).iter_rows()}

want = {r["config"]: r["ams"] for r in json.load(open(score))["leaderboard"]}
assert want.keys() == ams.keys(), "other configurations"
worst = max(abs(want[c] - ams[c]) for c in want)
assert worst < 1e-9, f"AMS differs by {worst}"
