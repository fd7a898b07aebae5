"""Rules of notes in a vault of Obsidian: their properties, their links, and what mdlint-obsidian finds in them.

The rules of mdlint-obsidian (https://github.com/codeafix/mdlint-obsidian) are rules of ours, each with its own code.
Kalends itself finds faults of links, front matter and uneven tables, since it knows the vault: its broken-link is
VLT001, its frontmatter-invalid-yaml DOC008, its table-inconsistent-columns TAB004.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from tasks.quality.checked_document import MARKDOWN, CheckedDocument
from tasks.quality.corpus import Corpus
from tasks.quality.note_links import normalize_heading, without_code, without_inline_code
from tasks.quality.phrases import shorten_text
from tasks.quality.rule import ReportedRule, Scope, Violation, index_by_name, make_corpus_rule, make_document_rule
from warehouse.records import Severity

if TYPE_CHECKING:
    from mdlint_obsidian import LintError

_DATES = frozenset({"date", "created", "updated", "modified", "published", "due"})
_TEMPLATE = re.compile(r"\{\{|<%")
_TAG_SPACE = re.compile(r"\S\s+\S")


def bad_property(subject: CheckedDocument) -> Iterator[Violation]:
    """VLT005: a property of a note that is not what its name says.

    What: a date property that is no date, or tags with spaces in them.
    Why it hurts retrieval: the note is not found by its date or its tags.
    Example: `date: 2023-13-05`, `tags: [annual report]`
    Cure: write dates as YYYY-MM-DD and tags as single words.
    """
    from tasks.parsers.notes.properties import split_front_matter

    # Front matter that can be read; templates are filled in later.
    if subject.document.media_type != MARKDOWN or not subject.raw:
        return
    lines = subject.raw.split("\n")
    for name, value in split_front_matter(subject.raw).properties.items():
        problem = _describe_problem(name.strip().lower(), value)
        if problem and not _TEMPLATE.search(str(value)):
            line = next((number for number, text in enumerate(lines, 1) if text.startswith(name)), 1)
            yield Violation(f"property '{name}' {problem}", line=line, column=1)


def _describe_problem(name: str, value: object) -> str:
    if name in _DATES and isinstance(value, str) and value.strip():
        from tasks.temporal.tagger import tag

        if any(mention.start_date for mention in tag(value.strip("[]\"' "), None, "und")):
            return ""
        return f"is '{shorten_text(value)}', which is no date: write it as YYYY-MM-DD"
    if name in ("tags", "tag") and isinstance(value, list):
        tag_with_space = next((str(tag) for tag in value if _TAG_SPACE.search(str(tag))), None)
        if tag_with_space:
            return f"has the tag '{shorten_text(tag_with_space)}' with a space in it: join the words with a hyphen"
    return ""


def broken_link(corpus: Corpus) -> Iterator[tuple[str, Violation]]:
    """VLT001: a link of a note that leads nowhere.

    What: no note or file of the vault has the name, in any folder (mdlint-obsidian calls it broken-link).
    Why it hurts retrieval: what the note relies on is not in the corpus, or has another name there.
    Example: `[[Budegt 2023]]`
    Cure: correct the name, or write the note; `kalends check --fix` corrects names with exactly one candidate.
    """
    # Once for each name that a note links to; a name with `^` is a malformed link instead (VLT105).
    for source in corpus.links.notes:
        targets: set[str] = set()
        for link in corpus.get_links(source):
            if link.target not in targets and "^" not in link.target and corpus.links.is_broken(source, link):
                targets.add(link.target)
                similar = [PurePosixPath(path).stem for path in corpus.links.find_nearest(source, link)]
                cure = f"did you mean '{similar[0]}'?" if len(similar) == 1 else "correct the name or write the note"
                message = f"the link to '{link.target}' leads nowhere: {cure}"
                yield source, Violation(message, line=link.line, column=link.column)


def ambiguous_link(corpus: Corpus) -> Iterator[tuple[str, Violation]]:
    """VLT003: a link that may mean several notes.

    What: notes of one name are in several folders, and the link gives no folder.
    Why it hurts retrieval: the reader, and a chat that follows links, may open the wrong one.
    Example: `[[Minutes]]` where there are `2022/Minutes.md` and `2023/Minutes.md`.
    Cure: write the folder into the link: `[[2023/Minutes]]`.
    """
    # Once for each name that a note links to; a note of that name in the same folder is the target.
    for source, (_, path) in corpus.links.notes.items():
        targets: set[str] = set()
        folder = PurePosixPath(path).parent
        for link in corpus.get_links(source):
            candidates = corpus.links.find_candidates(source, link)
            is_in_same_folder = any(PurePosixPath(path).parent == folder for path in candidates)
            if len(candidates) > 1 and not is_in_same_folder and link.target not in targets:
                targets.add(link.target)
                first, second = sorted(candidates)[:2]
                message = f"'{link.target}' may be {first} or {second}: write the folder into the link"
                yield source, Violation(message, line=link.line, column=link.column)


def missing_heading(corpus: Corpus) -> Iterator[tuple[str, Violation]]:
    """VLT004: a link to a heading or block that its note does not have.

    What: the note is there, but it has no heading or block id with the name after the `#`.
    Why it hurts retrieval: the link opens the top of the note, and an embed shows nothing.
    Example: `[[Plan#Risks]]` where Plan has no heading Risks.
    Cure: correct the heading in the link.
    """
    for source, (root, _) in corpus.links.notes.items():
        for link in corpus.get_links(source):
            candidates = corpus.links.find_candidates(source, link)
            target = corpus.links.sources_by_path.get((root, candidates[0])) if len(candidates) == 1 else None
            note = corpus.digests[target].note if target else None
            if not link.heading or note is None:
                continue
            place = link.heading.rsplit("#", 1)[-1].strip()
            is_block = place.startswith("^")
            places, name = (note.blocks, place[1:].lower()) if is_block else (note.headings, normalize_heading(place))
            if name not in places:
                message = f"'{link.target or 'this note'}' has no '{link.heading}': correct the heading in the link"
                yield source, Violation(message, line=link.line, column=link.column)


def orphan_note(corpus: Corpus) -> Iterator[tuple[str, Violation]]:
    """VLT002: a note that no other note links to and that links to none.

    What: no link of the vault points to it, or from it to another note.
    Why it hurts retrieval: nothing says what it belongs to: it is found by its own words or not at all.
    Example: a note of one pasted line.
    Cure: link it from the note of its subject, or file it away.
    """
    # Only if all notes of the vault are checked, and if links are usual: in the vault, or in the note's folder.
    notes: set[str] = set()
    folders: set[tuple[str, PurePosixPath]] = set()
    for source, (root, path) in corpus.links.notes.items():
        for link in corpus.get_links(source):
            targets = {
                corpus.links.sources_by_path.get((root, candidate))
                for candidate in corpus.links.find_candidates(source, link)
            }
            if linked_notes := {other for other in targets if other and other != source}:
                notes |= {source, *linked_notes}
                folders.add((root, PurePosixPath(path).parent))
    for source, (root, path) in corpus.links.notes.items():
        has_usual_links = root in corpus.links.vaults or (root, PurePosixPath(path).parent) in folders
        if source not in notes and has_usual_links and root in corpus.links.complete:
            yield source, Violation("no note links to it and it links to none: link it from the note of its subject")


_LOST_WORDS_REASON = "what follows is not read as it was meant, and words are lost or shown with their marks."
_DIALECT_REASON = (
    "Obsidian does not show it as other programs do, and links written so are no part of the vault's graph."
)
_LINT_RULES = (
    ("VLT101", "frontmatter-not-first", "properties that do not stand at the head of the note", "`---` on line 3"),
    ("VLT102", "frontmatter-unclosed", "properties without the `---` that ends them", "`---` and no second one"),
    ("VLT103", "unclosed-wikilink", "`[[` without `]]`", "`[[Budget 2023`"),
    ("VLT104", "empty-wikilink", "a link without a name", "`[[]]`"),
    ("VLT105", "wikilink-invalid-chars", "`#` or `^` in the wrong place of a link", "`[[Plan^a#Risks]]`"),
    ("VLT106", "unclosed-embed", "`![[` without `]]`", "`![[chart.png`"),
    ("VLT107", "empty-embed", "an embed without a name", "`![[]]`"),
    ("VLT108", "embed-invalid-dimension", "a size of a picture that is none", "`![[chart.png|300x]]`"),
    ("VLT109", "callout-invalid-type", "a callout of a type that Obsidian does not know", "`> [!nota]`"),
    ("VLT110", "callout-missing-continuation", "a callout whose text is not quoted", "`> [!note]`, then plain text"),
    ("VLT111", "callout-invalid-modifier", "a fold mark of a callout other than + and -", "`> [!note*]`"),
    ("VLT112", "unclosed-code-block", "a fence of code without an end", "three backticks and no more"),
    ("VLT113", "unclosed-highlight", "`==` without its counterpart on the line", "`a ==marked word`"),
    ("VLT114", "unclosed-comment", "`%%` without its counterpart", "`%% to do`"),
    ("VLT115", "orphaned-footnote-ref", "a reference to a footnote that there is not", "`as shown[^3]`"),
    ("VLT116", "orphaned-footnote-def", "a footnote that nothing refers to", "`[^3]: Ibid.`"),
    ("VLT117", "table-missing-separator", "a table without the rule below its header", "no `|---|---|`"),
    ("VLT118", "unclosed-math-block", "`$$` without its counterpart", "`$$ x = 1`"),
    ("VLT119", "unclosed-inline-math", "`$` without its counterpart on the line", "`where $x is`"),
    ("VLT120", "std-internal-link", "a Markdown link to a note", "`[Plan](Plan.md)`"),
    ("VLT121", "std-internal-image", "a Markdown picture of the vault", "`![chart](img/chart.png)`"),
    ("VLT122", "std-reference-link", "a link by reference", "`[Plan][1]`"),
    ("VLT123", "heading-no-space", "a heading without a space after its marks", "`##Risks`"),
    ("VLT124", "indented-code-block", "code that is marked by four spaces", "four spaces before `x = 1`"),
    ("VLT125", "raw-html", "an HTML element in a note", "`<div>`"),
    ("VLT126", "std-horizontal-rule", "a rule of stars or underscores", "`***`"),
)
_DIALECT_RULES = frozenset(
    {"std-internal-link", "std-internal-image", "std-reference-link"}
    | {"indented-code-block", "raw-html", "std-horizontal-rule"}
)
_DATE_PROPERTY = re.compile(r"^([\w -]{1,60}:)[^\S\n]*['\"]?\d{4}-\d.*$", re.MULTILINE)
_DOLLAR_IN_WORD = re.compile(r"(?<=[^\W\d_])\$(?=[^\W\d_])")  # A dollar within a word, as in US$m, opens no formula.
_MAX_LENGTH, _MAX_LINE_LENGTH = 2**20, 20_000


def _make_rule(code: str, name: str, what: str, example: str) -> ReportedRule:
    is_dialect = name in _DIALECT_RULES
    why = _DIALECT_REASON if is_dialect else _LOST_WORDS_REASON
    head = f"{code} {name}: {what}.\n\nWhat: mdlint-obsidian reports it as {name}.\n"
    page = f"{head}Why it hurts retrieval: {why}\nExample: {example}\nCure: write it as Obsidian does.\n"
    severity = Severity.NOTE if is_dialect else Severity.WARNING
    return ReportedRule(code, name, severity, 0.0, Scope.DOCUMENT, page)


VAULT_RULES: dict[str, ReportedRule] = {
    name: _make_rule(code, name, what, example) for code, name, what, example in _LINT_RULES
}


def find_lint_violations(subject: CheckedDocument) -> Iterable[tuple[ReportedRule, Violation]]:
    """The findings of mdlint-obsidian in a note.

    Other dialects of Markdown are reported only for notes with a link or embed of Obsidian's.
    """
    from tasks.parsers.notes.obsidian import WIKILINK

    if subject.document.media_type != MARKDOWN or is_too_long(subject.raw):
        return
    is_obsidian = WIKILINK.search(without_code(subject.raw)) is not None
    for error in run_mdlint(subject.raw):
        rule = VAULT_RULES.get(error.rule)
        if rule is not None and (is_obsidian or error.rule not in _DIALECT_RULES):
            message = " ".join(error.message.split())
            yield rule, Violation(message[:1].lower() + message[1:], line=error.line, column=1)


def is_too_long(raw: str) -> bool:
    """Whether a note is too long, or has too long a line, for mdlint-obsidian: its time grows with the square."""
    return len(raw) > _MAX_LENGTH or max(map(len, raw.split("\n"))) > _MAX_LINE_LENGTH


def run_mdlint(raw: str) -> list[LintError]:
    """The errors that mdlint-obsidian finds in the source of a note, in order of lines.

    Code within lines is replaced by spaces first, and dates of properties are removed, as it fails on impossible ones.
    """
    from mdlint_obsidian import validate

    source = without_inline_code(raw)
    errors: list[LintError] = validate(_DOLLAR_IN_WORD.sub(" ", _DATE_PROPERTY.sub(r"\1", source)))
    return errors


members = index_by_name(
    make_document_rule(bad_property, Severity.WARNING, 0.0, Scope.DOCUMENT),
    make_corpus_rule(broken_link, Severity.WARNING, 0.0),
    make_corpus_rule(ambiguous_link, Severity.WARNING, 0.0),
    make_corpus_rule(missing_heading, Severity.WARNING, 0.0),
    make_corpus_rule(orphan_note, Severity.NOTE, 0.0),
    *VAULT_RULES.values(),
)
