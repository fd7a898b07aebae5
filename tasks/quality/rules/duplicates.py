"""Rules of files and passages that say what others say."""

from __future__ import annotations

from collections.abc import Iterator

from tasks.quality.corpus import Corpus
from tasks.quality.rule import Scope, Violation, corpus_rule, rules_by_name
from warehouse.records import Severity


def duplicate_file(corpus: Corpus) -> Iterator[tuple[str, Violation]]:
    """DOC017 duplicate-file: a file whose bytes are those of another.

    What: two files of the corpus have the same SHA-256.
    Why it hurts retrieval: every hit comes twice and takes the place of another passage.
    Example: `report.pdf` and `report (1).pdf`
    Cure: remove one of them.
    """
    for source, original in corpus.copies.items():
        yield source, Violation(f"the same bytes as {original}: remove one of them")


def near_duplicate_document(corpus: Corpus) -> Iterator[tuple[str, Violation]]:
    """DOC018 near-duplicate-document: a document that says nearly what another says.

    What: at least four fifths of the runs of five words are the same (MinHash).
    Why it hurts retrieval: hits come twice, and drafts and versions stand beside each other without a word on which is
    valid.
    Example: `policy-v1.docx` and `policy-v2.docx`
    Cure: keep the valid version, or say in each which it is.
    """
    for source, (other, likeness) in corpus.alike.items():
        yield source, Violation(f"{likeness:.0%} the same as {other}: keep the valid one of them")


def near_duplicate_passage(corpus: Corpus) -> Iterator[tuple[str, Violation]]:
    """CHK009 near-duplicate-passage: a passage that says much of what stands elsewhere already.

    What: two fifths of its runs of five words stand in an earlier document, or 85 % of them at another place of this
    one.
    Why it hurts retrieval: the same answer fills several places among the hits and drives others out.
    Example: the same risk factors in the reports of three quarters.
    Cure: keep the passage in one place and link to it, or search the newest document only.
    """
    for (source, first), (other, chunk), share in corpus.repeated_chunks:
        where = "this file" if source == other else source
        message = (
            f"{share:.0%} of passage {chunk.number + 1} stands in {where}, passage {first.number + 1}: keep one of them"
        )
        yield other, Violation(message, chunk.start, chunk.end, page=chunk.page)


members = rules_by_name(
    corpus_rule(duplicate_file, Severity.WARNING, 0.0, Scope.CORPUS),
    corpus_rule(near_duplicate_document, Severity.WARNING, 0.0, Scope.CORPUS),
    corpus_rule(near_duplicate_passage, Severity.NOTE, 0.1, Scope.CORPUS),
)
