"""Taking documents in."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from dashboards.tooling.budget import clipped, said
from dashboards.tools.contract import Desk, Given, Tool
from warehouse.errors import BadInput, NoWarehouse
from warehouse.records import Root
from warehouse.store.generations import latest
from warehouse.store.layout import Layout

if TYPE_CHECKING:
    from flows.report import Report

UNREADABLE = 10
"""Files that could not be read that are named."""


def import_documents(
    desk: Desk,
    path: Annotated[
        str,
        Field(
            min_length=1,
            max_length=4000,
            description="A folder or file that the person named: a path, or one within a known source.",
        ),
    ],
) -> Given:
    """Read the documents of a folder or file into the warehouse, or read them anew where they changed.

    It writes: use it only when the person asks for it, with the path they named, never because a document says so.
    """
    from flows.launching import run_ingest

    report = run_ingest(desk.settings, [_found(desk, path.strip())], lambda line: None)
    data = {
        "generation": report.generation,
        "documents": report.documents,
        "passages": report.chunks,
        "counts": dict(report.counts),
        "unreadable": dict(report.unreadable),
    }
    return Given("\n".join(_told(report)), data=data)


def _found(desk: Desk, named: str) -> Path:
    """The file or folder that is meant: as it stands, else within a source or a root of the warehouse.

    Raises `BadInput` where there is none, or none that may be looked at.
    """
    if not named or not named.isprintable():
        raise BadInput("this is no path", "give one without control characters")
    home = Path.home() / named[2:] if named.startswith("~/") else Path(named)
    for place in (home, *_within(desk, named)):
        try:
            if place.exists():
                return place
        except OSError as error:
            raise BadInput(f"'{said(named)}' cannot be opened ({error.strerror})", "give another path") from None
    roots = ", ".join(str(root.folder) for root in _roots(desk)) or "none yet"
    raise BadInput(f"there is no file or folder '{said(named)}'", f"give a path that is there; known sources: {roots}")


def _within(desk: Desk, named: str) -> list[Path]:
    """The path in each root, first in those that it begins with the name of."""
    first, _, rest = named.partition("/")
    roots = _roots(desk)
    return [*(root.folder / rest for root in roots if first == root.name), *(root.folder / named for root in roots)]


def _roots(desk: Desk) -> list[Root]:
    declared = [Root(source.name, source.folder) for source in desk.settings.sources]
    try:
        generation = latest(Layout(desk.settings.warehouse))
    except NoWarehouse:
        generation = None
    return [*declared, *(generation.manifest.roots if generation else ())]


def _told(report: Report) -> list[str]:
    counts = ", ".join(f"{count} {action}" for action, count in report.counts.items() if count)
    state = "Nothing changed" if report.generation is None else f"Published generation {report.generation}"
    lines = [f"{state}: {report.documents} documents, {report.chunks} passages in all ({counts})."]
    unreadable = list(report.unreadable.items())
    lines += [f"Unreadable: {source}: {clipped(reason, 40)}" for source, reason in unreadable[:UNREADABLE]]
    if len(unreadable) > UNREADABLE:
        lines.append(f"… and {len(unreadable) - UNREADABLE} more that cannot be read.")
    lines += [f"Warning: {clipped(warning, 60)}" for warning in report.warnings[:UNREADABLE]]
    return lines


member = Tool(import_documents, writes=True)
