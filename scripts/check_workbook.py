"""Checks a workbook of amdb against amdb's own scores.

    check_workbook.py strip  IN.xlsx OUT.xlsx [NAME=VALUE ...]
        writes IN without any stored value of a formula, with cells that have a
        defined name (alpha, eta_Easy, ...) or an address (Runs!G2) changed; an
        empty VALUE empties the cell
    check_workbook.py compare RECALCULATED.xlsx SCORES.json [ORIGINAL.xlsx]
        compares every score and rank with `amdb score -f json`, to 1e-9, and
        fails on any error value on any sheet; with ORIGINAL, compares every
        cell of every sheet with the value that amdb stored in it
"""

import json
import sys
import warnings

import openpyxl

TOLERANCE = 1e-9
warnings.filterwarnings("ignore", module="openpyxl")  # extensions that LibreOffice adds


def cell_of(book, name):
    if "!" in name:
        sheet, address = name.rsplit("!", 1)
        return book[sheet.strip("'")][address]
    (sheet, address), = book.defined_names[name].destinations
    return book[sheet][address.replace("$", "")]


def strip(source, target, changes):
    book = openpyxl.load_workbook(source)  # keeps formulas, drops stored values
    for change in changes:
        name, value = change.split("=", 1)
        try:
            cell_of(book, name).value = float(value) if value else None
        except ValueError:
            cell_of(book, name).value = value
    book.save(target)


def errors(book):
    found = []
    for sheet in book.worksheets:
        for row in sheet.iter_rows():
            for cell in row:
                error = isinstance(cell.value, str) and cell.value.startswith(("Err:", "#N/A", "#DIV", "#VALUE", "#REF", "#NAME", "#NUM", "#NULL"))
                if cell.data_type == "e" or error:
                    found.append(f"{sheet.title}!{cell.coordinate}: {cell.value}")
    return found


def table(sheet, header):
    rows = list(sheet.iter_rows(min_row=header, values_only=True))
    names = rows[0]
    return [dict(zip(names, row)) for row in rows[1:] if row and row[0] not in (None, "")]


def differences(book, original):
    """Cells whose recalculated value is not the stored one."""
    found = []
    for sheet in original.worksheets:
        for row in sheet.iter_rows():
            for cell in row:
                got, want = book[sheet.title][cell.coordinate].value, cell.value
                if got in (None, "") and want in (None, ""):
                    continue
                number = isinstance(got, (int, float)) and isinstance(want, (int, float))
                if (number and abs(got - want) <= TOLERANCE * max(1, abs(want))) or got == want:
                    continue
                found.append(f"{sheet.title}!{cell.coordinate}: {got!r}, stored {want!r}")
    return found


def compare(path, scores, original=None):
    book = openpyxl.load_workbook(path, data_only=True)
    problems = errors(book)
    if original:
        problems += differences(book, openpyxl.load_workbook(original, data_only=True))
    want = json.load(open(scores))
    board = [r for r in table(book["Leaderboard"], 4) if isinstance(r["rank"], (int, float))]
    worst = 0.0
    if len(board) != len(want["leaderboard"]):
        problems.append(f"{len(board)} rows on the leaderboard, {len(want['leaderboard'])} wanted")
    for row, st in zip(board, want["leaderboard"]):
        if row["configuration"] != st["config"] or row["rank"] != st["rank"]:
            problems.append(f"row {row['#']}: {row['rank']} {row['configuration']}, wanted {st['rank']} {st['config']}")
            continue
        pairs = {"AMS": st["ams"], "TQ": st["tq"], "AUBQC": st["aubqc"], "EFR": st["efr"], "mean reward": st["mean_reward"],
                 "passes": st["passes"], "runs": st["runs"], "pass rate": st["pass_rate"], "total cost, USD": st["total_cost_usd"],
                 "USD per pass": st["usd_per_pass"], "tokens per pass": st["tokens_per_pass"]}
        for name, x in st["strata"].items():
            pairs["AMS " + name] = x["ams"]
        for name, x in pairs.items():
            got = row[name]
            if x is None:
                if got not in (None, ""):
                    problems.append(f"{st['config']} {name}: {got}, wanted nothing")
                continue
            difference = abs(got - x) / max(1, abs(x))
            worst = max(worst, difference)
            if not difference <= TOLERANCE:
                problems.append(f"{st['config']} {name}: {got}, wanted {x}")
        if (row["Pareto"] == "●") != st["pareto"]:
            problems.append(f"{st['config']}: Pareto mark {row['Pareto']!r}, wanted {st['pareto']}")
    for p in problems[:20]:
        print(p, file=sys.stderr)
    cells = sum(sheet.max_row * sheet.max_column for sheet in book.worksheets)
    print(f"{len(book.sheetnames)} sheets, {cells} cells, {len(board)} configurations, largest difference {worst:.3g}, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    if sys.argv[1] == "strip":
        strip(sys.argv[2], sys.argv[3], sys.argv[4:])
    else:
        sys.exit(compare(*sys.argv[2:]))
