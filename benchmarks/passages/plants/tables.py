"""Tables damaged in every second note; the rows that answer stay, and count as shown, whatever became of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

from benchmarks.passages.exam import recall_of_budget, reciprocal_rank
from benchmarks.passages.pieces import Note, Piece, changed
from benchmarks.passages.plants.contract import Plant, chosen
from benchmarks.passages.plants.cuts import is_table
from benchmarks.passages.tatqa import markdown
from tasks.tables.numbers import parse_number

Rows = list[list[str]]
_LINE = 90
_SMALL = 250
_LETTERS = {"0": "O", "1": "l"}


def damaged(made: Callable[[Rows], str]) -> Callable[[Note], tuple[Note, ...]]:
    """Puts what is made of its rows in the place of each chosen table."""

    def plant(note: Note) -> tuple[Note, ...]:
        pieces = (
            Piece(f"{made(rows_of(piece.text))}\n\n", piece.shows) if is_chosen else piece
            for piece, is_chosen in chosen(note, is_table)
        )
        return (changed(note, pieces),)

    return plant


def rows_of(table: str) -> Rows:
    """The cells of a pipe table, its rule left out."""
    head, _, *body = table.strip().split("\n")
    return [[cell.strip() for cell in line[1:-1].split(" | ")] for line in (head, *body)]


def ragged(rows: Rows) -> str:
    """Every second row lacks its first figure, so that the others slip to the left."""
    return markdown([rows[0]]) + "".join(
        f"\n| {' | '.join(row[:1] + row[1 + (place % 2 and len(row) > 2) :])} |" for place, row in enumerate(rows[1:])
    )


def headerless(rows: Rows) -> str:
    """The first row, and those below that have no label, are blank."""
    blank = [""] * len(rows[0])
    body = next((place for place, row in enumerate(rows) if place and row[0]), 1)
    return markdown([blank, *rows[body:]])


def with_empty_column(rows: Rows) -> str:
    """A column headed Notes with nothing below."""
    return markdown([[*rows[0], "Notes"], *([*row, ""] for row in rows[1:])])


def misread(rows: Rows) -> str:
    """In every third row one figure has a letter for a nought or a one."""
    return markdown([_misread(row) if place % 3 == 1 else row for place, row in enumerate(rows)])


def _misread(row: list[str]) -> list[str]:
    figures = (place for place, cell in enumerate(row) if place and parse_number(cell) and re.search("[01]", cell))
    place = next(figures, None)
    if place is None:
        return row
    broken = re.sub("[01]", lambda found: _LETTERS[found[0]], row[place], count=1)
    return [*row[:place], broken, *row[place + 1 :]]


def as_text(rows: Rows) -> str:
    """One cell behind the other, a table that was not recognised; left alone where most of it is words."""
    text = " ".join(cell for row in rows for cell in row if cell)
    visible = "".join(text.split())
    return text if sum(map(str.isalpha, visible)) < len(visible) / 2 else markdown(rows)


def oversized(note: Note) -> tuple[Note, ...]:
    """The tables as they are, where chunks aim at a size that most of them exceed twice."""
    return (replace(note, target=_SMALL),)


def divided(note: Note) -> tuple[Note, ...]:
    """Each table above twice that size in tables of that size, each under the header."""
    made: list[Piece] = []
    for piece in note.pieces:
        made += _divided(piece) if is_table(piece) and len(piece.text) > 2 * _SMALL else (piece,)
    return (replace(note, target=_SMALL, pieces=tuple(made)),)


def _divided(piece: Piece) -> list[Piece]:
    head, rule, *body = piece.text.strip().split("\n")
    edges, at, start = [0], len(head) + len(rule) + 2, (piece.shows or (0, 0))[0]
    places = [at]
    for place, row in enumerate(body):
        at += len(row) + 1
        if at - places[-1] > _SMALL:
            edges.append(place + 1)
            places.append(at)
    edges, places = [*edges, len(body)], [*places, at]
    parts = (body[slice(*span)] for span in pairwise(edges))
    spans = ((start + first, start + last) for first, last in pairwise(places))
    return [
        Piece("\n".join((head, rule, *rows)) + "\n\n", span) for rows, span in zip(parts, spans, strict=True) if rows
    ]


def as_columns(note: Note) -> tuple[Note, ...]:
    """Each chosen chunk of prose read as a table of two columns, and the parser not sure of it."""
    pieces = (
        Piece(f"\n\n{_two_columns(piece.text)}\n\n", piece.shows) if is_chosen else piece
        for piece, is_chosen in chosen(note)
    )
    return (replace(changed(note, pieces), doubtful=True),)


def _two_columns(text: str) -> str:
    words = text.replace("|", "/").split()
    lines: list[list[str]] = [[]]
    for word in words:
        if sum(map(len, lines[-1])) > _LINE:
            lines.append([])
        lines[-1].append(word)
    return markdown([_halves(line) for line in lines])


def _halves(line: Sequence[str]) -> list[str]:
    middle = (len(line) + 1) // 2
    return [" ".join(line[:middle]), " ".join(line[middle:])]


_DAMAGES = (
    ("TAB004", "first figures left out of rows", ragged),
    ("TAB005", "header blanked", headerless),
    ("TAB007", "a column added", with_empty_column),
    ("TAB008", "figures with letters", misread),
    ("CHK005", "read as text", as_text),
)
PLANTS = (
    *(Plant((code,), way, "tables", damaged(made)) for code, way, made in _DAMAGES),
    *(Plant((code,), way, "tables", damaged(made), reciprocal_rank) for code, way, made in _DAMAGES),
    Plant(("TAB002",), "whole, not divided, at a target of 250", "tables", oversized, recall_of_budget, divided),
    Plant(("TAB002",), "whole, not divided, at a target of 250", "tables", oversized, reciprocal_rank, divided),
    Plant(("TAB009",), "prose read as two columns", "prose", as_columns),
)
