"""Grids from the TAT-QA development set: tables of real annual reports with the paragraphs around them.

Zhu et al., "TAT-QA: A Question Answering Benchmark on a Hybrid of Tabular and Textual Content in Finance", ACL 2021.
A heading over several columns stands there in the middle one, the others blank; `_spans` finds its range again.
"""

import json
import re
from pathlib import Path

from benchmarks.rendering.grid import Grid, is_figure, is_year

_UNSEEN = str.maketrans({"\u2212": "-", "\u2010": "-", "\u2011": "-", "\u200b": "", "\ufeff": "", "\u25cf": "•"})
_SPREAD_YEAR = re.compile(r"(?<!\d)([12]) ([09]) (\d) (\d)(?!\d)")
_OVER_ALL = re.compile(
    r"\b(year|years|months|quarter|ended|fiscal|as of|december|june|in millions|in thousands)\b", re.IGNORECASE
)
_LONGEST_CELL = 160


def read_filings(path: Path) -> list[Grid]:
    """Read the tables of a TAT-QA file that can be drawn: two rows under the header and 2 to 12 columns."""
    grids = (_grid(entry) for entry in json.loads(path.read_text(encoding="utf-8")))
    return [grid for grid in grids if grid is not None]


def clean(text: str) -> str:
    """Return text in one line and in the characters that every PDF viewer's own fonts have (Windows-1252)."""
    text = " ".join(text.translate(_UNSEEN).split())
    text = _SPREAD_YEAR.sub(r"\1\2\3\4", text)
    return text.encode("cp1252", "ignore").decode("cp1252").strip()


def _figure(text: str) -> str:
    text = re.sub(r"^\((\s*)([$€£])\s*", r"\2(", clean(text))
    text = re.sub(r"^([$€£])\s+", r"\1", text)
    return text.replace("- -", "—")


def _grid(entry: dict[str, object]) -> Grid | None:
    table, paragraphs = entry["table"], entry["paragraphs"]
    assert isinstance(table, dict)
    assert isinstance(paragraphs, list)
    rows = [[_figure(text) for text in row] for row in table["table"]]
    kept = [c for c in range(len(rows[0])) if any(row[c] for row in rows)]
    rows = [[row[c] for c in kept] for row in rows if any(row)]
    if not _drawable(rows):
        return None
    header = _header_rows(rows)
    if len(rows) - header < 2:
        return None
    topics = [clean(paragraph["text"]) for paragraph in paragraphs]
    title = next((topic for topic in topics if 8 < len(topic) < 90 and not topic.endswith((".", ":"))), "")
    spans = _settle_spans(rows, header)
    return Grid(tuple(map(tuple, rows)), header, spans, title, tuple(t for t in topics if t and t != title))


def _drawable(rows: list[list[str]]) -> bool:
    if len(rows) < 3 or not 2 <= len(rows[0]) <= 12:
        return False
    lone_marks = any(all(row[c] in {"", "$", ")", "%", "€", "£"} for row in rows) for c in range(len(rows[0])))
    return not lone_marks and max(len(text) for row in rows for text in row) <= _LONGEST_CELL


def _header_rows(rows: list[list[str]]) -> int:
    headed = False
    for count, (label, *others) in enumerate(rows[:5]):
        if any(is_figure(text) and not is_year(text) for text in others):
            return count
        if headed and label and not any(others):
            return count
        headed = headed or any(others)
    return 1


def _settle_spans(rows: list[list[str]], header: int) -> dict[tuple[int, int], int]:
    """Move each spanning heading to its first column; return the last column of each by (row, column)."""
    spans: dict[tuple[int, int], int] = {}
    for r, row in enumerate(rows[:header]):
        places = [c for c in range(1, len(row)) if row[c]]
        size, odd = divmod(len(row) - 1, max(len(places), 1))
        if not places or odd or size < 2:
            continue
        middles = {(size - 1) // 2, size // 2} if _OVER_ALL.search(" ".join(row)) else {(size - 1) // 2}
        if any(c - 1 - i * size not in {0, *middles} for i, c in enumerate(places)):
            continue
        texts = [row[c] for c in places]
        row[1:] = [""] * (len(row) - 1)
        for i, text in enumerate(texts):
            row[1 + i * size] = text
            spans[r, 1 + i * size] = (i + 1) * size
    return spans
