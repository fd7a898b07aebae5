"""How wide each column becomes, and where its figures end."""

from dataclasses import dataclass

from benchmarks.rendering.faces import longest_word, width_of
from benchmarks.rendering.grid import FIGURE, Grid
from benchmarks.rendering.style import Style


@dataclass(frozen=True, slots=True)
class Figure:
    """The parts of a figure that are placed apart: sign of currency, digits with what opens them, what closes them."""

    money: str
    core: str
    close: str

    @property
    def before_point(self) -> str:
        """The digits up to the decimal point."""
        return self.core.partition(".")[0] if self.core.count(".") == 1 else self.core

    @property
    def fraction(self) -> str:
        """The decimal point and the digits behind it."""
        return self.core[len(self.before_point) :]


def split_figure(text: str) -> Figure | None:
    """Take a figure to parts; None for words."""
    match = FIGURE.fullmatch(text)
    if match is None:
        return None
    return Figure(match["money"], match["open"] + match["digits"].strip(), match["close"].strip())


@dataclass(frozen=True, slots=True)
class Column:
    """A column's left and right edge; for one of figures where the digits end (or have their decimal point)."""

    left: float
    right: float
    figures: bool
    digits_end: float
    point: float

    @property
    def width(self) -> float:
        """The room between the edges."""
        return self.right - self.left


@dataclass(slots=True)
class _Want:
    least: float
    natural: float
    figures: bool
    hang: float = 0.0
    fraction: float = 0.0


def fit_columns(grid: Grid, style: Style, room: float) -> list[Column] | None:
    """Lay the columns into `room` points; None if they do not fit even with all texts wrapped to their widest word."""
    wants = [_want(grid, style, column, room) for column in range(grid.width)]
    _make_room_for_spans(grid, style, wants)
    gap, widths = style.gap, [want.natural for want in wants]
    slack = room - gap * (grid.width - 1) - sum(widths)
    if slack < 0:
        give = [want.natural - want.least for want in wants]
        if sum(give) < -slack:
            return None
        widths = [width + slack * part / sum(give) for width, part in zip(widths, give, strict=True)]
    elif style.fill == "label" and grid.holds_only_figures:
        widths[0] += min(slack, room * 0.35)
    elif style.fill == "even":
        gap += min(slack / (grid.width - 1), 50.0)
    return _columns(wants, widths, gap)


def _columns(wants: list[_Want], widths: list[float], gap: float) -> list[Column]:
    columns, left = [], 0.0
    for want, width in zip(wants, widths, strict=True):
        right = left + width
        end = right - want.hang
        columns.append(Column(left, right, want.figures, end, end - want.fraction))
        left = right + gap
    return columns


def _want(grid: Grid, style: Style, column: int, room: float) -> _Want:
    size, bold = style.size, style.face.bold
    heads = [
        row[column]
        for r, row in enumerate(grid.rows[: grid.header_rows])
        if (r, column) not in grid.spans and any(row[1:])
    ]
    body = [row[column] for r, row in enumerate(grid.rows) if r >= grid.header_rows and not grid.is_section(r)]
    head_least = max((longest_word(text, bold, size) for text in heads), default=0.0)
    head_natural = max((width_of(text, bold, size) for text in heads), default=0.0)
    if grid.holds_figures(column):
        want = _want_of_figures(body, style)
        want.least = want.natural = max(want.natural, head_least, min(head_natural, style.heading_width))
        return want
    indent = 2 * style.indent + style.hanging if column == 0 else 0.0
    texts = [text for text in body if text]
    least = max(head_least, max((longest_word(text, bold, size) for text in texts), default=0.0) + indent, 20.0)
    widest = max((width_of(text, bold, size) for text in texts), default=0.0) + indent
    share = style.label_share if any(map(grid.holds_figures, range(grid.width))) else 0.75
    natural = max(least, min(max(widest, head_natural), room * share))
    return _Want(min(natural, max(least, min(natural, room * 0.18))), natural, figures=False)


def _want_of_figures(body: list[str], style: Style) -> _Want:
    """Width of a column of figures; words among them (as "see note") need the room of their widest line too."""
    size, font = style.size, style.face.bold
    figures = [figure for figure in map(split_figure, body) if figure]
    words = max((width_of(text, font, size) for text in body if text and not split_figure(text)), default=0.0)
    money = width_of("$", font, size) + style.money_gap
    money = money if style.dollars and any(figure.money for figure in figures) else 0.0
    hang = max((width_of(f.close, font, size) for f in figures), default=0.0) + style.percent_gap if style.hang else 0.0

    def widest(texts: list[str]) -> float:
        return max((width_of(text, font, size) for text in texts), default=0.0)

    lead = [("" if style.dollars else f.money) + f.core + ("" if style.hang else f.close) for f in figures]
    if style.figures != "decimal":
        natural = money + max(widest(lead), 8.0) + hang
        return _Want(0.0, max(natural, words), figures=True, hang=hang)
    before = widest([("" if style.dollars else f.money) + f.before_point for f in figures])
    after = widest([f.fraction + ("" if style.hang else f.close) for f in figures])
    return _Want(0.0, max(money + before + after + hang, words), figures=True, hang=hang, fraction=after)


def _make_room_for_spans(grid: Grid, style: Style, wants: list[_Want]) -> None:
    for (row, first), last in grid.spans.items():
        held = sum(want.natural for want in wants[first : last + 1]) + style.gap * (last - first)
        lacking = longest_word(grid.rows[row][first], style.face.bold, style.size) - held
        for want in wants[first : last + 1]:
            want.natural += max(lacking, 0.0) / (last - first + 1)
            want.least = max(want.least, want.natural)
