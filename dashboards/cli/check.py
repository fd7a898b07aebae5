"""`kalends check`, a linter for documents, and `kalends rules`, the reference of its quality rules."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dashboards.cli.options import OutputFormat, load_settings, print_json, with_format
from warehouse.errors import BadInput

if TYPE_CHECKING:
    from flows.check import CheckResult
    from tasks.quality.rule import Rule
    from warehouse.settings.models import CheckSettings


_Codes = list[str] | None


@with_format(OutputFormat.SARIF, OutputFormat.GITHUB, OutputFormat.HTML)
def check(
    paths: Annotated[list[Path] | None, typer.Argument(help="Folders and files [default: this folder].")] = None,
    warehouse: Annotated[
        Path | None, typer.Option("--warehouse", "-w", help="Check the documents of this warehouse instead.")
    ] = None,
    select: Annotated[
        _Codes, typer.Option(help="Use only these rules: codes, first letters of codes, or names, separated by commas.")
    ] = None,
    ignore: Annotated[_Codes, typer.Option(help="Leave these rules out.")] = None,
    extend_select: Annotated[_Codes, typer.Option("--extend-select", help="Use these rules as well.")] = None,
    baseline: Annotated[Path | None, typer.Option(help="Ignore the findings that are listed in this file.")] = None,
    write_baseline: Annotated[
        Path | None,
        typer.Option("--write-baseline", help="Write the current findings to this file and exit with code 0."),
    ] = None,
    fix: Annotated[
        bool, typer.Option("--fix", help="Fix problems in notes that have only one possible correction.")
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Show what --fix would change, without changing anything.")
    ] = False,
    form: OutputFormat = OutputFormat.TEXT,
    min_score: Annotated[
        float | None,
        typer.Option("--min-score", min=0, max=1, help="Also fail if the score of a file is lower than this."),
    ] = None,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Read every file again.")] = False,
) -> None:
    """Check documents for problems that hurt retrieval.

    Exit code 0: no findings, 1: findings, 2: bad input.
    """
    from flows.check import find_fixes, run_check, write_fix
    from tasks.check.report import FORMATS

    if warehouse is not None and (paths or fix or diff):
        raise BadInput("--warehouse cannot be combined with paths, --fix or --diff", "leave one of them out")
    overrides = _make_settings(
        select=_split_options(select),
        ignore=_split_options(ignore),
        extend_select=_split_options(extend_select),
        min_score=min_score,
    )
    extra_files = [place for place in (baseline, write_baseline) if place]
    places = None if warehouse else paths or [Path()]
    run = partial(run_check, load_settings(warehouse), places, extra_files, overrides, baseline, no_cache=no_cache)
    result = run()
    if diff:
        for file_fix in find_fixes(result):
            before, after = file_fix.before.splitlines(keepends=True), file_fix.after.splitlines(keepends=True)
            for line in difflib.unified_diff(before, after, file_fix.path, file_fix.path):
                typer.echo(line, nl=not line.endswith("\n"))
        return
    if fix:
        for file_fix in list(find_fixes(result)):
            write_fix(file_fix)
            typer.echo(f"fixed {file_fix.path}", err=True)
        result = run()
    if write_baseline is not None:
        _save_baseline(result, write_baseline)
        return
    for line in FORMATS[form](result.report):
        typer.echo(line)
    if result.report.fails:
        raise typer.Exit(1)


def _split_options(options: Sequence[str] | None) -> tuple[str, ...] | None:
    return (
        None
        if options is None
        else tuple(word.strip() for option in options for word in option.split(",") if word.strip())
    )


def _make_settings(**values: Any) -> CheckSettings:
    """The settings of the rules that the command line gives. Raises `BadInput` for a selector that names no rule."""
    from tasks.check.selection import check_selector
    from warehouse.settings.models import CheckSettings

    overrides = CheckSettings(**{name: value for name, value in values.items() if value is not None})
    if not (overrides.select or overrides.extend_select):
        raise BadInput("--select contains no rule", "give at least one rule, or leave the option out")
    for selector in (*overrides.select, *overrides.ignore, *overrides.extend_select):
        check_selector(selector)
    return overrides


def _save_baseline(result: CheckResult, path: Path) -> None:
    from tasks.check.report import write_baseline

    findings = {
        entry.fingerprint: [entry.path, entry.source_finding.finding.code, entry.source_finding.finding.message]
        for entry in result.report.entries
    }
    write_baseline(path, findings)
    typer.echo(f"{len(findings)} findings written to {path}; check with --baseline {path}")


@with_format()
def rules(
    code: Annotated[str | None, typer.Argument(help="A code, the first letters of several codes, or a name.")] = None,
    form: OutputFormat = OutputFormat.TEXT,
) -> None:
    """List the quality rules, or explain one of them."""
    from tasks.quality.rule import list_rules, parse_page

    all_rules = list_rules().values()
    matches = [rule for rule in all_rules if code is None or rule.code.startswith(code.upper()) or rule.name == code]
    if not matches:
        raise BadInput(f"there is no rule '{code}'", "'kalends rules' lists all rules")
    if form is OutputFormat.JSON:
        rule_fields = ("code", "name", "severity", "scope", "penalty")
        texts = ("title", "what", "why", "example", "cure")
        pages = [(rule, parse_page(rule)) for rule in matches]
        print_json([_select_fields(rule, rule_fields) | _select_fields(page, texts) for rule, page in pages])
    elif code is not None and len(matches) == 1:
        _print_rule(matches[0])
    else:
        for rule in matches:
            typer.echo(f"{rule.code}  {rule.severity:<7}  {rule.name}")


def _select_fields(record: object, names: Sequence[str]) -> dict[str, Any]:
    return {name: getattr(record, name) for name in names}


def _print_rule(rule: Rule) -> None:
    from tasks.quality.rule import parse_page

    page = parse_page(rule)
    typer.echo(f"{rule.code} {rule.name}: {page.title}")
    typer.echo(f"{rule.severity}, seen in a {rule.scope}, penalty {rule.penalty:g}\n")
    texts = {"What": page.what, "Why it hurts retrieval": page.why, "Example": page.example, "Cure": page.cure}
    for name, text in texts.items():
        typer.echo(f"{name}: {text}")
