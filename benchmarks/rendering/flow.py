"""Frames filled one after the other, page by page, and the record of what was put where."""

from dataclasses import dataclass, field
from itertools import pairwise

from benchmarks.rendering.faces import width_of
from benchmarks.rendering.grid import Grid
from benchmarks.rendering.page import Emission, Fill, Page, Rule, Run
from benchmarks.rendering.table import RowBox, TableBox

Box = tuple[float, float, float, float]


@dataclass(slots=True)
class Part:
    """A table's share of one page: 1-based page, box (x0, top, x1, bottom in points), first and last row."""

    page: int
    bbox: Box
    rows: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A table that was drawn."""

    grid: Grid
    caption: str
    parts: list[Part]


@dataclass(frozen=True, slots=True)
class Neutral:
    """What one reader would call a table and another would not: nothing found here counts for or against."""

    kind: str
    page: int
    bbox: Box


@dataclass(frozen=True, slots=True)
class Sheet:
    """The paper: its size, margins, number of text columns and the furniture of every page."""

    width: float
    height: float
    margin: float
    columns: int = 1
    header: str = ""
    footer: str = ""
    numbered: bool = True
    font: str = "Helvetica"
    emission: Emission = "string"
    by_column: bool = False


@dataclass(slots=True)
class Flow:
    """The place where the next thing goes."""

    sheet: Sheet
    pages: list[Page] = field(default_factory=list)
    tables: list[Drawn] = field(default_factory=list)
    neutral: list[Neutral] = field(default_factory=list)
    column: int = 0
    y: float = 0.0

    def __post_init__(self) -> None:
        self._turn_page()

    @property
    def page(self) -> Page:
        """The page being filled."""
        return self.pages[-1]

    @property
    def width(self) -> float:
        """The width of a frame."""
        gutter = 22.0 * (self.sheet.columns - 1)
        return (self.sheet.width - 2 * self.sheet.margin - gutter) / self.sheet.columns

    @property
    def left(self) -> float:
        """The left edge of the present frame."""
        return self.sheet.margin + self.column * (self.width + 22.0)

    @property
    def bottom(self) -> float:
        """Where every frame ends."""
        return self.sheet.height - self.sheet.margin

    @property
    def room(self) -> float:
        """What is left of the present frame."""
        return self.bottom - self.y

    @property
    def depth(self) -> float:
        """The height of a whole frame."""
        return self.bottom - self.sheet.margin

    def need(self, height: float) -> None:
        """Go on to the next frame unless the present one has that much room."""
        if self.room < height and self.y > self.sheet.margin:
            self.next_frame()

    def next_frame(self) -> None:
        """Go on at the top of the next column or page."""
        self.column += 1
        if self.column == self.sheet.columns:
            self._turn_page()
        self.y = self.sheet.margin

    def write(self, runs: list[Run], height: float) -> None:
        """Put runs that are measured from the frame's left edge and the present height; go down by `height`."""
        self.page.runs += [run.moved(self.left, self.y) for run in runs]
        self.y += height

    def mark_neutral(self, kind: str, height: float) -> None:
        """Note that the next `height` points of the frame are open to dispute."""
        self.neutral.append(
            Neutral(kind, len(self.pages), (self.left, self.y, self.left + self.width, self.y + height))
        )

    def draw(self, table: TableBox, caption: str, *, inset: float = 0.0, splits: bool = False) -> None:
        """Draw a table; one that is not to be divided goes to the next frame where a whole frame can hold it."""
        if not splits and table.height <= self.depth:
            self.need(table.height)
        head = table.rows[: table.grid.header_rows]
        parts: list[Part] = []
        for box in table.rows:
            if self.room < box.height + box.gap and self.y > self.sheet.margin:
                self.next_frame()
                if table.style.repeat_header and box.row >= table.grid.header_rows:
                    self._continued(table, caption, inset)
                    parts += [self._row(table, again, inset, box.row) for again in head]
            self.y += box.gap if self.y > self.sheet.margin else 0.0
            parts.append(self._row(table, box, inset, box.row))
        self.tables.append(Drawn(table.grid, caption, _joined(parts)))

    def _continued(self, table: TableBox, caption: str, inset: float) -> None:
        """Repeat a numbered caption over the header of the next page, as yearbooks do."""
        if caption.startswith("Table "):
            style = table.style
            label = caption.partition(":")[0] + " (continued)"
            run = Run(inset, style.size, label, style.face.italic, style.size)
            self.write([run], style.line)

    def _row(self, table: TableBox, box: RowBox, inset: float, row: int) -> Part:
        x, y = self.left + inset, self.y
        if table.style.rules == "shade" and box.shaded:
            self.page.fills.append(Fill(x - 2, y, table.width + 4, box.height, table.style.shade))
        self.page.runs += [run.moved(x, y) for run in box.runs]
        self.page.rules += [rule.moved(x, y) for rule in box.rules]
        self.y += box.height
        return Part(len(self.pages), (x, y, x + table.width, self.y), (row, row))

    def _turn_page(self) -> None:
        sheet = self.sheet
        self.pages.append(Page(sheet.width, sheet.height, sheet.emission, sheet.by_column))
        self.column, self.y = 0, sheet.margin
        size, number = 8.0, str(len(self.pages)) if sheet.numbered else ""
        if sheet.header:
            self.page.runs.append(Run(sheet.margin, 30, sheet.header, sheet.font, size))
            self.page.rules.append(Rule(sheet.margin, 34, sheet.width - sheet.margin, 34, 0.4))
        if sheet.footer:
            self.page.runs.append(Run(sheet.margin, sheet.height - 24, sheet.footer, sheet.font, size))
        x = (sheet.width - width_of(number, sheet.font, size)) / 2
        x = sheet.width - sheet.margin - width_of(number, sheet.font, size) if sheet.footer else x
        if number:
            self.page.runs.append(Run(x, sheet.height - 24, number, sheet.font, size))


def _joined(parts: list[Part]) -> list[Part]:
    """Join the parts of rows that follow each other on one page in one column."""
    joined = parts[:1]
    for before, part in pairwise(parts):
        last = joined[-1]
        if (before.page, before.bbox[0]) != (part.page, part.bbox[0]):
            joined.append(part)
            continue
        box = (last.bbox[0], last.bbox[1], last.bbox[2], part.bbox[3])
        joined[-1] = Part(last.page, box, (last.rows[0], part.rows[1]))
    return joined
