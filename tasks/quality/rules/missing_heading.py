"""VLT004 missing-heading: a link to a heading or block that its note does not have.

What: the note is there, but no heading or block id of it is what stands after the `#`.
Why it hurts retrieval: the link leads to the top of the note, and an embed shows nothing.
Example: `[[Plan#Risks]]` where Plan has no heading Risks.
Cure: correct the heading in the link.
"""

from __future__ import annotations

from collections.abc import Iterator

from tasks.quality.contract import CorpusRule, Scope, Violation
from tasks.quality.corpus import Corpus
from tasks.quality.links import NoteDigest, plain
from warehouse.records import Severity


def _found(corpus: Corpus) -> Iterator[tuple[str, Violation]]:
    for source, (root, _) in corpus.links.notes.items():
        for link in corpus.links_of(source):
            found = corpus.links.candidates(source, link)
            target = corpus.links.source_at.get((root, found[0])) if len(found) == 1 else None
            note = corpus.digests[target].note if target else None
            if link.heading and note is not None and not _has(note, link.heading):
                message = f"'{link.target or 'this note'}' has no '{link.heading}': correct the heading in the link"
                yield source, Violation(message, line=link.line, column=link.column)


def _has(note: NoteDigest, place: str) -> bool:
    last = place.rsplit("#", 1)[-1].strip()
    if last.startswith("^"):
        return last[1:].lower() in note.blocks
    return plain(last) in note.headings


member = CorpusRule("VLT004", "missing-heading", Severity.WARNING, 0.0, Scope.CORPUS, __doc__, _found)
