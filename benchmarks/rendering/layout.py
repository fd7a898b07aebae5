"""A grid that has been given its style and columns: how far each cell reaches, and how its lines are placed."""

import re
from dataclasses import dataclass

from benchmarks.rendering.faces import width_of, wrap
from benchmarks.rendering.grid import Grid
from benchmarks.rendering.page import Run
from benchmarks.rendering.style import Style
from benchmarks.rendering.widths import Column, split_figure

_MARK = re.compile(r"(?<=\S)\s*(\(\d\)|\(\w\)|\*+)$")


@dataclass(frozen=True, slots=True)
class Layout:
    """What is needed to place any text of a table; x and y are points from the table's or the row's top left."""

    grid: Grid
    style: Style
    columns: list[Column]

    def is_heading(self, row: int) -> bool:
        """Say whether a row belongs to the header."""
        return row < self.grid.header_rows

    def font(self, row: int) -> str:
        """The cut in which a row is set."""
        grid, face = self.grid, self.style.face
        strong = self.is_heading(row) or grid.is_section(row) or grid.is_total(row)
        return face.bold if self.style.bold and strong else face.plain

    def reach(self, row: int, column: int) -> tuple[float, float]:
        """The left and right edge of a cell; a lone label may run on over the empty cells beside it."""
        last = self.grid.spans.get((row, column), column)
        if column == 0 and not any(self.grid.rows[row][1:]):
            last = len(self.columns) - 1
        return self.columns[column].left, self.columns[last].right

    def indent(self, row: int) -> float:
        """How far the label of a row stands in from the column's edge."""
        grid = self.grid
        if self.is_heading(row) or grid.is_section(row):
            return 0.0
        under = any(grid.is_section(above) for above in range(grid.header_rows, row))
        return self.style.indent * (under + (grid.is_total(row) and row + 1 < len(grid.rows)))

    def lines(self, row: int, column: int) -> list[str]:
        """Break a cell into the lines that its width allows; figures stay whole."""
        text = self.grid.rows[row][column]
        if not self.is_heading(row) and self.columns[column].figures:
            return [text]
        left, right = self.reach(row, column)
        inset = self.indent(row) + self.style.hanging if column == 0 else 0.0
        return wrap(text, self.font(row), self.style.size, right - left - inset + 0.01)

    def place(self, row: int, column: int, block: list[str], top: float) -> list[Run]:
        """Return the runs of a cell whose first line stands on the baseline `top`."""
        runs: list[Run] = []
        for i, line in enumerate(block):
            y = top + i * self.style.line
            if not self.is_heading(row) and self.columns[column].figures:
                runs += self._figure(column, line, y + self.style.drop, self.font(row))
            else:
                runs.append(Run(self._start(row, column, line, i), y, line, self.font(row), self.style.size))
        if self.style.raised and column == 0:
            runs[-1:] = _raise_mark(runs[-1])
        return runs

    def _start(self, row: int, column: int, line: str, number: int) -> float:
        left, right = self.reach(row, column)
        if column == 0:
            return left + self.indent(row) + (self.style.hanging if number else 0.0)
        spanning = (row, column) in self.grid.spans
        if not self.is_heading(row) or not (spanning or self.columns[column].figures):
            return left
        spare = right - left - width_of(line, self.font(row), self.style.size)
        if spanning or "centre" in {self.style.heading, self.style.figures}:
            return left + spare / 2
        return left if self.style.heading == "left" else left + spare

    def _figure(self, number: int, text: str, y: float, font: str) -> list[Run]:
        style, column, figure = self.style, self.columns[number], split_figure(text)
        if figure is None:
            return [Run(column.right - width_of(text, font, style.size), y, text, font, style.size)]
        money, core = (figure.money, figure.core) if style.dollars else ("", figure.money + figure.core)
        apart = style.percent_gap > 0 and figure.close != ""
        lead = core if apart else core + figure.close
        close = width_of(figure.close, font, style.size) + style.percent_gap * apart
        inner = width_of(core, font, style.size)
        if style.figures == "centre":
            x = (column.left + column.right - inner - close) / 2
        elif style.figures == "decimal":
            x = column.point - inner + width_of(figure.fraction, font, style.size)
        else:
            x = column.digits_end - inner - (0.0 if style.hang else close)
        runs = [Run(column.left, y, money, font, style.size)] if money else []
        runs.append(Run(x, y, lead, font, style.size))
        if apart:
            runs.append(Run(x + inner + style.percent_gap, y, figure.close, font, style.size))
        return runs


def _raise_mark(run: Run) -> list[Run]:
    """Set a footnote mark at the end of a label small and high."""
    match = _MARK.search(run.text)
    if match is None:
        return [run]
    label = Run(run.x, run.y, run.text[: match.start()], run.font, run.size)
    return [label, Run(label.end + 0.5, run.y - run.size * 0.35, match[1], run.font, run.size * 0.62)]
