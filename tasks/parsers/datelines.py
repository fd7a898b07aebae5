"""Datelines, which date a document: "PURCHASE, N.Y. - April 25, 2023 - …", "Published: 12 May 2021"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date
from itertools import islice

from tasks.parsers.written_dates import DATE_LABEL, INNER_DATE_LABEL, is_date_heading, parse_dates, parse_whole_date
from warehouse.records import DateClaim, DateOrigin, Table
from warehouse.records.fiscal import DAY, Interval, add_months

HEAD_LENGTH = 1_500  # Characters of a document's beginning in which its date is sought.
TAIL_LENGTH = 800  # Characters of its end, where it is signed.
_CITY = r"[A-Z][A-Z.'’ -]*[A-Z]\.?(?:,\s+[A-Z][\w. ]{1,20}?)?"
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?"
_DATELINE = re.compile(
    rf"{_CITY}(?:,|\s*[-–—]{{1,2}})\s*\(?(?P<date>{_MONTH}\s+\d{{1,2}},\s+\d{{4}}|\d{{1,2}}\s+{_MONTH}\s+\d{{4}})\b"
)
_CAPITALS = r"[^\W\d_a-z][\w.'’]*(?:[ -][^\W\d_a-z][\w.'’]*){0,5}"
_WRITTEN_DAY = rf"{_MONTH}\s+\d{{1,2}},\s+\d{{4}}|\d{{1,2}}\s+{_MONTH},?\s+\d{{4}}"
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
