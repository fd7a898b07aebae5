"""The rules of mdlint-obsidian (https://github.com/codeafix/mdlint-obsidian) as rules of ours, each with its own code.

What it finds of links, front matter and uneven tables, Kalends finds itself, knowing the vault: its broken-link is
VLT001, its frontmatter-invalid-yaml DOC008, its table-inconsistent-columns TAB004.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from tasks.parsers.notes.obsidian import WIKILINK
from tasks.quality.checked_document import MARKDOWN, CheckedDocument
from tasks.quality.note_links import without_code, without_inline_code
from tasks.quality.rule import ReportedRule, Scope, Violation
from warehouse.records import Severity

if TYPE_CHECKING:
    from mdlint_obsidian import LintError

_LOST = "what follows is not read as it was meant, and words are lost or shown with their marks."
_DIALECT = "Obsidian does not show it as other programs do, and links written so are no part of the vault's graph."
_ROWS = (
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
_DIALECT_ONLY = frozenset({"std-internal-link", "std-internal-image", "std-reference-link", "indented-code-block"}) | {
    "raw-html",
    "std-horizontal-rule",
}
_DATE_PROPERTY = re.compile(r"^([\w -]{1,60}:)[^\S\n]*['\"]?\d{4}-\d.*$", re.MULTILINE)
_NO_MATHEMATICS = re.compile(r"(?<=[^\W\d_])\$(?=[^\W\d_])")  # A dollar within a word, as in US$m, opens no formula.
_LONGEST, _LONGEST_LINE = 2**20, 20_000


def _rule(code: str, name: str, what: str, example: str) -> ReportedRule:
    dialect = name in _DIALECT_ONLY
    why = _DIALECT if dialect else _LOST
    head = f"{code} {name}: {what}.\n\nWhat: mdlint-obsidian reports it as {name}.\n"
    page = f"{head}Why it hurts retrieval: {why}\nExample: {example}\nCure: write it as Obsidian does.\n"
    severity = Severity.NOTE if dialect else Severity.WARNING
    return ReportedRule(code, name, severity, 0.0, Scope.DOCUMENT, page)


VAULT_RULES: dict[str, ReportedRule] = {name: _rule(code, name, what, example) for code, name, what, example in _ROWS}
members = {name.replace("-", "_"): rule for name, rule in VAULT_RULES.items()}


def vault_lint(subject: CheckedDocument) -> Iterable[tuple[ReportedRule, Violation]]:
    """What mdlint-obsidian finds in a note.

    What is only another dialect of Markdown is reported for notes with a link or embed of Obsidian's.
    """
    if subject.document.media_type != MARKDOWN or is_beyond(subject.raw):
        return
    is_obsidian = WIKILINK.search(without_code(subject.raw)) is not None
    for error in run_mdlint(subject.raw):
        rule = VAULT_RULES.get(error.rule)
        if rule is not None and (is_obsidian or error.rule not in _DIALECT_ONLY):
            message = " ".join(error.message.split())
            yield rule, Violation(message[:1].lower() + message[1:], line=error.line, column=1)


def is_beyond(raw: str) -> bool:
    """Whether a note is too long, or has too long a line, for mdlint-obsidian: its time grows with the square."""
    return len(raw) > _LONGEST or max(map(len, raw.split("\n"))) > _LONGEST_LINE


def run_mdlint(raw: str) -> list[LintError]:
    """What mdlint-obsidian finds in the source of a note, in order of lines.

    Code within lines is blanked out first, and so are the dates of properties, on which it fails where there is no such
    day.
    """
    from mdlint_obsidian import validate

    source = without_inline_code(raw)
    found: list[LintError] = validate(_NO_MATHEMATICS.sub(" ", _DATE_PROPERTY.sub(r"\1", source)))
    return found
