"""Spans of a document's text: the blocks, pages, sections and lessons they touch, reference lists and sentences.

The entries of reference lists answer no question: titles of other papers, names and years. Their passages are marked,
ranked down and not quoted, but still found if somebody asks for a reference.

Sentences, European and Chinese, are found without a model. A boundary follows closing punctuation if white space and
then anything but a small letter come next; Chinese 。！？ need no white space. In a text of small letters only, and
after a mark separated from its word (" . ", as in tokenised corpora), a small letter may come next. Full stops of
abbreviations and numbers do not count. The scan is linear.

A statement is a sentence about the present that a later document may replace: it has figures, and no period of its own.
"The plan costs 30 dollars a month" is replaced by the same sentence with another figure, and "The head of the board is
Anna Berg" by that with another name. "Revenue was 3.1 million in 2023" is no statement: it remains true of 2023.
"Revenue was 3.1 million this quarter" is not comparable.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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
_MIN_SHARE_BELOW_HEADING = 0.4
"""The least share of entries below a heading that look like references: there may be links or remarks instead."""
_MIN_SHARE_WITHOUT_HEADING = 0.8
_MIN_ENTRIES = 3  # Without a heading nearly all must look like entries, and there must be several.


def find_reference_spans(document: Document) -> tuple[tuple[int, int], ...]:
    """The spans of a document's reference lists, in order, including their headings."""
    spans: list[tuple[int, int]] = []
    for blocks, has_heading in _iter_runs(document):
        entries = [entry for block in blocks for entry in _split_entries(document, block)]
        count = sum(map(is_entry, entries))
        is_enough = (
            count >= _MIN_SHARE_BELOW_HEADING * len(entries)
            if has_heading
            else count >= max(_MIN_ENTRIES, _MIN_SHARE_WITHOUT_HEADING * len(entries))
        )
        if count and is_enough:
            spans.append((blocks[0].start, blocks[-1].end))
    return tuple(spans)


def is_reference_list(spans: tuple[tuple[int, int], ...], start: int, end: int) -> bool:
    """Whether most of a passage is in reference lists."""
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


_TITLES = frozenset(
    ("mr", "mrs", "ms", "dr", "prof", "sen", "rep", "gov", "gen", "col", "lt", "sgt", "capt", "rev", "hon", "st", "mt")
)
_COMMON = frozenset(("vs", "cf", "eg", "ie", "e.g", "i.e", "al", "approx", "ca", "dept", "est", "u.s", "u.k", "ph.d"))
_OTHER_LANGUAGES = frozenset(
    (
        *("mio", "mrd", "tsd", "bzw", "vgl", "inkl", "evtl", "ggf", "sog", "z.b", "d.h", "u.a", "i.d.r", "abs", "bspw"),
        *("mme", "mlle", "sr", "sra", "dra", "dott", "mln", "mld", "bijv", "d.w.z", "resp"),
    )
)
"""Abbreviations in German, French, Spanish, Italian, Portuguese and Dutch that end no sentence."""
_REFERENCES = frozenset(
    ("no", "nos", "nr", "fig", "figs", "eq", "eqs", "sec", "secs", "ch", "art", "vol", "vols", "p", "pp")
)
_MONTHS = frozenset(("jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec"))

ABBREVIATIONS = _TITLES | _COMMON | _OTHER_LANGUAGES
NUMBERED = _REFERENCES | _MONTHS  # Words that are abbreviations if a number follows: "No. 5", "Dec. 31".

_GERMAN_ORDINAL_NOUN = re.compile(
    r"(?:Januar|Jänner|Februar|März|Mai|Juni|Juli|Oktober|Okt|Dezember|Dez|Quartal|(?:Halb|Geschäfts|Lebens)jahr"
    r"|Jahrhundert|Jh|Tag|Woche)\w{0,4}\b"
)
"""Words after the point of a German ordinal: "1. Januar", "im 2. Quartal"; other languages write them small."""
_SHARED_MONTH = re.compile(r"(?:April|August|September|November)\b")
_GERMAN_DAY = re.compile(r"(?:\b(?:am|dem|den|der|vom|zum|bis|ab)|,) [0-3]?[0-9]\Z")
"""The words before a German day if the month has the same name in English."""
_SENTENCE_END = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’)\]]*+(?=\s)|[。！？]++[”’」』）\"]*+")
_VISIBLE = re.compile(r"\S")
_LAST_WORD = re.compile(r"[\w.&-]*\Z")
_MAX_WORD_LENGTH = 24


def find_sentences(text: str, start: int, end: int) -> Iterator[int]:
    """The start of each sentence of `text[start:end]` after the first."""
    is_lower_case = text[start:end].islower()
    for stop in _SENTENCE_END.finditer(text, start, end):
        following = _VISIBLE.search(text, stop.end(), end)
        if following and _is_sentence_end(text, start, stop, following, is_lower_case=is_lower_case):
            yield following.start()


def trim_span(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The span without the white space at its ends; None if nothing is left."""
    piece = text[start:end]
    stripped_start = start + len(piece) - len(piece.lstrip())
    return (stripped_start, stripped_start + len(piece.strip())) if piece.strip() else None


def count_sentences(text: str) -> int:
    """The number of complete sentences, those with closing punctuation, in a text."""
    return sum(1 for _ in find_sentences(text, 0, len(text))) + ends_sentence(text)


def ends_sentence(text: str) -> bool:
    """Whether a text ends like a sentence, ignoring quotes and brackets."""
    return text.rstrip().rstrip("\"'”’)]」』）*_").endswith((".", "!", "?", "…", "。", "！", "？", "；", ":", "："))


def _is_sentence_end(
    text: str, start: int, stop: re.Match[str], next_mark: re.Match[str], *, is_lower_case: bool
) -> bool:
    """Whether the sentence ends there; `next_mark` is the first letter or mark after it."""
    following = next_mark[0]
    if text[stop.start()] in "。！？":
        return True
    follows_space = stop.start() > start and text[stop.start() - 1].isspace()
    if following.islower() and not (is_lower_case or follows_space):
        return False
    if stop[0][0] != "." or len(stop[0]) > 1:
        return True
    text_before = text[max(start, stop.start() - _MAX_WORD_LENGTH) : stop.start()]
    if text_before[-1:].isdigit() and (
        _GERMAN_ORDINAL_NOUN.match(text, next_mark.start())
        or (_SHARED_MONTH.match(text, next_mark.start()) and _GERMAN_DAY.search(text_before))
    ):
        return False
    return not _is_abbreviated(text_before, is_numbered=following.isdigit())


def _is_abbreviated(text_before: str, *, is_numbered: bool) -> bool:
    """Whether the word before a full stop is an abbreviation, an initial or the number of a list item."""
    match = _LAST_WORD.search(text_before)
    word = match[0] if match else ""
    is_initial = len(word) == 1 and word.isalpha() and word != "I"
    if word.lower() in ABBREVIATIONS or (is_numbered and word.lower() in NUMBERED) or is_initial:
        return True
    line = text_before[: len(text_before) - len(word)].rpartition("\n")[2]
    return word.isdigit() and len(word) <= 2 and not line.strip()


_FIGURE = re.compile(r"(?<!\w)\d(?:[\d.,]*\d)?")
_LABEL = re.compile(r"\b[A-Z][a-z]+\.? (?=\d)|[#§] ?(?=\d)")
"""Words whose number is a name: Note 3, Section 12, No. 7."""
_PLAIN_WORD = re.compile(r"[\u3400-\u9fff]|[^\W\d_]+")
_PAST_VERB = re.compile(
    r"\b(?:was|were|had|rose|fell|grew|reached|amounted|totall?ed|ended|compared|reported|went|came|made|saw"
    r"|(?:in|de)creased|improved|declined|dropped|gained|earned|paid|sold|generated|recorded|posted)\b|了",
    re.IGNORECASE,
)
"""A sentence about the past stays true when another period is reported."""
_DURATION = re.compile(
    r"\b\d+(?:[ -](?:calendar|business|working))?[ -](?:day|week|month|year|quarter)s?\b"
    r"|\b(?:a|an|per|each|every|all|working|business|week|of) (?:day|week|month|quarter|year)s?\b",
    re.IGNORECASE,
)
"""Durations and frequencies, which are no period of a statement's own."""
_OFFICE_HOLDER = re.compile(
    r"((?:The|Our|Its|Their) .{8,200}\b(?:is|are|remains?)) ([A-Z][\w.'’-]*(?:\s[A-Z][\w.'’-]*){1,3})\s?\."
)
"""The holder of an office: the last words, a name, may change like a figure."""
CURRENT_TIME_WORD = re.compile(r"\b(?:now|current(?:ly)?|still|present(?:ly)?|at present)\b ?", re.IGNORECASE)
"""Words that say that a statement is true when it is written, which it is without them as well."""
_MIN_WORDS = 5
_MAX_LENGTH = 400
_REFERENCE_OR_PERIOD = re.compile(
    r"\bdoi\b|https?://|\bet al\b"
    r"|\b(?:quarter|year|month|week|day|period|today|yesterday|to date|fiscal|same time)s?\b|季度|年|月|本期|同期",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence: its words without figures or name (`subject`), its figures or name, and its span."""

    subject: str
    figures: tuple[str, ...]
    start: int
    end: int


def select_single(statements: Sequence[Statement]) -> Iterator[Statement]:
    """The statements that a document makes only once: one repeated with other figures is a form, such as a caption."""
    figures: defaultdict[str, set[tuple[str, ...]]] = defaultdict(set)
    for statement in statements:
        figures[statement.subject].add(statement.figures)
    return (statement for statement in statements if len(figures[statement.subject]) == 1)


def parse_statement(sentence: str, start: int) -> Statement | None:
    """The statement of a sentence that begins at `start`; None if it is of a period or the past, or has no figures.

    Whether it names a time is not checked.
    """
    text = sentence.strip()
    if len(text) > _MAX_LENGTH or not ends_sentence(text) or _LABEL.search(text):
        return None
    # A reference, or a sentence that speaks of a period or of the past.
    if _REFERENCE_OR_PERIOD.search(_DURATION.sub("", text)) or _PAST_VERB.search(text):
        return None
    plain = CURRENT_TIME_WORD.sub("", text)
    holder = _OFFICE_HOLDER.fullmatch(plain)
    frame, values = (holder[1], (holder[2],)) if holder else (_FIGURE.sub("0", plain), tuple(_FIGURE.findall(plain)))
    words = _PLAIN_WORD.findall(frame.lower())
    if not values or len(words) < _MIN_WORDS or len(values) * 2 > len(words):
        return None
    return Statement(" ".join(words), values, start, start + len(text))
