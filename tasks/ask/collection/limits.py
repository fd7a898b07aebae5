"""Limits of a question about the collection: the documents it refers to, as SQL conditions on the table `documents`.

A condition counts only if its words are known: a company, person, journal, tag, language or time, or a subject among
the words of topics, keywords, tags and titles. If none is known the question is not about the collection, or the answer
says so and names what the collection has instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from tasks.ask.collection.records import CollectionQuestion, Condition
from tasks.parsers.language import detect_language
from tasks.query.subjects import Nearness
from tasks.temporal.question import parse_times
from warehouse.reader import Warehouse
from warehouse.records import Filters, Kind, Window
from warehouse.search.catalogue import NameKind, build_name_key, split_tokens
from warehouse.search.filters import build_condition
from warehouse.search.name_resolver import KINDS_BY_WORD, find_similar_words
from warehouse.store.words import fold_text, is_function_word, is_unspaced

IS_READABLE = "status <> 'unreadable'"
LANGUAGES = {"english": "en", "chinese": "zh", "mandarin": "zh", "英文": "en", "英语": "en", "中文": "zh", "汉语": "zh"}
LANGUAGES |= {"german": "de", "french": "fr", "spanish": "es", "italian": "it", "portuguese": "pt", "dutch": "nl"}
MAX_EXACT_WORD = 3  # A word of at most so many letters must match exactly; as a prefix it matches too many others.

_FIELDS = {
    "topic": "attributes.topic",
    "company": "company",
    "tag": "array_to_string(attributes.tags, ' ')",
    "keyword": "array_to_string(attributes.keywords, ' ')",
    "subject": "array_to_string(attributes.subjects, ' ')",
    "title": "concat_ws(' ', title, array_to_string(attributes.aliases, ' '), "
    "array_to_string([lesson.title FOR lesson IN attributes.lessons], ' '))",
}
"""The fields that name what a document is about, the most reliable first."""
_ALL_FIELDS_TEXT = f"concat_ws(' ', {', '.join(_FIELDS.values())})"
_VALUE_COLUMNS = {"journals": ("attributes.journal", "in"), "paper_types": ("attributes.paper_type", "of the type")}
_FOLDED_TEXT = r"(' ' || regexp_replace(lower(strip_accents(coalesce({}, ''))), '[^\p{{L}}\p{{N}}]+', ' ', 'g') || ' ')"
_HAS_ALL_WORDS_SQL = "len(list_filter(${name}, lambda word: NOT contains({text}, word))) = 0"


@dataclass(frozen=True, slots=True)
class Limit:
    """A condition on documents: its SQL with parameters, and its words in an answer.

    `about` is the text of a subject that was searched for; `unknown` is the message for a name that is not in the
    collection, with names that are. `dated`: documents without a date cannot satisfy it.
    """

    sql: str
    parameters: dict[str, Any] = field(default_factory=dict)
    phrase: str = ""
    about: str = ""
    unknown: str = ""
    dated: bool = False


class Collection:
    """The documents of a warehouse within the filters of a question."""

    def __init__(self, warehouse: Warehouse, filters: Filters, today: date, near: Nearness) -> None:
        """One generation is read; relative times are relative to `today`; `near` computes cosines with titles."""
        self.warehouse, self.near, self.today = warehouse, near, today
        condition, parameters = build_condition(filters)
        self._readable = Limit(f"{IS_READABLE} AND {condition}", parameters)
        self._base_limits: list[Limit] = []
        self._parameter_count = 0
        # Copies of a paper that is within the filters too are left out, so that it counts once.
        copies = warehouse.snapshot.copies
        ids = {row["document_id"] for row in self.query_rows("document_id", ())} if copies else set()
        self._copied_ids = [copy for copy, first in copies.items() if first in ids]
        if self._copied_ids:
            self._base_limits.append(Limit("document_id NOT IN (SELECT unnest($copies))", {"copies": self._copied_ids}))

    def query_rows(self, columns: str, limits: Iterable[Limit], ending: str = "") -> list[dict[str, Any]]:
        """Columns of the documents that satisfy the limits, copies left out."""
        return self.query_all_rows(columns, [*self._base_limits, *limits], ending)

    def query_all_rows(self, columns: str, limits: Iterable[Limit], ending: str = "") -> list[dict[str, Any]]:
        """Columns of the documents that satisfy the limits, with copies."""
        all_limits = [self._readable, *limits]
        condition = " AND ".join(f"({limit.sql})" for limit in all_limits)
        parameters = {name: value for limit in all_limits for name, value in limit.parameters.items()}
        sql = f"SELECT {columns} FROM documents WHERE {condition} {ending}"  # noqa: S608
        return list(self.warehouse.snapshot.query_records(sql, parameters))

    def count_copies(self, limits: Iterable[Limit]) -> int:
        """The number of copies that satisfy the limits, which `query_rows` and `count` leave out."""
        if not self._copied_ids:
            return 0
        copies = Limit("document_id IN (SELECT unnest($copied))", {"copied": self._copied_ids})
        return int(self.query_all_rows("count(*) AS count", [copies, *limits])[0]["count"])

    def count(self, limits: Iterable[Limit]) -> int:
        """The number of documents that satisfy the limits."""
        return int(self.query_rows("count(*) AS count", limits)[0]["count"])

    def find_limits(self, question: CollectionQuestion) -> tuple[Limit, ...] | None:
        """The limits of a question; None if the collection does not know its words."""
        noun = question.noun
        limits = [self.make_kind_limit(noun.kind)] if noun.kind else []
        if noun.kind and noun.is_ambiguous and not self.count(limits):
            return None
        if noun.paper_type:
            paper_types = [
                value.lower()
                for value in self.warehouse.list_values("paper_types")
                if noun.paper_type in fold_text(value)
            ]
            if not paper_types:
                return None
            limits.append(self._make_value_limit("lower(attributes.paper_type)", paper_types))
        modifier_limits = self._find_modifier_limits(question.modifier, question) if question.modifier else []
        conditions = self._find_condition_limits(question) if modifier_limits is not None else None
        return None if modifier_limits is None or conditions is None else (*limits, *modifier_limits, *conditions)

    def make_kind_limit(self, kind: Kind) -> Limit:
        """Documents of a kind."""
        return self._make_value_limit("kind", [kind.value])

    def make_document_limit(self, ids: Sequence[str], phrase: str = "") -> Limit:
        """Some documents."""
        return self._make_value_limit("document_id", ids, phrase)

    def _find_condition_limits(self, question: CollectionQuestion) -> list[Limit] | None:
        pairs: list[tuple[Condition, Limit]] = []
        remaining = list(question.conditions)
        while remaining:
            condition, limit, count = self._find_longest_name(remaining, question)
            remaining = remaining[count:]
            if limit:
                pairs.append((condition, limit))
            elif pairs and pairs[-1][1].about:
                # "vitamin D in children": words that are not a known name belong to the subject before them.
                previous = pairs.pop()[0]
                joined_condition = Condition(previous.marker, f"{previous.text} {condition.marker} {condition.text}")
                pairs.append((joined_condition, self.make_subject_limit(joined_condition.text)))
            else:
                return None
        return [limit for _, limit in pairs]

    def _find_longest_name(
        self, conditions: Sequence[Condition], question: CollectionQuestion
    ) -> tuple[Condition, Limit | None, int]:
        """The first condition, with those after it that belong to its name ("in Annals of Light"), and their number."""
        for count in range(len(conditions), 1, -1) if conditions[0].marker in _TIME_MARKERS | _NAME_MARKERS else ():
            text = " ".join(
                [conditions[0].text, *(f"{condition.marker} {condition.text}" for condition in conditions[1:count])]
            )
            if name := self._find_company(text) or self._find_value("journals", text):
                return Condition(conditions[0].marker, text), name, count
        return conditions[0], self._find_limit(conditions[0], question), 1

    def _find_limit(self, condition: Condition, question: CollectionQuestion) -> Limit | None:
        text, marker = condition.text, condition.marker
        if marker == "about":
            return self._find_time("", text, question.noun.kind) or self.make_subject_limit(text)
        if marker == "tagged":
            tags = self.warehouse.list_values("tags")
            tags_text = f"; there are {', '.join(f'#{tag}' for tag in tags[:8])}" if tags else ""
            unknown = f"no tag here is called “{text}”{tags_text}"
            return self._find_tag(text) or Limit("false", phrase=f"tagged {text}", unknown=unknown)
        if marker == "by":
            return self._find_people(text) or self._find_company(text) or self._make_unknown_person_limit(text)
        time = self._find_time("" if marker == "dated" else marker, text, question.noun.kind)
        if time or marker not in _NAME_MARKERS:
            return time
        language = self._find_language(text) if marker == "in" else None
        name_limit = language or self._find_company(text) or self._find_value("journals", text)
        if name_limit or marker == "at":
            return name_limit
        return (self._find_people(text) if marker in ("from", "of") else None) or self._make_missing_name_limit(
            text, marker, question
        )

    def _find_modifier_limits(self, text: str, question: CollectionQuestion) -> list[Limit] | None:
        """The limits of the words before the noun: a time, a name, or a subject of documents."""
        owner = re.sub(r"['’]s?$", "", text)
        kind_limits = [self.make_kind_limit(question.noun.kind)] if question.noun.kind else []
        choices = (
            self._find_time("", text, question.noun.kind),
            self._find_language(text),
            self._find_company(owner),
            self._find_people(owner) if owner != text else None,
            self._find_value("journals", text),
            self._find_value("paper_types", text),
            self._find_tag(text),
            self.make_subject_limit(text),
        )
        # A name counts if documents of the kind have it; for a time or a company the answer may be that none has it.
        fitting = (choice for choice in choices if choice and self.count([*kind_limits, choice]))
        choice = next(fitting, choices[0] or choices[2])
        if choice:
            return [choice]
        first, _, other_words = text.partition(" ")
        part_limits = (
            [self._find_modifier_limits(wording, question) for wording in (first, other_words)]
            if other_words
            else [None]
        )
        return [limit for part_limit in part_limits for limit in part_limit or ()] if all(part_limits) else None

    def make_subject_limit(self, text: str) -> Limit:
        """Documents whose topic, company, tags, keywords, subjects or titles have all content words of a text."""
        name = self._make_parameter("about")
        sql = _HAS_ALL_WORDS_SQL.format(name=name, text=_FOLDED_TEXT.format(_ALL_FIELDS_TEXT))
        parameters: dict[str, Any] = {
            name: [_build_search_term(fold_text(word)) for word in _select_content_words(text)]
        }
        company = self._find_company(text)
        if company:
            sql, parameters = f"({sql}) OR ({company.sql})", {**parameters, **company.parameters}
        return Limit(sql, parameters, f"on {text}", about=text)

    def count_by_field(self, limit: Limit, limits: Sequence[Limit]) -> dict[str, int]:
        """The number of documents about a subject by the field with it; for each the most reliable field counts."""
        (name, *_) = (parameter for parameter in limit.parameters if parameter.startswith("about"))
        cases = " ".join(
            f"WHEN {_HAS_ALL_WORDS_SQL.format(name=name, text=_FOLDED_TEXT.format(column))} THEN '{label}'"
            for label, column in _FIELDS.items()
        )
        rows = self.query_rows(
            f"CASE {cases} ELSE 'several fields' END AS field, count(*) AS count", limits, "GROUP BY 1"
        )
        return {row["field"]: row["count"] for row in sorted(rows, key=lambda row: (-row["count"], row["field"]))}

    def make_mention_limit(self, subject: str) -> Limit:
        """Documents with a passage that has every word of a subject."""
        passages = self.warehouse.snapshot.passages
        has_words = self.warehouse.snapshot.keywords.match_all_words(" ".join(_select_content_words(subject)))
        ids = [passages.documents[place] for place in sorted(set(passages.document[has_words].tolist()))]
        return self.make_document_limit(ids)

    def correct_spelling(self, text: str) -> str:
        """A subject with each word that is in no document replaced by the most similar one."""
        rows = self.query_rows(f"{_ALL_FIELDS_TEXT} AS text", ())
        known_words = sorted({word for row in rows for word in split_tokens(fold_text(row["text"] or ""))})
        return " ".join(
            word if folded in known_words else next(iter(find_similar_words(folded, known_words)), word)
            for word, folded in ((word, fold_text(word)) for word in text.split())
        )

    def _find_time(self, marker: str, text: str, kind: Kind | None) -> Limit | None:
        words = f"{marker} {text}".strip()
        windows = parse_times(words, self.today, detect_language(words)).windows
        if len(windows) != 1 or not windows[0].required or windows[0].excluded:
            return None
        window, name = windows[0], self._make_parameter("time")
        other_words = split_tokens(fold_text(words.replace(window.text, " ")))
        if any(not is_function_word(word) and word not in _TIME_WORDS for word in other_words):
            return None
        phrase = words if marker else f"from {text}"
        sql, parameters = _build_date_condition("document_date", window, name)
        if kind in (Kind.REPORT, None):
            middle = "reported_start + ((reported_end - reported_start) // 2)::INTEGER"
            period_sql, _ = _build_date_condition(middle, window, name)
            sql = f"({sql}) OR coalesce({period_sql}, false) OR reported_name = ${name}_name"
            parameters[f"{name}_name"] = window.name or window.text
            phrase = f"{phrase} (by date or period)" if kind else phrase
        return Limit(f"coalesce({sql}, false)", parameters, phrase, dated=True)

    def _find_people(self, text: str) -> Limit | None:
        names = self._list_person_names()
        words = [word for word in split_tokens(fold_text(text)) if word not in ("prof", "dr", "professor")]
        exact_names = [name for name in names if _is_person(words, name, allow_typo=False)]
        matching_names = exact_names or [name for name in names if _is_person(words, name, allow_typo=True)]
        if not words or not matching_names:
            return None
        label = (
            matching_names[0]
            if len(matching_names) == 1
            else f"{text} ({', '.join(matching_names[:4])}{', …' if len(matching_names) > 4 else ''})"
        )
        name = self._make_parameter("people")
        sql = f"list_has_any(authors, ${name}) OR attributes.instructor IN (SELECT unnest(${name}))"
        return Limit(sql, {name: matching_names}, f"by {label}")

    def _list_person_names(self) -> list[str]:
        rows = self.query_rows("DISTINCT unnest(list_concat(authors, [attributes.instructor])) AS name", ())
        return sorted(row["name"] for row in rows if row["name"])

    def _make_unknown_person_limit(self, text: str) -> Limit | None:
        if not _is_name(text):
            return None
        from rapidfuzz import fuzz, process

        similar_names = process.extract(
            text, self._list_person_names(), scorer=fuzz.WRatio, processor=fold_text, score_cutoff=70, limit=5
        )
        nearest_text = (
            f"; the nearest names are {', '.join(name for name, _, _ in similar_names)}" if similar_names else ""
        )
        return Limit("false", phrase=f"by {text}", unknown=f"nobody here is called “{text}”{nearest_text}")

    def _make_missing_name_limit(self, text: str, marker: str, question: CollectionQuestion) -> Limit | None:
        """The name of a company or journal that is not here, if the noun has no other meaning."""
        kind = {Kind.PAPER: "journal", Kind.REPORT: "company"}.get(question.noun.kind or Kind.TEXT)
        if not kind or (question.noun.is_ambiguous and not question.names_collection) or not _is_name(text):
            return None
        if kind == "journal":
            values: Sequence[str] = self.warehouse.list_values("journals")
        else:
            rows = self.query_rows("company, count(*) AS count", (), "GROUP BY company ORDER BY count DESC, company")
            values = [row["company"] for row in rows if row["company"]]
        names_text = f"; there are {', '.join(values[:8])}{', …' if len(values) > 8 else ''}" if values else ""
        return Limit("false", phrase=f"{marker} {text}", unknown=f"no {kind} here is called “{text}”{names_text}")

    def _find_company(self, text: str) -> Limit | None:
        catalogue = self.warehouse.catalogue
        entry = catalogue.find_entry(build_name_key(split_tokens(text)))
        if entry is None or entry.kind is NameKind.TITLE:
            owners = {catalogue.documents[document].company for document in self.warehouse.resolve(text).documents}
            company = owners.pop() if len(owners) == 1 else ""
            text_words, company_words = split_tokens(fold_text(text)), split_tokens(fold_text(company))
            # The text must name the company rather than one of its documents.
            if (
                not company_words
                or not text_words
                or not all(
                    find_similar_words(word, company_words) or any(name.startswith(word) for name in company_words)
                    for word in text_words
                )
            ):
                return None
            ids = [document.document_id for document in catalogue.documents.values() if document.company == company]
            return self.make_document_limit(ids, f"of {company}")
        company_name = catalogue.documents[entry.documents[0]].company or entry.name
        return self.make_document_limit(entry.documents, f"of {company_name}")

    def _find_value(self, field_name: str, text: str) -> Limit | None:
        """Documents with a value of a field that a text names: exactly, by some of its words, or misspelt."""
        text_key = fold_text(text)
        folded_values = {value: fold_text(value) for value in self.warehouse.list_values(field_name)}
        content_words = {word for word in split_tokens(text_key) if not is_function_word(word)}
        # Words for kinds of documents do not name a value.
        has_content_words = bool(content_words) and not content_words & set(KINDS_BY_WORD)
        matches = (
            [value for value, folded in folded_values.items() if folded == text_key]
            or [
                value
                for value, folded in folded_values.items()
                if has_content_words and content_words <= set(split_tokens(folded))
            ]
            or [value for value, folded in folded_values.items() if find_similar_words(text_key, [folded])]
        )
        column, marker = _VALUE_COLUMNS[field_name]
        return self._make_value_limit(column, matches, f"{marker} {' or '.join(matches[:4])}") if matches else None

    def _find_tag(self, text: str) -> Limit | None:
        tag = fold_text(text).lstrip("#").strip()
        tags = [value for value in self.warehouse.list_values("tags") if f"{fold_text(value)}/".startswith(f"{tag}/")]
        if not tag or not tags:
            return None
        name = self._make_parameter("tags")
        return Limit(f"list_has_any(attributes.tags, ${name})", {name: tags}, f"tagged #{tag}")

    def _find_language(self, text: str) -> Limit | None:
        code = LANGUAGES.get(fold_text(text))
        return self._make_value_limit("language", [code], f"in {text.capitalize()}") if code else None

    def _make_value_limit(self, column: str, values: Sequence[str], phrase: str = "") -> Limit:
        name = self._make_parameter("values")
        return Limit(f"{column} IN (SELECT unnest(${name}))", {name: list(values)}, phrase)

    def _make_parameter(self, stem: str) -> str:
        self._parameter_count += 1
        return f"{stem}{self._parameter_count}"


_NAME_MARKERS = frozenset(("in", "from", "of", "for", "at"))
_TIME_MARKERS = frozenset(("during", "since", "after", "before", "until", "between"))
_TIME_WORDS = frozenset(("since", "after", "before", "until", "between", "during", "within", "year", "years", "年"))


def _build_date_condition(column: str, window: Window, name: str) -> tuple[str, dict[str, Any]]:
    conditions, parameters = [], {}
    if window.start:
        conditions.append(f"{column} >= ${name}_start")
        parameters[f"{name}_start"] = window.start
    if window.end:
        conditions.append(f"{column} < ${name}_end")
        parameters[f"{name}_end"] = window.end
    return " AND ".join(conditions), parameters


def _select_content_words(text: str) -> list[str]:
    """The content words of a subject, single capitals included ("vitamin A"); all of its words if there are none."""
    words = split_tokens(text)
    return [word for word in words if not is_function_word(word) or (len(word) == 1 and word.isupper())] or words


def _build_search_term(word: str) -> str:
    """The string that a text must have for a word: the word without a plural ending, as a prefix, or a short word."""
    if is_unspaced(word):
        return word
    if len(word) <= MAX_EXACT_WORD:
        return f" {word} "
    for ending, min_length in (("ies", 5), ("es", 6), ("s", 5)):
        if word.endswith(ending) and len(word) >= min_length and not word.endswith("ss"):
            return f" {word.removesuffix(ending)}"
    return f" {word}"


def _is_person(words: Sequence[str], name: str, *, allow_typo: bool) -> bool:
    """Whether all words asked for belong to a name: as a word, an initial, or, with `allow_typo`, nearly a word."""
    name_words = split_tokens(fold_text(name))
    return any(len(word) > 1 for word in words) and all(
        word in name_words
        or (len(word) == 1 and any(name_word.startswith(word) for name_word in name_words))
        or (allow_typo and find_similar_words(word, name_words))
        for word in words
    )


def _is_name(text: str) -> bool:
    """Whether words are written as a name, which may not be in the collection."""
    return text[:1].isupper() or is_unspaced(text)
