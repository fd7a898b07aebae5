"""What a document's type is like: the size of its running text, its larger sizes, the edges of its pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from tasks.parsers.pages.found import FoundTable
from tasks.parsers.pages.headings import LEADS, Typography, solid
from tasks.parsers.pages.labels import label_of
from tasks.parsers.pages.lines import TextLine
from tasks.parsers.pages.page_reader import PageContent
from warehouse.records import Box

_LARGER = 1.12
_NEXT_SIZE = 1.05
_PROSE = 60
_BODY_SHARE = 0.2
_FEWEST_LEADING = 4
_FEWEST_LABELLED = 2
"""Items or parts that lead to a page on a page of contents; an index of statements leads to none."""
_LEADER = re.compile(r"[\s.·…_]+\d{1,3}$")
_PAGE_NUMBER = re.compile(r"\d{1,3}")
_SHORTEST_TITLE = 5
"""Letters of a listed title at least: "Cash" is the name of a row as well."""
_MOST_LINES = 3
"""Lines over which an entry of the contents may run."""


def measure(pages: Iterable[PageContent], aside: Collection[int], bookmarks: Iterable[str] = ()) -> Typography:
    """The running text's size is the largest in which a fifth of all long lines is set, else the most usual one.

    Larger ones are ranked.

    Lines whose `id` is in `aside` do not count. `bookmarks` are the titles that the file itself lists.
    """
    items = [(page.number, item) for page in pages for item in page.items if id(item) not in aside]
    every = [item for _, item in items if isinstance(item, TextLine)]
    prose = _weights(line for line in every if len(line.text) >= _PROSE) or _weights(every)
    if not prose:
        return Typography(0.0, {}, {})
    usual = max(prose, key=lambda size: (prose[size], size))
    body = max((size for size, weight in prose.items() if weight >= _BODY_SHARE * prose.total()), default=usual)
    larger = sorted({line.size for line in every if line.size > _LARGER * body}, reverse=True)
    extents = _extents((number, item.box) for number, item in items)
    contents, titles = _contents(items)
    known = frozenset(name for name in map(solid, (*titles, *bookmarks)) if len(name) >= _SHORTEST_TITLE)
    return Typography(body, _steps(larger), extents, contents, known)


def _contents(items: Sequence[tuple[int, TextLine | FoundTable]]) -> tuple[frozenset[int], list[str]]:
    """The pages whose lines lead several items or parts to the number of a page, and all titles that lines lead on.

    A list of statements alone, as it stands below the heading of their item, makes no page of contents.
    """
    leading: dict[int, list[str]] = {}
    before: list[str] = []
    for page, item in items:
        if isinstance(item, FoundTable):
            rows = [row for row in item.rows if _PAGE_NUMBER.fullmatch(row[-1])]
            leading.setdefault(page, []).extend(" ".join(filter(None, row[:-1])) for row in rows)
            before = []
        elif item.parted and LEADS.search(item.text):
            title = _LEADER.sub("", item.text)
            whole = (" ".join([*before[place:], title]) for place in range(len(before) + 1))
            leading.setdefault(page, []).extend(whole)
            before = []
        else:
            before = [*before, item.text][1 - _MOST_LINES :]
    several = {page: titles for page, titles in leading.items() if len(titles) >= _FEWEST_LEADING}
    labelled = {page: sum(label_of(title) is not None for title in titles) for page, titles in several.items()}
    pages = frozenset(page for page, count in labelled.items() if count >= _FEWEST_LABELLED)
    return pages, [title for titles in several.values() for title in titles]


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
