"""What a document's type is like: the size of its running text, its larger sizes, the edges of its pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from tasks.parsers.pages.headings import LEADS, Typography
from tasks.parsers.pages.lines import TextLine
from tasks.parsers.pages.reading import PageContent
from warehouse.records import Box

_LARGER = 1.12
_NEXT_SIZE = 1.05
_PROSE = 60
_BODY_SHARE = 0.2
_FEWEST_LEADING = 4


def measure(pages: Iterable[PageContent], aside: Collection[int]) -> Typography:
    """The running text's size is the largest in which a fifth of all long lines is set; larger ones are ranked.

    Lines whose `id` is in `aside` do not count.
    """
    items = [(page.number, item) for page in pages for item in page.items if id(item) not in aside]
    every = [item for _, item in items if isinstance(item, TextLine)]
    prose = _weights(line for line in every if len(line.text) >= _PROSE) or _weights(every)
    if not prose:
        return Typography(0.0, {}, {})
    body = max(size for size, weight in prose.items() if weight >= _BODY_SHARE * prose.total())
    larger = sorted({line.size for line in every if line.size > _LARGER * body}, reverse=True)
    extents = _extents((number, item.box) for number, item in items)
    return Typography(body, _steps(larger), extents, _contents(every))


def _contents(lines: Iterable[TextLine]) -> frozenset[int]:
    """The pages on which several lines lead to the number of a page."""
    leading = Counter(line.line.page for line in lines if line.parted and LEADS.search(line.text))
    return frozenset(page for page, count in leading.items() if count >= _FEWEST_LEADING)


def _steps(sizes: Sequence[float]) -> dict[float, int]:
    """The places of falling sizes; such as hardly differ share one."""
    steps: dict[float, int] = {}
    step, first = 0, sizes[0] if sizes else 0.0
    for size in sizes:
        if size * _NEXT_SIZE < first:
            step, first = step + 1, size
        steps[size] = step
    return steps


def _extents(boxes: Iterable[tuple[int, Box]]) -> dict[int, tuple[float, float]]:
    """The left and right edge of what stands on each page."""
    extents: dict[int, tuple[float, float]] = {}
    for page, box in boxes:
        left, right = extents.get(page, (box.x0, box.x1))
        extents[page] = min(left, box.x0), max(right, box.x1)
    return extents


def _weights(lines: Iterable[TextLine]) -> Counter[float]:
    weights: Counter[float] = Counter()
    for line in lines:
        weights[line.size] += len(line.text)
    return weights
