"""One table of the parts that pages show of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tasks.parsers.assembly import AssembledLine
from tasks.parsers.pages.breaks import leaders_of, row_of
from tasks.parsers.pages.continued_tables import TableContinuation
from tasks.parsers.pages.found import FoundTable
from tasks.parsers.pages.lines import TextLine
from tasks.parsers.pages.table_match import columns_of, header_of, repeats
from warehouse.records import Merge


@dataclass(frozen=True, slots=True)
class JoinedTable:
    """A table with all of its parts, one a page; `repeated` are headers shown again, and leading dots."""

    parts: tuple[FoundTable, ...]
    rows: tuple[tuple[str, ...], ...]
    merges: tuple[Merge, ...]
    header_rows: int
    repeated: tuple[AssembledLine, ...] = ()


def join(parts: Sequence[FoundTable], found: Mapping[int, TableContinuation]) -> JoinedTable:
    """One table of parts that go on each other; its rows have the labels between them and no repeated headers.

    `found` has the link to each part that goes on another, by the part's `id`.
    """
    first = parts[0]
    whole, repeated, merges = [_labelled(first, first, (), _before(parts, 1, found))], [], list(first.merges)
    for number, part in enumerate(parts[1:], start=1):
        columns = columns_of(first, part) or list(range(len(part.rows[0])))
        again = repeats(first, part)
        repeated += [
            AssembledLine(" ".join(filter(None, row)), part.page, box)
            for row, box in zip(part.rows[:again], part.boxes[:again], strict=True)
        ]
        body = replace(part, rows=tuple(_widened(part.rows[again:], columns, first)), boxes=part.boxes[again:])
        link = found[id(part)]
        labels = link.after[link.again :]
        repeated += [
            *(line.line for line in link.after[: link.again]),
            *leaders_of((*link.before, *link.after[link.again :])),
        ]
        height = sum(len(other.rows) for other in whole)
        merges += _moved(part.merges, again, height + len(labels), columns)
        whole.append(_labelled(body, first, labels, _before(parts, number + 1, found)))
    rows = tuple(row for part in whole for row in part.rows)
    return JoinedTable(tuple(whole), rows, tuple(merges), header_of(first), tuple(repeated))


def _before(parts: Sequence[FoundTable], number: int, found: Mapping[int, TableContinuation]) -> tuple[TextLine, ...]:
    """The labels that stand between a part and its page's end."""
    return found[id(parts[number])].before if number < len(parts) else ()


def _labelled(part: FoundTable, first: FoundTable, above: Sequence[TextLine], below: Sequence[TextLine]) -> FoundTable:
    """A part with the lines around it as rows, which most have a label only."""
    rows = [[row_of(line, first) for line in lines] for lines in (above, below)]
    boxes = [[line.box for line in lines] for lines in (above, below)]
    return replace(part, rows=(*rows[0], *part.rows, *rows[1]), boxes=(*boxes[0], *part.boxes, *boxes[1]))


def _widened(rows: Iterable[Sequence[str]], columns: Sequence[int], first: FoundTable) -> Iterator[tuple[str, ...]]:
    """The rows of a later part in the columns of the first."""
    for row in rows:
        wide = [""] * len(first.rows[0])
        for column, text in zip(columns, row, strict=True):
            wide[column] = text
        yield tuple(wide)


def _moved(merges: Sequence[Merge], dropped: int, below: int, columns: Sequence[int]) -> Iterator[Merge]:
    """Merges of a later part counted in the rows and columns of the whole."""
    for merge in merges:
        if merge.row >= dropped:
            first, last = columns[merge.column], columns[merge.column + merge.columns - 1]
            yield Merge(below + merge.row - dropped, first, merge.rows, last - first + 1)
