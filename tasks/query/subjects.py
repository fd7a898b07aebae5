"""Subjects of a question: the companies, papers, courses and notes of the catalogue that it names or describes.

A document may be named, misspelt, or described by what it is about: "the paper on nitrate drift", "the MCP course".
Descriptions are compared with the words and the meaning of titles.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tasks.query.question_parser import QuestionWord, find_names, get_content_words, is_asking_word, split_question
from warehouse.records import Kind, Subject
from warehouse.search.catalogue import (
    MAX_NAME_WORDS,
    MIN_LOWERCASE_LENGTH,
    MIN_MISSPELT_LENGTH,
    Catalogue,
    CatalogueName,
    NamedDocument,
    NameKind,
    build_name_key,
    split_tokens,
)
from warehouse.store.words import is_function_word, is_unspaced

FULL_CONFIDENCE = 1.0
LIKELY_CONFIDENCE = 0.8  # A name without its capitals, or only the beginning of a name.
MIN_NAME_SIMILARITY = 92
"""The minimum similarity of a misspelt name, of 100, by rapidfuzz's ratio.

Of 1,500 names of eight letters or more among 6,892 of listed companies, 1.9 % have another this near (4.9 % at 90).
"""
_COMPANY_ENDING_WORDS = "inc corp corporation plc ltd limited llc lp union bank trust bancorp holdings"
_COMPANY_ENDINGS = frozenset(_COMPANY_ENDING_WORDS.split())
"""Last words that only names of companies have: the names of segments and products end in other words."""
_MAX_SYMBOL_LENGTH = 5  # Letters of a stock's symbol at most.
_INNER_CAPITAL = re.compile(r"^[A-Z]+[a-z]+[A-Z]|^[A-Z]{2,}[a-z]|^[a-z]+[A-Z]")
MIN_CHINESE_LENGTH = 3  # The minimum for a Chinese name that is not quoted; most of two characters are words, too.
SHORT_TITLE_CONFIDENCE = 0.5
"""The confidence of a Chinese title of that length: it may be part of a longer name, as words have no spaces.

Of 118 of the questions of DRCD that name a title the reciprocal rank is .957 with it, .956 with 1, .957 without names.
"""


def find_subjects(question: str, catalogue: Catalogue, near: Nearness) -> tuple[Subject, ...]:
    """The subjects that the question names as in the catalogue, in order, the longest names first; only certain ones.

    `near` is called only if it describes a document.
    """
    matches = list(find_described(question, catalogue, near))
    described_subjects = []
    for match in matches:
        entry = CatalogueName(match.document.title, NameKind.TITLE, (match.document.document_id,))
        described_subjects.append(
            replace(_build_subject(match.text, entry, LIKELY_CONFIDENCE, catalogue), described=True)
        )
    documents, authors = {subject.documents for subject in described_subjects}, {match.author for match in matches}
    named_subjects = [
        subject
        for subject in _iter_named_subjects(question, catalogue)
        if subject.text not in authors and subject.documents not in documents
    ]
    subject_text = "\n".join(subject.text for subject in named_subjects)
    other_names = [name for name in find_names(question) if name not in subject_text and name not in authors]
    return (*named_subjects, *described_subjects, *_iter_misspelt_subjects(other_names, catalogue))


def _iter_named_subjects(question: str, catalogue: Catalogue) -> Iterator[Subject]:
    words = split_question(question)
    is_upper = not any(char.islower() for char in question)
    is_lower_case = not any(char.isupper() for char in question)
    has_key_words = not any(is_function_word(word.text) for word in words)
    # "AMCR D&A 1H23" is not a sentence in capitals: its A is no article, and "amcr" is no word.
    is_upper_terse = is_upper and not any(is_function_word(word.text) for word in words if len(word.text) > 1)
    keys = [build_name_key([word.text]) for word in words]
    index = 0
    while index < len(words):
        for count in range(min(MAX_NAME_WORDS, len(words) - index), 0, -1):
            run = words[index : index + count]
            # A linking word has no key; no name begins or ends with it.
            has_key = keys[index] and keys[index + count - 1]
            entry = catalogue.find_entry("".join(keys[index : index + count])) if has_key else None
            is_upper_case = is_upper and not (
                is_upper_terse and entry and count == 1 and not catalogue.is_ordinary(run[0].text.lower())
            )
            confidence = (
                _measure_confidence(
                    entry, run, is_lower_case=is_lower_case, is_upper_case=is_upper_case, has_key_words=has_key_words
                )
                if entry
                else 0.0
            )
            if entry and is_lower_case and not confidence and _is_only_beginning(entry, run, catalogue):
                confidence = LIKELY_CONFIDENCE
            if entry and confidence and not _is_part_of_longer_name(question, words, index, count, entry):
                yield _build_subject(question[run[0].start : run[-1].end], entry, confidence, catalogue)
                index += count
                break
        else:
            index += 1


def _is_part_of_longer_name(
    question: str, words: Sequence[QuestionWord], index: int, count: int, entry: CatalogueName
) -> bool:
    """Whether a name is only part of a longer one: Corning of Owens Corning, Johnson of Johnson Controls."""
    last = index + count - 1
    is_end = count == 1 and index > 0 and _are_adjacent_capitals(question, words[index - 1], words[index])
    is_part = entry.kind is NameKind.BEGINNING or (entry.kind is NameKind.ALIAS and not entry.name.isupper())
    is_beginning = is_part and last + 1 < len(words) and _are_adjacent_capitals(question, *words[last : last + 2])
    is_other_name = entry.kind is not NameKind.TITLE and _is_start_of_company(question, words, last)
    return is_end or is_beginning or is_other_name


def _is_start_of_company(question: str, words: Sequence[QuestionWord], last: int) -> bool:
    """Whether the capitalised words after a name end as another company's name: Boeing Employees Credit Union."""
    index = last
    while index + 1 < len(words) and _are_adjacent_capitals(question, *words[index : index + 2]):
        index += 1
    return index > last + 1 and words[index].text.lower() in _COMPANY_ENDINGS


def _are_adjacent_capitals(question: str, first: QuestionWord, second: QuestionWord) -> bool:
    """Whether two words are adjacent and capitalised."""
    are_capitalised = first.text[0].isupper() and second.text[0].isupper() and not is_asking_word(first.text)
    return are_capitalised and question[first.end : second.start] == " " and not is_asking_word(second.text)


def _measure_confidence(
    entry: CatalogueName, run: Sequence[QuestionWord], *, is_lower_case: bool, is_upper_case: bool, has_key_words: bool
) -> float:
    """The confidence that a run of words means an entry; 0 if it does not.

    A symbol must be written as one; a name of one word needs its capital, and not only as the first word of a sentence.
    A question of key words only (`has_key_words`) begins with a name more often than with another word.
    """
    text = "".join(word.text for word in run)
    if is_unspaced(text):
        is_short = len(text) == MIN_CHINESE_LENGTH and entry.kind is NameKind.TITLE
        return (SHORT_TITLE_CONFIDENCE if is_short else FULL_CONFIDENCE) if len(text) >= MIN_CHINESE_LENGTH else 0.0
    is_capitalised = any(word.capital and any(char.isalpha() for char in word.text) for word in run)
    is_first = len(run) == 1 and run[0].first and not run[0].possessive and text[1:].islower()
    if entry.kind is NameKind.SYMBOL:
        # AMD, or JnJ.
        symbol = text.isupper() or re.fullmatch("[A-Z]n[A-Z]", text)
        return FULL_CONFIDENCE if symbol and len(text) > 1 and not is_asking_word(text) and not is_upper_case else 0.0
    if len(run) == 1 and is_asking_word(text):
        return 0.0
    if entry.kind is NameKind.TITLE:
        return _measure_title_confidence(run, is_capitalised=is_capitalised, is_first=is_first)
    if is_upper_case and entry.kind is NameKind.BEGINNING and len(text) <= _MAX_SYMBOL_LENGTH:
        return 0.0
    is_company_name = entry.kind in (NameKind.COMPANY, NameKind.ALIAS)
    if is_capitalised and not is_first:
        return FULL_CONFIDENCE if is_company_name or text.isupper() else LIKELY_CONFIDENCE
    # An alias, which its document never writes in another way, needs only two letters.
    is_long = len(text) >= (2 if entry.kind is NameKind.ALIAS else MIN_LOWERCASE_LENGTH)
    # Ordinary words have no capital inside: JPMorgan.
    is_company_name = is_company_name or (
        entry.kind is NameKind.BEGINNING and bool(_INNER_CAPITAL.search(entry.name) or (is_first and has_key_words))
    )
    return LIKELY_CONFIDENCE if is_company_name and (is_first or is_lower_case) and is_long else 0.0


def _is_only_beginning(entry: CatalogueName, run: Sequence[QuestionWord], catalogue: Catalogue) -> bool:
    """Whether one word in small letters is the beginning of a name and nothing else: verizon, but not foot or block."""
    is_long = len(run) == 1 and len(run[0].text) >= MIN_LOWERCASE_LENGTH and not is_unspaced(run[0].text)
    return is_long and entry.kind is NameKind.BEGINNING and not catalogue.is_ordinary(run[0].text)


def _measure_title_confidence(run: Sequence[QuestionWord], *, is_capitalised: bool, is_first: bool) -> float:
    letters = sum(len(word.text) for word in run)
    if len(run) == 1:
        return FULL_CONFIDENCE if is_capitalised and not is_first and letters > 3 else 0.0
    if is_capitalised:
        return FULL_CONFIDENCE if letters > 3 else 0.0
    return LIKELY_CONFIDENCE if len([word for word in run if not is_asking_word(word.text)]) > 2 else 0.0


def _iter_misspelt_subjects(names: Sequence[str], catalogue: Catalogue) -> Iterator[Subject]:
    for name in names:
        key = build_name_key(split_tokens(name))
        if len(key) >= MIN_MISSPELT_LENGTH:
            from rapidfuzz import fuzz, process

            best = process.extractOne(key, catalogue.long_names, scorer=fuzz.ratio, score_cutoff=MIN_NAME_SIMILARITY)
            entry = catalogue.find_entry(best[0]) if best else None
            if entry:
                yield _build_subject(name, entry, LIKELY_CONFIDENCE, catalogue)


def _build_subject(text: str, entry: CatalogueName, confidence: float, catalogue: Catalogue) -> Subject:
    documents = [catalogue.documents[document] for document in entry.documents]
    return Subject(
        text=text,
        name=entry.name,
        documents=entry.documents,
        confidence=confidence,
        passages=sum(document.chunk_count for document in documents),
        periods=tuple(dict.fromkeys(document.period for document in documents if document.period)),
        company=entry.kind is not NameKind.TITLE,
    )


MIN_FIT = 0.5
"""The minimum mean of a title's cosine with a description and the share of the description's words in it.

Chosen with `MIN_LEAD` on 91 descriptions invented for titles of papers, courses and notes, each searched in the
collection with 994 further titles, and again without the right one; of 38 invented afterwards it found 76 %, and 97 %
of what it assumed was right. The cosines are MiniLM's.
"""
MIN_LEAD = 0.15  # The minimum difference between the best title and the next.

Nearness = Callable[[str], Mapping[str, float]]
"""The cosine of words with the nearest title of each document that has vectors, by the document's id."""


@dataclass(frozen=True, slots=True)
class DescriptionMatch:
    """The words of a question that describe a document, those that name its author, and how well it fits, up to 1."""

    text: str
    author: str
    document: NamedDocument
    fit: float


def find_described(question: str, catalogue: Catalogue, near: Nearness) -> Iterator[DescriptionMatch]:
    """The document of each description whose title fits it clearly best."""
    for description in find_descriptions(question):
        documents_of_kind = [
            document for document in catalogue.documents.values() if description.kind in (document.kind, None)
        ]
        documents = _select_documents_of_author(description.author, documents_of_kind)
        matches = [
            best
            for text in description.texts
            if (best := _find_best_title(text, description, documents, catalogue, near))
        ]
        if matches:
            yield max(matches, key=lambda match: match.fit)


def _find_best_title(
    text: str, description: Description, documents: Sequence[NamedDocument], catalogue: Catalogue, near: Nearness
) -> DescriptionMatch | None:
    words = get_content_words(text)
    if not documents or not words:
        return None
    cosines = near(text)
    titles = [catalogue.title_words[document.document_id] for document in documents]
    shares = [
        max((len(words & title) / len(words) for title in words_of_titles), default=0.0) for words_of_titles in titles
    ]
    scores = [
        (share + cosines.get(document.document_id, share)) / 2
        for document, share in zip(documents, shares, strict=True)
    ]
    first, *next_best = sorted(range(len(documents)), key=lambda index: -scores[index])[:2]
    is_clear = not next_best or scores[first] - scores[next_best[0]] >= MIN_LEAD
    # The words before the kind are often not a title ("the phase two trial"): a title must have all of them.
    is_whole = shares[first] == 1.0 or not description.precedes_kind
    # A title without one of the capitalised words is that of another document.
    capitals = " ".join(word for word in split_tokens(text) if any(char.isupper() for char in word))
    names = get_content_words(capitals) if capitals else frozenset()
    is_sure = scores[first] >= MIN_FIT and is_clear and is_whole and any(names <= title for title in titles[first])
    return DescriptionMatch(text, description.author, documents[first], min(scores[first], 1.0)) if is_sure else None


def _select_documents_of_author(author: str, documents: Sequence[NamedDocument]) -> Sequence[NamedDocument]:
    """The documents by a person; all if there are none."""
    words = {word.casefold() for word in split_tokens(author)}
    matches = [
        document
        for document in documents
        if any(words <= {word.casefold() for word in split_tokens(person)} for person in document.people)
    ]
    return matches if words and matches else documents


_KIND_BY_NOUN = {
    **dict.fromkeys(("course", "class", "lesson", "lecture", "课程", "課程", "课", "課", "讲座"), Kind.COURSE),
    **dict.fromkeys(("paper", "study", "article", "trial", "review", "letter", "论文", "論文", "文章"), Kind.PAPER),
    **dict.fromkeys(("note", "notes", "笔记", "筆記"), Kind.NOTE),
    **dict.fromkeys(("email", "e-mail", "mail", "message", "邮件", "郵件"), Kind.MESSAGE),
    **dict.fromkeys(("book", "novel", "textbook", "书", "書"), Kind.BOOK),
    **dict.fromkeys(("report", "memo", "报告", "報告", "备忘录"), Kind.REPORT),
}
_ENGLISH_NOUNS = "|".join(kind for kind in _KIND_BY_NOUN if kind.isascii())
_CHINESE_NOUNS = "|".join(kind for kind in _KIND_BY_NOUN if not kind.isascii())
_AUTHOR = r"(?P<author>[A-Z][\w'’.-]*(?: [A-Z][\w'’.-]*){0,3})"
_TITLE_AFTER_KIND = re.compile(
    rf"\b(?:[Tt]he|[Mm]y|[Oo]ur|[Tt]hat) (?P<kind>{_ENGLISH_NOUNS})(?: by {_AUTHOR})? (?:on|about|titled|called|named)"
    r" (?P<title>[^?.,;!\n]{3,80})"
)
_TITLE_BEFORE_KIND = re.compile(
    rf"\b(?:[Tt]he|[Mm]y|[Oo]ur|[Tt]hat) (?P<title>(?:(?!(?:the|my|our|that|a|an) )[\w&'-]{{1,30}} ){{1,6}}?)"
    rf"(?P<kind>{_ENGLISH_NOUNS})\b"
)
_CHINESE_DESCRIPTION = re.compile(
    rf"(?:关于|關於|讲|講)(?P<title>[^，。？！；\s]{{2,30}}?)的(?:那[门門篇份])?(?P<kind>{_CHINESE_NOUNS})"
    rf"|那[门門篇份](?P<second_title>[^，。？！；\s的]{{2,30}}?)的?(?P<second_kind>{_CHINESE_NOUNS})"
)
_CHINESE_TITLE = re.compile(r"《(?P<title>[^》\n]{2,60})》")
_AUTHOR_AT_END = re.compile(rf" by {_AUTHOR}$")
_QUESTION_VERB = re.compile(
    r" (?:say|says|said|show|shows|showed|reports?|finds?|found|conclude|covers?|explains?|describes?|discuss|mentions?"
    r"|teach|teaches|tells?|recommends?|uses?|used|is|are|was|were|does|do|did|has|have|that|which|who|what|how|when"
    r"|where|why) "
)


@dataclass(frozen=True, slots=True)
class Description:
    """A description of a document, its kind (None for any) and its author, if one is named.

    `texts` are the possible extents of the words, the longest first; `precedes_kind` is whether they precede the kind.
    """

    texts: tuple[str, ...]
    kind: Kind | None
    author: str = ""
    precedes_kind: bool = False


def find_descriptions(question: str) -> Iterator[Description]:
    """The descriptions of documents in a question, in the order of their patterns.

    Words before the kind must be at least two or have a capital: "the retrospective study" could be any.
    """
    for match in _TITLE_AFTER_KIND.finditer(question):
        title = match["title"].strip()
        end = _AUTHOR_AT_END.search(title)
        author = match["author"] or (end["author"] if end else "")
        yield Description(
            _list_possible_titles(title[: end.start()] if end else title), _KIND_BY_NOUN[match["kind"]], author
        )
    for match in _TITLE_BEFORE_KIND.finditer(question):
        title = match["title"].strip()
        if len(get_content_words(title)) > 1 or any(char.isupper() for char in title):
            yield Description((title,), _KIND_BY_NOUN[match["kind"]], precedes_kind=True)
    for match in _CHINESE_DESCRIPTION.finditer(question):
        yield Description(
            (match["title"] or match["second_title"],), _KIND_BY_NOUN[match["kind"] or match["second_kind"]]
        )
    for match in _CHINESE_TITLE.finditer(question):
        yield Description((match["title"],), None)


def _list_possible_titles(words: str) -> tuple[str, ...]:
    """All of the words, and those before the first that may begin the rest of the question."""
    ends = [match.start() for match in _QUESTION_VERB.finditer(words)]
    first_end = next((end for end in ends if len(words[:end].split()) > 1), ends[0] if ends else 0)
    return tuple(dict.fromkeys(text for text in (words, words[:first_end]) if text))
