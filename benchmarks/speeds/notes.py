"""Corpora of any size: dated notes in Markdown, each with a small table, the same bytes each time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from random import Random

from benchmarks.rendering.invented import statistics

FIRST_DAY = date(2015, 1, 1)
DAYS = 4000
FOLDER = 200
"""Notes of a folder."""
ACTS = ("reviewed", "postponed", "signed", "audited", "repriced", "shipped", "recalled", "approved")
THINGS = (
    "supply contract", "pension plan", "spring budget", "export licence", "tender for turbines", "survey of tenants",
    "harbour lease", "draft directive", "warranty claims", "hiring plan",
)  # fmt: skip
WHO = ("Amara Lindqvist", "the board", "the auditors", "our office in Graz", "the supplier", "Piotr Hale")
WHEN = ("in {month} {year}", "by the end of {year}", "on {day} {month} {year}", "during Q{quarter} {year}", "last year")


@dataclass(frozen=True, slots=True)
class Shape:
    """How large each note is: paragraphs, sentences of each, rows of its table."""

    paragraphs: int
    sentences: int
    rows: int


SMALL = Shape(1, 1, 2)
USUAL = Shape(3, 5, 6)
LONG = Shape(60, 5, 6)


def write_notes(folder: Path, count: int, shape: Shape) -> list[Path]:
    """Write so many notes below `folder`; returns their paths."""
    written = []
    for number in range(count):
        place = folder / f"{number // FOLDER:03d}" / f"note-{number:06d}.md"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(note(number, shape), encoding="utf-8")
        written.append(place)
    return written


def note(number: int, shape: Shape) -> str:
    """One note: its date, a heading, paragraphs that speak of times, a table."""
    random = Random(number)
    day = FIRST_DAY + timedelta(random.randrange(DAYS))
    title = f"{random.choice(THINGS).capitalize()}, note {number}"
    paragraphs = [" ".join(_sentence(random, day) for _ in range(shape.sentences)) for _ in range(shape.paragraphs)]
    parts = [f"---\ndate: {day.isoformat()}\n---", f"# {title}", *paragraphs, _table(random, shape.rows)]
    return "\n\n".join(parts) + "\n"


def _sentence(random: Random, day: date) -> str:
    other = day - timedelta(random.randrange(1, 900))
    words = {"month": f"{other:%B}", "year": other.year, "day": other.day, "quarter": (other.month + 2) // 3}
    when = random.choice(WHEN).format(**words)
    who, asker = random.choice(WHO), random.choice(WHO)
    cost, changes = random.uniform(1, 900), random.randint(2, 40)
    said = f"{who[0].upper()}{who[1:]} {random.choice(ACTS)} the {random.choice(THINGS)} {when}"
    return f"{said}, at a cost of {cost:.1f} million euros after {asker} had asked for {changes} changes."


def _table(random: Random, rows: int) -> str:
    grid = statistics(random)
    shown = [grid.rows[grid.header_rows - 1], *grid.body[:rows]]
    lines = [f"| {' | '.join(cell or ' ' for cell in row)} |" for row in shown]
    return "\n".join([lines[0], "|" + " --- |" * len(shown[0]), *lines[1:]])
