"""VLT002 orphan-note: a note that no other note links to and that links to none.

What: no link of the vault leads to it or from it to another note.
Why it hurts retrieval: nothing says what it belongs to: it is found by its own words or not at all.
Example: a note of one pasted line.
Cure: link it from the note of its subject, or file it away.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from tasks.quality.contract import CorpusRule, Scope, Violation
from tasks.quality.corpus import Corpus
from warehouse.records import Severity


def _found(corpus: Corpus) -> Iterator[tuple[str, Violation]]:
    """Only where all notes of the vault are looked at, and where links are a habit: in it, or in the note's folder."""
    joined: set[str] = set()
    linking: set[tuple[str, PurePosixPath]] = set()
    for source, (root, path) in corpus.links.notes.items():
        for link in corpus.links_of(source):
            others = [corpus.links.source_at.get((root, found)) for found in corpus.links.candidates(source, link)]
            reached = {other for other in others if other and other != source}
            joined |= {source, *reached} if reached else set()
            linking |= {(root, PurePosixPath(path).parent)} if reached else set()
    for source, (root, path) in corpus.links.notes.items():
        is_habit = root in corpus.links.vaults or (root, PurePosixPath(path).parent) in linking
        if source not in joined and is_habit and root in corpus.links.complete:
            yield source, Violation("no note links to it and it links to none: link it from the note of its subject")


member = CorpusRule("VLT002", "orphan-note", Severity.NOTE, 0.0, Scope.CORPUS, __doc__, _found)
