"""The rules of a row, in the manners of filings, journals and spreadsheets."""

from benchmarks.rendering.layout import Layout
from benchmarks.rendering.page import Rule


def rules_of(layout: Layout, row: int, height: float) -> list[Rule]:
    """Return the rules of a row that is `height` points high, from the row's top left corner."""
    if layout.style.rules == "grid":
        return _lattice(layout, row, height)
    if layout.style.rules == "norules":
        return []
    return _span_rules(layout, row, height) + _cell_rules(layout, row, height) + _long_rules(layout, row, height)


def _long_rules(layout: Layout, row: int, height: float) -> list[Rule]:
    grid, kind, end = layout.grid, layout.style.rules, layout.columns[-1].right
    rules = []
    if kind == "booktabs" and row == 0:
        rules.append(Rule(0, 0, end, 0, 1.0))
    if kind == "booktabs" and row == len(grid.rows) - 1:
        rules.append(Rule(0, height, end, height, 1.0))
    if kind == "hairlines" or (kind in {"headrule", "booktabs"} and row == grid.header_rows - 1):
        rules.append(Rule(0, height, end, height, 0.5))
    if kind == "headrule" and grid.is_total(row):
        rules.append(Rule(0, 0, end, 0, 0.4))
    return rules


def _span_rules(layout: Layout, row: int, height: float) -> list[Rule]:
    if not layout.style.span_rules:
        return []
    ranges = [(column, last) for (r, column), last in layout.grid.spans.items() if r == row]
    return [Rule(layout.columns[a].left, height, layout.columns[b].right, height) for a, b in ranges]


def _cell_rules(layout: Layout, row: int, height: float) -> list[Rule]:
    """Underline each heading, and put a rule over totals and two below the last, each as wide as its column."""
    grid, rules = layout.grid, []
    if layout.style.rules != "cellrules":
        return []
    for c, column in enumerate(layout.columns):
        if not column.figures or not grid.rows[row][c] or (row, c) in grid.spans:
            continue
        heights = [height] if row == grid.header_rows - 1 else []
        if grid.is_total(row):
            heights += [0.0, height, height + 1.5] if row == len(grid.rows) - 1 else [0.0]
        rules += [Rule(column.left, y, column.right, y) for y in heights]
    return rules


def _lattice(layout: Layout, row: int, height: float) -> list[Rule]:
    grid, columns = layout.grid, layout.columns
    half = (columns[1].left - columns[0].right) / 2
    left, right = -half, columns[-1].right + half
    hidden = {c for (r, first), last in grid.spans.items() if r == row for c in range(first + 1, last + 1)}
    if not any(grid.rows[row][1:]):
        hidden = set(range(1, len(columns)))
    edges = [left, *(column.left - half for c, column in enumerate(columns) if c and c not in hidden), right]
    levels = (0.0, height) if row == 0 else (height,)
    return [Rule(left, y, right, y) for y in levels] + [Rule(x, 0, x, height) for x in edges]
