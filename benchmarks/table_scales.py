"""Scales of table figures against those of TAT-QA's annotators.

    python benchmarks/table_scales.py [--half test] [--each]

A question of TAT-QA (Zhu et al. 2021) states the scale of its answer: thousand, million, billion, percent or none. The
cells that answer it, or that its sum or difference is made of, must be read with that scale. The paragraphs of a
context stand before its table, those that lead to it last. Tables are split by turns: `choose` to work with, `test` to
report. A cell with a doubt is counted apart, as no answer rests on it.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from tasks.parsers.assembly import Assembly
from tasks.tables.cells import read_cells
from tasks.tables.numbers import find_scale
from tasks.tables.totals import find_totals
from warehouse.records import BlockKind, Cell, Document, Kind

FILE = Path(__file__).resolve().parents[1] / "../shared/data/tables_qa/tatqa_dev.json"
HALVES = ("choose", "test")
_POWERS = {"": 0, "thousand": 3, "million": 6, "billion": 9}
_FIGURE = re.compile(r"[0-9][0-9,]*(?:\.[0-9]+)?")
_SUMS_ALONE = re.compile(r"[-+–()\[\]0-9.,$%\s]*(?:/\s?[0-9])?")
"""A derivation whose result has the scale of its parts: sums, differences and averages."""


def document_of(context: dict[str, Any]) -> Document:
    """The paragraphs and the table of a context as a document."""
    assembly = Assembly()
    texts = [paragraph["text"] for paragraph in sorted(context["paragraphs"], key=lambda each: each["order"])]
    for text in sorted(texts, key=_leads):
        assembly.add(BlockKind.PARAGRAPH, text)
    assembly.add_table(context["table"]["table"])
    return assembly.finish(Kind.REPORT, "text/plain")


def _leads(text: str) -> int:
    """How surely a paragraph leads to a table; the sort keeps the order of those alike."""
    end = text.rstrip(" .:")
    return 2 if end.endswith(")") and find_scale(end[-100:]) else text.rstrip().endswith(":")


def expected(context: dict[str, Any]) -> dict[str, str]:
    """The scale of each figure that a question answers with or computes from; left out where questions disagree."""
    found: dict[str, set[str]] = {}
    for asked in context["questions"]:
        if asked["answer_from"] == "text":
            continue
        for figure in _figures(asked):
            found.setdefault(figure, set()).add(asked["scale"])
    return {figure: scales.pop() for figure, scales in found.items() if len(scales) == 1}


def _figures(asked: dict[str, Any]) -> Iterator[str]:
    if asked["answer_type"] in ("span", "multi-span"):
        for answer in asked["answer"]:
            match = _FIGURE.search(str(answer))
            if match and len(re.findall(r"[A-Za-z]", str(answer))) < 4:
                yield match[0]
    elif asked["scale"] != "percent" and _SUMS_ALONE.fullmatch(asked["derivation"]):
        yield from (figure for figure in _FIGURE.findall(asked["derivation"]) if len(figure) > 1)


def judge(found: Sequence[Cell], scale: str) -> str:
    """How the cells that print one figure are read."""
    right = [_is_right(cell, scale) for cell in found]
    doubted = any(getattr(cell, "doubt", "") for cell in found)
    return f"{'right' if all(right) else 'wrong'}{', in doubt' if doubted else ''}"


def _is_right(cell: Cell, scale: str) -> bool:
    if scale == "percent":
        return cell.unit == "%"
    return cell.value is not None and abs(cell.scale / 10 ** _POWERS[scale] - 1) < 1e-6


def main() -> None:
    """Read the command line and print the shares."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=HALVES, default=HALVES[0])
    parser.add_argument("--file", type=Path, default=FILE)
    parser.add_argument("--each", action="store_true", help="also print each figure that is read otherwise")
    options = parser.parse_args()
    contexts = json.loads(options.file.read_text(encoding="utf-8"))[HALVES.index(options.half) :: 2]
    counts: Counter[str] = Counter()
    for number, context in enumerate(contexts):
        document = document_of(context)
        by_figure: dict[str, list[Cell]] = {}
        for cell in read_cells(document, find_totals(document)):
            if cell.column and (match := _FIGURE.search(cell.text)):
                by_figure.setdefault(match[0], []).append(cell)
        for figure, scale in expected(context).items():
            if found := by_figure.get(figure):
                verdict = judge(found, scale)
                counts[verdict] += 1
                if options.each and verdict != "right":
                    cell = found[0]
                    print(f"{number}: {cell.row_header} | {cell.column_header} | {cell.text}: {verdict}, ", end="")
                    print(f"read as {cell.scale:g} {cell.unit}, meant {scale or 'one'} {getattr(cell, 'doubt', '')}")
    total = counts.total()
    print(
        f"{options.half}: {total} figures; " + "; ".join(f"{k} {v} ({v / total:.1%})" for k, v in counts.most_common())
    )


if __name__ == "__main__":
    main()
