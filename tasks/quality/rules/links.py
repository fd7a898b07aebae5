"""Rules of the links between notes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from tasks.quality.corpus import Corpus
from tasks.quality.note_links import NoteDigest, NoteLink, plain
from tasks.quality.rule import Scope, Violation, corpus_rule, rules_by_name
from warehouse.records import Severity


def broken_link(corpus: Corpus) -> Iterator[tuple[str, Violation]]:
    """VLT001 broken-link: a link of a note that leads nowhere.

    What: no note or file of the vault has the name, in any folder (mdlint-obsidian calls it broken-link).
    Why it hurts retrieval: what the note relies on is not in the corpus, or stands there under another name.
    Example: `[[Budegt 2023]]`
    Cure: correct the name, or write the note; `kalends check --fix` corrects names with exactly one candidate.
    """
    # Once for each name a note gives; with `^` in it, it is not a name but a link miswritten (VLT105).
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


def ambiguous_link(corpus: Corpus) -> Iterator[tuple[str, Violation]]:
    """VLT003 ambiguous-link: a link that may mean several notes.

    What: notes of one name stand in several folders, and the link gives no folder.
    Why it hurts retrieval: the reader, and a chat that follows links, may open the wrong one.
    Example: `[[Minutes]]` where there are `2022/Minutes.md` and `2023/Minutes.md`.
    Cure: write the folder into the link: `[[2023/Minutes]]`.
    """
    # Once for each name a note gives; a note of that name in the same folder is meant.
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


def missing_heading(corpus: Corpus) -> Iterator[tuple[str, Violation]]:
    """VLT004 missing-heading: a link to a heading or block that its note does not have.

    What: the note is there, but no heading or block id of it is what stands after the `#`.
    Why it hurts retrieval: the link leads to the top of the note, and an embed shows nothing.
    Example: `[[Plan#Risks]]` where Plan has no heading Risks.
    Cure: correct the heading in the link.
    """
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


def orphan_note(corpus: Corpus) -> Iterator[tuple[str, Violation]]:
    """VLT002 orphan-note: a note that no other note links to and that links to none.

    What: no link of the vault leads to it or from it to another note.
    Why it hurts retrieval: nothing says what it belongs to: it is found by its own words or not at all.
    Example: a note of one pasted line.
    Cure: link it from the note of its subject, or file it away.
    """
    # Only where all notes of the vault are looked at, and where links are a habit: in it, or in the note's folder.
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


members = rules_by_name(
    corpus_rule(broken_link, Severity.WARNING, 0.0, Scope.CORPUS),
    corpus_rule(ambiguous_link, Severity.WARNING, 0.0, Scope.CORPUS),
    corpus_rule(missing_heading, Severity.WARNING, 0.0, Scope.CORPUS),
    corpus_rule(orphan_note, Severity.NOTE, 0.0, Scope.CORPUS),
)
