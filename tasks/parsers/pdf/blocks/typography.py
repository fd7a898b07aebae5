"""Headings of a document: their patterns, their style against the running text, the depth of the outline."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

from tasks.parsers.pdf.blocks.block_settings import BLOCKS
from tasks.parsers.pdf.lines.text_lines import TextLine, extract_letters, is_title_case
from tasks.parsers.pdf.page_reader import PageContent
from tasks.parsers.pdf.tables.found_tables import FoundTable

_PAGE_REFERENCE = re.compile(r"[^\d\s]\s\d{1,3}$")  # A title with the number of its page.
_PAGE_LEADER = re.compile(r"[\s.·…_]+\d{1,3}$")
_PAGE_NUMBER = re.compile(r"\d{1,3}")


class HeadingMark(IntEnum):
    """What makes a line of the running text's size a heading, from the highest to the lowest."""

    PART = 0
    ITEM = 1
    CAPITALS = 2
    NOTE = 3
    BOLD = 4
    BOLD_ITALIC = 5
    ITALIC = 6


@dataclass(frozen=True, slots=True)
class HeadingStyle:
    """How a heading stands out: the place of its size among the larger ones, its mark, its size in points.

    `number` is that of its section, (2, 1) for 2.1. A weak one has capitals or italics only. A statement is the title
    of a financial statement, which stands in a frame, a part, an item or the like, and in no other section.
    """

    step: int
    mark: HeadingMark
    size: float
    number: tuple[int, ...] = ()
    is_weak: bool = False
    is_statement: bool = False
    is_frame: bool = False

    @property
    def rank(self) -> tuple[int, int, float]:
        """Smaller for what stands higher."""
        return self.step, int(self.mark), -self.size


@dataclass(frozen=True, slots=True)
class Typography:
    """The size of the running text in points, the place of each larger size (from 0), and what pages look like.

    `extents` are the left and right edges of each page's text; `contents` the pages with a table of contents. `titles`
    are those that the tables of contents and the bookmarks list, their letters and digits alone.
    """

    body: float
    steps: Mapping[float, int]
    extents: Mapping[int, tuple[float, float]]
    contents: frozenset[int] = frozenset()
    titles: frozenset[str] = frozenset()

    def find_style(self, lines: Sequence[TextLine]) -> HeadingStyle | None:
        """The style of the heading that the lines of a paragraph are; None where they are none."""
        text = " ".join(line.text for line in lines)
        if len(lines) > BLOCKS.heading_max_lines or len(text) > BLOCKS.heading_max_length:
            return None
        label, size = find_label(text), max(line.size for line in lines)
        mark = self._find_mark(lines, text, label, size)
        if mark is None or _is_no_heading(text, is_labelled=label is not None) or self._is_listed(lines, text, label):
            return None
        is_statement_title = is_statement(text)
        is_strong = size in self.steps or label is not None or is_statement_title or all(line.bold for line in lines)
        # Financial statements may be parts of a section of such a name.
        is_frame = _FRAME.search(text) is not None and not (is_statement_title and not text.lower().startswith("notes"))
        text_step = -1 if mark is HeadingMark.PART else len(set(self.steps.values()))
        step = self.steps.get(size, text_step)  # of the text's size, parts stand above larger ones, the rest below
        return HeadingStyle(
            step,
            mark,
            size,
            parse_section_number(text),
            not is_strong,
            is_statement_title,
            label is not None or is_frame,
        )

    def get_right_edge(self, lines: Sequence[TextLine]) -> float:
        """The right edge of the text of the page that the lines begin on."""
        return self.extents.get(lines[0].line.page, (0.0, 0.0))[1]

    def _is_listed(self, lines: Sequence[TextLine], text: str, label: HeadingMark | None) -> bool:
        """Whether words stand in columns, as those over a table do, or lead to a page of the document."""
        if lines[0].line.page in self.contents and (label is not None or is_statement(text)):
            return True
        has_item_number = label is not None or parse_section_number(text)
        return any(line.has_wide_gap for line in lines) and (
            not has_item_number or _PAGE_REFERENCE.search(text) is not None
        )

    def _find_mark(
        self, lines: Sequence[TextLine], text: str, label: HeadingMark | None, size: float
    ) -> HeadingMark | None:
        is_bold, is_italic = all(line.bold for line in lines), all(line.italic for line in lines)
        letters, is_larger = extract_letters(text), size in self.steps
        is_uppercase = len(letters) >= BLOCKS.heading_min_capitals and letters.isupper()
        is_statement_title = is_statement(text)
        if size < self.body and not is_larger and not (label is not None and is_bold) and not is_statement_title:
            return None
        is_listed = _normalize_title(text) in self.titles
        is_styled = is_bold or is_larger or is_uppercase or is_listed
        if label is not None and (is_styled or is_title_case(text) or _PUNCTUATED_LABEL.match(text)):
            return label
        if len(text) > BLOCKS.heading_max_styled_length and not is_larger:
            return None
        if (
            is_uppercase
            or (is_bold and all(map(self._is_centred, lines)))
            or (is_statement_title and not is_bold and not is_larger)
        ):
            return HeadingMark.CAPITALS
        if is_styled:
            return HeadingMark.BOLD_ITALIC if is_italic and is_bold else HeadingMark.BOLD
        if is_italic and len(lines) == 1:
            return HeadingMark.ITALIC
        return HeadingMark.BOLD if len(parse_section_number(text)) > 1 and is_title_case(text) else None

    def _is_centred(self, line: TextLine) -> bool:
        """Whether a line stands in the middle of its page's text, off both its edges."""
        left, right = self.extents.get(line.line.page, (0.0, 0.0))
        width = right - left
        centre_distance = abs((line.box.x0 + line.box.x1) - (left + right)) / 2
        return (
            centre_distance < BLOCKS.heading_centre_tolerance * width
            and line.box.x0 - left > BLOCKS.heading_inset * width
        )


def _normalize_title(text: str) -> str:
    """The letters and digits of a title, by which it is compared."""
    return "".join(filter(str.isalnum, text)).casefold()


def measure_typography(
    pages: Iterable[PageContent], furniture_ids: Collection[int], bookmarks: Iterable[str] = ()
) -> Typography:
    """The running text's size is the largest in which a fifth of all long lines is set, else the most usual one.

    Larger ones are ranked. Lines whose `id` is in `furniture_ids` do not count. `bookmarks` are titles in the outline.
    """
    items = [(page.number, item) for page in pages for item in page.items if id(item) not in furniture_ids]
    text_lines = [item for _, item in items if isinstance(item, TextLine)]
    prose: Counter[float] = Counter()
    for line in [line for line in text_lines if len(line.text) >= BLOCKS.prose_min_length] or text_lines:
        prose[line.size] += len(line.text)
    if not prose:
        return Typography(0.0, {}, {})
    usual_size = max(prose, key=lambda size: (prose[size], size))
    body = max(
        (size for size, weight in prose.items() if weight >= BLOCKS.body_share * prose.total()), default=usual_size
    )
    larger_sizes = sorted(
        {line.size for line in text_lines if line.size > BLOCKS.larger_size_ratio * body}, reverse=True
    )
    steps: dict[float, int] = {}  # the places of falling sizes; such as hardly differ share one
    step, step_size = 0, max(larger_sizes, default=0.0)
    for size in larger_sizes:
        if size * BLOCKS.same_step_ratio < step_size:
            step, step_size = step + 1, size
        steps[size] = step
    extents: dict[int, tuple[float, float]] = {}
    for page, item in items:
        left, right = extents.get(page, (item.box.x0, item.box.x1))
        extents[page] = min(left, item.box.x0), max(right, item.box.x1)
    contents, titles = _find_contents(items)
    listed_titles = map(_normalize_title, (*titles, *bookmarks))
    return Typography(
        body,
        steps,
        extents,
        contents,
        frozenset(title for title in listed_titles if len(title) >= BLOCKS.listed_title_min_letters),
    )


def _find_contents(items: Sequence[tuple[int, TextLine | FoundTable]]) -> tuple[frozenset[int], list[str]]:
    """The pages whose lines lead several items or parts to the number of a page, and all titles that lines lead on.

    A list of statements alone, as it stands below the heading of their item, makes no page of contents.
    """
    titles_by_page: dict[int, list[str]] = {}
    last_lines: list[str] = []
    for page, item in items:
        if isinstance(item, FoundTable):
            rows = [row for row in item.rows if _PAGE_NUMBER.fullmatch(row[-1])]
            titles_by_page.setdefault(page, []).extend(" ".join(filter(None, row[:-1])) for row in rows)
            last_lines = []
        elif item.has_wide_gap and _PAGE_REFERENCE.search(item.text):
            title = _PAGE_LEADER.sub("", item.text)
            possible_titles = (" ".join([*last_lines[place:], title]) for place in range(len(last_lines) + 1))
            titles_by_page.setdefault(page, []).extend(possible_titles)
            last_lines = []
        else:
            last_lines = [*last_lines, item.text][1 - BLOCKS.contents_entry_max_lines :]
    long_lists = {page: titles for page, titles in titles_by_page.items() if len(titles) >= BLOCKS.contents_min_lines}
    label_counts = {page: sum(find_label(title) is not None for title in titles) for page, titles in long_lists.items()}
    pages = frozenset(page for page, count in label_counts.items() if count >= BLOCKS.contents_min_labels)
    return pages, [title for titles in long_lists.values() for title in titles]


class Outline:
    """The headings that are open, outermost first.

    Depth counts the open headings and not the styles of the document, so that no depth is skipped.
    """

    def __init__(self) -> None:
        self._open: list[HeadingStyle] = []
        self._first: HeadingStyle | None = None

    def add_heading(self, style: HeadingStyle) -> int:
        """The level of the next heading, from 1; what does not stand above it is closed.

        A section on forward-looking statements, on contacts or on the outlook ends where a financial statement begins,
        which stands below the document's title, parts, items and the like; a note on the statements holds those that it
        shows.
        """
        place = self._count_remaining(style)
        if style.is_statement:
            non_frames = (n for n, above in enumerate(self._open) if not above.is_frame and above is not self._first)
            frames = next(non_frames, len(self._open))
            in_note = any(above.mark is HeadingMark.NOTE for above in self._open[:frames])
            place = frames if in_note else min(place, frames)
        del self._open[place:]
        self._first = self._first or style
        self._open.append(style)
        return len(self._open)

    def _count_remaining(self, style: HeadingStyle) -> int:
        """How many headings stay open: those above its number where it goes on a numbering, else of higher rank."""
        if style.number:
            for place in range(len(self._open) - 1, -1, -1):
                number = self._open[place].number
                if number and number == style.number[: len(number)] and number != style.number:
                    return place + 1
                if len(number) == len(style.number) and number[:-1] == style.number[:-1] and number < style.number:
                    return place
        higher = (place for place, above in enumerate(self._open) if above.rank >= style.rank)
        return next(higher, len(self._open))


_PART = re.compile(
    r"(?:part|chapter|appendix|annex|schedule)\s+(?:[IVX]{1,5}|\d{1,2}|[A-H])\b(?!\s+(?:of|to|and)\s+[a-z])"
    r"|exhibit\s+\d[\d.]*$|(?:exhibit\s+)?signatures?$|exhibit\s+index$|第[一二三四五六七八九十百\d]+[编篇部章节]",
    re.IGNORECASE,
)
_ITEM = re.compile(r"(?:item|article)\s*(?:\d{1,2}(?:\.\d{2})?[A-C]?|[IVX]{1,5})\b", re.IGNORECASE)
_NOTE = re.compile(r"(?:note|section)\s+(?:\d{1,2}|[A-H])\b", re.IGNORECASE)
_NUMBER = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,4})[.)]?\s+(?=[^\W\d_])")
_LABEL_ONLY = re.compile(
    r"(?:part|item|note|article|chapter|section|appendix)\s*(?:\d{1,2}(?:\.\d{2})?[A-C]?|[IVX]{1,5}|[A-H])\s*[.:–—-]?",
    re.IGNORECASE,
)
_PUNCTUATED_LABEL = re.compile(
    r"(?:part|item|note|article|chapter|section)\s*(?:\d{1,2}(?:\.\d{2})?[A-C]?|[IVX]{1,5})\s*"
    r"(?:[.:–—]|-\s)\s*(?-i:[A-Z\[])",
    re.IGNORECASE,
)
_EQUITY = (
    r"(?:(?:(?:stock|share)holders|owners|partners|members)[’'`]?|changes|in|total|\s){0,12}(?:equity|deficit|capital)"
)
_STATEMENT = re.compile(
    r"(?:(?:u\.?s\.? ?)?gaap |(?:un)?audited |condensed |consolidated |combined |interim |summary |selected "
    r"|consolidating |pro forma ){0,6}"
    r"(?:statements? of (?:(?:net |comprehensive )?(?:income|earnings|loss(?:es)?|operations|cash ?flows?)"
    r"|profit (?:and|or) loss|financial (?:position|condition)|(?:changes in )?net assets|(?:functional )?expenses"
    rf"|activities|{_EQUITY})(?:,? \(?(?:and|or) [^.;]{{3,60}}|\s?\(loss(?:es)?\)|\s?\(deficit\))?"
    r"|balance sheets?|income statements?|cash flow statements?|profit and loss accounts?"
    r"|notes to (?:the )?(?:unaudited |condensed |consolidated |interim ){0,4}financial statements"
    r"|reconciliations? of (?:u\.?s\.? )?(?:gaap|non-gaap|net (?:income|loss|debt|sales)|ebitda|adjusted|reported"
    r"|organic)\b[^.;]{0,90}"
    r"|(?:gaap to non-gaap|non-gaap(?: financial measures?)?) reconciliations?"
    r"|supplemental (?:financial |operating )?(?:information|data|schedules?)|(?:financial|operating) data)"
    r"(?:\s*[-–—,]?\s*\(?(?:un)?audited\)?|\s*[-–—,(]*\s*(?:continued|cont[’'.]?d)\)?"
    r"|,?\s*\(?(?:dollars|amounts|shares|in|\$)\b[^()]{0,80}\)?){0,3}"
    r"|(?:未经审计的?|未審計)?(?:简明|簡明)?(?:中期)?(?:合并|合併|母公司)?(?:及公司|和公司)?"
    r"(?:资产负债表|資產負債表|利润表|利潤表|损益表|損益表|现金流量表|現金流量表|(?:所有者|股东|股東)?权益变动表"
    r"|财务报表附注)(?:[(（].{1,20}[)）])?",
    re.IGNORECASE,
)
_FRAME = re.compile(
    r"financial (?:statements?|information|data|tables?|schedules?|highlights?)\b|\bnotes to\b"
    r"|^(?:appendix|annex|exhibit|schedule|attachment)|财务报告|财务报表|附注",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]{2}")
_CAPTION = re.compile(
    r"(?:table|tab\.|figure|fig\.|chart|graph|box)\s*(?:\d+(?:[.\-:]\d+)*|(?-i:[A-Z]\d*|[IVX]+))(?![^\W_])|[表图]\s*\d",
    re.IGNORECASE,
)
_REMARK = re.compile(
    r"[(\[].*[)\]]\.?$|(?:see|sources?|refer to)\b|(?:un)?audited\b"
    r"|(?:[$€£¥]|(?:US )?dollars|amounts|figures|shares)?\s*(?:and shares )?in (?:thousands|millions|billions)\b",
    re.IGNORECASE,
)
_PERIOD = re.compile(
    r"(?:as (?:of|at) |for the |(?:the )?(?:three|six|nine|twelve|thirteen|fourteen|\d{1,2}|fiscal|quarters?|years?)\b)"
    r".{0,60}\b(?:ended|ending|and|weeks?|months?|\d{4})\b.{0,60}|[A-Z][a-z]{2,8} \d{1,2}, \d{4}.{0,60}",
    re.IGNORECASE,
)
_BRACKETS = re.compile(r"\s*\([^()]*\)$")
_AMOUNT = re.compile(r"[$€£¥]\s?\d|(?<![\d.])(?<!\d,)\d[\d,.]*%?\s+[($]*\d[\d,.]*%?(?!\w)")
_NON_TITLE_SIGN = re.compile(r"\d{5}|\d{3}[-. ]\d{4}|@|https?:|www\.|[{}=|\\]|::")
_LEADING_DOTS = re.compile(r"\.{4}|(?:\. ){3}|…")
_SECTION = re.compile(r"^\d{1,2}(?:\.\d{1,2})*[.)]?\s+")


def find_label(text: str) -> HeadingMark | None:
    """What the first words say that a heading is: a part, an item or a note."""
    marks = ((_PART, HeadingMark.PART), (_ITEM, HeadingMark.ITEM), (_NOTE, HeadingMark.NOTE))
    return next((mark for form, mark in marks if form.match(text)), None)


def is_label_alone(text: str) -> bool:
    """Whether a heading is nothing but its label, whose title stands on the next line: "Item 8."."""
    return _LABEL_ONLY.fullmatch(text.strip()) is not None


def is_statement(text: str) -> bool:
    """Whether words are the title of a financial statement, or of what comes with statements."""
    return len(text) <= BLOCKS.statement_max_length and _STATEMENT.fullmatch(" ".join(text.split())) is not None


def parse_section_number(text: str) -> tuple[int, ...]:
    """The number a heading begins with: (2, 1) for "2.1 Methods", nothing where there is none."""
    match = _NUMBER.match(text)
    return tuple(map(int, match[1].split("."))) if match else ()


def _is_no_heading(text: str, *, is_labelled: bool) -> bool:
    """Whether a short text can be no heading, however it is set. Labelled are "Item 1." and the like."""
    body = text if is_labelled else _SECTION.sub("", text, count=1)
    letters = extract_letters(_BRACKETS.sub("", body))
    if not _WORD.search(body) or (letters.isascii() and len(letters) < BLOCKS.heading_min_letters) or body[0].islower():
        return True
    if _CAPTION.match(text) or _REMARK.match(text) or _LEADING_DOTS.search(text) or _NON_TITLE_SIGN.search(text):
        return True
    text = text.rstrip()
    if text.endswith((",", ";", "。", "；", "，")):
        return True
    if is_labelled:
        return False
    is_long = len(text.split()) > BLOCKS.sentence_min_words
    has_several_sentences = text.endswith(".") and ". " in text[3:]
    return _AMOUNT.search(body) is not None or has_several_sentences or (is_long and text.endswith((".", ":")))


def is_remark(text: str) -> bool:
    """Whether a line below a title only says of which period the figures are, in which unit, or whether audited."""
    return _REMARK.match(text) is not None or _PERIOD.fullmatch(text) is not None
