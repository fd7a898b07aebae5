"""`python -m tests.flows.faults`: a table of faults, what each did to a run and to readers, and what mended it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from flows.service import processes
from tests.flows.faults import damage, forge
from tests.flows.faults.conftest import prepared
from tests.flows.faults.site import Site
from warehouse.errors import KalendsError
from warehouse.store.layout import Layout

HARMED = ("lake/chunks", "lake/contents", "lake/embeddings", "current/keywords", "indexes", "current")
"""Folders of which the largest file is harmed."""

Harm = Callable[[Site], str]


def main() -> None:
    """Print a line a fault, each done to a fresh copy of a warehouse with changes to take in."""
    with TemporaryDirectory(prefix="kalends-faults-") as name, forge.opened() as hearth:
        place, layout = Path(name), Layout(Path(name) / "server")
        found, _ = processes.start_server(layout)
        try:
            site = prepared(place, hearth, found.url)
            print("| fault | the run | readers | the next ingest |\n| --- | --- | --- | --- |")
            for number, (fault, harm) in enumerate(_faults(site, place / "trail")):
                print(f"| {fault} | {_row(site.copied(place / str(number)), harm)} |", flush=True)
        finally:
            processes.stop_server(layout)


def _row(site: Site, harm: Harm) -> str:
    before = site.state()
    ended = harm(site)
    seen = _seen(site, {"the old generation": before, "the new generation": site.clean})
    healed = site.ingest()
    worked = ", ".join(f"{stage} {count}" for stage, count in healed.worked.items()) if not healed.code else healed.err
    whole = "whole" if site.state() == site.clean else "NOT WHOLE"
    return f"{ended} | {seen} | {whole}; worked on: {worked or 'nothing'}"


def _seen(site: Site, known: dict[str, object]) -> str:
    try:
        state = site.state()
    except KalendsError as error:
        return f"told: {type(error).__name__}"
    return next((name for name, other in known.items() if other == state), "SOMETHING ELSE")


def _faults(site: Site, place: Path) -> Iterator[tuple[str, Harm]]:
    trail = site.copied(place).ingest().changes
    for number, change in enumerate(trail, start=1):
        if change.startswith(("rename", "symlink", "open /generations")):
            yield f"killed before: {_shown(change)}", _killing(number)
    for folder in HARMED:
        for harm in (*damage.SHOWING, damage.flip):
            yield f"{harm.__name__}: {folder}", _harming(folder, harm)


def _shown(change: str) -> str:
    """Without the digests and numbers that name files."""
    return " ".join(part for part in change.replace("/", " ").split() if not any(map(str.isdigit, part)))


def _killing(number: int) -> Harm:
    return lambda site: f"ended by signal {-site.ingest(kill=number).code}"


def _harming(folder: str, harm: Callable[[Path], None]) -> Harm:
    def act(site: Site) -> str:
        site.ingest()
        files = [path for path in (site.warehouse / folder).glob("**/*") if path.is_file()]
        harm(max(files, key=lambda path: path.stat().st_size))
        return "ended well"

    return act


if __name__ == "__main__":
    main()
