"""VLT001 broken-link: a link of a note that leads nowhere.

What: no note or file of the vault has the name, in any folder (mdlint-obsidian calls it broken-link).
Why it hurts retrieval: what the note relies on is not in the corpus, or stands there under another name.
Example: `[[Budegt 2023]]`
Cure: correct the name, or write the note; `kalends check --fix` corrects names with exactly one candidate.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from tasks.quality.contract import CorpusRule, Scope, Violation
from tasks.quality.corpus import Corpus
from tasks.quality.links import NoteLink
from warehouse.records import Severity


def _found(corpus: Corpus) -> Iterator[tuple[str, Violation]]:
    """Once for each name a note gives; with `^` in it, it is not a name but a link miswritten (VLT105)."""
    for source in corpus.links.notes:
        named: set[str] = set()
        for link in corpus.links_of(source):
            if link.target not in named and "^" not in link.target and corpus.links.leads_nowhere(source, link):
                named.add(link.target)
                yield source, Violation(_said(corpus, source, link), line=link.line, column=link.column)


def _said(corpus: Corpus, source: str, link: NoteLink) -> str:
    near = corpus.links.nearest(source, link)
    cure = f"did you mean '{PurePosixPath(near[0]).stem}'?" if len(near) == 1 else "correct the name or write the note"
    return f"the link to '{link.target}' leads nowhere: {cure}"


member = CorpusRule("VLT001", "broken-link", Severity.WARNING, 0.0, Scope.CORPUS, __doc__, _found)
