"""`kalends check`: a linter for documents."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from dashboards.cli.checking import Asked, given
from dashboards.cli.options import JsonOption, settings_of
from dashboards.cli.outcomes import Form, keep, mend, show, show_changes
from warehouse.errors import BadInput

_Codes = list[str] | None


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command()(check)


def check(
    paths: Annotated[list[Path] | None, typer.Argument(help="Folders and files [default: this folder].")] = None,
    warehouse: Annotated[
        Path | None, typer.Option("--warehouse", "-w", help="Check what this warehouse holds instead.")
    ] = None,
    select: Annotated[_Codes, typer.Option(help="Only these rules: codes, their first letters, names; commas.")] = None,
    ignore: Annotated[_Codes, typer.Option(help="Not these rules.")] = None,
    extend_select: Annotated[_Codes, typer.Option("--extend-select", help="These rules too.")] = None,
    baseline: Annotated[Path | None, typer.Option(help="Only findings that are not in this file count.")] = None,
    write_baseline: Annotated[
        Path | None, typer.Option("--write-baseline", help="Write what is found now into this file and pass.")
    ] = None,
    fix: Annotated[bool, typer.Option("--fix", help="Mend in notes what has one right cure.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Show what --fix would change, and change nothing.")] = False,
    form: Annotated[Form, typer.Option("--format", help="How to print the findings.")] = Form.TEXT,
    json: JsonOption = False,
    min_score: Annotated[
        float | None, typer.Option("--min-score", min=0, max=1, help="Also fail for files that score less.")
    ] = None,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Read every file anew.")] = False,
) -> None:
    """Check how well documents will serve retrieval; exits 0 for no findings, 1 for findings, 2 for bad input."""
    if warehouse is not None and (paths or fix or diff):
        raise BadInput("--warehouse excludes paths and --fix", "choose one")
    if json and form not in (Form.TEXT, Form.JSON):
        raise BadInput(f"--json and --format {form} exclude each other", "choose one")
    over = given(select=_words(select), ignore=_words(ignore), extend_select=_words(extend_select), min_score=min_score)
    besides = [place for place in (baseline, write_baseline) if place]
    asked = Asked(paths or [Path()], besides, warehouse, settings_of(warehouse), over, baseline, no_cache)
    checked = asked.checked()
    if diff:
        show_changes(checked)
        return
    if fix:
        mend(checked)
        checked = asked.checked()
    if write_baseline is not None:
        keep(checked, write_baseline)
        return
    show(checked, Form.JSON if json else form)
    if checked.report.fails:
        raise typer.Exit(1)


def _words(given: Sequence[str] | None) -> tuple[str, ...] | None:
    return None if given is None else tuple(word.strip() for each in given for word in each.split(",") if word.strip())
