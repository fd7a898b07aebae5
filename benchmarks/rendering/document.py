"""Whole documents: the kinds follow in turn, their looks are drawn by chance from number and seed."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from benchmarks.rendering import kinds
from benchmarks.rendering.faces import FACES
from benchmarks.rendering.flow import Flow, Sheet
from benchmarks.rendering.grid import Grid
from benchmarks.rendering.prose import Hand
from benchmarks.rendering.style import Rules, choose_style
from benchmarks.rendering.writer import Writer

_LETTER, _A4 = (612.0, 792.0), (595.3, 841.9)
_KINDS: tuple[tuple[str, Callable[[Writer], None], Rules | None], ...] = (
    ("release", kinds.release, "norules"),
    ("release", kinds.release, None),
    ("release", kinds.release, "cellrules"),
    ("statement", kinds.statement, None),
    ("statistics", kinds.statistical, "norules"),
    ("crossing", kinds.crossing, None),
    ("column", kinds.in_column, None),
    ("statistics", kinds.statistical, None),
    ("release", kinds.release, "headrule"),
    ("words", kinds.words, None),
    ("typed", kinds.release, "norules"),
    ("across", kinds.across, None),
    ("none", kinds.no_table, None),
    ("wide", kinds.wide, None),
    ("release", kinds.release, "shade"),
)


@dataclass(frozen=True, slots=True)
class Rendered:
    """A drawn document: its name without suffix, and the flow with its pages, tables and neutral places."""

    name: str
    flow: Flow


def render(number: int, seed: int, grids: list[Grid]) -> Rendered:
    """Draw document `number` from the grids; the same number and seed give the same document."""
    random = Random(f"{seed}-{number}")
    kind, write, rules = _KINDS[number % len(_KINDS)]
    family = "mono" if kind == "typed" else random.choice(("sans", "sans", "serif", "serif", "embedded"))
    small = kind in {"column", "wide", "typed"}
    style = choose_style(random, family, rules, 8.5 if small else 11.0)
    sheet = _sheet(random, kind, family)
    size = style.size if kind == "typed" else random.choice((9.0, 10.0, 10.0, 11.0)) - 1.5 * (sheet.columns - 1)
    justified = kind != "typed" and random.random() < 0.5
    hand = Hand(FACES[family], size, random.choice((1.15, 1.2, 1.3)), justified)
    writer = Writer(random, grids, Flow(sheet), hand, style, numbered=random.random() < 0.25)
    write(writer)
    looks = f"-{style.name}" if writer.flow.tables else ""
    return Rendered(f"{number:04d}-{kind}{looks}", writer.flow)


def _sheet(random: Random, kind: str, family: str) -> Sheet:
    width, height = random.choice((_LETTER, _A4))
    if kind == "wide":
        width, height = height, width
    return Sheet(
        width,
        height,
        random.choice((50.0, 60.0, 72.0)),
        columns=2 if kind == "column" else 1,
        header=random.choice(("", "Consolidated Financial Report 2019", "Statistical Yearbook - Chapter 4")),
        footer=random.choice(("", "", "2019 Annual Report")),
        numbered=random.random() < 0.8,
        font=FACES[family].plain,
        emission="line" if kind == "typed" else random.choice(("string", "string", "word", "glyph")),
        by_column=random.random() < 0.15,
    )
