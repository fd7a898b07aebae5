"""The kinds of publication: what each writes, in which order."""

from collections.abc import Callable

from benchmarks.rendering.grid import Grid
from benchmarks.rendering.invented import list_in_words, long_statement, statistics
from benchmarks.rendering.lookalikes import address, chart, contacts, contents, equations, signature
from benchmarks.rendering.prose import bullets, heading, paragraph, prose_columns
from benchmarks.rendering.table import lay_table
from benchmarks.rendering.writer import Writer, shortened

_BULLETS = ("•", "–", "({})", "{}.")


def release(w: Writer) -> None:
    """An earnings release: tables each between the paragraphs that speak of it."""
    title = w.random.choice(("Fourth Quarter and Full Year Results", "Management's Discussion and Analysis", "NOTES"))
    heading(w.flow, w.hand, title, scale=1.4, centred=w.random.random() < 0.6)
    for _ in range(w.random.randint(2, 4)):
        grid = w.pick()
        half = w.random.randint(1, 3)
        w.paragraphs(list(grid.topics[:half]))
        w.table(grid)
        w.paragraphs(list(grid.topics[half : half + 2]))
        if w.random.random() < 0.25:
            _bullets(w)
    if w.random.random() < 0.5:
        w.random.choice((contacts, signature))(w.flow, w.hand, w.random)


def statement(w: Writer) -> None:
    """A statement of many rows over two pages or more."""
    grid = long_statement(w.random, w.grids, w.random.randint(45, 100))
    w.paragraphs(list(grid.topics[: w.random.randint(0, 3)]))
    w.table(grid, splits=True)
    w.paragraphs(w.topics(2))


def crossing(w: Writer) -> None:
    """A table of common length that begins too low on its page."""

    def lengthy(grid: Grid) -> bool:
        return len(grid.rows) > 9 and lay_table(grid, w.style, w.flow.width) is not None

    grid = w.pick(lengthy)
    box = lay_table(grid, w.style, w.flow.width)
    share = (box.height if box else 0.0) * w.random.uniform(0.5, 0.8)
    for text in w.topics(30):
        paragraph(w.flow, w.hand, shortened(text, 400))
        if w.flow.room < share + 40:
            break
    w.table(grid, splits=True)
    w.paragraphs(w.topics(2))


def statistical(w: Writer) -> None:
    """A chapter of a yearbook: numbered tables by country and year, here and there a chart."""
    w.numbered = True
    for _ in range(w.random.randint(1, 3)):
        w.paragraphs(w.topics(w.random.randint(0, 2)))
        if w.random.random() < 0.3:
            chart(w.flow, w.hand, w.random)
        w.table(statistics(w.random), splits=w.random.random() < 0.3)


def words(w: Writer) -> None:
    """Tables of words, whose cells run over several lines."""
    for _ in range(w.random.randint(1, 2)):
        w.paragraphs(w.topics(w.random.randint(1, 3)))
        w.table(list_in_words(w.random, w.sentences))
    w.paragraphs(w.topics(1))


def in_column(w: Writer) -> None:
    """A page of two columns with tables inside a column."""
    for _ in range(w.random.randint(2, 4)):
        grid = w.pick(lambda grid: grid.width <= 5)
        w.paragraphs(list(grid.topics[:4]))
        w.table(grid)
        w.paragraphs(w.topics(2))


def across(w: Writer) -> None:
    """Prose in columns with tables over the whole width between."""
    for _ in range(2):
        prose_columns(w.flow, w.hand, w.topics(w.random.randint(2, 5)), w.random.choice((2, 2, 3)))
        w.table(w.pick(lambda grid: grid.width > 3))
    prose_columns(w.flow, w.hand, w.topics(4), 2)


def wide(w: Writer) -> None:
    """Tables of many columns on a page that lies on its side."""
    for _ in range(w.random.randint(1, 2)):
        grid = w.pick(lambda grid: grid.width > 5)
        w.paragraphs(list(grid.topics[:1]))
        w.table(grid)


def no_table(w: Writer) -> None:
    """Prose, lists, charts, formulas, addresses: nothing that is a table."""
    if w.random.random() < 0.4:
        address(w.flow, w.hand, w.random)
    if w.random.random() < 0.4:
        contents(w.flow, w.hand, [grid.title for grid in w.grids[:40] if grid.title][:14], w.random)
    for _ in range(w.random.randint(2, 4)):
        w.random.choice(_OTHERS)(w)
    if w.random.random() < 0.5:
        signature(w.flow, w.hand, w.random)


def _bullets(w: Writer) -> None:
    bullets(
        w.flow, w.hand, [shortened(text, 250) for text in w.topics(w.random.randint(3, 7))], w.random.choice(_BULLETS)
    )


def _columns(w: Writer) -> None:
    prose_columns(w.flow, w.hand, w.topics(6), w.random.choice((2, 3)))


def _chart(w: Writer) -> None:
    chart(w.flow, w.hand, w.random)


def _equations(w: Writer) -> None:
    equations(w.flow, w.hand, w.random)


def _prose(w: Writer) -> None:
    w.paragraphs(w.topics(5))


_OTHERS: tuple[Callable[[Writer], None], ...] = (_bullets, _columns, _chart, _equations, _prose)
