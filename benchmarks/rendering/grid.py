"""What a table holds before anybody draws it, and the ground truth that follows from it."""

import re
from dataclasses import dataclass, field

FIGURE = re.compile(
    r"\s*(?P<money>[$€£]?)\s*(?P<open>\(?)\s*(?P<digits>[-–—+]?[\d,.\s]*\d|[-–—:*]+|[nN][./]?[amAM][./]?)\s*"
    r"(?P<close>\)?\s*(?:%|bps|x)?\s*\)?)\s*"
)
YEAR = re.compile(r"(FY\s*)?(19|20)\d\d(E|F|\s*\(\w\))?")


def is_figure(text: str) -> bool:
    """Say whether a cell reads as a figure, a dash or "n/a" rather than as words."""
    return bool(FIGURE.fullmatch(text))


def is_year(text: str) -> bool:
    """Say whether a cell is a lone year, which heads a column more often than it fills one."""
    return bool(YEAR.fullmatch(text.strip()))


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell with its inclusive range of rows and columns, as in the ICDAR-2013 structure files."""

    row: int
    column: int
    end_row: int
    end_column: int
    text: str


@dataclass(frozen=True, slots=True)
class Grid:
    """A table without looks: `rows[r][c]` is text; a spanning cell stands at its first column, the rest is empty.

    `spans` gives the last column of each spanning header by its (row, column). `topics` are paragraphs
    that spoke of the table where it came from; `title` is empty when nothing short enough was among them.
    """

    rows: tuple[tuple[str, ...], ...]
    header_rows: int
    spans: dict[tuple[int, int], int] = field(default_factory=dict)
    title: str = ""
    topics: tuple[str, ...] = ()

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.rows[0])

    @property
    def body(self) -> tuple[tuple[str, ...], ...]:
        """The rows below the header."""
        return self.rows[self.header_rows :]

    def is_section(self, row: int) -> bool:
        """Say whether a body row is a label alone, heading the rows below it."""
        return row >= self.header_rows and bool(self.rows[row][0]) and not any(self.rows[row][1:])

    def is_total(self, row: int) -> bool:
        """Say whether a body row sums up those above it, by its label."""
        label = self.rows[row][0].lower()
        return row >= self.header_rows and any(self.rows[row][1:]) and label.startswith(("total", "net ", "gross "))

    def holds_figures(self, column: int) -> bool:
        """Say whether a column holds figures: more than half of its filled body cells do."""
        filled = [row[column] for row in self.body if row[column]]
        return column > 0 and sum(map(is_figure, filled)) * 2 > len(filled)

    @property
    def holds_only_figures(self) -> bool:
        """Say whether every column but the labels holds figures."""
        return all(map(self.holds_figures, range(1, self.width)))

    def cells(self) -> list[Cell]:
        """The filled cells in reading order."""
        return [
            Cell(r, c, r, self.spans.get((r, c), c), text)
            for r, row in enumerate(self.rows)
            for c, text in enumerate(row)
            if text
        ]
