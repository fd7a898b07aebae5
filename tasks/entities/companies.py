"""The company that a report is of and the report's form, by its cover, its release or its titles (`registrants.py`).

Releases have a dateline, "CITY, State--(BUSINESS WIRE)--Company, Inc. (NYSE: CMP) today said",
a headline, "Company Reports Fourth Quarter Results", and a section "About Company".

The form is one of the SEC, a report, a release, a transcript, as its first pages say. Questions ask for one by the same
words: "in its 10-K", "according to the annual report", "the earnings release".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from tasks.entities.registrants import (
    MAX_NAME_LENGTH,
    MAX_NAME_WORDS,
    find_chinese_company,
    find_cover_symbols,
    find_listed_symbols,
    find_other_names,
    find_registrant,
    find_titled_company,
    is_cover_line,
    is_name,
)
from tasks.parsers.document_head import (
    INTERIM_REPORT,
    QUARTERLY_REPORT,
    REPORT,
    find_cover,
    find_running_titles,
    is_placeholder,
)
from tasks.parsers.xbrl.cover_facts import CoverTags, read_cover_tags
from warehouse.records import BlockKind, Document, Kind
from warehouse.search.catalogue import iter_short_names, split_tokens, squeeze_name

COVER_LENGTH = 12_000  # Characters of a note in which its cover, and the words that name a period, are searched for.
_OPENING_LENGTH = 4_000
"""Characters of the opening of a release: its headline, the bullets below and the first paragraph."""
_MAX_SYMBOLS = 3
_MAX_HEADLINES = 8
"""Paragraphs of which one may be the headline: a letterhead, "For immediate release" and contacts come before it."""
_FORM_REACH = 600  # Characters of a release in which it names its form.
_CLOSING_LENGTH = 60  # Characters after "About Company" in which the text names the company again.

_PERIOD = re.compile(
    r"(?:fiscal year|year|quarterly period|quarter|transition period|month)s?\s+ended:?\s+"
    r"[A-Z][a-z]{2,8}\s+\d{1,2},\s+\d{4}",
    re.IGNORECASE,
)
_REPORT_DATE = re.compile(
    r"date\s+of\s+report[^:\n]{0,60}:\s*(?P<day>[A-Z][a-z]{2,8}\s+\d{1,2},\s+\d{4})|\bfor\s+the\s+month\s+of\s+"
    r"(?P<month>[A-Z][a-z]{2,8},?\s+\d{4})",
    re.IGNORECASE,
)
"""The day or month of a current report."""
_FILED_FORM = re.compile(r"\bform\s+\d{1,2}-[kq](?:/a)?\s+for\s+(?P<name>.{2,80}?)\s+filed\b", re.IGNORECASE)
_HEADLINE = re.compile(
    r"(?P<name>\S.{1,60}?),?\s+(?:to\s+)?(?:reports?|announces?|delivers?|posts?|declares?|releases?|provides?|updates?"
    r"|raises?|lowers?|cuts?|confirms?|reaffirms?|affirms?|narrows?|withdraws?|issues?|publishes|presents?)\s"
    r"(?=.{0,80}\b(?:results?|earnings|quarter|guidance|outlook|forecasts?|dividend|fiscal|full[- ]year)\b)",
    re.IGNORECASE,
)
_FULL_NAME = re.compile(
    r"(?:[^\W_][\w.,&'’!®™-]{0,24}\s+(?:(?:&|and|of|the|de|du|der|für)\s+)*){1,7}"
    r"(?:co(?:rp(?:oration)?|mpany)?|inc(?:orporated)?|l(?:td|imited)|plc|llc|n\.?v|s\.?[ae]|ag|se|asa|oyj?|a/s|s\.?p\.?a|ab"
    r"|gmbh|kgaa|aktiengesellschaft|sociedad an[óo]nima|sociét[ée] anonyme|bhd|k\.?k|b\.v|s\.r\.l|s\.à r\.l|s\.l|sgps"
    r"|(?-i:KG|OHG|SARL|SAS|SRL|BV|SL|ApS|Lda))\b\.?(?:\s\(publ\))?[.,]?",
    re.IGNORECASE,
)
"""A name with its legal form, on a separate line above its company's report."""
_TITLE_GAP = r"(?:['’]s)?[\s,|:·•–—-]+"
_COMPANY_PREPOSITION = r"(?:(?-i:of|der|des|van|von|für|del(?:la)?|de(?: la)?|du|d[aoi]|av|til|för)\s+(?:the\s+)?)?"
_REPORT_YEAR = r"(?:19|20)\d\d(?:\s?[/–-]\s?(?:19|20)?\d\d)?"
_REPORT_TITLE = re.compile(
    rf"(?:(?P<above>\S.{{1,80}}?){_TITLE_GAP})?(?:{_REPORT_YEAR}\s+)?{REPORT}(?:\s+(?:and|&)\s+accounts)?"
    rf"(?:{_TITLE_GAP}(?:for\s+)?{_REPORT_YEAR})?(?:{_TITLE_GAP}{_COMPANY_PREPOSITION}(?P<below>\S.{{1,80}}))?",
    re.IGNORECASE,
)
"""The whole title of a report, with its company's name before or after it."""
_REPORT_WORDS = re.compile(
    r"\b(?:results?|earnings|quarterly|interim|cfo commentary|trading (?:update|statement)|financial statements"
    rf"|letter to (?:share|stock)holders)\b|(?<!\w){REPORT}",
    re.IGNORECASE,
)
_MAX_HEAD_PARAGRAPHS = 4  # Paragraphs of which one may be only the company's name.
_TRADEMARKS = re.compile("[®™℠©]|\\((?:R|TM|SM)\\)")
_LETTERHEAD = re.compile(
    r"(?:exhibit\s+\d[\d.]*|(?:for\s+)?immediate\s+release|(?:news|press|media|earnings)\s+release|contacts?)[:\s-]*",
    re.IGNORECASE,
)
_EXCHANGE = r"(?:NYSE|NASDAQ|Nasdaq|AMEX|LSE|ASX|TSX|HKEX|SEHK|SSE|SZSE|OTC|New York Stock Exchange|Euronext|XETRA|CSE)"
_STOCK_LISTING = re.compile(
    rf"\(\s*(?i:traded on |listed on |ticker )?(?:the )?{_EXCHANGE}[^():\n]{{0,30}}[:：]\s*[“\"]?"
    r"(?P<symbol>[A-Z][A-Z.]{0,5})"
)

_CALL_PERIOD = r"(?:Q[1-4]|[1-4]Q|H[12]|FY|first|second|third|fourth|full|half|fiscal|20\d\d)\b"
_CALL = re.compile(
    rf"(?P<name>(?!{_CALL_PERIOD})\S.{{1,70}}?)(?:['’]s)?[\s,:|–—-]{{1,3}}"
    r"(?:\((?:[A-Za-z]{2,8}:\s?)?(?P<symbol>[A-Z]{1,5}(?:[.-][A-Z]{1,3})?)\)[\s,:–—-]{0,3})?(?:on\s|its\s)?"
    rf"{_CALL_PERIOD}.{{0,50}}?\b(?:earnings|results)\b.{{0,30}}?\b(?:call|conference|webcast|transcript)\b",
    re.IGNORECASE,
)
"""The title of the record of a call on results: "Name, Inc. (SYMB) Q1 2024 Earnings Call Transcript"."""

_WIRE = (
    r"\(?(?i:business\s?wire|pr\s?newswire(?:-\w{2,20})?|globe\s?newswire|prime\s?newswire|marketwired?|market\s?wire|accesswire"
    r"|newsfile(?:\scorp\.?)?|canada newswire|cnw(?: group)?|einpresswire|new\s?media\s?wire|eqs(?:-news)?|prweb)\b"
)
_DATE = (
    r"\(?(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,\s+)?(?:(?i:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[A-Za-z]*\.?"
    r"\s+\d{1,2},?\s+\d{4}|\d{1,2}\s+(?i:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[A-Za-z]*\.?,?\s+\d{4}"
    r"|\d{1,2}/\d{1,2}/\d{2,4})"
)
_CITY = r"[A-Z][\w.’'-]{0,20}(?:[ ,]{1,2}(?:[A-Z][\w.’']{0,20}|of|and|de|la|del|on|upon)){0,7}"
_DATELINE_SEPARATOR = r"[\s,/()–—-]{0,6}"
_DATELINE = re.compile(
    rf"(?:{_CITY}{_DATELINE_SEPARATOR}){{0,2}}(?:{_WIRE}|{_DATE})(?:{_DATELINE_SEPARATOR}(?:{_WIRE}|{_DATE}|{_CITY}(?=\s?[–—/]|\s-|--)))*"
    r"[\s,)/]{0,4}(?:[-–—]{1,3}|/|(?<=\)))\s*(?:(?i:regulatory news)\s*:\s*)?"
)
"""Where and when a release was given, and through which wire, up to the dash or slash before its first word."""
_SUBJECT = re.compile(
    r"(?P<name>\S.{1,79}?),?\s*(?:\((?![A-Z]\w+\))|,?\s(?:today|announce[sd]|report(?:s|ed)|declare[sd]|release[sd]|is|has|will)\b"
    r"|,\s(?:an?|the|one of)\s)"
)
"""The subject of the first sentence: the words before a bracket, a verb of announcing or "a leading …"."""
_NON_SUBJECT = re.compile(
    r"(?:in|on|at(?!&)|for|with|as|to|from|after|today|this|these|that|we|our|it|there|following|during|an?|all"
    r"|the (?:following|company|board))\b",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"about\s+(?P<name>(?!this\b|these\b|the company\b|us\b|our\b|non-gaap\b|forward)\S.{1,70})$", re.IGNORECASE
)
_RELEASE = re.compile(
    r"(?:for\s+immediate|news|press|media|earnings)\s+release|\btoday\s+(?:announced|reported)\b", re.IGNORECASE
)
_ALIAS = re.compile(r"\s*\([^()]{0,60}\)\s*$")
_DASHES = re.compile(r"\s[-–—]{1,2}\s|--|[–—]|[:;/]\s|(?<=[a-z]{3})\.\s")
_CAPITALISED = re.compile(r"[A-Z0-9&]|(?:of|and|the|de|da|van|von|plc|inc\.?|ltd\.?|[ien][A-Z]\w+)$")
_EMPTY_PARAGRAPH = re.compile(r"^[\W_]*$")


def with_company(document: Document) -> Document:
    """A report with its company, the company's symbols and other names, and its form, all read from its pages.

    Tags on the cover, if there are any, decide. Symbols that no page names are taken from the SEC's list. The title in
    the file's properties is further evidence: it is read after a cover, and the company's name is put before it if it
    has none.
    """
    if document.kind not in (Kind.REPORT, Kind.TEXT, Kind.NOTE):
        return document
    text, (start, end) = document.text, find_cover(document.text)
    cover, tags = text[start:end], read_cover_tags(document.facts) if document.facts else CoverTags()
    raw_name = tags.company or (
        _find_note_company(text[:COVER_LENGTH]) or _find_entitled_company(document)
        if document.kind is Kind.NOTE
        else _find_report_company(document)
    )
    company = " ".join(_TRADEMARKS.sub("", raw_name).split())
    if not company:
        return document
    opening = _STOCK_LISTING.search(text[:_OPENING_LENGTH])
    call = _CALL.match(text[:_FORM_REACH])
    listed_symbols = (match["symbol"].rstrip(".") for match in (opening, call) if match and match["symbol"])
    symbols = [*tags.symbols, *listed_symbols]
    symbols += find_cover_symbols(cover or text[:_OPENING_LENGTH]) if not tags.symbols else []
    symbols = symbols or [*find_listed_symbols(text, company)]
    form = normalize_form(tags.form) if tags.form else find_report_form(text, cover)
    attributes = replace(
        document.attributes,
        company=company,
        symbols=tuple(dict.fromkeys(symbols))[:_MAX_SYMBOLS],
        aliases=document.attributes.aliases or find_other_names(text, company, symbols, start),
        paper_type=document.attributes.paper_type or form,
    )
    with_attributes = replace(document, attributes=attributes)
    return replace(with_attributes, title=_make_title(with_attributes, cover or text[:COVER_LENGTH]))


def _find_report_company(document: Document) -> str:
    text, filing = document.text, _FILED_FORM.search(document.title)
    return (
        find_registrant(text)
        or (filing["name"].strip() if filing else "")
        or (find_titled_company(text) if any(find_cover(text)) else "")
        or _find_release_company(document)
        or find_chinese_company(text)
        or find_titled_company(text)
        or _find_entitled_company(document)
    )


def _find_entitled_company(document: Document) -> str:
    """The company whose name with its legal form is in the title of its report, or on the line next to it."""
    top_lines = (line.strip("#*_| ") for line in document.text[:_FORM_REACH].splitlines())
    lines = [document.title, *islice(filter(None, top_lines), _MAX_HEAD_PARAGRAPHS)]
    for line, next_line in zip(lines, [*lines[1:], ""], strict=True):
        title = _REPORT_TITLE.fullmatch(line) if len(line) <= 2 * MAX_NAME_LENGTH else None
        names = [title["above"] or title["below"] or next_line] if title else []
        names += [line] if not title and _REPORT_TITLE.fullmatch(next_line) else []
        for name in names:
            if len(name.split()) <= MAX_NAME_WORDS and _FULL_NAME.fullmatch(name.strip(" ,")):
                return name.strip(" ,")
    return ""


def _find_note_company(head: str) -> str:
    """The company of a filing, or of a listed company's release, stored as a note; a note about one has none."""
    for paragraph in head[:_OPENING_LENGTH].split("\n\n"):
        text = " ".join(paragraph.split())
        if _DATELINE.match(text) and _STOCK_LISTING.search(text):
            return _find_announcing_company(text)
    return find_registrant(head)


def _make_title(document: Document, cover: str) -> str:
    """The title of a report: that of the document with its company before it, else its company, form and period.

    A title that is only the company's name is replaced, since it would be that of all its reports.

    A document without a form keeps its title.
    """
    company, form = document.attributes.company, document.attributes.paper_type
    is_of_exhibit = document.title and is_placeholder(document.title)
    title = (_find_headline(cover) if is_of_exhibit else "") or document.title
    if not form or document.kind is Kind.NOTE:
        return title
    if not title or squeeze_name(title) == squeeze_name(company):
        form_name = f"Form {form}" if form[:1].isdigit() else form
        period, day = _PERIOD.search(cover), _REPORT_DATE.search(cover)
        period_text = (
            period[0] if period else (day["day"] or day["month"]) if day else document.attributes.reported_name
        )
        return ", ".join(filter(None, (f"{company} {form_name}", " ".join(period_text.split()))))
    has_company = squeeze_name(list(iter_short_names(company))[-1]) in squeeze_name(title)
    return (
        title
        if has_company or set(split_tokens(title)).intersection(document.attributes.symbols)
        else f"{company}: {title}"
    )


def _find_headline(cover: str) -> str:
    """The headline of a release, which names its company and its results."""
    paragraphs = [" ".join(part.split()) for part in cover.split("\n\n") if not _EMPTY_PARAGRAPH.match(part)]
    return next((paragraph for paragraph in paragraphs[:_MAX_HEADLINES] if _find_headline_company(paragraph)), "")


def _find_release_company(document: Document) -> str:
    opening = document.text[:_OPENING_LENGTH]
    paragraphs = [" ".join(part.split()) for part in opening.split("\n\n") if not _EMPTY_PARAGRAPH.match(part)]
    names = [
        *(name for paragraph in paragraphs if (name := _find_announcing_company(paragraph))),
        *(name for paragraph in paragraphs[:_MAX_HEADLINES] if (name := _find_headline_company(paragraph))),
        *(name for match in _STOCK_LISTING.finditer(opening) if (name := _find_name_before(opening, match.start()))),
        *(_iter_heading_lines(paragraphs) if _is_report(opening[:_FORM_REACH]) else ()),
    ]
    return names[0] if names else _find_described_company(document, opening)


def _is_report(beginning: str) -> bool:
    return bool(_REPORT_WORDS.search(beginning) or _FORM_LINE.search(beginning))


def _iter_heading_lines(paragraphs: Sequence[str]) -> Iterator[str]:
    """The first paragraphs that are only a company's name with its legal form; words of a cover are skipped."""
    lines = (paragraph.strip("#*_| ") for paragraph in paragraphs)
    for line in islice((line for line in lines if not is_cover_line(line)), _MAX_HEAD_PARAGRAPHS):
        is_short = len(line) <= MAX_NAME_LENGTH and len(line.split()) <= MAX_NAME_WORDS
        if is_short and _FULL_NAME.fullmatch(line) and not _REPORT_TITLE.fullmatch(line):
            yield line


def _find_announcing_company(paragraph: str) -> str:
    """The company that a paragraph with a dateline names first."""
    dateline = _DATELINE.match(paragraph)
    return _find_subject(paragraph[dateline.end() :]) if dateline else ""


def _find_subject(sentence: str) -> str:
    subject = _SUBJECT.match(sentence)
    name = subject["name"].strip(" ,*") if subject else ""
    is_short = name and len(name.split()) <= MAX_NAME_WORDS and not _NON_SUBJECT.match(name)
    has_symbol = subject is not None and _STOCK_LISTING.match(sentence[subject.end("name") :].lstrip(" ,")) is not None
    return name if is_short and (has_symbol or _is_capitalised(name)) else ""


def _find_headline_company(paragraph: str) -> str:
    """The company of "Company Reports Fourth Quarter Results", or of a call, also after the words of a letterhead."""
    text = paragraph
    while (letterhead := _LETTERHEAD.match(text)) and letterhead.end() < len(text):
        text = text[letterhead.end() :]
    headline = _HEADLINE.match(text) if len(paragraph) < 400 and not _DATELINE.match(text) else None
    headline = headline or _CALL.match(text)
    name = headline["name"].strip() if headline else ""
    return name if is_name(name) and not _NON_SUBJECT.match(name) else ""


def _find_name_before(text: str, end: int) -> str:
    """The capitalised words that end at `end`, without what brackets say of them."""
    paragraph = " ".join(text[max(0, end - 2 * MAX_NAME_LENGTH) : end].rpartition("\n\n")[2].split())
    paragraph = _ALIAS.sub("", paragraph)
    dateline = _DATELINE.match(paragraph)
    piece = paragraph[dateline.end() :] if dateline else _DASHES.split(paragraph)[-1]
    words: list[str] = []
    for word in reversed(piece.strip(" *").split()):
        if not _CAPITALISED.match(word) or len(words) == MAX_NAME_WORDS:
            break
        words.insert(0, word)
    while words and words[0].islower():
        words.pop(0)
    return " ".join(words)


def _find_described_company(document: Document, opening: str) -> str:
    """The company that a release describes under "About Company", whose first words name it again."""
    if not _RELEASE.search(opening):
        return ""
    for block in document.blocks:
        text = document.text[block.start : block.end]
        about = _ABOUT.match(text) if block.kind is BlockKind.HEADING else None
        text_below = document.text[block.end : block.end + MAX_NAME_LENGTH + _CLOSING_LENGTH]
        if about and _is_capitalised(about["name"]) and about["name"].split()[0].casefold() in text_below.casefold():
            return about["name"].strip()
    return ""


def _is_capitalised(text: str) -> bool:
    words = text.split()
    return len(words) <= MAX_NAME_WORDS and all(_CAPITALISED.match(word) for word in words)


_FORM_TOP = 2_500  # Characters of a document in which it names its form; on a cover the form comes before the name.
_CHINESE_TOP = 400
_SEC_FORM = re.compile(
    r"\bform\s+(?P<form>10-?K(?:T|SB|405)?|10-?QT?|8-?K|20-?F|40-?F|6-?K|11-?K|S-[1348])(?:/A)?(?![\w-])"
    r"|\b(?P<proxy>schedule\s+14A|(?:notice\s+of\s+(?:\d{4}\s+)?annual\s+meeting|proxy\s+statement)\b)",
    re.IGNORECASE,
)
_FORM_LINE = re.compile(rf"^\W*(?:{_SEC_FORM.pattern})\W*$", re.IGNORECASE | re.MULTILINE)
"""A release or an agreement only mentions forms; a cover has its form on a line."""
_TRANSCRIPT = re.compile(r"\b(?:earnings|results|conference)\s+(?:conference\s+)?call\b", re.IGNORECASE)
_TRANSCRIPT_LINE = re.compile(
    r"^(?:operator|(?:company|corporate|conference call)\s+participants|presentation)\b", re.IGNORECASE | re.MULTILINE
)
_RELEASE_LINE = re.compile(
    r"(?:for\s+immediate|news|press|media|earnings)\s+release|\b(?:today|has)\s+(?:announced|reported)\b|\bexhibit\s+99\b"
    r"|\b(?:reports?|announces?|delivers?|posts?)\s[^\n]{0,80}(?:results|earnings|quarter)\b",
    re.IGNORECASE,
)
_RESULTS = re.compile(r"\b(?:results|earnings|quarter|full[- ]year|eps)\b", re.IGNORECASE)
_TITLE = re.compile(rf"(?<!\w){REPORT}", re.IGNORECASE)
_MAX_TITLE_LENGTH = (
    110  # Characters of a line at most that is the title of a report; a longer one only mentions a report.
)
_LEGAL_END = re.compile(r"(?:\b[A-Za-z]\.\s?){2,3}\Z|\b(?:Inc|Ltd|Corp|Co)\.\Z")  # "S.p.A.": no end of a sentence.
_CHINESE = re.compile(
    r"(?:半年度?|中期)(?P<interim>报告|報告)|(?:第[一二三四]季度?|季度)(?P<quarter>报告|報告)|年(?:度报告|度報告|报|報)"
)

_SEC_FORMS = ("10-K", "10-Q", "8-K", "20-F", "40-F", "6-K", "11-K")
ANNUAL, QUARTERLY, INTERIM = "annual report", "quarterly report", "interim report"
EARNINGS, RELEASE, PROXY, TRANSCRIPT = "earnings release", "press release", "proxy statement", "transcript"
REPORT_FORMS = (*_SEC_FORMS, ANNUAL, QUARTERLY, INTERIM, EARNINGS, RELEASE, PROXY, TRANSCRIPT)
"""All that `find_report_form` may return, except the S forms."""


def find_report_form(text: str, cover: str) -> str:
    """The form that a document gives for itself: "10-K", "annual report", "earnings release" …; empty without one.

    `cover` is the cover of its form, which may come after the pages of a glossy report; empty without one. For an
    amendment or a transition period the plain form is returned.
    """
    top = text[:_FORM_TOP]
    form = _SEC_FORM.search(cover) if cover else _FORM_LINE.search(top)
    if form:
        return PROXY if form["proxy"] else normalize_form(form["form"])
    if _TRANSCRIPT.search(top) and _TRANSCRIPT_LINE.search(text[: 2 * _FORM_TOP]):
        return TRANSCRIPT
    lines = [line.strip() for line in top.splitlines() if line.strip() and not line.startswith("|")]
    titles = [
        line for line in lines if len(line) <= _MAX_TITLE_LENGTH and (line[-1] not in ".;," or _LEGAL_END.search(line))
    ]
    chinese = next(filter(None, map(_CHINESE.search, text[:_CHINESE_TOP].splitlines())), None)
    if chinese:
        return INTERIM if chinese["interim"] else QUARTERLY if chinese["quarter"] else ANNUAL
    if _RELEASE_LINE.search(top):
        return EARNINGS if _RESULTS.search(top[: _FORM_TOP // 2]) else RELEASE
    titles_with_form = (title for line in (*titles, *find_running_titles(text)) if (title := _TITLE.search(line)))
    return next(map(_classify_title, (title[0] for title in titles_with_form)), "")


def normalize_form(form: str) -> str:
    """A form of the SEC without the marks of an amendment or a transition period: "10-KT/A" is "10-K"."""
    form_code = form.upper().replace("-", "")
    return next((form for form in _SEC_FORMS if form_code.startswith(form.replace("-", ""))), form.upper())


def _classify_title(title: str) -> str:
    words = title.lower()
    if words.startswith("form"):
        return normalize_form(words.split()[-1])
    if re.search(INTERIM_REPORT, words):
        return INTERIM
    return QUARTERLY if re.search(QUARTERLY_REPORT, words) else ANNUAL
