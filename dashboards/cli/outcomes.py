"""What `kalends check` does with what it finds: print it, mend it, or write it into a baseline."""

from __future__ import annotations

import difflib
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from flows.checking import CheckResult


class Form(StrEnum):
    """The forms of the report."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    GITHUB = "github"
    HTML = "html"


def show(checked: CheckResult, form: Form) -> None:
    """Prints the report."""
    from tasks.check.forms.contract import FORMS

    for line in FORMS[form](checked.report):
        typer.echo(line)


def show_changes(checked: CheckResult) -> None:
    """Prints what mending would change, as a unified diff."""
    from flows.mending import mends

    for each in mends(checked):
        before, after = each.before.splitlines(keepends=True), each.after.splitlines(keepends=True)
        for line in difflib.unified_diff(before, after, each.path, each.path):
            typer.echo(line, nl=not line.endswith("\n"))


def mend(checked: CheckResult) -> None:
    """Mends the notes and says which."""
    from flows.mending import mends, write

    for each in list(mends(checked)):
        write(each)
        typer.echo(f"mended {each.path}", err=True)


def keep(checked: CheckResult, path: Path) -> None:
    """Writes what is found into a baseline."""
    from tasks.check.baseline import write_baseline

    found = {
        entry.fingerprint: [entry.path, entry.located.finding.code, entry.located.finding.message]
        for entry in checked.report.entries
    }
    write_baseline(path, found)
    typer.echo(f"{len(found)} findings written to {path}; check with --baseline {path}")
