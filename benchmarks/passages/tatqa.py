"""The exam on tables: TAT-QA (Zhu et al. 2021), each table a note, all of them one pool.

A question's gold are the rows that hold the figures of its answer or of its derivation, else the whole table.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.passages.exam import Question
from benchmarks.passages.pieces import Note, Piece
from benchmarks.passages.questions import Span

TARGET = 1000
TABLES = 100
"""So many of them, since two cores embed each of them anew for each fault."""
_FIGURE = re.compile(r"\d[\d,]*(?:\.\d+)?")


def exam(file: Path) -> tuple[list[Note], list[Question]]:
    """The first tables, and the questions that are answered from them."""
    notes, questions = [], []
    for number, context in enumerate(json.loads(file.read_text(encoding="utf-8"))[:TABLES]):
        name = f"note {number + 1}"
        rows = [[" ".join(cell.replace("|", "/").split()) for cell in row] for row in context["table"]["table"]]
        table = markdown(rows)
        notes.append(Note(name, "tables", (Piece(f"{table}\n\n", (0, len(table) + 2)),), TARGET))
        asked = (each for each in context["questions"] if each["answer_from"] != "text")
        questions += [Question(each["question"], "tables", name, tuple(_gold(each, table))) for each in asked]
    return notes, questions


def markdown(rows: Sequence[Sequence[str]]) -> str:
    """A pipe table whose first row is its header."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join((lines[0], "|" + "---|" * len(rows[0]), *lines[1:]))


def _gold(asked: dict[str, Any], table: str) -> Iterator[Span]:
    answers = asked["answer"] if isinstance(asked["answer"], list) else [asked["answer"]]
    wanted = set(_FIGURE.findall(" ".join((asked["derivation"], *map(str, answers)))))
    wanted = {figure for figure in wanted if len(figure) > 1}
    head, rule, *body = table.split("\n")
    at = len(head) + len(rule) + 2
    spans = []
    for row in body:
        if wanted & set(_FIGURE.findall(row)) or any(str(each) in row for each in answers):
            spans.append((at, at + len(row)))
        at += len(row) + 1
    yield from spans or [(0, len(table))]
