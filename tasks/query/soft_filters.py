"""Soft filters: the section, journal, tag, topic, kind and type of document that a question asks for.

"In the Results of the paper on", "Item 1A", "under Limitations", "tagged travel". A message is below a heading with its
sender (`warehouse.message_notation`), so "What did Anna Weber write" asks for a section, too. A soft filter only raises
the rank of the passages that match; hard filters are set by the reader.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import TypeVar

from tasks.parsers.document_head import ANNUAL_REPORT, INTERIM_REPORT, QUARTERLY_REPORT
from warehouse.records import Filters, Kind

Text = TypeVar("Text", bound=str)
Values = Callable[[str], tuple[str, ...]]  # The values that the documents have for a field of `Filters`.

_TAG = re.compile(
    r"(?<![\w&])#(?P<tag>\w[\w/-]*)|\btagged (?:as |with )?[\"“'#]*(?P<tagged>\w[\w/-]*)"
    r"|标签(?:为|是)?[“「#]*(?P<chinese>[\w/-]+)"
)
_PAPER_WORD = re.compile(
    r"\b(?:papers?|articles?|stud(?:y|ies)|reviews?|published|journal)\b|论文|論文|文章|期刊", re.IGNORECASE
)
_TOPIC = re.compile(r"\btopics?\b|主题|主題|\b(?:papers|notes|documents|reports|courses)\b", re.IGNORECASE)
_PLURAL_KIND = re.compile(
    r"(?:^|\b(?:which|what|all|any|my|our|the|list|find|show|are there) )"
    r"(?P<kind>papers|articles|studies|notes|courses|reports|e-?mails|mails|messages|books)"
    r"(?= (?:in|on|about|from|of|that|which|by|published|tagged|written)\b)",
    re.IGNORECASE,
)
_KIND_BY_PLURAL = {
    **dict.fromkeys(("papers", "articles", "studies"), Kind.PAPER),
    "notes": Kind.NOTE,
    **dict.fromkeys(("emails", "e-mails", "mails", "messages"), Kind.MESSAGE),
    "books": Kind.BOOK,
    "courses": Kind.COURSE,
    "reports": Kind.REPORT,
}


def find_soft_filters(question: str, values: Values, literal_terms: Collection[str] = frozenset()) -> Filters:
    """The preferences for passages, in the form of filters; only values that documents have.

    A value among the `literal_terms`, in lower case, is an ordinary word of the question.
    """

    def without_literal(match: Iterable[Text]) -> tuple[Text, ...]:
        return tuple(value for value in match if value.lower() not in literal_terms)

    asked_kinds = dict.fromkeys(_KIND_BY_PLURAL[match["kind"].lower()] for match in _PLURAL_KIND.finditer(question))
    document_kinds = values("kinds") if asked_kinds else ()
    return Filters(
        kinds=without_literal(kind for kind in asked_kinds if kind in document_kinds and len(document_kinds) > 1),
        journals=without_literal(_iter_journals(question, values)),
        paper_types=without_literal((*_iter_paper_types(question, values), *_iter_report_forms(question, values))),
        tags=without_literal(_iter_tags(question, values)),
        topics=without_literal(_iter_topics(question, values)),
        sections=without_literal((*find_sections(question), *_iter_senders(question, values))),
    )


def _iter_senders(question: str, values: Values) -> Iterator[str]:
    """The names of senders, if there are messages."""
    if (senders := find_senders(question)) and Kind.MESSAGE in values("kinds"):
        yield from senders


def _iter_tags(question: str, values: Values) -> Iterator[str]:
    asked_tags = [next(filter(None, match.groups())).lower().rstrip("/-") for match in _TAG.finditer(question)]
    known_tags = [tag.lower() for tag in values("tags")] if asked_tags else []
    yield from (
        tag
        for tag in dict.fromkeys(asked_tags)
        if any(f"{known_tag}/".startswith(f"{tag}/") for known_tag in known_tags)
    )


def _iter_journals(question: str, values: Values) -> Iterator[str]:
    """A name of one word, such as Cell, must follow "in" or "from" and have its capital."""
    for name in values("journals") if _PAPER_WORD.search(question) else ():
        has_several_words = " " in name
        context = "" if has_several_words else r"\b(?:in|from|journal|by) (?:the )?"
        if re.search(rf"{context}(?<!\w){re.escape(name)}(?!\w)", question, re.IGNORECASE if has_several_words else 0):
            yield name


def _iter_paper_types(question: str, values: Values) -> Iterator[str]:
    """Types of papers that a question has in the plural: "reviews on", "research articles about"."""
    if not re.search(r"\w(?:s|ies) (?:on|about|of|in|from|that|published)\b", question):
        return
    for name in values("paper_types"):
        singular = re.escape(name.lower().removeprefix("article ").removesuffix(" article"))
        plural = singular.removesuffix("y") + "ies" if singular.endswith("y") else f"{singular}s"
        pattern = rf"\b(?:{plural}|{singular} (?:articles|papers)) (?:on|about|of|in|from|that|published)\b"
        if re.search(pattern, question.lower()):
            yield name


_FORM = re.compile(r"\b(10-?K|10-?Q|8-?K|20-?F|40-?F|6-?K)s?(?!\w)", re.IGNORECASE)
_REPORT_FORMS = (
    (rf"annual filing|{ANNUAL_REPORT}|年(?:度报告|度報告|报|報)", ("10-K", "20-F", "40-F", "annual report")),
    (rf"quarterly filing|{QUARTERLY_REPORT}|季(?:度报告|度報告|报|報)", ("10-Q", "quarterly report")),
    (rf"{INTERIM_REPORT}|半年(?:度报告|度報告|报|報)|中期(?:报告|報告)", ("interim report",)),
    (
        r"(?:earnings|results|press|news) (?:press )?release|earnings announcement",
        ("earnings release", "press release"),
    ),
    (r"proxy(?: statement| filing)?", ("proxy statement",)),
    (r"(?:earnings|conference|results) call|transcript", ("transcript",)),
    (r"current report", ("8-K", "6-K")),
)
"""The names that people use for the forms of reports in `tasks.entities.companies`."""
_REPORT = re.compile("|".join((_FORM.pattern, *(pattern for pattern, _ in _REPORT_FORMS))), re.IGNORECASE)


def _iter_report_forms(question: str, values: Values) -> Iterator[str]:
    """The forms of reports that a question asks for, "in its 10-K", of those that documents have."""
    if not _REPORT.search(question):
        return
    requested = [form[1].upper().replace("-", "") for form in _FORM.finditer(question)]
    for pattern, forms in _REPORT_FORMS:
        if re.search(rf"(?<![a-z])(?:{pattern})", question, re.IGNORECASE):
            requested += [form.upper().replace("-", "") for form in forms]
    yield from (name for name in values("paper_types") if name.upper().replace("-", "") in requested)


def _iter_topics(question: str, values: Values) -> Iterator[str]:
    """A topic must be called a topic, or precede a kind of document: "the oceanography papers"."""
    for name in values("topics") if _TOPIC.search(question) else ():
        name_pattern = re.escape(name)
        pattern = (
            rf"\btopics? (?:of |on |is )?[\"“']?{name_pattern}\b"
            rf"|\b{name_pattern} (?:topic|papers|notes|documents|reports|courses)\b"
        )
        if re.search(pattern, question, re.IGNORECASE) or re.search(rf"主[题題][“「是为為]*{name_pattern}", question):
            yield name


_HEADING_WORDS = (
    "abstract|introduction|background|materials and methods|methods|results|discussion|conclusions?|limitations"
    "|risk factors|acknowledge?ments|references|appendix|summary"
)
_DOCUMENT = r"(?:paper|study|article|review|report|filing|10-[KQ]|note|course|memo)"
_HEADING_PREPOSITION = r"\b(?:[Ii]n|[Uu]nder|[Ff]rom) (?:the |its |their )?"
_TITLED = r"[A-Z][\w&/’'-]*(?: (?:and|of|the|for|to|[A-Z0-9][\w&/’'-]*)){0,6}"
_PATTERNS = (
    # A word that may be a heading needs other words that show it.
    re.compile(
        rf"\bthe (?P<heading>{_HEADING_WORDS})(?= section\b| of (?:the|this|that|my|our|\S{{1,30}}['’]s) "
        rf"(?:[\w'’-]{{1,30}} ){{0,5}}?{_DOCUMENT}\b)",
        re.IGNORECASE,
    ),
    re.compile(rf"{_HEADING_PREPOSITION}(?P<heading>{_TITLED}) (?:section|heading|chapter)\b"),
    re.compile(
        rf"{_HEADING_PREPOSITION}"
        rf"(?P<heading>{'|'.join(part.capitalize() for part in _HEADING_WORDS.split('|'))}|Risk Factors)\b"
    ),
    re.compile(rf"\b[Uu]nder (?:the heading )?[\"“']?(?P<heading>{_TITLED})"),
    re.compile(r"\b(?P<heading>Item \d{1,2}[A-C]?)\b"),
    re.compile(r"[「“](?P<heading>[^」”\n]{1,30})[」”](?:一节|一節|部分|章节|章節|这章|這章)"),
    re.compile(
        r"(?P<heading>摘要|引言|方法|结果|結果|讨论|討論|结论|結論|风险因素|風險因素)(?:部分|一节|一節|章节|章節|里|裡)"
    ),
)


def find_sections(question: str) -> tuple[str, ...]:
    """The headings that a question names, each once."""
    spans: list[tuple[int, int]] = []
    headings: dict[str, None] = {}
    for match in (match for pattern in _PATTERNS for match in pattern.finditer(question)):
        start, end = match.span("heading")
        if not any(start < other_end and other_start < end for other_start, other_end in spans):
            spans.append((start, end))
            headings[match["heading"]] = None
    return tuple(headings)


_NAME = r"(?P<name>[A-Z][\w'’.-]*(?: (?:(?:van|von|de|da|der|den|al|bin) )?[A-Z][\w'’.-]*){0,3})"
_MAIL = r"(?:e-?mails?|mails?|messages?|letters?|repl(?:y|ies)|answers?)"
MAIL_WORDS = re.compile(rf"\b{_MAIL}\b", re.IGNORECASE)
_SAY_VERB = (
    r"(?:write|say|send|ask|answer|reply|respond|promise|suggest|propose|offer|report|tell|announce|agree|confirm|mail"
    r"|e-?mail|forward|attach|request|complain|mention|think|decide)"
)
_SAY_PAST = (
    r"(?:wrote|said|sent|asked|answered|replied|responded|promised|suggested|proposed|offered|reported|told|announced"
    r"|agreed|confirmed|mailed|e-?mailed|forwarded|attached|requested|complained|mentioned|decided)"
)
_ENGLISH = (
    re.compile(
        rf"\b(?:[Dd]id|[Dd]oes|[Hh]as|[Hh]ad) {_NAME} (?:ever |already |last )?(?:{_SAY_VERB}|{_SAY_PAST}|written)\b"
    ),
    re.compile(rf"\b{_NAME} (?:last |first |once )?{_SAY_PAST}\b"),
    re.compile(rf"\b{_MAIL}(?: (?:that (?:came|is|was)|sent|written|I got))? (?:from|by|of) {_NAME}"),
    re.compile(rf"\b{_NAME}['’]s? (?:\w+ ){{0,2}}{_MAIL}\b"),
)
_CHINESE = re.compile(
    r"(?P<name>[\u4e00-\u9fff]{2,4}?)(?:在[^，。？]{1,12}?)?(?:写了|写过|写的|發了|发了|发来|发的|说了|說了|回复了|来信|的(?:邮件|郵件|信))"
)
_NOT_NAMES = frozenset(
    ["What", "When", "Where", "Who", "Whom", "Which", "Why", "How", "Did", "Does", "Has", "Had", "The", "A", "An", "I"]
)
_NOT_SENDERS = frozenset(["我们", "你们", "他们", "什么", "哪些", "最新", "最近", "那天", "当天", "关于", "收到"])


def find_senders(question: str) -> tuple[str, ...]:
    """The names of people whose messages a question asks for, each once."""
    return tuple(dict.fromkeys(_iter_names(question)))


def _iter_names(question: str) -> Iterator[str]:
    for form in _ENGLISH:
        for match in form.finditer(question):
            words = match["name"].removesuffix("'s").removesuffix("’s").split()
            while words and words[0] in _NOT_NAMES:
                del words[0]
            if words:
                yield " ".join(words)
    yield from (match["name"] for match in _CHINESE.finditer(question) if match["name"] not in _NOT_SENDERS)
