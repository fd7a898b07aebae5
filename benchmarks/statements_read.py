"""Scale, period and header path of the figures of invented statements: right, wrong, or said to be in doubt.

    python benchmarks/statements_read.py [--count 200] [--seed 1] [--formats pdf,html] [--each]

The statements are drawn in many styles by `benchmarks/statements`; number and seed settle them. A figure counts as
right, as wrong, or as wrong but in doubt; captions as right where they show the title and no prose.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.statements.drawing import PROSE, html_of, pdf_of
from benchmarks.statements.making import Row, Statement, make
from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read
from tasks.tables.cells import read_cells
from tasks.tables.totals import find_totals
from warehouse.records import Cell, Document

DRAWN = {"pdf": pdf_of, "html": html_of}


def verdicts(statement: Statement, document: Document) -> Iterator[tuple[str, str, str]]:
    """What is judged (scale, period, path, caption), how it is read, and the details."""
    found = {cell.text.lstrip("$ ").replace(" ", ""): cell for cell in read_cells(document, find_totals(document))}
    for row in statement.rows:
        for number, text in enumerate(row.texts):
            cell = found.get(text.replace(" ", ""))
            told = f"{statement.place} ({statement.scale}) {row.label} {text}"
            if cell is None:
                yield "scale", "lost", told
                continue
            yield "scale", _outcome(cell, right=_is_scaled(cell, row, number)), f"{told}: {cell.value} {cell.doubt}"
            column = statement.columns[number]
            right = (cell.period_start, cell.period_end) == (column.start, column.end)
            yield (
                "period",
                _outcome(cell, right=right),
                f"{column}: {cell.column_header} {cell.period_start} {cell.period_end}",
            )
            path = _plain(" ".join(column.path) + (f" {statement.scale}" if statement.place == "column" else ""))
            yield "path", _outcome(cell, right=_plain(cell.column_header) == path), f"{path}: {cell.column_header}"
    for table in document.tables[:1] if document.total_pages else ():
        right = statement.title in table.caption and not any(line[:30] in table.caption for line in PROSE)
        yield "caption", "right" if right else "wrong", f"{statement.place} {statement.title!r}: {table.caption!r}"


def _is_scaled(cell: Cell, row: Row, number: int) -> bool:
    if row.power is None:
        return cell.value is None or bool(cell.doubt)
    meant = row.values[number] * 10.0**row.power
    return cell.value is not None and abs(cell.value - meant) <= 1e-6 * abs(meant) and cell.unit == row.unit


def _outcome(cell: Cell, *, right: bool) -> str:
    return ("right, in doubt" if cell.doubt else "right") if right else "wrong, in doubt" if cell.doubt else "wrong"


def _plain(text: str) -> str:
    return "".join(filter(str.isalnum, text)).lower()


def main() -> None:
    """Read the command line, draw, read and count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--formats", default="pdf,html")
    parser.add_argument("--each", action="store_true", help="also print what is wrong")
    parser.add_argument("--out", type=Path, help="a folder for the files")
    options = parser.parse_args()
    for suffix in options.formats.split(","):
        counts: dict[str, Counter[str]] = {}
        for number in range(options.count):
            random = Random(f"{options.seed}-{number}")
            statement = make(random)
            data = DRAWN[suffix](statement, random)
            if options.out:
                (options.out / f"{number:04d}.{suffix}").write_bytes(data)
            for judged, verdict, told in verdicts(statement, read(Raw(f"{number:04d}.{suffix}", data))):
                counts.setdefault(judged, Counter())[verdict] += 1
                if options.each and not verdict.startswith("right"):
                    print(f"{number:04d}.{suffix} {judged} {verdict}: {told}")
        for judged, counted in counts.items():
            total = counted.total()
            print(
                suffix, judged, total, ", ".join(f"{name} {each / total:.1%}" for name, each in counted.most_common())
            )


if __name__ == "__main__":
    main()
