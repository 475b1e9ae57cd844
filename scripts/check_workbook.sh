#!/bin/sh
# Proves a workbook: LibreOffice calculates it from its formulas alone, and gets
# what amdb scores; then the same after alpha was changed in the file. Needs
# soffice and python3 with openpyxl.
#
#   scripts/check_workbook.sh DATABASE [flags of amdb score and export, as --tasks core]
set -eu
here=$(dirname "$0")
amdb=${AMDB:-amdb}
db=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$amdb" --db "$db" export "$work/review.xlsx" "$@"
for alpha in "" 0.7; do
	if [ -z "$alpha" ]; then
		name=written
		"$amdb" --db "$db" score "$@" -f json >"$work/$name.json"
		python3 "$here/check_workbook.py" strip "$work/review.xlsx" "$work/$name.xlsx"
	else
		name=alpha-$alpha
		"$amdb" --db "$db" score "$@" --alpha "$alpha" -f json >"$work/$name.json"
		python3 "$here/check_workbook.py" strip "$work/review.xlsx" "$work/$name.xlsx" "alpha=$alpha"
	fi
	soffice "-env:UserInstallation=file://$work/profile" --headless --convert-to xlsx --outdir "$work/calculated" "$work/$name.xlsx" >/dev/null 2>&1
	printf '%s: ' "$name"
	python3 "$here/check_workbook.py" compare "$work/calculated/$name.xlsx" "$work/$name.json"
done
