"""`kalends explain-loss`: which questions one configuration lost to another, and the first stage that differs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from dashboards.cli.options import JsonOption, WarehouseOption, print_json, settings_of
from warehouse.escaping import ESCAPES

if TYPE_CHECKING:
    from flows.experiments.losses import LossReport

Named = "a configuration of a grid, by its name or the beginning of its trial's id"


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("explain-loss")(explain_loss)


def explain_loss(
    before: Annotated[str, typer.Argument(metavar="A", help=f"The better one: {Named}.")],
    after: Annotated[str, typer.Argument(metavar="B", help="The one that lost, named likewise.")],
    warehouse: WarehouseOption = None,
    json: JsonOption = False,
) -> None:
    """For each question that B answers worse than A: the first stage whose output differs where the answer stands.

    Parse, table, chunk, embed; where all of them made the same, rank: the search ordered it otherwise. Read from what a
    grid kept (kalends evaluate --grid) in the warehouse; nothing is asked again.
    """
    from flows.experiments.losses import explain
    from warehouse.store.layout import Layout

    found = explain(Layout(settings_of(warehouse).warehouse), before, after)
    if json:
        print_json(found)
        return
    for line in lines(found):
        typer.echo(line)


def lines(found: LossReport) -> Iterator[str]:
    """The explanation for people."""
    count = f"{len(found.lost)} of {found.questions} questions lost by {found.measure}"
    yield f"{found.exam}: {count} from '{found.before.name}' to '{found.after.name}'"
    yield f"differing: {'; '.join(found.differences) or 'nothing but the documents or the code'}"
    for each in found.lost:
        ranks = f"rank {each.rank_before or '-'} to {each.rank_after or '-'}"
        yield ""
        yield f"{' '.join(each.text.split()).translate(ESCAPES)}"
        yield f"  {each.before:.3f} to {each.after:.3f}, {ranks}; {each.stage}: {each.reason.translate(ESCAPES)}"
    if found.lost:
        stages = Counter(each.stage for each in found.lost)
        yield ""
        yield "by stage: " + ", ".join(f"{stage} {count}" for stage, count in stages.most_common())
