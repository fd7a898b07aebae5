"""The head of a document: datelines ("PURCHASE, N.Y. - April 25, 2023 - …", "Published: 12 May 2021") and titles.

A title that a file gives may be a placeholder: the name of a file, a program's default, a bare code. Then one of its
first headings is used. A report also names itself on its cover and in running titles ("3M Company | 2018 Form 10-K").
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice

from tasks.parsers.written_dates import DATE_LABEL, INNER_DATE_LABEL, is_date_heading, parse_dates, parse_whole_date
from warehouse.records import DateClaim, DateOrigin, Table
from warehouse.records.calendars import DAY, Interval, add_months

HEAD_LENGTH = 1_500  # Characters of a document's beginning in which its date is sought.
TAIL_LENGTH = 800  # Characters of its end, where it is signed.
_CITY = r"[A-Z][A-Z.'’ -]*[A-Z]\.?(?:,\s+[A-Z][\w. ]{1,20}?)?"
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?"
_CAPITALS = r"[^\W\d_a-z][\w.'’]*(?:[ -][^\W\d_a-z][\w.'’]*){0,5}"
_WRITTEN_DAY = rf"{_MONTH}\s+\d{{1,2}},\s+\d{{4}}|\d{{1,2}}\s+{_MONTH},?\s+\d{{4}}"
_DATELINE = re.compile(rf"{_CITY}(?:,|\s*[-–—]{{1,2}})\s*\(?(?P<date>{_WRITTEN_DAY})\b")
_STATE_WORDS = (
    "Updated|Revised|Modified|Reviewed|Amended|Printed|Draft|Version|Effective|Valid|Copyright|Since|Until|By|On|From"
)
_RELEASE_DATELINE = re.compile(
    rf"[*_]{{0,2}}(?!(?:Balances?|(?:Last )?(?:{_STATE_WORDS}))\b)(?:{_CAPITALS},?\s*){{1,2}}"
    rf"(?:[-–—/( ]{{1,5}}[A-Z][\w ]{{2,24}})?\s*[-–—/),]{{1,3}}\s*"
    rf"\(?(?P<date>{_WRITTEN_DAY})\)?[*_]{{0,2}}\s*(?:[-–—]+|(?=/\w))\s*"
    rf"(?!(?:{_WRITTEN_DAY}|[Pp]resent|[Cc]urrent|[Nn]ow)\b)(?=\S+(?:\s+\S+){{5}})",
)
"""A city in small letters, perhaps a wire, and the date of a release, up to the dash before its first sentence.

Before fewer words than a sentence has, or before another day, it is the line of a table, a programme or a life.
"""
_HISTORY = re.compile(r"(?:article history\W+)?(?:received|submitted)\b", re.IGNORECASE)
_PUBLICATION_STEP = re.compile(
    rf"(?:(?P<out>published(?: online)?|available online)|accepted(?: for publication)?)\W{{1,3}}(?:on\s+)?"
    rf"(?P<date>{_WRITTEN_DAY})\b",
    re.IGNORECASE,
)
"""The line of a paper that says when it was received, accepted and published."""
_WIKI_BYLINE = re.compile(
    rf"(?:created|added) by\s.{{1,80}}?(?:, last (?:modified|updated)(?: by .{{1,60}}?)?)?"
    rf" on (?P<date>{_WRITTEN_DAY})\b",
    re.IGNORECASE,
)
"""The line of an exported wiki page (Confluence) that says who wrote it and when it was saved."""
_UPDATE_LABEL = re.compile(
    r"\s*[*_]{0,2}(?:(?:last|date|zuletzt|letzte|dernière|última|ultima|laatst)\s)?(?:updated?|modified|revised|edited|reviewed"
    r"|aktualisiert|geändert|mise?\sà\sjour|actualizad[oa]|actualización|modificación|aggiornat[oa]|modifica|atualizad[oa]"
    r"|bijgewerkt|gewijzigd)(?:\s(?:on|am|le|el|il|em|op))?[*_]{0,2}\s?[:：][*_]{0,2}\s*(?=\S)",
    re.IGNORECASE,
)
"""A label before the day on which a text was last written, which dates one that names no other day."""
_MEETING_DAY = re.compile(
    r"(?:(?:[\w’'-]{1,15}\s){0,6}(?:[Mm]eeting|[Ss]ession|[Hh]earing|[Aa]ssembly)\s(?:was\s)?(?:held\s)?|Held\s)on\s(?:[A-Z][a-z]{2,8}day,?\s)?"
    rf"(?:the\s)?(?P<date>{_WRITTEN_DAY})\b",
)
"""The first line of minutes: "Meeting held on Tuesday 14 January 2025, 19:30, village hall"."""
_PARTICLE = (
    r"(?:a\.|am|an|auf|bei|d[aeio]|d\.|de[lr]|della|des|dos|en|i\.|im|in|la|las|les?|lès|los|ob|o\.|sous|sur|upon|v\."
    r"|van|von|y|zu)"
)
_NAME = r"(?:['’]s-)?[^\W\d_a-z][\w.'’]*"
_TOWN = rf"{_NAME}(?:[ /-](?:{_PARTICLE}[ /-]){{0,2}}{_NAME}){{0,3}}(?:\s?\([^()\d]{{2,30}}\)|\s?[-–/]\s?[A-Z]{{2}}\b)?"
_PLACE_LEAD = (
    r"(?:(?:Faite?|Hecho|Dad[oa]|Feito|Fatto|Given|Done|Signed|Gegeben|Geschehen)\s+(?:à|a|en|em|in|at|zu)|À|En|Em)\s+"
)
_ARTICLE = r"(?:le|l[iì]|il|el|a|aos?|den|am|op|on)"
_PLACE_BEFORE_DAY = re.compile(
    rf"[*_]{{0,2}}(?!(?:(?:Last )?(?:{_STATE_WORDS})|Balances?|Totals?|Saldo|Stand)\b)(?:{_PLACE_LEAD})?"
    rf"(?:{_TOWN},\s+(?:{_TOWN}(?:,|\s[-–—])\s+)?(?:{_ARTICLE}\s+)?|{_TOWN}\s+(?:le|den|el)\s+)(?=(?:\w+,?\s+)?\d)"
)
"""A city before the date of a letter or report, alone on its line: "Lisboa, 5 de abril de 2022"."""
_ORIGINALS = re.compile(
    r",?\s+(?:en|in|em)\s+\S+\s+(?:exemplaires?|originaux|ejemplares|copie|originali|Ausfertigungen|vias|copies|originals"
    r"|counterparts)\b.*",
    re.IGNORECASE,
)
"""The number of originals of a contract, after the day on which it was signed."""
_CONTRACT_OPENING = re.compile(
    r"(?:(?:this|the)\s+(?:[^\W_][\w’'-]*\s+){0,6}?)?(?:agreement|lease|contract|deed|indenture|tenancy|licen[cs]e"
    r"|amendment|addendum|memorandum|assignment|guarant(?:ee|y)|loan|will|convention|settlement)\b"
    r"(?!\s+(?:was|were|had|has)\b)(?:[^.;]|\bno\.){0,160}?"
    r"\b(?:made|dated|entered\s+into|executed|concluded|signed)(?:\s+(?:and|made|entered|into|executed|effective))*"
    r"[\s,]+(?:(?:as\s+of|as|on|at|this|the)\s+)*"
    r"|(?:(?:ab)?geschlossen|unterzeichnet)\s+am\s+|(?:conclue?|signée?)\s+le\s+|(?:celebrado|suscrito|firmado)\s+el\s+"
    r"|(?:stipulato|sottoscritto)\s+(?:il|in\s+data)\s+",
    re.IGNORECASE,
)
"""The words that begin a contract, before the day on which it is made."""
_TEXT_UP_TO_YEAR = re.compile(r".{3,30}?\b\d{4}\b", re.DOTALL)
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)\b(?:\s+day\s+of)?|\bday\s+of\b", re.IGNORECASE)
_MAX_PLACE_LENGTH = 80  # Characters of a line with a city and a date.
_PART_END = re.compile(r"\n|(?<=\S)[^\S\n]*(?:\t| {3,})[^\S\n]*")
"""The end of a line, or a gap within one: the place and date of a letter are beside its reference or address."""
_NEXT_LABEL = re.compile(r"\s+[^\W\d_](?:[^\W\d]|[ .'’/()-]){1,30}[:：](?=\s|\Z).*")
"""The label that follows a date on its line, and what stands behind it."""
VALIDITY_LEAD = re.compile(
    r"(?:\b(?:valid|effective|applicable|applies|in (?:force|effect)|due|deadlines?|expires?|expiry"
    r"|ends?|closes|starts?|starting|begins?|beginning|commenc(?:es|ing)|since|until|till|through|before|after"
    r"|g[üu]ltig\w*|gilt|wirksam|f[äa]llig\w*|frist\w*|abgabe\w*|einzureichen|beginn\w*|seit|ab|bis"
    r"|sp[äa]testens|(?:en|entre en) vigueur|valables?|applicables?|date limite|[ée]ch[ée]ance"
    r"|[àa] (?:rendre|partir|compter)|d[èe]s|depuis|jusqu['’]au|rentr[ée]e|d[ée]but"
    r"|(?:en|entra en) vigor|vigente|v[áa]lid[oa]s?|fecha l[íi]mite|vence|plazo|desde|hasta"
    r"|a partir|inicio|in vigore|valid[oae]|scadenza|entro|a decorrere|inizio|fino al"
    r"|em vigor|prazo|at[ée]|in[íi]cio|geldig|uiterlijk|vanaf|sinds|tot)"
    r"|\b(?:timetables?|schedules?|hours|rates|prices?|price list|fees|tariffs?|fares|menu|rules|terms|times) from"
    r"|(?P<changed>\b(?:updated?|amended|revised|aktualisiert|mise? [àa] jour|actualizad[oa]s?|aggiornat[oa]"
    r"|atualizad[oa]|bijgewerkt)|更新|改正)|有效|生效|施行|截止|実施|発効|期限|締切|適用)"
    r"(?:[\s:：,(（]|\b(?:as|from|of|on|by|to|at|the|is|ab|am|zum|vom|seit|bis|au|du|le|les|de|del|el|desde|da[lo]?|il|do|em|a|per"
    r"|op|van|until|with effect))*\Z",
    re.IGNORECASE,
)
"""Words right before a day from or until which something holds, on which it is due, or was `changed`."""
_WORD_START, _WORD_END = re.compile(r"(?<![\w/.-])\w"), re.compile(r"\w(?![\w/.-])")
_MAX_MONTH_LENGTH = 30  # Characters of a month with its year.
_PERIODICAL = re.compile(
    r"\b(?:news(?:letter|flash|sheet)?|bulletin|gazette|digest|minutes|round-?up|status report"
    r"|monthly (?:report|review|update|letter)|\w*(?:brief|blatt|protokoll|bericht)|mitteilungen|infolettre"
    r"|compte[- ]rendu"
    r"|lettre d[’']information|procès-verbal|bolet(?:ín|im)|acta|circular|bollettino|notiziario|verbale|ata|nieuwsbrief"
    r"|notulen|maandverslag)\b|通讯|月报|简报|会议纪要",
    re.IGNORECASE,
)
"""The names of periodicals and records, which are of the month in their title; histories and plans are about it."""
_ISSUE = re.compile(
    r"(?:\S.{0,59}(?:[,·|–—-]\s*|\s{2,}))?(?:\b(?:issue|no|nr|number|vol(?:ume)?|ausgabe|heft|jahrgang|num[ée]ro|n[°º]|número"
    r"|edi[cç](?:ión|ão)|edizione|nummer|jaargang|第)\.?\s*(?:\d{1,4}|[IVXLC]+)(?:[/.]\d{1,4})?[期号]?[\s,;:·|/(–—-]+){1,3}"
    r"(?P<date>[^\W_][^\n]{5,30}?)[)\s]*",
    re.IGNORECASE,
)
"""A line with the number and the date of a periodical's issue, perhaps after its name."""
_HEADER_AND_ROW = 2  # Rows of a table that has one below its header.


def find_datelines(
    paragraphs: Iterable[str], tables: Iterable[Table] = (), ending: Iterable[str] = ()
) -> list[DateClaim]:
    """The first date after a city in capitals, or that is a paragraph but for a city, or a line but for "Published".

    Else the first that a cell of `tables` labels, which are those at the beginning of a document; else that behind a
    city in the paragraphs of its `ending`, where contracts are signed; else the day on which it says that its meeting
    was held or that it was last updated; else that of its issue as a periodical.
    """
    texts = list(paragraphs)
    days = [day for text in texts for day in parse_dates(_iter_date_texts(text))]
    days = days or [day for table in tables for day in parse_dates(_list_labelled_days(table))]
    days = days or parse_dates(filter(None, map(_find_day_behind_place, "\n".join(ending).splitlines())))
    days = days or parse_dates(late_text for text in texts for late_text in _iter_late_date_texts(text))
    days = days or list(filter(None, (parse_issue_date(line) for text in texts for line in text.splitlines())))
    return [DateClaim(day, DateOrigin.DATELINE) for day in islice(days, 1)]


def parse_title_date(title: str, order: str = "") -> Interval | None:
    """The day, half-open, that a title ends with: "Meeting with Tom, 14 October 2025", "Standup (2025-10-14)".

    Of a periodical or a record also the month, first or last: "Newsletter March 2024". None if the date says from or
    until when something holds: "Timetable, valid from 4 September 2026".
    """
    is_periodical = _PERIODICAL.search(title) is not None
    for match in _WORD_START.finditer(title):
        days = parse_whole_date(title[match.start() :], order)
        lead = VALIDITY_LEAD.search(title[: match.start()]) if days else None
        if days and (lead is None or lead["changed"]) and _is_day_or_month(days, is_month_allowed=is_periodical):
            return days
    first_words = (title[: match.end()] for match in _WORD_END.finditer(title[:_MAX_MONTH_LENGTH]))
    months = (parse_whole_date(words, order) for words in first_words) if is_periodical else ()
    return next((days for days in months if days and _is_day_or_month(days, is_month_allowed=True)), None)


def make_title_claims(title: str) -> list[DateClaim]:
    """The date of a text by its title (`parse_title_date`), if it has one."""
    days = parse_title_date(title)
    return [DateClaim(days[0], DateOrigin.DATELINE)] if days else []


def _is_day_or_month(days: Interval, *, is_month_allowed: bool) -> bool:
    return days[1] - days[0] == DAY or (is_month_allowed and days[0].day == 1 and add_months(days[0], 1) == days[1])


def parse_issue_date(line: str) -> date | None:
    """The day, or first day of the month, in the line of a periodical's head: "Issue 14, March 2024"; else None."""
    issue = _ISSUE.fullmatch(line.strip())
    days = parse_whole_date(issue["date"]) if issue else None
    return days[0] if days and _is_day_or_month(days, is_month_allowed=True) else None


def _list_labelled_days(table: Table) -> list[str]:
    """The only day of a table beside its label, or below it if a row names the document; else none."""
    lines = []
    for row in table.rows:
        cells = [cell for cell in row if cell]
        row_pairs = zip(cells, cells[1:], [*cells[2:], ""], strict=False)
        lines += [_join_label(label, value) for label, value, after in row_pairs if not is_date_heading(after)]
    if len(table.rows) == _HEADER_AND_ROW:
        below = (_join_label(label, value) for label, value in zip(*table.rows, strict=True))
        lines += [line for line in below if (label_match := DATE_LABEL.match(line)) and label_match["named"]]
    days = list(filter(None, map(_find_labelled_day, lines)))
    return days if len(days) == 1 else []


def _join_label(label: str, value: str) -> str:
    return f"{label.rstrip(' :：')}: {value}"


def _find_labelled_day(line: str) -> str:
    """The day of a line that begins with a label and its date, perhaps before another label; empty for others."""
    label = DATE_LABEL.match(line)
    value = _NEXT_LABEL.sub("", line[label.end() :]).rstrip(". ") if label else ""
    return value if is_date_heading(value) else ""


def _find_day_behind_place(line: str) -> str:
    """The day of a line that is a city and its date; empty for others."""
    place_match = _PLACE_BEFORE_DAY.match(line) if len(line) <= _MAX_PLACE_LENGTH else None
    value = _ORIGINALS.sub("", line[place_match.end() :]).rstrip(". ") if place_match else ""
    return value if is_date_heading(value) else ""


def _find_contract_day(paragraph: str) -> str:
    """The day on which the contract that begins with a paragraph is made; empty for others."""
    opening = _CONTRACT_OPENING.match(paragraph)
    date = _TEXT_UP_TO_YEAR.match(paragraph, opening.end()) if opening else None
    words = " ".join(_ORDINAL.sub("", date[0]).split()) if date else ""
    return words if is_date_heading(words) else ""


def _iter_late_date_texts(paragraph: str) -> Iterator[str]:
    if meeting := _MEETING_DAY.match(paragraph):
        yield meeting["date"]
    for line in paragraph[:HEAD_LENGTH].splitlines():
        label = _UPDATE_LABEL.match(line)
        value = line[label.end() :].rstrip(". *_") if label else ""
        if is_date_heading(value):
            yield value


def _iter_date_texts(paragraph: str) -> Iterator[str]:
    city = _DATELINE.match(paragraph) or _RELEASE_DATELINE.match(paragraph)
    if city:
        yield city["date"]
    elif is_date_heading(paragraph):
        yield paragraph
    else:
        # Several such lines are a list of events.
        place_days = list(filter(None, map(_find_day_behind_place, _PART_END.split(paragraph[:HEAD_LENGTH]))))
        yield from place_days if len(place_days) == 1 else ()
    if contract_day := _find_contract_day(paragraph[:HEAD_LENGTH]):
        yield contract_day
    for line in paragraph[:HEAD_LENGTH].splitlines():
        days = list(filter(None, map(_find_labelled_day, INNER_DATE_LABEL.split(line))))
        if days:
            yield days[0]
        elif saved := _WIKI_BYLINE.match(line):
            yield saved["date"]
        elif _HISTORY.match(line) and (steps := list(_PUBLICATION_STEP.finditer(line))):
            yield max(steps, key=lambda step: step["out"] is not None)["date"]


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
    r"|目\s*录|摘\s*要|机密|新闻稿|(?:from|to|cc|attn|author|by|von|an|de|à|para|da|van|aan|发件人|收件人|作者)\s?[:：].*",
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
    return not (is_date_heading(line) or _find_labelled_day(line) or is_placeholder(line) or is_letterhead)


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
