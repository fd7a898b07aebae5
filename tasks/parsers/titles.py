"""Titles: placeholders that files give as one (names of files, defaults of programs, bare codes), and first headings.

If a file gives no title, one of its first headings is used. A report also names itself on its cover, and in running
titles such as "3M Company | 2018 Form 10-K".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tasks.parsers.datelines import parse_issue_date
from tasks.parsers.written_dates import is_date_heading

MAX_BEFORE_TITLE = 400
"""Characters of running text before a title at the most: a letterhead, an address, a date. What comes later heads a
section."""
_SUFFIXES = (
    r"docx?|docm|dotx?|xlsx?|xlsm|csv|pptx?|pdf|indd|qxd|qxp|x?html?|xml|rtf|tmp|dvi|e?ps|odt|ods|odp|tex|txt|md|msg|eml"
    r"|jpe?g|png|tiff?|wpd|p65|zip|epub|mobi|azw3?|mbox"
)
_FILE = re.compile(rf".{{0,200}}\.(?:{_SUFFIXES})(?:\s*[(\[-].{{0,30}})?", re.IGNORECASE)
_PATH = re.compile(r"[a-z]:[\\/]|\\\\|/\w+/|\w+[\\/]\S*[\\/]\S*$|(?:file|https?|urn|about|data):\S", re.IGNORECASE)
_PROGRAM_DEFAULT = re.compile(
    r"[(<\[\"' ]*(?:(?:microsoft (?:office )?)?(?:word|excel|powerpoint|publisher|visio) - .{0,200}"
    r"|microsoft (?:office )?(?:word|excel|powerpoint|publisher|visio)\b.{0,40}|power ?point presentation"
    r"|(?:word |new |blank |scanned |my )?document(?: title)?[ _-]?(?:\(?\d+\)?)?|untitled\b.{0,40}|anonymous|unknown"
    r"|unnamed|no[- ]?title|none|null|n/?a|tbd|default|template|(?:page )?title|test|draft|copy|print(?:mgr\b.{0,40})?"
    r"|exported data|full page (?:photo|fax print)|latex document|pii:? .{0,60}|\d[\d .:/-]*"
    r"|(?:doc|book|sheet|slide|page|layout|scan|presentation|publication|report|file|image|fax|exhibit|ex)[ _-]?[\d.]*"
    r"|无标题|未命名|文档\s?\d*|幻灯片\s?\d*|新建.{0,20})[)>\]\"'. ]*",
    re.IGNORECASE,
)
_BARE_CODE = re.compile(r"\S*[\d_]\S*")
_LETTERHEAD = re.compile(
    r"(?:news|press|media|earnings)\s+(?:release|statement)s?|(?:for\s+)?immediate\s+release|news|exhibit\s+[\d.]+|ex-[\d.]+"
    r"|(?:table\s+of\s+)?contents|contacts?|confidential|draft|abstract|summary|(?:executive|management)\s+summary|introduction"
    r"|(?:research|original|review|short|open\s+access)\s*(?:article|paper|report|communication|research)?|open\s+access|article|letter"
    r"|united\s+states|securities\s+and\s+exchange\s+commission|washington,?\s+d\.?\s?c\.?.{0,12}|form\s+\w{1,4}-?\w{0,2}|(?:page\s+)?\d+"
    r"|目\s*录|摘\s*要|机密|新闻稿",
    re.IGNORECASE,
)
_MAX_LENGTH = 200  # Characters of a title over several headings at most.


_TITLE_LINE = re.compile(
    r"(?=[^\W_a-z]|\d)(?!.*(?:@|://|\d{5}))(?=.{0,90}\Z)(?=.*[^\W\d_]{3})(?:\S+ ){0,13}\S+(?<![.,;:!])"
)
"""A short line of words that no stop ends; an address has a sign of mail or a postal code."""
_RUNNING_TEXT = re.compile(r"\S(?:\s+\S+){6}|[.:?!]\Z")
_LABELLED_LINE = re.compile(r"\s*[^\W\d][^:：\n]{0,23}[:：]\s*\S")
_MIN_LABELLED_LINES = 2
_MAX_DAY_LINE = 60  # Characters of a line with the day of a document below its title.
_LABELLED = re.compile(
    r"^Title:[ \t]+(?P<title>\S.{0,200}(?:\n[ \t]+\S.{0,200})?)\n"
    r"(?:.*\n){0,6}?(?:Author|Editor|Translator|Creator)s?:[ \t]",
    re.MULTILINE,
)
_MAX_HEAD_LINES = 4  # Lines below the name of a periodical in its head.
_LABELLED_WITHIN = 2_000  # Characters of a text in which its title and author are labelled.


def find_labelled_title(text: str) -> str:
    """The title of an etext (Project Gutenberg) by its label above that of its author, wherever they begin."""
    labels = _LABELLED.search(text[:_LABELLED_WITHIN])
    return " ".join(labels["title"].split()) if labels else ""


def is_placeholder(title: str) -> bool:
    """Whether a title that a file gives says nothing of what is in it."""
    text = " ".join(title.split())
    if not text or _PROGRAM_DEFAULT.fullmatch(text) or _FILE.fullmatch(text) or _PATH.match(text):
        return True
    words = text.split()
    return _BARE_CODE.fullmatch(text) is not None or 2 * sum("_" in word for word in words) >= len(words)


def find_opening_title(paragraphs: Sequence[str]) -> str:
    """The first paragraph where it is a line of words before running text, perhaps with its day between; else nothing.

    No title are a sentence, a salutation, a letterhead, and the first line of an address.
    """
    opening, *below = paragraphs[:3] or [""]
    is_title = _TITLE_LINE.fullmatch(opening) and _names_content(opening)
    following = below[1:] if below and len(below[0]) <= _MAX_DAY_LINE and _YEAR.search(below[0]) else below
    return opening if is_title and following and _RUNNING_TEXT.search(following[0]) else ""


def _names_content(line: str) -> bool:
    is_letterhead = _LETTERHEAD.fullmatch(line.strip(" .:*-–—"))
    return not (is_date_heading(line) or is_placeholder(line) or is_letterhead)


def find_text_title(text: str, paragraphs: Sequence[str], headings: Sequence[str]) -> str:
    """The title of a plain text by its first `paragraphs` and its `headings`, or nothing.

    It is labelled, the first line of a periodical's head, a heading that opens the text, the line above the labels of a
    record ("Date: …", "場所：…"), or one above running text.
    """
    opening = paragraphs[0] if paragraphs else ""
    first_line, *other_lines = opening.split("\n")
    is_periodical = len(other_lines) <= _MAX_HEAD_LINES and any(map(parse_issue_date, other_lines))
    is_heading = opening in headings[:1] and _names_content(opening)
    is_above_labels = len(other_lines) >= _MIN_LABELLED_LINES and all(map(_LABELLED_LINE.match, other_lines))
    is_title = is_periodical or is_heading or (is_above_labels and _is_title_line(first_line))
    return find_labelled_title(text) or (first_line if is_title else find_opening_title(paragraphs))


def _is_title_line(line: str) -> bool:
    return not _LABELLED_LINE.match(line) and len(line) <= _MAX_DAY_LINE and _names_content(line)


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading near the beginning: its words and the rank of its size, 0 for the largest.

    `before` is the number of characters of running text before it; `follows`: it is right after another heading.
    """

    text: str
    step: int
    before: int
    follows: bool = False


def find_first_title(headings: Iterable[Heading], beginning: str) -> str:
    """The title among the headings of the first page: the first of the largest, with what goes on in the same size.

    Nothing on the cover of a filing, whose first words are those of every filing.
    """
    near_headings = (item for item in headings if item.before <= MAX_BEFORE_TITLE and not is_date_heading(item.text))
    candidates = [item for item in near_headings if not _LETTERHEAD.fullmatch(item.text.strip(" .:*-–—"))]
    if not candidates or REGISTRANT_NAME_LABEL.search(beginning):
        return ""
    largest = min(item.step for item in candidates)
    place = next(place for place, item in enumerate(candidates) if item.step == largest)
    title = candidates[place].text
    for below in candidates[place + 1 :]:
        if not below.follows or below.step != largest or len(title) + len(below.text) > _MAX_LENGTH:
            break
        title = f"{title} {below.text}"
    return title if len(title) <= _MAX_LENGTH else ""


REGISTRANT_NAME_LABEL = re.compile(
    r"(?:exact\s+)?name\s+of\s+(?:the\s+)?(?:registrants?|company|issuer)\s*\(?s?\)?,?\s+as\s+(?:it\s+appears|specified|stated)"
    r"|exact\s+name\s+of\s+(?:the\s+)?(?:registrants?|company|issuer)|translation\s+of\s+(?:the\s+)?registrant[’']?s\s+name",
    re.IGNORECASE,
)
"""The words on a cover that say which name is the registrant's, as the forms prescribe them."""
MAX_COVER_OFFSET = 300_000  # Characters before a cover: letters to shareholders may precede it.
_COVER_BEFORE, _COVER_AFTER = 3_000, 6_000  # Characters of a cover before and after these words.

ANNUAL_REPORT = (
    r"(?:integrated\s+|universal\s+)?annual\s+(?:financial\s+)?(?:report|review|accounts)"
    r"|integrated\s+report|report\s+(?:and|&)\s+accounts|universal\s+registration\s+document|group\s+report"
    r"|(?:(?:integrierter|konzern)\s?-?)?(?:geschäfts|jahres(?:finanz)?)bericht|(?:jahres|konzern)abschluss"
    r"|rapport\s+(?:financier\s+|intégré\s+)?annuel|(?:comptes|états\s+financiers)\s+(?:annuels|consolidés)"
    r"|document\s+d[’']enregistrement\s+universel|(?:informe|memoria|reporte)\s+(?:financiero\s+)?anual(?:\s+integrado)?"
    r"|cuentas\s+anuales|relazione\s+(?:finanziaria\s+)?annuale|bilancio(?:\s+consolidato|\s+d[’']esercizio)?"
    r"|relatório\s+(?:anual|e\s+contas)|jaar(?:verslag|rekening)|års(?:redovisning|rapport)|vuosikertomus"
)
INTERIM_REPORT = (
    r"(?:half|mid)[-\s]year(?:ly)?\s+(?:financial\s+)?report|(?:six|nine)[-\s]months?\s+report"
    r"|interim\s+(?:financial\s+|consolidated\s+|management\s+)?(?:report|statement)"
    r"|halbjahres(?:finanz)?bericht|zwischen(?:bericht|abschluss|mitteilung)|rapport\s+(?:financier\s+)?semestriel"
    r"|informe\s+(?:financiero\s+)?semestral|relazione\s+(?:finanziaria\s+)?semestrale|relatório\s+semestral"
    r"|halfjaar(?:verslag|bericht)|delårsrapport|halvårsrapport"
)
QUARTERLY_REPORT = (
    r"(?:first|second|third|q[1-4])?[-\s]*quarter(?:ly)?\s+(?:financial\s+)?report"
    r"|quartals(?:bericht|mitteilung|finanzbericht)|rapport\s+trimestriel|informe\s+trimestral"
    r"|relazione\s+trimestrale|relatório\s+trimestral|kwartaal(?:verslag|bericht)|kvartalsrapport"
)
REPORT = rf"(?:form\s+(?:10-k|10-q|20-f|40-f)(?:/a)?|{ANNUAL_REPORT}|{INTERIM_REPORT}|{QUARTERLY_REPORT})(?!\w)"
"""The names of reports in their titles, in English and seven other European languages."""
_TITLED = re.compile(rf"(?<!\w){REPORT}", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_PAGE = re.compile(r"^(?:page\s+)?[\divxl]{1,4}(?:\s*[|·•–—-]\s*|\s+)|(?:\s*[|·•–—-]\s*|\s+)(?:page\s+)?[\divxl]{1,3}$")
_MAX_LINE_LENGTH = 100  # Characters of a running title.
_MIN_PAGES = 2  # Pages that must have it: a sentence says such words once.


def find_cover(text: str) -> tuple[int, int]:
    """The span of the cover on which a filing names its registrant; empty where there is none."""
    match = REGISTRANT_NAME_LABEL.search(text, 0, MAX_COVER_OFFSET)
    return (max(0, match.start() - _COVER_BEFORE), min(len(text), match.end() + _COVER_AFTER)) if match else (0, 0)


def find_running_titles(text: str) -> tuple[str, ...]:
    """The lines with the name of a report and a year that are repeated, without page numbers, the most frequent first.

    Rows of tables and lines that end as a sentence do not count.
    """
    counts = Counter(
        " ".join(_PAGE.sub("", line).split())
        for line in map(str.strip, text.splitlines())
        if len(line) <= _MAX_LINE_LENGTH and line[-1:] not in ".;,|" and _YEAR.search(line) and _TITLED.search(line)
    )
    return tuple(line for line, count in counts.most_common() if count >= _MIN_PAGES)
