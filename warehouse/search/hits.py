"""Hits: the text of each, its score by part, its citation, and the positions of its lines on their pages.

A citation has the words and the link of its kind of document:

paper     Title - Year - Journal           PubMed Central, else the DOI, else the file
course    [Course - Lesson n]              the lesson's link, else the course's, else the file
note      path/in/root.md#Heading          obsidian://open (https://help.obsidian.md/uri), else the file
message   Subject - Sender                 the file
book      Title - Chapter                  the file
others    Title                            the file, a PDF at its page (RFC 8118)

The boxes of lines are known, those of characters are not: if a span begins or ends inside a line, the box of the line
is cut in proportion to the characters. A row of a table is a line.

The citation of a part of a table has the numbers of its rows in the table and their days.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import takewhile
from pathlib import Path, PurePosixPath
from urllib.parse import quote

import numpy as np

from warehouse.message_notation import find_message
from warehouse.records import (
    Box,
    CatalogEntry,
    Chunk,
    Citation,
    DateOrigin,
    Hit,
    Kind,
    Mode,
    Part,
    PassageRow,
    Region,
    get_page_unit,
)
from warehouse.records.calendars import DAY, Interval
from warehouse.records.hit import get_row_range
from warehouse.search.grouping import PassageGroup, RankedPassages
from warehouse.search.scoring import RankedPool
from warehouse.store.arrow_files import to_records
from warehouse.store.columns.passage_columns import EPOCH, to_day_number
from warehouse.store.snapshot import Snapshot
from warehouse.table_notation import CLOSING, HEAD, OPENING_LINE, find_first_rows_end

PMC = "https://www.ncbi.nlm.nih.gov/pmc/articles/"
DOI = "https://doi.org/"
_TYPES_OUTSIDE_OBSIDIAN = frozenset(["text/x-org", "text/x-kindle-clippings", "application/json", "application/xml"])
"""Notes that Obsidian does not open."""


def cite(
    entry: CatalogEntry,
    chunk: Chunk,
    folder: Path,
    quality: float,
    relevance: float | None = None,
    rows: Sequence[PassageRow] = (),
) -> Citation:
    """The citation of a chunk of the document `entry`, whose root is `folder` on this machine; `rows` as in `Hit`."""
    label = title = entry.title or PurePosixPath(entry.file.path).stem
    if entry.kind is Kind.PAPER:
        year = str(entry.document_date.year) if entry.document_date else ""
        label = " - ".join(part for part in (title, year, entry.attributes.journal) if part)
    elif entry.kind is Kind.COURSE:
        label = f"[{title}]" if chunk.lesson is None else f"[{title} - Lesson {chunk.lesson}]"
    elif entry.kind is Kind.MESSAGE and (message := find_message(chunk.section)):
        label = f"{message[0]} - {message[1].sender}"
    elif entry.kind is Kind.BOOK and chunk.section:
        label = f"{title} - {chunk.section[0]}"
    elif entry.kind is Kind.NOTE:
        label = _append_heading(entry.file.path, chunk)
    last_day = chunk.passage_end - DAY if chunk.passage_end else None
    return Citation(
        document_id=entry.document_id,
        title=title,
        source=entry.file.source,
        page=chunk.page,
        chunk_index=chunk.chunk_index,
        page_chunk_index=chunk.page_chunk_index,
        section=chunk.section,
        quality=quality,
        date=chunk.passage_date or entry.document_date,
        label=label,
        url=build_url(entry, chunk, folder),
        relevance=relevance,
        unit=get_page_unit(entry.media_type),
        rows=get_row_range(rows),
        last_date=last_day if last_day != chunk.passage_date else None,
    )


def build_url(entry: CatalogEntry, chunk: Chunk, folder: Path) -> str:
    """The best available link to a passage; `folder` is the root of its file."""
    link = ""
    if entry.kind is Kind.NOTE and entry.media_type not in _TYPES_OUTSIDE_OBSIDIAN:
        # The vault is the nearest folder above it that Obsidian has opened as one, else the root.
        root = folder.absolute()
        note = root / entry.file.path
        vault = next((folder_above for folder_above in note.parents if (folder_above / ".obsidian").is_dir()), root)
        name = _append_heading(note.relative_to(vault).as_posix().removesuffix(".md"), chunk)
        return f"obsidian://open?vault={quote(vault.name, safe='')}&file={quote(name, safe='')}"
    has_pages = entry.media_type == "application/pdf" and chunk.page is not None
    if entry.kind is Kind.PAPER and not has_pages:
        number, doi = entry.attributes.pmcid.strip().upper().removeprefix("PMC"), entry.attributes.doi.strip()
        if number:
            link = f"{PMC}PMC{quote(number, safe='')}/"
        elif "10." in doi:
            link = f"{DOI}{quote(doi[doi.find('10.') :])}"
    elif entry.kind is Kind.COURSE:
        lessons = {lesson.number: lesson.link for lesson in entry.attributes.lessons}
        link = (lessons.get(chunk.lesson, "") if chunk.lesson is not None else "") or entry.attributes.link
    if link:
        return link
    return (folder.absolute() / entry.file.path).as_uri() + (f"#page={chunk.page}" if has_pages else "")


def _append_heading(path: str, chunk: Chunk) -> str:
    return f"{path}#{chunk.section[-1]}" if chunk.section else path


_REGIONS_SQL = """
    SELECT region.start AS start, region."end" AS "end", region.page AS page, region.box AS box
    FROM (SELECT unnest(regions) AS region FROM blocks WHERE document_id = $id AND start < $stop AND "end" > $start)
    WHERE region.start < $stop AND region."end" > $start
    ORDER BY region.start
"""
_PASSAGE_SQL = """
    SELECT document_id, start, text FROM chunks WHERE chunk_id = $id
    UNION ALL SELECT document_id, start, text FROM parents WHERE parent_id = $id
"""


def read_passage(snapshot: Snapshot, passage_id: str) -> tuple[str, int, str] | None:
    """The document, the start in its text and the text of a chunk or parent; None if there is none."""
    rows = snapshot.query_rows(_PASSAGE_SQL, {"id": passage_id})
    return rows[0] if rows else None


def read_lines(snapshot: Snapshot, document_id: str, start: int, end: int) -> tuple[Region, ...]:
    """The complete lines that overlap a span, in order of the text; none in formats without pages."""
    return to_records(Region, snapshot.query_records(_REGIONS_SQL, {"id": document_id, "start": start, "stop": end}))


def cut_lines(lines: Iterable[Region], start: int, end: int) -> tuple[Region, ...]:
    """The lines, cut to the span."""
    regions = []
    for line in lines:
        box, first, last = line.box, max(start, line.start), min(end, line.end)
        width = (box.x1 - box.x0) / (line.end - line.start)
        left, right = (box.x0 + (position - line.start) * width for position in (first, last))
        regions.append(replace(line, start=first, end=last, box=Box(left, box.top, right, box.bottom)))
    return tuple(regions)


def build_hits(
    snapshot: Snapshot, ranked_pool: RankedPool, passages: RankedPassages, groups: Sequence[PassageGroup]
) -> list[Hit]:
    """A hit for each group. A hit for several passages has the scores of the best of them."""
    if not groups:
        return []
    pool, totals = ranked_pool.pool, ranked_pool.total[ranked_pool.order].tolist()
    mode, chunk = pool.question.ranking.mode, passages.get_chunk
    ranks = {rank for group in groups for rank in (group.best, *group.duplicates)}
    best_rows = [int(pool.rows[ranked_pool.order[group.best]]) for group in groups]
    # A passage in a script that the model does not read has no vector; in the pool its cosine is 0.
    cosines_by_row = snapshot.compute_cosines(pool.question.vector, best_rows) if mode is not Mode.KEYWORD else {}
    entries = snapshot.read_entries({chunk(rank).document_id for rank in ranks})
    folders = {root.name: root.folder for root in snapshot.generation.manifest.roots}

    def cite_chunk(rank: int, passage: Chunk, rows: Sequence[PassageRow]) -> Citation:
        entry = entries[passage.document_id]
        return cite(entry, passage, folders[entry.file.root], passages.get_quality(rank), totals[rank], rows)

    def cite_duplicate(rank: int) -> Citation:
        return cite_chunk(rank, chunk(rank), read_passage_rows(snapshot, entries[chunk(rank).document_id], chunk(rank)))

    def build_hit(group: PassageGroup) -> Hit:
        position = int(ranked_pool.order[group.best])
        passage = unite_days_of_parts(snapshot, _build_shown_chunk(snapshot, passages, group))
        rows = read_passage_rows(snapshot, entries[passage.document_id], passage)
        return Hit(
            chunk_id=passage.chunk_id,
            document_id=passage.document_id,
            start=passage.start,
            text=passage.text,
            score=totals[group.best],
            dense=float(pool.cosines[position]) if int(pool.rows[position]) in cosines_by_row else None,
            keyword=float(pool.bm25[position]) if mode is not Mode.DENSE else None,
            citation=cite_chunk(group.best, passage, rows),
            parts=tuple(Part(name, float(values[position])) for name, values in ranked_pool.parts.items()),
            duplicates=tuple(map(cite_duplicate, group.duplicates)),
            leaves=tuple(chunk(rank).chunk_id for rank in group.leaves),
            pages=passage.pages,
            is_references=passage.is_references,
            is_entry=passage.passage_date is not None and passage.passage_date_origin is not DateOrigin.ROWS,
            table_head=passage.table_head,
            rows=rows,
        )

    return list(map(build_hit, groups))


def _build_shown_chunk(snapshot: Snapshot, passages: RankedPassages, group: PassageGroup) -> Chunk:
    """The passage to show: the parent, numbered as the best of its leaves, a part of a page, or the passage itself.

    A part of a page has the id, the section and the page of the best of its leaves.
    """
    chunk, parent = passages.get_chunk(group.best), group.parent
    if parent is not None:
        return replace(
            chunk,
            chunk_id=parent.parent_id,
            start=parent.start,
            end=parent.end,
            text=parent.text,
            section=parent.section,
            page=parent.page,
            page_chunk_index=None,
            pages=parent.pages,
            # A long table has parents of its own: a parent that begins with rows has no rows of another table.
            table_head=chunk.table_head if find_first_rows_end(parent.text) else "",
        )
    if not group.leaves:
        return chunk
    leaves = sorted(map(passages.get_chunk, group.leaves), key=lambda leaf: leaf.start)
    last_leaf = max(leaves, key=lambda leaf: leaf.end)
    pages = {page.page: page for leaf in reversed(leaves) for page in reversed(leaf.pages)}
    return replace(
        chunk,
        start=leaves[0].start,
        end=last_leaf.end,
        text=snapshot.read_text(chunk.document_id)[leaves[0].start : last_leaf.end],
        page_chunk_index=None,
        table_head=leaves[0].table_head,
        pages=tuple(sorted(pages.values(), key=lambda page: page.start)),
    )


_LINE = re.compile(r"[^\n]+")


def read_passage_rows(snapshot: Snapshot, entry: CatalogEntry, chunk: Chunk) -> tuple[PassageRow, ...]:
    """The rows of a passage that has a part of one table or is dated by the rows of one; none for any other passage.

    A passage with several tables has none, as the number of a row would be ambiguous. The rows of a table that is
    complete in the passage have no number: pieces of a sheet are tables of their own.
    """
    is_later = find_first_rows_end(chunk.text) > 0
    is_cut = is_later or CLOSING not in chunk.text
    if not is_cut and chunk.passage_date_origin is not DateOrigin.ROWS:
        return ()
    rows = assign_days(parse_rows(chunk), snapshot, chunk)
    if not is_cut or not rows:
        return rows
    rows_before = snapshot.count_rows_before(entry, chunk.start) if is_later else 0
    return tuple(replace(row, number=number) for number, row in enumerate(rows, rows_before + 1))


def unite_days_of_parts(snapshot: Snapshot, chunk: Chunk) -> Chunk:
    """A passage with, if it is dated by its rows, the days of all passages in it, as it may be shown for several."""
    if chunk.passage_date_origin is not DateOrigin.ROWS:
        return chunk
    passages, ordinal = snapshot.passages, snapshot.passages.ordinal_of[chunk.document_id]
    document_rows = slice(*np.searchsorted(passages.document, [ordinal, ordinal + 1]))
    parts = (
        (passages.start[document_rows] >= chunk.start)
        & (passages.end[document_rows] <= chunk.end)
        & passages.is_dated_by_rows[document_rows]
    )
    first, after = passages.day[document_rows][parts].min(), passages.day_end[document_rows][parts].max()
    return replace(chunk, passage_date=EPOCH + DAY * int(first), passage_end=EPOCH + DAY * int(after))


def parse_rows(chunk: Chunk) -> tuple[PassageRow, ...]:
    """The rows of the one table in a passage, without numbers and days."""
    openings = list(OPENING_LINE.finditer(chunk.text))
    is_later = find_first_rows_end(chunk.text) > 0
    head = HEAD.match(chunk.text, openings[0].start()) if openings else None
    if len(openings) + is_later != 1 or (openings and head is None):
        return ()
    lines = takewhile(lambda line: line[0] != CLOSING, _LINE.finditer(chunk.text, head.end() if head else 0))
    return tuple(PassageRow(chunk.start + line.start(), chunk.start + line.end(), None) for line in lines)


def assign_days(rows: tuple[PassageRow, ...], snapshot: Snapshot, chunk: Chunk) -> tuple[PassageRow, ...]:
    """The rows; if they date their passage, each with the first time that it names within the passage's days."""
    is_dated = chunk.passage_date_origin is DateOrigin.ROWS
    if not is_dated or chunk.passage_date is None or chunk.passage_end is None or not rows:
        return rows
    starts, ends = np.array([(row.start, row.end) for row in rows], np.int64).T
    documents = np.full(len(rows), snapshot.passages.ordinal_of[chunk.document_id], np.int64)
    row_numbers, mention_rows = snapshot.mentions.find_inside(documents, starts, ends)
    first, after = snapshot.mentions.start_date[mention_rows], snapshot.mentions.end_date[mention_rows]
    is_in_passage_days = (first >= to_day_number(chunk.passage_date)) & (after <= to_day_number(chunk.passage_end))
    dated_mentions = zip(
        row_numbers[is_in_passage_days].tolist(),
        first[is_in_passage_days].tolist(),
        after[is_in_passage_days].tolist(),
        strict=True,
    )
    days: dict[int, Interval] = {}
    for number, start, end in dated_mentions:
        days.setdefault(number, (EPOCH + DAY * start, EPOCH + DAY * end))
    return tuple(replace(row, days=days.get(number)) for number, row in enumerate(rows))
