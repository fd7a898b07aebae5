"""VLT003 ambiguous-link: a link that may mean several notes.

What: notes of one name stand in several folders, and the link gives no folder.
Why it hurts retrieval: the reader, and a chat that follows links, may open the wrong one.
Example: `[[Minutes]]` where there are `2022/Minutes.md` and `2023/Minutes.md`.
Cure: write the folder into the link: `[[2023/Minutes]]`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from tasks.quality.contract import CorpusRule, Scope, Violation
from tasks.quality.corpus import Corpus
from warehouse.records import Severity


def _found(corpus: Corpus) -> Iterator[tuple[str, Violation]]:
    """Once for each name a note gives; a note of that name in the same folder is meant."""
    for source, (_, path) in corpus.links.notes.items():
        named: set[str] = set()
        folder = PurePosixPath(path).parent
        for link in corpus.links_of(source):
            found = corpus.links.candidates(source, link)
            near = any(PurePosixPath(each).parent == folder for each in found)
            if len(found) > 1 and not near and link.target not in named:
                named.add(link.target)
                first, second = sorted(found)[:2]
                message = f"'{link.target}' may be {first} or {second}: write the folder into the link"
                yield source, Violation(message, line=link.line, column=link.column)


member = CorpusRule("VLT003", "ambiguous-link", Severity.WARNING, 0.0, Scope.CORPUS, __doc__, _found)
