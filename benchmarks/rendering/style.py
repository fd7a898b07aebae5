"""How a table looks: one frozen record, chosen by a seeded generator from what real publishers do."""

from dataclasses import dataclass
from random import Random
from typing import Literal

from benchmarks.rendering.faces import FACES, Face
from benchmarks.rendering.page import Colour

Rules = Literal["norules", "headrule", "cellrules", "booktabs", "hairlines", "shade", "grid"]
SHADES: tuple[Colour, ...] = ((0.8, 0.93, 1.0), (0.92, 0.92, 0.92), (0.89, 0.95, 0.87), (0.97, 0.94, 0.86))


@dataclass(frozen=True, slots=True)
class Style:
    """The looks of the tables of one document. Lengths are in points.

    `gap` is the white space between columns, `pad` what a row adds to its lines, `leading` line height by font size.
    `dollars` sets a currency sign apart at the left edge of its column, `money_gap` more than the widest figure needs.
    `hang` lets a closing parenthesis or percent sign stand beyond the right edge of the digits. `hanging` indents the
    further lines of a label, `drop` sets figures lower than it, `raised` makes its footnote mark small and high.
    """

    face: Face
    size: float
    leading: float
    gap: float
    pad: float
    rules: Rules
    shade: Colour
    figures: Literal["right", "decimal", "centre"]
    dollars: bool
    money_gap: float
    hang: bool
    percent_gap: float
    heading: Literal["centre", "right", "left"]
    heading_width: float
    label_share: float
    figures_on: Literal["last", "first"]
    indent: float
    hanging: float
    drop: float
    raised: bool
    leaders: Literal["", ".", ". ", " ."]
    spacers: bool
    bold: bool
    fill: Literal["label", "even", "none"]
    span_rules: bool
    repeat_header: bool

    @property
    def line(self) -> float:
        """The height of one line."""
        return self.size * self.leading

    @property
    def name(self) -> str:
        """The looks in a few words, for a file name."""
        words = [self.rules, self.figures if self.figures != "right" else ""]
        words += ["dollar" if self.dollars else "", "hang" if self.hang else ""]
        words += [f"wrap{self.figures_on}" if self.label_share < 0.35 else "", "leaders" if self.leaders else ""]
        words += ["tight" if self.gap < 10 else "", "dense" if self.pad < 1 else ""]
        return "-".join(word for word in words if word)


def choose_style(random: Random, family: str, rules: Rules | None = None, largest: float = 11.0) -> Style:
    """Draw the looks of a document's tables; `rules` and the family of fonts are given, the rest is chance."""
    rules = (
        rules
        or random.choices(
            ("norules", "headrule", "cellrules", "booktabs", "hairlines", "shade", "grid"), (6, 3, 4, 2, 1, 2, 1)
        )[0]
    )
    mono = family == "mono"
    pad = random.choice((0, 0, 0.5, 1.5, 2, 3, 4, 6, 9))
    return Style(
        face=FACES[family],
        size=random.choice([size for size in (7, 7.5, 8, 8, 8.5, 9, 9, 9.5, 10, 10, 11) if size <= largest]),
        leading=random.choice((1.1, 1.15, 1.2, 1.2, 1.3)),
        gap=random.choice((6, 7, 8, 10, 12, 16, 22, 30)) + (4 if mono else 0),
        pad=pad,
        rules=rules,
        shade=random.choice(SHADES),
        figures="right" if mono else random.choices(("right", "decimal", "centre"), (7, 2, 1))[0],
        dollars=random.random() < 0.5,
        money_gap=random.choice((1, 3, 6, 12, 20)),
        hang=not mono and random.random() < 0.5,
        percent_gap=0 if mono else random.choice((0, 0, 0, 1.5, 3)),
        heading=random.choices(("centre", "right", "left"), (5, 4, 1))[0],
        heading_width=random.choice((30, 45, 60, 90)),
        label_share=random.choice((0.25, 0.3, 0.38, 0.45, 0.6)),
        figures_on=random.choice(("last", "last", "first")),
        indent=random.choice((0, 0, 6, 9, 12)),
        hanging=random.choice((4, 8)) if pad < 1 else random.choice((0, 0, 8)),
        drop=0 if mono else random.choice((0, 0, 0, 0.4, 0.8)),
        raised=not mono and random.random() < 0.5,
        leaders=random.choices(("", ".", ". ", " ."), (7, 1, 1, 1))[0] if rules not in {"grid", "shade"} else "",
        spacers=rules != "grid" and random.random() < 0.35,
        bold=random.random() < 0.55,
        fill=random.choices(("label", "even", "none"), (5, 2, 4))[0],
        span_rules=random.random() < 0.6,
        repeat_header=random.random() < 0.6,
    )
