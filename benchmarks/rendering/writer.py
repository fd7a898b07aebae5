"""The writer of one document: it knows the looks and the material, and puts prose and tables into the flow."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random

from benchmarks.rendering.faces import width_of, wrap
from benchmarks.rendering.flow import Flow
from benchmarks.rendering.grid import Grid
from benchmarks.rendering.page import Run
from benchmarks.rendering.prose import Hand, paragraph
from benchmarks.rendering.style import Style
from benchmarks.rendering.table import TableBox, lay_table

_UNITS = ("(in thousands)", "(in millions, except per share amounts)", "(Dollars in millions)", "(unaudited)")
_NOTES = (
    "(1) Includes amounts reclassified from other comprehensive income.",
    "(1) Prior-period figures have been restated to conform to the current presentation.",
    "Source: annual accounts; provisional data for the last year shown.",
    "* Not meaningful. Totals may not add up due to rounding.",
)


@dataclass(slots=True)
class Writer:
    """One document in the making; `numbered` captions read "Table 3: ...". No grid is used twice."""

    random: Random
    grids: list[Grid]
    flow: Flow
    hand: Hand
    style: Style
    numbered: bool
    sentences: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.grids = self.random.sample(self.grids, len(self.grids))
        spoken = (topic.split(". ") for grid in self.grids for topic in grid.topics)
        self.sentences = [part.rstrip(".") for parts in spoken for part in parts if 30 < len(part) < 150]

    def pick(self, good: Callable[[Grid], bool] = lambda grid: True) -> Grid:
        """Take a grid that was not used before."""
        place = next(i for i, grid in enumerate(self.grids) if good(grid))
        return self.grids.pop(place)

    def topics(self, count: int) -> list[str]:
        """Return paragraphs of several reports."""
        some = self.random.sample(self.grids, 12)
        return [topic for grid in some for topic in grid.topics if len(topic) > 90][:count]

    def paragraphs(self, texts: list[str]) -> None:
        """Write paragraphs; the last may stand right upon what follows."""
        after = self.random.choice((2.0, 5.0, 8.0))
        for text in texts:
            paragraph(self.flow, self.hand, shortened(text, 900), after=after)
        if texts:
            self.flow.y -= self.random.choice((0.0, after))

    def table(self, grid: Grid, *, splits: bool = False) -> None:
        """Write a table with its caption and notes; set smaller if too wide, left out if too wide even then."""
        small = replace(self.style, size=min(self.style.size, 7.0), gap=min(self.style.gap, 8.0), money_gap=1.0)
        box = lay_table(grid, self.style, self.flow.width) or lay_table(grid, small, self.flow.width)
        if box is None:
            return
        inset = (self.flow.width - box.width) / 2 if self.random.random() < 0.4 else 0.0
        lines = self._caption_lines(grid)
        room = box.head_height if splits else min(box.height, self.flow.depth * 0.9)
        self.flow.need(room + 1.3 * self.hand.size * (len(lines) + 1))
        self._write_caption(lines, inset, box)
        self.flow.draw(box, " ".join(lines), inset=inset, splits=splits)
        self._notes()

    def _caption_lines(self, grid: Grid) -> list[str]:
        title = grid.title
        if self.numbered:
            title = f"Table {len(self.flow.tables) + 1}: {title or 'Summary of selected data'}"
        lines = [title] if title and (self.numbered or self.random.random() < 0.7) else []
        if grid.holds_only_figures and not grid.spans and self.random.random() < 0.35:
            lines.append(self.random.choice(_UNITS))
        return lines

    def _write_caption(self, lines: list[str], inset: float, box: TableBox) -> None:
        size, centred = self.hand.size, self.random.random() < 0.4
        font = self.random.choice((self.hand.face.bold, self.hand.face.bold, self.hand.face.italic))
        for text in lines:
            for line in wrap(text, font, size, max(box.width, min(self.flow.width - inset, 240.0))):
                x = inset + (box.width - width_of(line, font, size)) / 2 if centred else inset
                self.flow.write([Run(max(x, 0.0), size, line, font, size)], size * 1.25)
        self.flow.y += self.random.choice((0.0, 2.0, 6.0))

    def _notes(self) -> None:
        if self.random.random() < 0.4:
            self.flow.y += self.random.choice((1.0, 4.0))
            small = Hand(self.hand.face, max(self.hand.size - 2, 6.5), 1.15, justified=False)
            for note in self.random.sample(_NOTES, self.random.randint(1, 2)):
                paragraph(self.flow, small, note, after=1.0)
        self.flow.y += self.random.choice((2.0, 4.0, 8.0, 18.0))


def shortened(text: str, most: int) -> str:
    """Cut a text at the end of a word so that it has no more than `most` characters."""
    return text if len(text) <= most else text[:most].rsplit(" ", 1)[0] + "."
