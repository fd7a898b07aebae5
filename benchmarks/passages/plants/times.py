"""Dates that are read wrongly or not at all, and figures that a later note makes old."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date

from benchmarks.passages.exam import reciprocal_rank
from benchmarks.passages.pieces import Note, Piece, changed
from benchmarks.passages.plants.contract import Plant, chosen

_MONTHS = {name: number for number, name in enumerate(calendar.month_name) if name}
_NAMES = "|".join(_MONTHS)
_DATE = re.compile(rf"\b(?:({_NAMES}) (\d{{1,2}}),? (\d{{4}})|(\d{{1,2}}) ({_NAMES}) (\d{{4}}))\b")
_YEAR = re.compile(r"\b([Ii]n|[Ss]ince|[Uu]ntil|[Ff]rom) ((?:1[89]|20)\d\d)\b")
_FIGURE = re.compile(r"\b\d[\d,.]*\d\b|\b\d\b")
_EARLIER = date(2020, 1, 1)


def written(pattern: re.Pattern[str], made: Callable[[re.Match[str]], str]) -> Callable[[Note], tuple[Note, ...]]:
    """Writes the times of each chosen chunk in another way."""

    def plant(note: Note) -> tuple[Note, ...]:
        pieces = (
            Piece(pattern.sub(made, piece.text), piece.shows) if is_chosen else piece
            for piece, is_chosen in chosen(note)
        )
        return (changed(note, pieces),)

    return plant


def in_figures(found: re.Match[str]) -> str:
    """Day before month; those that may be read as month before day are read so."""
    return f"{int(found[2] or found[4]):02}/{_MONTHS[found[1] or found[5]]:02}/{found[3] or found[6]}"


def impossible(found: re.Match[str]) -> str:
    """The thirty-second of the month."""
    return f"{found[3] or found[6]}-{_MONTHS[found[1] or found[5]]:02}-32"


def fiscal(found: re.Match[str]) -> str:
    """The fiscal year of that number."""
    return f"{found[1]} fiscal {found[2]}"


def with_earlier(note: Note) -> tuple[Note, ...]:
    """Adds an earlier edition of half of the chunks with figures, which are others and answer nothing any more."""
    with_figures = chosen(note, lambda piece: _FIGURE.search(piece.text) is not None)
    old = tuple(Piece(_FIGURE.sub(_other, piece.text)) for piece, is_chosen in with_figures if is_chosen)
    return note, replace(note, name=f"{note.name} 2020", pieces=old, written=_EARLIER)


def _other(found: re.Match[str]) -> str:
    return "".join("1234567890"[int(digit)] if digit.isdigit() else digit for digit in found[0])


_WRITTEN = (
    ("TMP001", "dates in figures", written(_DATE, in_figures)),
    ("TMP003", "dates on the 32nd", written(_DATE, impossible)),
    ("TMP004", "years called fiscal", written(_YEAR, fiscal)),
)
PLANTS = (
    *(Plant((code,), way, "times", plant) for code, way, plant in _WRITTEN),
    *(Plant((code,), way, "times", plant, reciprocal_rank) for code, way, plant in _WRITTEN),
    Plant(("TMP005",), "an earlier edition with other figures", "prose", with_earlier),
)
