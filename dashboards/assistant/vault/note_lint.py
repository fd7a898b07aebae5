"""Checks of a note before it is written: errors of mdlint-obsidian block it, warnings and broken links are reported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from dashboards.assistant.vault.note_paths import NOTE
from dashboards.assistant.vault.notes import Vault
from flows.discovery import RootScope, list_paths
from tasks.quality.note_links import note_digest
from tasks.quality.rules.mdlint_obsidian import is_beyond, run_mdlint
from warehouse.errors import BadInput
from warehouse.records import Root

_SHOWN = 5


@dataclass(frozen=True, slots=True)
class LintWarning:
    """A fault on a line of a note, by the name of mdlint-obsidian's rule."""

    rule: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.message} ({self.rule})"


def lint_note(text: str, vault: Vault, source: str, before: str = "") -> tuple[LintWarning, ...]:
    """The warnings of a note that is about to be written.

    Raises `BadInput` for its errors, those that the note had `before` left out: they do not get worse by an addition.
    """
    if is_beyond(text):
        raise BadInput(f"{source}, or one of its lines, would be too long to check", "write several notes")
    earlier = Counter((each.rule, each.message) for each in _errors(before))
    errors = []
    for each in _errors(text):
        earlier[each.rule, each.message] -= 1
        if earlier[each.rule, each.message] < 0:
            errors.append(each)
    if errors:
        more = f" and {len(errors) - _SHOWN} more" if len(errors) > _SHOWN else ""
        raise BadInput(
            f"{source} was not written: {'; '.join(map(str, errors[:_SHOWN]))}{more}", "correct them and write again"
        )
    warned = (
        LintWarning(each.rule, each.line, each.message) for each in run_mdlint(text) if not _blocks(each.severity.value)
    )
    return (*warned, *_broken_links(text, vault, source))


def _errors(text: str) -> Iterator[LintWarning]:
    if not is_beyond(text):
        for each in run_mdlint(text):
            if _blocks(each.severity.value):
                yield LintWarning(each.rule, each.line, " ".join(each.message.split()))


def _blocks(severity: str) -> bool:
    return severity == "error"


def _broken_links(text: str, vault: Vault, source: str) -> Iterator[LintWarning]:
    """Links by a name that no note or file has: mdlint-obsidian knows neither folders, attachments nor the new note."""
    links = [link for link in note_digest(text).links if link.target]
    if not links:
        return
    names = set(_names([*list_paths(RootScope(Root("", vault.root))), source]))
    for link in links:
        if link.target.removeprefix("/").casefold() not in names:
            yield LintWarning("broken-link", link.line, f"[[{link.target}]] leads to no note")


def _names(sources: Iterable[str]) -> Iterator[str]:
    """All that a link may call a file: the ends of its path, a note without its suffix."""
    for source in sources:
        parts = source.casefold().removesuffix(NOTE).split("/")
        for start in range(len(parts)):
            end = "/".join(parts[start:])
            yield end
            if source.casefold().endswith(NOTE):
                yield f"{end}{NOTE}"
