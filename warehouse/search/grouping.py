"""Grouping of ranked passages: near duplicates and passages of one page share a hit, parents replace their leaves.

A passage that joins another's hit frees a rank for those below, so that there are k hits if there are enough passages.

Near duplicates: a text is the set of its runs of five words (shingles: Broder 1997, On the Resemblance and Containment
of Documents). A text repeats another that contains nearly all of its runs. Passages that differ in a figure, a name or
an ordinal have different content, even if similar: the same sentence about the next quarter is no repetition.

Parents: if enough small passages of a larger one are found, the larger one replaces them, as in LlamaIndex's
AutoMergingRetriever (https://docs.llamaindex.ai, "Auto Merging Retriever").

Pages: passages of one page are shown as one piece, from the first to the last that is found, so that five hits are of
five pages if so many fit.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from warehouse.records import Chunk, Parent, Ranking
from warehouse.store.arrow_files import to_records
from warehouse.store.snapshot import Snapshot

RUN_LENGTH = 5  # Words of a run.
MIN_CONTAINED_SHARE = 0.8
"""The share of a text's runs that the other must contain; passages that overlap have at most half in common."""

_TOKEN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]|\d+(?:[.,]\d+)*|[^\W\d_]+")
_MEANING_CHANGING_WORDS = frozenset({"no", "not", "nor", "never", "without", "first", "second", "third", "fourth"})
"""Words in lower case that change the meaning of a sentence, as figures do."""


@dataclass(frozen=True)
class Wording:
    """A text in the form that is compared: without case, punctuation and white space."""

    text: str

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """The words, and each Chinese character."""
        return tuple(_TOKEN.findall(self.text))

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The tokens in lower case."""
        return tuple(token.lower() for token in self.tokens)

    @cached_property
    def runs(self) -> frozenset[tuple[str, ...]]:
        """The runs of `RUN_LENGTH` words; the whole text if it has no more words."""
        return frozenset(
            self.words[start : start + RUN_LENGTH] for start in range(max(len(self.words) - RUN_LENGTH, 0) + 1)
        )

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The distinct words."""
        return frozenset(self.words)

    @cached_property
    def content_words(self) -> frozenset[str]:
        """The figures, the names and the words that change the meaning."""
        tokens = (
            token
            for token in self.tokens
            if token[0].isdigit() or not token.islower() or token in _MEANING_CHANGING_WORDS
        )
        return frozenset(map(str.lower, tokens))


def is_repetition(later: Wording, earlier: Wording) -> bool:
    """Whether all content of a text is in an earlier one. A text with more content is no repetition."""
    if not later.tokens:
        return not earlier.tokens
    shared_run_count = len(later.runs & earlier.runs)
    return shared_run_count >= MIN_CONTAINED_SHARE * len(later.runs) and later.content_words <= earlier.vocabulary


MIN_LEAF_SHARE = 0.5  # The share of its leaves that must be exceeded, the default of the retriever named above.

_PARENTS_SQL = """
    SELECT p.parent_id, p.document_id, p.start, p."end", p.text, p.section, p.page, p.pages, leaves
    FROM parents p JOIN (SELECT parent_id, count(*) AS leaves FROM chunks GROUP BY parent_id) USING (parent_id)
    WHERE p.parent_id IN (SELECT unnest($ids))
"""


MAX_PART_LENGTH = 3_000
"""The most characters of the part of a page that replaces its passages: most pages of a report are shorter.

Of 396 rewordings of questions to seven filings 89 % have the right page among five hits with this, 86 % without, and
68 % have the figure instead of 65 %, with texts 31 % longer (docs/measurements.md, Filings).
"""
CANDIDATES_PER_HIT = 2  # Candidates read first, for each requested hit; then as many again as were read before.


@dataclass(frozen=True, slots=True)
class PassageGroup:
    """The passages of one hit, as ranks from 0; `best` is the passage that is shown or represents what is shown.

    `leaves`, which include the best, are replaced by `parent` or, without one, by the text from the first to the last
    of them on one page. `duplicates` have the same content.
    """

    best: int
    parent: Parent | None = None
    leaves: list[int] = field(default_factory=list)
    duplicates: list[int] = field(default_factory=list)


class RankedPassages:
    """The passages of a ranking, best first, read only as far as they are needed."""

    def __init__(self, snapshot: Snapshot, rows: np.ndarray, k: int) -> None:
        """`rows` are those of the passages in order; `k` hits are requested."""
        self.snapshot = snapshot
        self._rows = rows
        self._step = CANDIDATES_PER_HIT * k
        self._passages: list[tuple[Chunk, float]] = []
        self._wordings: dict[int, Wording] = {}

    def __len__(self) -> int:
        """How many there are, read or not."""
        return len(self._rows)

    def get_chunk(self, rank: int) -> Chunk:
        """The passage of this rank."""
        return self._read_passage(rank)[0]

    def get_quality(self, rank: int) -> float:
        """Its quality in [0, 1]."""
        return self._read_passage(rank)[1]

    def get_wording(self, rank: int) -> Wording:
        """Its text in the form that is compared."""
        return self._wordings.setdefault(rank, Wording(self.get_chunk(rank).text))

    def find_work(self, rank: int) -> str:
        """The document that counts for its work: its own, or the one that it is a copy of."""
        document = self.get_chunk(rank).document_id
        return self.snapshot.copies.get(document, document)

    def _read_passage(self, rank: int) -> tuple[Chunk, float]:
        while rank >= (read_count := len(self._passages)):
            self._passages += self.snapshot.read_passages(
                self._rows[read_count : read_count + max(self._step, read_count)]
            )
        return self._passages[rank]


def group_passages(passages: RankedPassages, ranking: Ranking, k: int) -> list[PassageGroup]:
    """At most `k` groups, best first; fewer only if there are not enough candidates."""
    parents: dict[str, Parent] = {}
    while True:
        groups = _group_candidates(passages, ranking, k, parents)
        leaves = [passages.get_chunk(group.best).parent_id for group in groups if group.parent is None]
        leaf_counts = Counter(parent for parent in leaves if parent) if ranking.merge else Counter[str]()
        # A parent with a single leaf has no more text than the leaf.
        parent_ids = [parent for parent, count in leaf_counts.items() if count > 1]
        rows = passages.snapshot.query_records(_PARENTS_SQL, {"ids": parent_ids}) if parent_ids else []
        new_parents = to_records(
            Parent, [row for row in rows if leaf_counts[row["parent_id"]] > MIN_LEAF_SHARE * row["leaves"]]
        )
        if not new_parents:
            return groups
        parents |= {parent.parent_id: parent for parent in new_parents}


def _group_candidates(
    passages: RankedPassages, ranking: Ranking, k: int, parents: dict[str, Parent]
) -> list[PassageGroup]:
    groups: list[PassageGroup] = []
    group_by_parent: dict[str | None, PassageGroup] = {}
    count_by_document: Counter[str] = Counter()
    for rank in range(len(passages)):
        if len(groups) == k:
            break
        chunk = passages.get_chunk(rank)
        if chunk.parent_id in group_by_parent:
            group_by_parent[chunk.parent_id].leaves.append(rank)
        elif ranking.distinct and (copy_group := _find_copy_group(passages, groups, rank)):
            if all(
                passages.get_chunk(duplicate).document_id != chunk.document_id for duplicate in copy_group.duplicates
            ):
                copy_group.duplicates.append(rank)
        elif ranking.distinct and (duplicate_group := _find_duplicate_group(passages, groups, rank)):
            duplicate_group.duplicates.append(rank)
        elif ranking.distinct and (page_group := _find_page_group(passages, groups, rank)):
            page_group.leaves.extend([rank] if page_group.leaves else [page_group.best, rank])
        elif ranking.per_document is None or count_by_document[chunk.document_id] < ranking.per_document:
            parent = parents.get(chunk.parent_id or "")
            groups.append(PassageGroup(rank, parent, [rank] if parent else []))
            count_by_document[chunk.document_id] += 1
            if parent:
                group_by_parent[chunk.parent_id] = groups[-1]
    return groups


def _find_copy_group(passages: RankedPassages, groups: Sequence[PassageGroup], rank: int) -> PassageGroup | None:
    """The first group with a passage of another file of the same work: a paper is shown from one of its files."""
    work, document = passages.find_work(rank), passages.get_chunk(rank).document_id
    groups_of_work = [group for group in groups if passages.find_work(group.best) == work]
    first_group = groups_of_work[0] if groups_of_work else None
    return first_group if first_group and passages.get_chunk(first_group.best).document_id != document else None


def _find_duplicate_group(passages: RankedPassages, groups: Sequence[PassageGroup], rank: int) -> PassageGroup | None:
    """The group of a passage with the same content; entries of different days are about different events."""
    wording, day = passages.get_wording(rank), passages.get_chunk(rank).passage_date
    groups_of_day = (group for group in groups if passages.get_chunk(group.best).passage_date == day)
    return next((group for group in groups_of_day if is_repetition(wording, passages.get_wording(group.best))), None)


def _find_page_group(passages: RankedPassages, groups: Sequence[PassageGroup], rank: int) -> PassageGroup | None:
    """The group with passages of the same page and day that is not too long with this one."""
    chunk = passages.get_chunk(rank)
    if chunk.page is None:
        return None
    for group in groups:
        best_chunk = passages.get_chunk(group.best)
        is_of_same_day = best_chunk.document_id == chunk.document_id and best_chunk.passage_date == chunk.passage_date
        if is_of_same_day and group.parent is None and _get_page_numbers(best_chunk) & _get_page_numbers(chunk):
            parts = [chunk, best_chunk, *map(passages.get_chunk, group.leaves)]
            if max(part.end for part in parts) - min(part.start for part in parts) <= MAX_PART_LENGTH:
                return group
    return None


def _get_page_numbers(chunk: Chunk) -> set[int]:
    return {page.page for page in chunk.pages}
