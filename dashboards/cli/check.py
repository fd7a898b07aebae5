"""`kalends check`: a linter for documents."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dashboards.cli.options import JsonOption, settings_of
from warehouse.errors import BadInput
from warehouse.settings import CheckSettings, Settings

if TYPE_CHECKING:
    from flows.checking import Check, Checked


class Form(StrEnum):
    """The forms of the report."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    GITHUB = "github"
    HTML = "html"


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
    settings = settings_of(warehouse)
    over = _given(
        select=_words(select), ignore=_words(ignore), extend_select=_words(extend_select), min_score=min_score
    )
    how = _how(settings, over, baseline)
    besides = [place for place in (baseline, write_baseline) if place]
    again = partial(_checked, paths or [Path()], besides, warehouse, settings, how, no_cache=no_cache)
    checked = again()
    if diff:
        _show_changes(checked)
        return
    if fix:
        _mend(checked)
        checked = again()
    if write_baseline is not None:
        _keep(checked, write_baseline)
        return
    _print(checked, Form.JSON if json else form)
    if checked.report.fails:
        raise typer.Exit(1)


def _words(given: Sequence[str] | None) -> tuple[str, ...] | None:
    return None if given is None else tuple(word.strip() for each in given for word in each.split(",") if word.strip())


def _given(**values: Any) -> CheckSettings:
    from tasks.check.selection import check_selector

    over = CheckSettings(**{name: value for name, value in values.items() if value is not None})
    if not (over.select or over.extend_select):
        raise BadInput("--select names no rule", "name one, or leave the option out")
    for wanted in (*over.select, *over.ignore, *over.extend_select):
        check_selector(wanted)
    return over


def _how(settings: Settings, over: CheckSettings, baseline: Path | None) -> Check:
    from flows.checking import Check
    from tasks.check.configuration import Configuration, Rules

    fallback = Rules(Path.cwd(), settings.check)
    return Check(Configuration(fallback), datetime.now(UTC).date(), over, baseline)


def _checked(
    paths: list[Path], besides: list[Path], warehouse: Path | None, settings: Settings, how: Check, *, no_cache: bool
) -> Checked:
    from flows import checked_files, vaults
    from flows.checking import check
    from tasks.check.cache import Cache, default_folder

    cache = Cache(None if no_cache else checked_files.cache_folder(default_folder()))
    if warehouse is not None:
        from flows.checked_warehouse import CheckedWarehouse
        from warehouse.store.generations import require
        from warehouse.store.lake import Lake
        from warehouse.store.layout import Layout

        layout = Layout(settings.warehouse)
        held = CheckedWarehouse(require(layout), Lake(layout.lake), settings)
        return check(held.files(), held.sheets, cache, held.links, how)
    files = checked_files.files_at(paths, settings, besides)
    return check(
        files,
        lambda missing: checked_files.read_sheets(missing, settings),
        cache,
        lambda sheets: vaults.links_among(files, paths, sheets),
        how,
    )


def _print(checked: Checked, form: Form) -> None:
    from dashboards.reports.contract import FORMS

    for line in FORMS[form](checked.report):
        typer.echo(line)


def _show_changes(checked: Checked) -> None:
    from flows.mending import mends

    for mend in mends(checked):
        before, after = mend.before.splitlines(keepends=True), mend.after.splitlines(keepends=True)
        for line in difflib.unified_diff(before, after, mend.path, mend.path):
            typer.echo(line, nl=not line.endswith("\n"))


def _mend(checked: Checked) -> None:
    from flows.mending import mends, write

    for mend in list(mends(checked)):
        write(mend)
        typer.echo(f"mended {mend.path}", err=True)


def _keep(checked: Checked, path: Path) -> None:
    from tasks.check.baseline import write_baseline

    found = {
        entry.fingerprint: [entry.path, entry.located.finding.code, entry.located.finding.message]
        for entry in checked.report.entries
    }
    write_baseline(path, found)
    typer.echo(f"{len(found)} findings written to {path}; check with --baseline {path}")
