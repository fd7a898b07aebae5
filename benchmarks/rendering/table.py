"""A table's rows as boxes: the texts, rules and shading of each, measured from its own top left corner."""

from dataclasses import dataclass, field

from benchmarks.rendering.faces import width_of
from benchmarks.rendering.grid import Grid
from benchmarks.rendering.layout import Layout
from benchmarks.rendering.page import Rule, Run
from benchmarks.rendering.ruling import rules_of
from benchmarks.rendering.style import Style
from benchmarks.rendering.widths import fit_columns


@dataclass(slots=True)
class RowBox:
    """One row as it is drawn; `row` is its number in the grid, `gap` the white space above it."""

    row: int
    height: float
    gap: float = 0.0
    shaded: bool = False
    runs: list[Run] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class TableBox:
    """A table whose every row is placed; `width` and `height` in points, undivided."""

    grid: Grid
    style: Style
    width: float
    rows: list[RowBox]

    @property
    def height(self) -> float:
        """The height of all rows."""
        return sum(row.height + row.gap for row in self.rows)

    @property
    def head_height(self) -> float:
        """The height of the header and the first two rows below it."""
        return sum(row.height + row.gap for row in self.rows[: self.grid.header_rows + 2])


def lay_table(grid: Grid, style: Style, room: float) -> TableBox | None:
    """Set a grid in a style within `room` points of width; None if it is too wide."""
    columns = fit_columns(grid, style, room)
    if columns is None:
        return None
    layout = Layout(grid, style, columns)
    return TableBox(grid, style, columns[-1].right, [_row(layout, row) for row in range(len(grid.rows))])


def _row(layout: Layout, row: int) -> RowBox:
    grid, style = layout.grid, layout.style
    blocks = {column: layout.lines(row, column) for column, text in enumerate(grid.rows[row]) if text}
    count = max((len(block) for block in blocks.values()), default=1)
    height = count * style.line + style.pad
    box = RowBox(row, height, shaded=not layout.is_heading(row) and (row - grid.header_rows) % 2 == 0)
    low = layout.is_heading(row) or (style.figures_on == "last" and grid.holds_only_figures)
    for column, block in blocks.items():
        first = count - len(block) if low else 0
        top = style.pad / 2 + first * style.line + style.size * 0.92
        box.runs += layout.place(row, column, block, top)
    if style.spacers and row > grid.header_rows and (grid.is_section(row) or grid.is_total(row - 1)):
        box.gap = style.line * 0.6
    if style.leaders and 0 in blocks and not layout.is_heading(row) and any(grid.rows[row][1:]):
        box.runs += _leaders(layout, row, box.runs)
    box.rules = rules_of(layout, row, height)
    return box


def _leaders(layout: Layout, row: int, runs: list[Run]) -> list[Run]:
    """Fill the room between the last line of a label and the end of its column with dots."""
    style, font, edge = layout.style, layout.font(row), layout.columns[0].right
    labels = [run for run in runs if run.x < edge]
    baseline = max(run.y for run in labels)
    start = max(run.end for run in labels if run.y > baseline - style.size / 2) + 3
    count = int((edge - start) / width_of(style.leaders, font, style.size))
    if count < 3:
        return []
    dots = (style.leaders * count).strip()
    return [Run(edge - width_of(dots, font, style.size), baseline, dots, font, style.size)]
