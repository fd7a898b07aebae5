"""Blocks, pages, sections, lessons, tables and reference lists that a span of a document's text touches.

The entries of reference lists answer no question: titles of other papers, names and years. Their passages are marked,
ranked down and not quoted, but still found if somebody asks for a reference.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from warehouse.records import Block, BlockKind, Document, Kind, PageStart


def select_blocks(document: Document, start: int, end: int) -> tuple[Block, ...]:
    """The blocks that share a character with `text[start:end]`, in order, without furniture."""
    first = bisect_right(document.blocks, start, key=lambda block: block.end)
    last = bisect_left(document.blocks, end, key=lambda block: block.start)
    return tuple(block for block in document.blocks[first:last] if block.kind is not BlockKind.FURNITURE)


def find_page_at(block: Block, position: int) -> int | None:
    """The page of a position in a block, which may extend over several pages."""
    page = block.page
    for region in block.regions:
        if region.start > position:
            break
        page = region.page
    return page


def find_page(document: Document, start: int, end: int) -> int | None:
    """The page of the first character of a span."""
    blocks = select_blocks(document, start, end)
    return find_page_at(blocks[0], start) if blocks else None


def list_page_starts(document: Document, start: int, end: int) -> tuple[PageStart, ...]:
    """The pages of a span, each with the start of the span's text on it; none in formats without pages."""
    starts: list[PageStart] = []
    for block in select_blocks(document, start, end):
        lines: list[tuple[int, int | None]] = [(line.start, line.page) for line in block.regions if line.end > start]
        # The mark of a table is on no line, and on the page of its first line.
        lines[:1] = [(block.start, page) for _, page in lines[:1] if block.start >= start] or lines[:1]
        for position, page in lines or [(block.start, block.page)]:
            if page is not None and position < end and (not starts or starts[-1].page != page):
                starts.append(PageStart(max(position, start), page))
    return tuple(starts)


def find_section(document: Document, start: int, end: int) -> tuple[str, ...]:
    """The section path of the first block of a span that is more than a heading, else of the first."""
    blocks = select_blocks(document, start, end)
    bodies = (block for block in blocks if block.kind is not BlockKind.HEADING)
    return next(bodies, blocks[0]).section if blocks else ()


def find_lesson(document: Document, position: int) -> int | None:
    """The number of the lesson at a position of the text; lessons are in its order and do not overlap."""
    lessons = document.attributes.lessons
    next_index = bisect_right(lessons, position, key=lambda lesson: lesson.start)
    return lessons[next_index - 1].number if next_index and position < lessons[next_index - 1].end else None


def is_abstract(document: Document, block: Block) -> bool:
    """Whether a block belongs to the abstract of a paper: in a section of that name or below it, and no table."""
    if document.kind is not Kind.PAPER or block.kind is BlockKind.TABLE:
        return False
    return any(part.strip(" .:").lower() == "abstract" for part in block.section)


MIN_REFERENCE_SHARE = 0.5  # The share of a passage that must be entries for the whole to count as a reference list.
_HEADING = re.compile(
    r"\W*(?:(?:\d{1,2}|[IVX]{1,4}|[A-H])[.):]?\s+)?"
    r"(?:(?:supplementa(?:ry|l)|selected|key|cited|list of|full|additional|online|methods?|further)\s+){0,2}"
    r"(?:references?(?:\s+(?:list|cited))?|bibliograph(?:y|ies)|works\s+cited|literature(?:\s+cited)?|literaturverzeichnis"
    r"|literatur|r[ée]f[ée]rences(?:\s+bibliographiques)?|bibliographie|bibliograf[ií]a|referencias|citations"
    r"|sources\s+cited|(?:主要)?参考文献|參考文獻|引用文献|参考资料)"
    r"(?:\s*(?:and|&)\s*(?:notes|further\s+reading|links|footnotes))?\W*",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<![\d.,$€£-])(?:1[89]|20)\d\d[a-f]?(?![\d%,]\d)")
_INITIALS = re.compile(
    r"[A-Z][\w’'-]{1,25},?\s+(?:[A-Z]\.?[ -]?){1,3}(?=[,;.&(:\s]|and\b|$)|(?:[A-Z]\.[ -]?){1,3}\s?[A-Z][\w’'-]{1,25}\b"
)
_PUBLICATION = re.compile(
    r"\bet al\b|\bdoi\b|10\.\d{4,9}/|\barxiv\b|\bpp?\.\s?\d|\bvol\.|\bno\.\s?\d|\b(?:in )?proc(?:eedings|\.)"
    r"|\bjournal\b|\bpress\b|\buniversity\b|https?://|\bpmid\b|\bisbn\b|\bedn?\b\.?|\beds?\.|\d{1,4}\s?[(:]\s?[\dSe]{1,6}|\d[-–]\d"
    r"|\[[JMCDRPN](?:/OL)?\]",
    re.IGNORECASE,
)
_AFTER_NAMES = re.compile(r"[.,)] ?\((?:1[89]|20)\d\d[a-f]?\)[.:]? ")
_MAX_NAMES_LENGTH = 400  # The most characters of an entry's names, up to its year.
_NUMBERED = re.compile(r"\s*(?:\[\d{1,3}\]|\(?\d{1,3}[.)]\s|[-*•]\s|\d{1,3}\s+(?=[A-Z][\w’'-]+,?\s+[A-Z]))")
_NEXT_ENTRY = re.compile(
    r"\n(?=[ \t]*(?:\[\d{1,3}\]|\(?\d{1,3}[.)]\s|[-*•]\s|[A-Z][\w’'-]{1,25},?\s+(?:[A-Z]\.?){1,3}[,;.\s(]))"
)
_MAX_ENTRY_LENGTH = 1_200  # The most characters of an entry, which may name dozens of authors.
_HEADED = 0.4
"""The least share of entries below a heading that look like references: there may be links or remarks instead."""
_BARE = 0.8
_MIN_ENTRIES = 3  # Without a heading nearly all must look like entries, and there must be several.


def find_reference_spans(document: Document) -> tuple[tuple[int, int], ...]:
    """The spans of a document's reference lists, in order, including their headings."""
    spans: list[tuple[int, int]] = []
    for blocks, has_heading in _iter_runs(document):
        entries = [entry for block in blocks for entry in _split_entries(document, block)]
        count = sum(map(is_entry, entries))
        is_enough = count >= _HEADED * len(entries) if has_heading else count >= max(_MIN_ENTRIES, _BARE * len(entries))
        if count and is_enough:
            spans.append((blocks[0].start, blocks[-1].end))
    return tuple(spans)


def is_reference_list(spans: tuple[tuple[int, int], ...], start: int, end: int) -> bool:
    """Whether most of a passage lies in reference lists."""
    return sum(max(0, min(high, end) - max(low, start)) for low, high in spans) > MIN_REFERENCE_SHARE * (end - start)


def is_entry(text: str) -> bool:
    """Whether a text reads as one reference: a year, and names with initials or the place of publication."""
    if len(text) > _MAX_ENTRY_LENGTH or not _YEAR.search(text):
        return "et al" in text and len(text) < 400 and _PUBLICATION.search(text) is not None
    names, publication = _INITIALS.search(text), _PUBLICATION.search(text)
    begins_with_names = (
        names is not None and not names.start() and _AFTER_NAMES.search(text[:_MAX_NAMES_LENGTH]) is not None
    )
    return bool(begins_with_names or (names and publication) or (_NUMBERED.match(text) and (names or publication)))


def _iter_runs(document: Document) -> Iterator[tuple[list[Block], bool]]:
    """The blocks below each heading of a list, and runs of other blocks whose entries are numbered."""
    run: list[Block] = []
    has_heading, level = False, 0
    for block in document.blocks:
        if block.kind in (BlockKind.FURNITURE, BlockKind.TABLE):
            continue
        text = document.text[block.start : block.end]
        begins = len(text) < 80 and _HEADING.fullmatch(text) is not None
        ends = block.kind is BlockKind.HEADING and (not has_heading or block.level <= max(level, 1) or not level)
        if begins or ends or (not has_heading and run and not _is_numbered_entry(document, block)):
            if run:
                yield run, has_heading
            run, has_heading, level = [], False, 0
        if begins:
            run, has_heading, level = [block], True, block.level
        elif (run and has_heading) or _is_numbered_entry(document, block):
            run.append(block)
    if run:
        yield run, has_heading


def _is_numbered_entry(document: Document, block: Block) -> bool:
    """Whether a block begins with the number of an entry and reads as an entry."""
    if block.kind not in (BlockKind.LIST, BlockKind.PARAGRAPH):
        return False
    text = document.text[block.start : min(block.end, block.start + _MAX_ENTRY_LENGTH)]
    first = " ".join(_NEXT_ENTRY.split(text, maxsplit=1)[0].split())
    return _NUMBERED.match(first) is not None and is_entry(first)


def _split_entries(document: Document, block: Block) -> Iterator[str]:
    """The entries of a block, without the heading."""
    text = document.text[block.start : block.end]
    if not (len(text) < 80 and _HEADING.fullmatch(text)):
        yield from (" ".join(entry.split()) for entry in _NEXT_ENTRY.split(text) if entry.strip())
