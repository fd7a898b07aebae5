"""The documents that a name means as people write it: part of a title, an abbreviation, without accents, misspelt.

    resolution = resolve(NameIndex(catalogue), "the MCP course")
    resolution.documents                # ids: one document, or all of a company
    resolution.candidates               # names, if it may be several: resolution.documents is empty then

A name is compared word by word with titles, aliases, file names and companies. Words that only say the kind ("course",
"paper") limit the documents to that kind if any of them fits.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, takewhile

from warehouse.records import Kind
from warehouse.search.catalogue import (
    Catalogue,
    NamedDocument,
    count_allowed_typos,
    find_name_in_stem,
    iter_short_names,
    split_tokens,
)
from warehouse.store.words import fold_text, is_function_word

EQUAL_FIT, PLURAL_FIT, BEGINNING_FIT, INITIALS_FIT = 1.0, 0.97, 0.9, 0.9
"""The fit of a word that is equal, differs by an ending "s", begins a word, or consists of the initials of a name."""
MISSPELT_FIT = 0.8  # The fit of a misspelt word: less than that of any word that the name contains.
MIN_BEGINNING_LENGTH = 3  # The fewest letters of a word that may abbreviate a longer one that it begins.
MIN_WORD_SHARE = 0.75  # The least share of a name's words that a title must have: one word of four may differ.
MAX_SCORE_DIFFERENCE = 0.04
"""Names whose score is within this of the best are all meant, unless one is equal to the given name."""
MIN_SIMILARITY = 70
"""The least similarity, of 100 by rapidfuzz's WRatio, of a name that is offered in place of an unknown one."""
MIN_SIMILAR_LENGTH = 5  # The fewest letters of a name that is offered: of four letters, three may be alike by chance.
MAX_INITIALS = 6  # The most letters of an abbreviation made of initials.
_FUNCTION_WORD_WEIGHT = 0.3  # The weight of a function word; that of any other word is 1.
MAX_LISTED_NAMES = 6  # Candidates that a message lists.

KINDS_BY_WORD: Mapping[str, Kind] = {
    **dict.fromkeys(("course", "courses", "class", "课程", "課程"), Kind.COURSE),
    **dict.fromkeys(("paper", "papers", "article", "study", "论文", "論文", "文章"), Kind.PAPER),
    **dict.fromkeys(("note", "notes", "笔记", "筆記"), Kind.NOTE),
    **dict.fromkeys(("email", "emails", "mail", "mails", "message", "messages", "邮件", "郵件"), Kind.MESSAGE),
    **dict.fromkeys(("book", "books", "书", "書"), Kind.BOOK),
    **dict.fromkeys(("report", "reports", "filing", "filings", "报告", "報告"), Kind.REPORT),
}
"""Words of a name that say the kind of its document."""
_UNDISTINCTIVE_WORDS_TEXT = "the a an my our your this that document file called named titled"
_UNDISTINCTIVE_WORDS = frozenset(_UNDISTINCTIVE_WORDS_TEXT.split())


@dataclass(frozen=True, slots=True)
class Resolution:
    """The meaning of a name: ids of `documents` and their `name`, or several `candidates`, or nothing.

    `exact` says that the given name is the document's own, so that no note about it is needed.
    """

    documents: tuple[str, ...] = ()
    name: str = ""
    exact: bool = False
    candidates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Name:
    """A name that documents have, its words, and whether it is a company's."""

    label: str
    words: tuple[str, ...]
    documents: tuple[str, ...]
    kinds: frozenset[Kind]
    company: bool = False


class NameIndex:
    """The names of a catalogue by their words."""

    def __init__(self, catalogue: Catalogue) -> None:
        """The names are read when they are first needed."""
        self._catalogue = catalogue

    @cached_property
    def names(self) -> Sequence[_Name]:
        """All names, each once, in the order of the documents."""
        entries: dict[tuple[tuple[str, ...], bool], tuple[str, dict[str, Kind]]] = {}
        for document in self._catalogue.documents.values():
            for label, company in _iter_labels(document):
                words = tuple(fold_tokens(label))
                if words:
                    _, documents = entries.setdefault((words, company), (label, {}))
                    documents[document.document_id] = document.kind
        return [
            _Name(label, words, tuple(documents), frozenset(documents.values()), company)
            for (words, company), (label, documents) in entries.items()
        ]

    @cached_property
    def _positions_by_word(self) -> dict[str, list[int]]:
        """The positions of the names that contain each word."""
        positions: defaultdict[str, list[int]] = defaultdict(list)
        for position, name in enumerate(self.names):
            # Neighbouring words also count as one word: "ContextRich" is Context-Rich.
            for word in dict.fromkeys((*name.words, *map("".join, pairwise(name.words)))):
                positions[word].append(position)
        return dict(positions)

    @cached_property
    def _initials(self) -> dict[str, list[int]]:
        positions: defaultdict[str, list[int]] = defaultdict(list)
        for position, name in enumerate(self.names):
            for part in dict.fromkeys((name.label, *name.label.split(": "))):
                letters = "".join(word[0] for word in fold_tokens(part) if not is_function_word(word))
                if 2 < len(letters) <= MAX_INITIALS:
                    positions[letters].append(position)
        return dict(positions)

    @cached_property
    def _vocabulary(self) -> list[str]:
        return sorted(self._positions_by_word)

    def score_names(self, word: str) -> dict[int, float]:
        """How well a word fits each name that has it or a similar one, by the position of the name."""
        positions_by_word = self._positions_by_word
        candidates = [(EQUAL_FIT, positions_by_word.get(word, []))]
        candidates += [
            (PLURAL_FIT, positions_by_word.get(similar_word, []))
            for similar_word in (f"{word}s", word.removesuffix("s"))
        ]
        candidates.append((INITIALS_FIT, self._initials.get(word, [])))
        if len(word) >= MIN_BEGINNING_LENGTH and word.isascii():
            following_words = self._vocabulary[bisect_left(self._vocabulary, word) :]
            candidates += [
                (BEGINNING_FIT, positions_by_word[longer_word])
                for longer_word in takewhile(lambda candidate: candidate.startswith(word), following_words)
            ]
        if word not in positions_by_word:
            candidates += [
                (MISSPELT_FIT, positions_by_word[similar_word])
                for similar_word in find_similar_words(word, self._vocabulary)
            ]
        fits: dict[int, float] = {}
        for similarity, positions in candidates:  # the best first
            for position in positions:
                fits.setdefault(position, similarity)
        return fits


def find_similar_words(word: str, vocabulary: Sequence[str]) -> list[str]:
    """The words of a vocabulary that a word may be a misspelling of, the nearest first."""
    max_typos = count_allowed_typos(word)
    if not max_typos:
        return []
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    return [
        similar_word
        for similar_word, _, _ in process.extract(
            word, vocabulary, scorer=OSA.distance, score_cutoff=max_typos, limit=MAX_LISTED_NAMES
        )
    ]


def resolve(index: NameIndex, name: str, kind: Kind | None = None) -> Resolution:
    """The documents that a name means: of the kind that it names, if any fits, and only of `kind` if that is given."""
    words, kinds = _parse_name(name)
    scores = _score_names(index, words)
    if kind:
        scores = {position: score for position, score in scores.items() if index.names[position].kinds == {kind}}
    scores_of_kind = {position: score for position, score in scores.items() if index.names[position].kinds & kinds}
    scores = scores_of_kind or scores
    if not scores:
        return Resolution()
    best_score = max(scores.values())
    close_positions = [position for position, score in scores.items() if score >= best_score - MAX_SCORE_DIFFERENCE]
    all_words = tuple(fold_tokens(name))
    equal_positions = [position for position in close_positions if index.names[position].words in (all_words, words)]
    return _choose_name(
        [index.names[position] for position in equal_positions or close_positions],
        have_equal_words=bool(equal_positions),
    )


def _choose_name(names: Sequence[_Name], *, have_equal_words: bool) -> Resolution:
    """The one name, preferring a company's to that of a document; several if they mean different documents.

    If the names `have_equal_words`, all of their documents are meant.
    """
    names = [name for name in names if name.company] or names
    name_of_most = max(names, key=lambda name: len(name.documents))
    documents = set(name_of_most.documents)
    if all(documents >= set(name.documents) for name in names):
        return Resolution(name_of_most.documents, name_of_most.label)
    if have_equal_words:
        return Resolution(
            tuple(dict.fromkeys(document_id for name in names for document_id in name.documents)), names[0].label
        )
    distinct = {name.documents: name.label for name in reversed(names)}
    return Resolution(candidates=tuple(reversed(distinct.values())))


def find_nearest_documents(index: NameIndex, name: str, count: int = MAX_LISTED_NAMES) -> tuple[str, ...]:
    """The ids of the documents whose names are nearest to one that no document has, the best first."""
    from rapidfuzz import fuzz, process

    labels = {
        position: name.label for position, name in enumerate(index.names) if len(name.label) >= MIN_SIMILAR_LENGTH
    }
    matches = process.extract(
        name, labels, scorer=fuzz.WRatio, processor=fold_text, score_cutoff=MIN_SIMILARITY, limit=count
    )
    return tuple(dict.fromkeys(index.names[position].documents[0] for _, _, position in matches))


def fold_tokens(name: str) -> list[str]:
    """The words of a name without case and accents."""
    return split_tokens(fold_text(name))


def _parse_name(name: str) -> tuple[tuple[str, ...], frozenset[Kind]]:
    """The significant words of a name, and the kinds of document that its other words name."""
    text, kinds = fold_text(name), set[Kind]()
    for word, kind in KINDS_BY_WORD.items():
        if not word.isascii() and word in text:
            text, kinds = text.replace(word, " "), {*kinds, kind}
    words = split_tokens(text)
    kinds |= {KINDS_BY_WORD[word] for word in words if word in KINDS_BY_WORD}
    distinctive_words = tuple(word for word in words if word not in KINDS_BY_WORD and word not in _UNDISTINCTIVE_WORDS)
    while distinctive_words and len(distinctive_words) > 1 and distinctive_words[0] in ("on", "about", "of", "by"):
        distinctive_words = distinctive_words[1:]
    return (distinctive_words, frozenset(kinds)) if distinctive_words else (tuple(words), frozenset())


def _score_names(index: NameIndex, words: Sequence[str]) -> dict[int, float]:
    """The share of the words that each name has, weighted by how well they fit; names with too few are left out."""
    total = sum(map(_compute_weight, words))
    scores: defaultdict[int, float] = defaultdict(float)
    weights: defaultdict[int, float] = defaultdict(float)
    for word in dict.fromkeys(words):
        weight = _compute_weight(word) * words.count(word)
        for position, similarity in index.score_names(word).items():
            scores[position] += weight * similarity
            weights[position] += weight
    min_weight = MIN_WORD_SHARE * total
    return {position: score / total for position, score in scores.items() if weights[position] >= min_weight}


def _compute_weight(word: str) -> float:
    return _FUNCTION_WORD_WEIGHT if is_function_word(word) else 1.0


def _iter_labels(document: NamedDocument) -> Iterator[tuple[str, bool]]:
    """The names of a document, and whether each is that of its company."""
    for name in dict.fromkeys((document.title, *document.aliases)):
        yield name, False
    yield " ".join(document.stem.replace("_", " ").split()), False
    for owner in filter(None, (document.company, find_name_in_stem(document.stem))):
        yield from ((name, True) for name in dict.fromkeys(iter_short_names(owner)))
    yield from ((symbol, True) for symbol in document.symbols)


def format_names(names: Iterable[str]) -> str:
    """Names on one line; only the first ones, if there are many."""
    all_names = list(names)
    ellipsis = f", … ({len(all_names) - MAX_LISTED_NAMES} more)" if len(all_names) > MAX_LISTED_NAMES else ""
    return ", ".join(all_names[:MAX_LISTED_NAMES]) + ellipsis
