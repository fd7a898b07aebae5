"""`kalends rules`: the pages of the quality rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from dashboards.cli.options import JsonOption, print_json
from warehouse.errors import BadInput

if TYPE_CHECKING:
    from tasks.quality.contract import Rule


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command()(rules)


def rules(
    code: Annotated[str | None, typer.Argument(help="A code, the first letters of several, or a name.")] = None,
    json: JsonOption = False,
) -> None:
    """List the quality rules, or show the page of one: what it finds, why it hurts, an example, the cure."""
    from tasks.quality.listing import every_rule

    found = [rule for rule in every_rule().values() if code is None or _is_meant(rule, code)]
    if not found:
        raise BadInput(f"no rule is named '{code}'", "'kalends rules' lists them")
    if json:
        print_json([_as_data(rule) for rule in found])
    elif code is not None and len(found) == 1:
        _show(found[0])
    else:
        for rule in found:
            typer.echo(f"{rule.code}  {rule.severity:<7}  {rule.name}")


def _is_meant(rule: Rule, wanted: str) -> bool:
    return rule.code.startswith(wanted.upper()) or rule.name == wanted


def _as_data(rule: Rule) -> dict[str, Any]:
    from tasks.quality.listing import page_of

    page = page_of(rule)
    own = {"code": rule.code, "name": rule.name, "severity": rule.severity, "scope": rule.scope}
    said = {"title": page.title, "what": page.what, "why": page.why, "example": page.example, "cure": page.cure}
    return {**own, "penalty": rule.penalty, **said}


def _show(rule: Rule) -> None:
    from tasks.quality.listing import page_of

    page = page_of(rule)
    typer.echo(f"{rule.code} {rule.name}: {page.title}")
    typer.echo(f"{rule.severity}, seen in a {rule.scope}, penalty {rule.penalty:g}\n")
    said = {"What": page.what, "Why it hurts retrieval": page.why, "Example": page.example, "Cure": page.cure}
    for name, text in said.items():
        typer.echo(f"{name}: {text}")
