"""Queries for figures: "revenue Q2 2023 AMCOR" parsed into item, times and documents.

Names of financial items are groups of synonyms in US GAAP's, IFRS's, everyday and Chinese wordings, and paraphrases.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from importlib.resources import files

from tasks.parsers.language import (
    EUROPEAN,
    detect_language,
    detect_question_language,
    get_small_words,
    without_interrogatives,
)
from tasks.query.question_parser import (
    find_names,
    split_question,
    without_names,
)
from tasks.query.subjects import find_subjects
from tasks.temporal.question import QuestionTimes, parse_times
from tasks.token_budget import shorten_quote
from warehouse.errors import BadInput
from warehouse.reader import Warehouse
from warehouse.records import Filters, Subject, Window
from warehouse.records.calendars import FiscalCalendar
from warehouse.search.catalogue import NameKind, build_name_key
from warehouse.store.words import fold_text, parse_words, split_content_words, split_words

MAX_NAME_WORDS = 6  # The most words of a company's name.
MIN_PLAIN_LETTERS = 5  # The fewest letters of a company's name that is recognised without a capital.
_COMPANY_KINDS = (NameKind.COMPANY, NameKind.ALIAS, NameKind.SYMBOL, NameKind.BEGINNING)
_NOUNS = re.compile(
    r"\b(?:comparab(?:les?|ility)|receivables?|earnings|bookings|spending|periodic|reportable)\b", re.IGNORECASE
)
"""Nouns of accounting with the same stem as a verb that names no figure: "comparable sales", "compared"."""
_NEGATION = re.compile(r"\b[Nn]on[-\u2010\u2011 ](?=[A-Z]?[a-z])")
_BRITISH = re.compile(r"(?:(?<=al|an|er|gn|il|im|in|or)|(?<=ort))is(?=(?:es?|ed|ing)\b)|is(?=ations?\b)", re.IGNORECASE)
"""The British spelling of "amortisation" and "unrecognised", whose stems differ from those of the American one."""


_LINKING_WORDS = frozenset(
    split_words("und der die das des dem den vom zum zur aus für im et du de la le les aux del e y di")
)
"""German, French, Spanish and Italian words that join others in an item: "Forschung und Entwicklung"."""


def split_item_words(text: str) -> list[str]:
    """The content words of an item or a label: stems, except for nouns of accounting that share theirs with a verb.

    "Non-operating" is one word, since it means the opposite of operating; British words get the American spelling.
    """
    spelling = _BRITISH.sub("iz", _NEGATION.sub("non", text))
    words: list[str] = []
    end = 0
    for noun in _NOUNS.finditer(spelling):
        words += [*_select_content_words(spelling[end : noun.start()]), noun[0].lower().removesuffix("s")]
        end = noun.end()
    return [*words, *_select_content_words(spelling[end:])]


def _select_content_words(text: str) -> list[str]:
    return [word.text for word in parse_words(text) if word.is_content and word.text not in _LINKING_WORDS]


_ASKING_WORDS = frozenset(
    split_item_words(
        "amount number figure level size reported recorded company's year period tell give show please much many high"
        " big large spend spent book booked post posted generate generated respective respectively according say"
        " compared across both between hand rise rose risen fall fell fallen grow grew grown drop dropped decline"
        " declined"
    )
)
"""Words that ask for a figure without naming it."""
_SHARES = re.compile(
    r"%|\b(?:margin|percent(?:age)?|growth|change|ratio|yield|share of"
    r"|rate(?!s?\s+(?:swap|cap|contract|risk|derivative|lock|sensitiv)))\b|率|增长|占比",
    re.IGNORECASE,
)
_CHANGES = re.compile(
    r"\b(?:growth|gr[eo]wn?|chang(?:ed?|es)|variance|(?:in|de)creased?|difference|r[io]sen?|f[ae]ll(?:en)?|dropp?(?:ed)?"
    r"|declined?)\b|增长|变动|增减",
    re.IGNORECASE,
)


_COUNTS = re.compile(r"\bhow many\b|\bnumber of\b|\bheadcount\b|多少[个個家名人]|人数|人數", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FigureQuery:
    """An item of a table: its `text`, its possible `wordings`, its times, and the `documents` (ids) to search.

    Without documents all are searched. `ratio`, `change` and `count` are the sort of figure that the words ask for.
    `names` are names in the words that belong to no document.
    """

    text: str
    windows: tuple[Window, ...] = ()
    documents: tuple[str, ...] = ()
    ratio: bool = False
    change: bool = False
    count: bool = False
    names: tuple[str, ...] = ()
    wordings: tuple[Wording, ...] = ()


def parse_figure_query(
    warehouse: Warehouse, item: str, period: str, documents: tuple[str, ...], today: date
) -> FigureQuery:
    """The query for an item in words; `period` and `documents`, if given, replace those that the item names.

    Raises `BadInput` for an item without words, and a period that is no time.
    """
    subjects = (
        find_subjects(item, warehouse.catalogue, lambda phrase: {})
        or _find_companies(item, warehouse)
        or _find_titled(item, warehouse)
    )
    document_ids = documents or tuple(dict.fromkeys(document for subject in subjects for document in subject.documents))
    fiscal = warehouse.find_fiscal_calendar(subjects, Filters(documents=documents))
    item_times = _parse_times(item, today, fiscal)
    times = _parse_times(period, today, fiscal) if period.strip() else item_times
    if period.strip() and not times.windows:
        raise BadInput(
            f"'{shorten_quote(period)}' names no time", "write a period like 'Q2 2023', 'FY2022' or '2023-06-30'"
        )
    text_without_times, current = item, []
    if item_times.windows:
        # "current" may name the kind of receivables rather than the time.
        remaining_words = item_times.remaining_text.split()
        current = [word.lower() for word in item.split() if word.lower() == "current" and word not in remaining_words]
        text_without_times = item_times.remaining_text
    text = without_names(text_without_times, [*_extend_names(text_without_times, subjects, warehouse), *subjects])
    every_word = _select_asked_words(text)
    item_words = [word for word in every_word if word not in _ASKING_WORDS] or every_word
    if not split_words(text):
        raise BadInput(f"'{shorten_quote(item)}' names no item", "write one, like 'revenue' or 'total assets'")
    names = find_names(text)
    wordings = [*list_paraphrase_wordings(text, names), *list_wordings(item_words)]
    wordings += list_wordings([*current, *item_words]) if current else []
    return FigureQuery(
        text=text,
        windows=tuple(window for window in times.windows if not (window.excluded or window.recent)),
        documents=document_ids,
        ratio=bool(_SHARES.search(text)),
        change=bool(_CHANGES.search(text)),
        count=bool(_COUNTS.search(text)),
        names=names,
        wordings=tuple(dict(wordings).items()),
    )


def _extend_names(text: str, subjects: Sequence[Subject], warehouse: Warehouse) -> list[Subject]:
    """The subjects under the whole names that titles have for them: "Larkfield Brewing" for the company Larkfield."""
    names = [
        (name, subject) for name in find_names(text) for subject in subjects if name.startswith(f"{subject.text} ")
    ]
    documents = warehouse.catalogue.documents
    return [
        replace(subject, text=name)
        for name, subject in names
        if any(name in documents[document].title for document in subject.documents if document in documents)
    ]


def _select_asked_words(text: str) -> list[str]:
    """The words of an item in a question, without those that ask or join in its language.

    A question in another language than English may be too short for that to be known.
    """
    if detect_language(text) == "en":
        return split_item_words(text) or split_content_words(text)
    small_words = frozenset(map(fold_text, frozenset[str]().union(*map(get_small_words, EUROPEAN))))
    words = split_item_words(without_interrogatives(text, detect_question_language(text))) or split_content_words(text)
    return [word for word in words if word not in small_words] or words


def _parse_times(text: str, today: date, fiscal: FiscalCalendar | None) -> QuestionTimes:
    return parse_times(" ".join(text.split()), today, detect_language(text), fiscal)


def _find_companies(item: str, warehouse: Warehouse) -> tuple[Subject, ...]:
    """The company in words that are no sentence: "EPS PepsiCo", "revenue amcor"; the longest name first."""
    item_tokens = split_question(item)
    for length in range(min(MAX_NAME_WORDS, len(item_tokens)), 0, -1):
        for start in range(len(item_tokens) - length + 1):
            name_tokens = item_tokens[start : start + length]
            entry = warehouse.catalogue.find_entry(build_name_key([word.text for word in name_tokens]))
            if (
                entry
                and entry.kind in _COMPANY_KINDS
                and (name_tokens[0].capital or sum(len(word.text) for word in name_tokens) >= MIN_PLAIN_LETTERS)
            ):
                return (Subject(item[name_tokens[0].start : name_tokens[-1].end], entry.name, entry.documents, 1.0),)
    return ()


def _find_titled(item: str, warehouse: Warehouse) -> tuple[Subject, ...]:
    """The first name with which titles begin: "Crane Tools" of "Crane Tools Ltd, annual summary 2023"."""
    names = find_names(item)
    named_documents = warehouse.catalogue.documents.values() if names else ()
    titles = [(documents.title.casefold(), documents.document_id) for documents in named_documents]
    for name in names:
        name_pattern = re.compile(rf"{re.escape(name.casefold())}(?!\w)")
        if documents := tuple(document_id for title, document_id in titles if name_pattern.match(title)):
            return (Subject(name, name, documents, 1.0),)
    return ()


_SHARE = r"\b(?:per|a|each) share\b"
_EARN = r"\b(?:earn|mak|made|profit)\w*\b"
PARAPHRASES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), item)
    for pattern, item in (
        (rf"{_EARN}.*{_SHARE}.*\bdilut|\bdilut\w+\b.*{_EARN}.*{_SHARE}", "diluted earnings per share"),
        (rf"{_EARN}.*{_SHARE}", "earnings per share"),
        (r"\b(?:how much|what) (?:\w+ ){0,3}earn\b|\bafter[- ]tax (?:income|profit)", "net income"),
        (r"(?<!gross )(?<!operating )(?<!taxable )\bprofits?\b(?! (?:margin|before|for|sharing))", "net income"),
        (r"\btake\W*$|\btak(?:e|es|en|ing) in\b|\btook in\b|\b(?:sell|sold)\b|\bproceeds of sales\b", "revenue"),
        (r"\bcash\b.*\b(?:on hand|in hand|coffers|in the bank)\b", "cash and cash equivalents"),
        (r"\bcash (?:pile|position|balance|reserves?|holdings?)\b|\bhold\b.*\bcash\b", "cash and cash equivalents"),
        (r"\b(?:big|large|size|sum|total)\b.*\bbalance sheet\b|\bsum of assets\b", "total assets"),
        (r"\bowe[sd]?\b.*\b(?:suppliers?|vendors?|creditors?)\b", "accounts payable"),
        (r"\b(?:customers?|clients?|buyers?)\b.*\bowe[sd]?\b", "accounts receivable"),
        (r"\bowed? (?:by|from) (?:\w+ )?(?:customers?|clients?)", "accounts receivable"),
        (r"\bcollect\b.*\bfrom\b.*\b(?:customers?|clients?)", "accounts receivable"),
        (r"\b(?:stock|goods|merchandise)\b.*\b(?:in stock|in store|unsold|warehouses?|shelves)\b", "inventories"),
        (r"\b(?:bought|buy|buying) back\b|\bbuy-?backs?\b|\brepurchas", "repurchase of common stock"),
        (rf"\bdividends?\b.*{_SHARE}|{_SHARE}.*\bdividends?\b", "dividends declared per share"),
        (r"\bdividends?\b", "dividends paid"),
        (r"\btax(?:es)?\b.*\bcash\b|\bcash\b.*\btax(?:es)?\b", "cash paid for income taxes"),
        (r"\btax(?:es)?\b.*\b(?:book|bill|charge|provision|set aside|owe|pay|paid)\b", "income tax expense"),
        (r"\b(?:book|set aside|provide|pay|paid|owe)\w*\b.*\btax(?:es)?\b", "income tax expense"),
        (r"\binterest\b.*\bcash\b|\bcash\b.*\binterest\b", "cash paid for interest"),
        (r"\binterest\b.*\b(?:pay|paid|cost|owe|debt|borrow\w*)\b", "interest expense"),
        (r"\b(?:pay|paid|cost|owe)\w*\b.*\binterest\b", "interest expense"),
        (r"\b(?:invest|spen[dt]|outlay)\w*\b.*\b(?:plants?|equipment|property|buildings)\b", "capital expenditures"),
        (r"\b(?:borrow\w*|debt)\b.*\blong[- ]term\b|\blong[- ]term\b.*\b(?:borrow\w*|debts?)\b", "long-term debt"),
        (r"\b(?:stock|share|equity)[- ]based\b|\bpaid in (?:stock|shares)\b", "stock-based compensation"),
        (r"\boperat\w+ (?:result|profit|earnings)\b", "operating income"),
        (rf"\boperations\b.*{_EARN}", "operating income"),
        (r"\bdepreciation\b|\bD ?(?:&|and) ?A\b", "depreciation and amortization"),
        (r"\bR ?(?:&|and) ?D\b|\bdevelop\w* (?:new )?products?\b", "research and development"),
        (r"\bhow many (?:people|employees|workers|staff)\b", "number of employees"),
    )
)
"""Indirect wordings of items, with the names of the items in statements."""
SYNONYM = 0.95  # The weight of a row that has the item under another of its names.

Wording = tuple[tuple[str, ...], float]


def list_wordings(item: Sequence[str]) -> list[Wording]:
    """The words of an item, and the same with its longest name replaced by each synonym; each with its weight."""
    weights: dict[tuple[str, ...], float] = {tuple(item): 1.0}
    # The longest name in the item, the first of equally long ones.
    spans = [(place, place + length) for length in range(len(item), 0, -1) for place in range(len(item) - length + 1)]
    start, end = next((span for span in spans if _load_synonyms().get(tuple(item[slice(*span)]))), (0, 0))
    for synonym in _load_synonyms().get(tuple(item[start:end]), ()):
        weights.setdefault((*item[:start], *synonym, *item[end:]), SYNONYM)
    return list(weights.items())


def list_paraphrase_wordings(text: str, names: Sequence[str] = ()) -> list[Wording]:
    """The wordings of the first item that a question names only indirectly: "cash on hand", "owes its suppliers".

    Each has the words of the `names` too: what Ireland sold is the revenue of Ireland.
    """
    item = next((item for pattern, item in PARAPHRASES if pattern.search(text)), "")
    name_words = [word for name in names for word in split_item_words(name)]
    wordings = list_wordings(split_item_words(item)) if item else []
    return [((*wording, *name_words), SYNONYM * weight) for wording, weight in wordings]


@cache
def load_item_groups() -> tuple[tuple[str, ...], ...]:
    """The groups of names of one item each: US GAAP's, IFRS's, everyday and Chinese ones."""
    lines = files("tasks.ask.figures").joinpath("item_names.tsv").read_text(encoding="utf-8").splitlines()
    return tuple(tuple(line.split("\t")) for line in lines)


@cache
def load_chinese_words() -> dict[str, tuple[str, ...]]:
    """The content words of the Chinese names of items, stored because the segmenter takes .5 s to load."""
    lines = files("tasks.ask.figures").joinpath("chinese_words.tsv").read_text(encoding="utf-8").splitlines()
    return {name: tuple(words) for name, *words in (line.split("\t") for line in lines)}


@cache
def _load_synonyms() -> dict[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """For the stems of each name, the stems of the other names in its groups."""
    synonyms: defaultdict[tuple[str, ...], dict[tuple[str, ...], None]] = defaultdict(dict)
    for group in load_item_groups():
        stems = [load_chinese_words().get(name) or tuple(split_item_words(name)) for name in group]
        for name_stems in stems:
            synonyms[name_stems].update(
                dict.fromkeys(other_stems for other_stems in stems if other_stems != name_stems)
            )
    return {name_stems: tuple(stems_of_others) for name_stems, stems_of_others in synonyms.items()}
