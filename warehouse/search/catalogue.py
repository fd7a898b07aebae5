"""The catalogue: the names by which documents are known, and the short forms of companies' names."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import cache, cached_property
from itertools import takewhile
from posixpath import basename, splitext
from typing import Any

from warehouse.records import Kind
from warehouse.store.words import fold_text, is_unspaced, split_words

TOKEN = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")  # A word, or one Chinese character.

_AND_WORDS = ("and", "und", "et", "和", "与", "與")
_LEGAL_FORMS_TEXT = (
    "inc incorporated corp corporation co company companies plc ltd limited llc lp llp sa ag nv se spa ab as asa"
    " oyj kgaa gmbh bv pty bhd kk the"
)
_LEGAL_FORMS = frozenset(_LEGAL_FORMS_TEXT.split())
_SHORT_LEGAL_FORMS = {
    "incorporated": "inc",
    "corporation": "corp",
    "company": "co",
    "companies": "co",
    "limited": "ltd",
}
_GENERIC_ENDINGS_TEXT = "group holding holdings international enterprises industries technologies bancorp stores com"
_GENERIC_ENDINGS = frozenset(_GENERIC_ENDINGS_TEXT.split())
_COMMON_FIRST_WORDS_TEXT = (
    "american general first united national international best global north south east west new us great standard"
    " public advanced applied capital energy home bank delta royal federal central pacific atlantic china european"
    " british consolidated universal integrated modern green blue red black white city state old big real foot"
    " estee air sun texas california york san los las saint st the a an of"
)
_COMMON_FIRST_WORDS = frozenset(_COMMON_FIRST_WORDS_TEXT.split())  # First words of many names; alone they name nobody.
_STATE_SUFFIX = re.compile(r"\s*[/\\][A-Z]{2,3}[/\\]?\s*$")
_PERIOD_OR_FORM = re.compile(
    r"(?:fy|cy)?(?:19|20)\d\d(?:[qh]\d|fy)?|[qh]\d(?:fy)?(?:\d{2,4})?|fy\d\d|\d{1,2}[kq]a?|[24]0f|earnings?|annual|interim"
    r"|quarterly|report|results?|release|form|ex\d+|dated|press|transcript|[1-4]q(?:\d{2,4})?",
    re.IGNORECASE,
)
_ANY_PERIOD_OR_FORM = re.compile(rf"(?<![^\s_\-.])(?:{_PERIOD_OR_FORM.pattern})(?![^\s_\-.])")
_HYPHENATED_FORM = re.compile(r"(?<![^\W_])(?P<number>\d{1,2})-(?P<letter>[KQFkqf])(?![^\W_])")
_MAX_INITIALS = 6
_NAME_WITH_FUSED_FORM = re.compile(r"([A-Z][a-z]{2,})(?:Co|Corp|Inc)\b")  # Pepsi of PepsiCo.
_CONSONANTS = re.compile("[B-DF-HJ-NP-TV-XZ]{3,}")
_CHINESE_LEGAL_FORM = re.compile(r"[（(].{1,6}[）)]|(?:集[团團]|控股)?(?:股份)?有限(?:[责責]任)?公司$")


def count_allowed_typos(word: str) -> int:
    """How many letters of a word may be wrong, missing, added or exchanged with the next one in a misspelling.

    None in words of up to four letters: with one wrong letter they are usually another name. Of 1,000 common words of
    five to seven letters every seventh is one letter from another, so only words that no name has count as misspelt.
    """
    if len(word) < 5 or is_unspaced(word) or word.isdecimal():
        return 0
    return 1 if len(word) < 8 else 2


def build_name_key(words: Sequence[str]) -> str:
    """Words joined without spaces, case, accents and "and", to compare names ("J.P. Morgan" and JPMORGAN)."""
    return "".join(word for word in map(fold_text, words) if word not in _AND_WORDS)


def squeeze_name(name: str) -> str:
    """A name's words joined, without spaces and punctuation."""
    if not name.isascii():
        return build_name_key(split_tokens(name))
    return "".join([word for word in TOKEN.findall(name.lower()) if word not in _AND_WORDS])


def split_tokens(text: str) -> list[str]:
    """The words of a name."""
    return TOKEN.findall(text)


def iter_short_names(company: str) -> Iterator[str]:
    """A company's name with and without its legal form: "PepsiCo, Inc.", "PepsiCo"."""
    name = _STATE_SUFFIX.sub("", company)
    yield name
    yield _CHINESE_LEGAL_FORM.sub("", name)
    words = split_tokens(name)
    for endings in (_LEGAL_FORMS, _LEGAL_FORMS | _GENERIC_ENDINGS):
        words = _strip_endings(words, endings)
        yield " ".join(words)


def make_company_key(company: str) -> str:
    """A company's name as a key for comparison: "AMCOR PLC" and "Amcor" have the same; empty without a name."""
    return build_name_key(split_tokens(list(iter_short_names(company))[-1])) or company if company else ""


def make_full_key(company: str) -> str:
    """A company's name with its legal form as a key: "Ford Motor Co" and "The Ford Motor Company" have the same."""
    words = split_tokens(_STATE_SUFFIX.sub("", company).lower())
    return build_name_key(
        [_SHORT_LEGAL_FORMS.get(word, word) for word in (words[1:] if words[:1] == ["the"] else words)]
    )


def iter_beginnings(company: str) -> Iterator[str]:
    """The first words of a name that may be used for it: "MGM Resorts" and "MGM" of MGM Resorts International."""
    words = _strip_endings(split_tokens(_STATE_SUFFIX.sub("", company)), _LEGAL_FORMS)
    for count in range(1, len(words)):
        if count > 1 or (words[0].lower() not in _COMMON_FIRST_WORDS and len(words[0]) > 1 and not words[0].isdigit()):
            yield " ".join(words[:count])


def _iter_without_possessive(company: str) -> Iterator[str]:
    """A short name without its possessive ending, as questions write it: Lowe for Lowe's, McDonald for McDonald's."""
    name_without_possessive = re.sub(r"['’]s\b", "", company, flags=re.IGNORECASE)
    if name_without_possessive != company:
        yield list(iter_short_names(name_without_possessive))[-1]


def iter_initials(company: str) -> Iterator[str]:
    """The initials of a name of three words or more, and "JnJ" and "J&J" for two words joined by "and"."""
    name_without_state = _STATE_SUFFIX.sub("", company)
    words = _strip_endings(split_tokens(name_without_state), _LEGAL_FORMS)
    if 3 <= len(words) <= _MAX_INITIALS and all(word[0].isalpha() for word in words):
        yield "".join(word[0] for word in words).upper()
    match = re.match(r"(\w)\w* (?:&|and) (\w)\w*", name_without_state)
    if match:
        yield f"{match[1]}n{match[2]}"
        yield f"{match[1]} {match[2]}"


def iter_abbreviations(name: str) -> Iterator[str]:
    """Abbreviations of a name as the names of files have it: JnJ for JOHNSON JOHNSON, MGM for MGMRESORTS.

    A beginning of three letters or more without a vowel is an abbreviation and not a word.
    """
    words = split_tokens(name)
    if len(words) == 2 and words[0].lower() == words[1].lower():
        yield f"{words[0][0]}n{words[1][0]}"
    consonants = _CONSONANTS.match(words[0]) if len(words) == 1 and name.isupper() else None
    if consonants:
        yield from (consonants[0][:count] for count in range(3, len(consonants[0]) + 1))


def find_name_in_stem(stem: str) -> str:
    """The name before a period or form in the name of a file: AMERICANWATERWORKS_2020_10K; else nothing."""
    stem = _HYPHENATED_FORM.sub(r"\g<number>\g<letter>", stem)
    if not _ANY_PERIOD_OR_FORM.search(stem.lower()):
        return ""
    parts = re.split(r"[\s_\-.]+", stem)
    names = list(takewhile(lambda part: not _PERIOD_OR_FORM.fullmatch(part), parts))
    return " ".join(names) if len(names) < len(parts) else ""


def _strip_endings(words: list[str], endings: frozenset[str]) -> list[str]:
    """The words without these endings and without "The" at the beginning; at least one word."""
    while len(words) > 1 and words[-1].lower() in {*endings, *_AND_WORDS}:
        words = words[:-1]
    return words[1:] if len(words) > 1 and words[0].lower() == "the" else words


MAX_NAME_WORDS = 16  # The most words of a name.
MIN_MISSPELT_LENGTH = 8  # The fewest letters of a name that is recognized when misspelt.
MIN_LOWERCASE_LENGTH = 4  # The fewest letters of a company's name that is recognized in small letters anywhere.
MAX_SHARED_TITLES = 20  # A title that so many documents share names none of them.

CATALOGUE_SQL = """
    SELECT document_id, kind, title, path, company, attributes.symbols AS symbols, attributes.aliases AS aliases,
        authors, attributes.instructor AS instructor, [lesson.title FOR lesson IN attributes.lessons] AS lessons,
        reported_start, reported_end, chunk_count
    FROM documents ORDER BY source
"""
"""The query for the rows of the catalogue, for `Snapshot.query_records`."""


class NameKind(StrEnum):
    """The kind of a name, which decides how exactly a question must write it."""

    COMPANY = "company"
    ALIAS = "alias"
    SYMBOL = "symbol"
    BEGINNING = "beginning"
    TITLE = "title"


KINDS_BY_CERTAINTY = (NameKind.TITLE, NameKind.SYMBOL, NameKind.BEGINNING, NameKind.ALIAS, NameKind.COMPANY)
"""If a name is of several kinds for one company, the last one counts, which may be written in more ways."""


@dataclass(frozen=True, slots=True)
class NamedDocument:
    """A document and its names; `period` are the days that it reports on, half-open, if it does.

    `people` are its authors or the teacher of the course, `lessons` the titles of its lessons.
    """

    document_id: str
    kind: Kind
    title: str
    company: str
    symbols: tuple[str, ...]
    aliases: tuple[str, ...]
    stem: str
    period: tuple[date, date] | None
    chunk_count: int
    people: tuple[str, ...] = ()
    lessons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CatalogueName:
    """A name and the documents that it means."""

    name: str
    kind: NameKind
    documents: tuple[str, ...]


class Catalogue:
    """The names of documents, looked up by their joined words."""

    def __init__(
        self, documents: Iterable[NamedDocument], is_ordinary: Callable[[str], bool] = lambda word: True
    ) -> None:
        """`documents` have a fixed order, which is that of results.

        `is_ordinary` says whether the collection uses a word in small letters, as a word of the language.
        """
        self.documents = {document.document_id: document for document in documents}
        self.is_ordinary = is_ordinary

    @classmethod
    def from_rows(cls, rows: Iterable[dict[str, Any]], is_ordinary: Callable[[str], bool]) -> Catalogue:
        """From the rows of `CATALOGUE_SQL`."""
        return cls(map(_build_named_document, rows), is_ordinary)

    def find_entry(self, key: str) -> CatalogueName | None:
        """The name with this key (`build_name_key`), if there is one."""
        return self._entries.get(key)

    @cached_property
    def long_names(self) -> tuple[str, ...]:
        """The keys of names that are long enough to be recognized when misspelt."""
        full_name_kinds = (NameKind.COMPANY, NameKind.TITLE)
        return tuple(
            key
            for key, entry in self._entries.items()
            if entry.kind in full_name_kinds and len(key) >= MIN_MISSPELT_LENGTH
        )

    @cached_property
    def owners(self) -> dict[str, str]:
        """The company of each document that has one: its name without legal form, words joined, by the document's id.

        A release of "AMD" and a filing of "Advanced Micro Devices, Inc." that also calls it AMD are of one company.
        """
        # A company has many documents.
        make_shortest_key = cache(lambda name: squeeze_name(list(iter_short_names(name))[-1]))
        company_keys, owners_by_alias = {}, defaultdict(set)
        for document_id, document in self.documents.items():
            name = document.company or find_name_in_stem(document.stem)
            if name:
                company_keys[document_id] = make_shortest_key(name)
            if document.company:
                for alias in document.aliases:
                    owners_by_alias[squeeze_name(alias)].add(company_keys[document_id])
        known_keys = set(company_keys.values())
        single_owners = {
            key: next(iter(keys)) for key, keys in owners_by_alias.items() if len(keys) == 1 and key in known_keys
        }
        return {document_id: _find_final_key(key, single_owners) for document_id, key in company_keys.items()}

    def get_owner(self, document_id: str) -> str:
        """The key of a document's company or, if it has none, the name of its file."""
        return self.owners.get(document_id) or self.documents[document_id].stem

    @cached_property
    def title_words(self) -> dict[str, tuple[frozenset[str], ...]]:
        """The index words of each document's title, aliases and lessons, and of a note's file name."""
        words_by_document = {}
        for document_id, document in self.documents.items():
            stem = (document.stem,) if document.kind is Kind.NOTE else ()
            texts = (document.title, *document.aliases, *document.lessons, *stem)
            words_by_document[document_id] = tuple(frozenset(split_words(text)) for text in texts)
        return words_by_document

    @cached_property
    def _entries(self) -> dict[str, CatalogueName]:
        # By kind and key: the name as it was first written, the ids of its documents, in order, with their owners.
        names_by_kind: dict[NameKind, dict[str, tuple[str, dict[str, str]]]] = {kind: {} for kind in KINDS_BY_CERTAINTY}
        make_key, list_company_names = cache(squeeze_name), cache(lambda company: tuple(_iter_company_names(company)))
        by_owner: defaultdict[str, list[str]] = defaultdict(list)
        for document in self.documents.values():
            owner = self.get_owner(document.document_id)
            by_owner[owner].append(document.document_id)
            for kind, name in _iter_names(document, list_company_names):
                key = make_key(name)
                if len(key) > 1 or (key and not key.isascii()):
                    names_by_kind[kind].setdefault(key, (name, {}))[1][document.document_id] = owner
        entries: dict[str, CatalogueName] = {}
        symbols: dict[str, set[str]] = {}
        for kind in KINDS_BY_CERTAINTY:
            for key, (name, owners) in names_by_kind[kind].items():
                name_owners = set(owners.values())
                # A name has one meaning: it is not the beginning of two names, nor the title of half of all documents.
                if kind in (NameKind.TITLE, NameKind.COMPANY):
                    is_distinctive = kind is NameKind.COMPANY or len(owners) < max(
                        MAX_SHARED_TITLES, len(self.documents) // 2
                    )
                else:
                    # Another company's symbol is surer.
                    is_distinctive = len(name_owners) == 1 and symbols.get(key, name_owners) == name_owners
                if kind is NameKind.COMPANY and key in entries and len(key) < MIN_LOWERCASE_LENGTH:
                    # A name that documents use often is recognized in small letters too.
                    is_distinctive = (
                        entries[key].kind is not NameKind.ALIAS
                        or set(map(self.get_owner, entries[key].documents)) != name_owners
                    )
                if not is_distinctive:
                    continue
                # A name that one document gives its company means all of the company's documents.
                documents = (
                    owners
                    if kind is NameKind.TITLE
                    else [document for owner in name_owners for document in by_owner[owner]]
                )
                entries[key] = CatalogueName(name, kind, tuple(sorted(documents, key=self._positions.__getitem__)))
                if kind is NameKind.SYMBOL:
                    symbols[key] = name_owners
        return entries

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {document_id: position for position, document_id in enumerate(self.documents)}


def _find_final_key(key: str, next_keys: Mapping[str, str]) -> str:
    """The last name of the chain of names that a company is called by."""
    visited = {key}
    while (next_key := next_keys.get(key, key)) not in visited:
        key = next_key
        visited.add(key)
    return key


def _iter_company_names(company: str) -> Iterator[tuple[NameKind, str]]:
    yield from ((NameKind.COMPANY, name) for name in iter_short_names(company))
    yield from ((NameKind.BEGINNING, name) for name in iter_beginnings(company))
    yield from ((NameKind.SYMBOL, name) for name in iter_initials(company))
    yield from ((NameKind.COMPANY, name) for name in _iter_without_possessive(company))


def _iter_names(
    document: NamedDocument, list_company_names: Callable[[str], Iterable[tuple[NameKind, str]]]
) -> Iterator[tuple[NameKind, str]]:
    """The names of a document; `list_company_names` gives those of a company, which may have many documents."""
    stem_name = find_name_in_stem(document.stem)
    for company in filter(None, (document.company, stem_name)):
        yield from list_company_names(company)
    yield from ((NameKind.SYMBOL, name) for name in (*document.symbols, *iter_abbreviations(stem_name)))
    if document.company:
        yield from ((NameKind.ALIAS, name) for name in document.aliases)
        fused_names = (_NAME_WITH_FUSED_FORM.match(name) for name in (document.company, *document.aliases))
        yield from ((NameKind.BEGINNING, match[1]) for match in fused_names if match)
    for title in (document.title, *(() if document.company else (document.stem, *document.aliases))):
        yield NameKind.TITLE, title
        if " (" in title:
            yield NameKind.TITLE, title.partition(" (")[0]
        part_before_colon, _, part_after_colon = title.partition(": ")
        if part_after_colon and len(split_tokens(part_before_colon)) > 1:
            yield NameKind.TITLE, part_before_colon


def _build_named_document(row: dict[str, Any]) -> NamedDocument:
    return NamedDocument(
        document_id=row["document_id"],
        kind=Kind(row["kind"]),
        title=row["title"] or "",
        company=row["company"] or "",
        stem=splitext(basename(row["path"]))[0],
        period=(row["reported_start"], row["reported_end"]) if row["reported_start"] else None,
        chunk_count=int(row["chunk_count"] or 0),
        people=(*(row["authors"] or ()), *([row["instructor"]] if row["instructor"] else ())),
        **{name: tuple(row[name] or ()) for name in ("symbols", "aliases", "lessons")},
    )
