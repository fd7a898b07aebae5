"""A file of the warehouse goes bad: nobody is answered from it unknowingly, and the next ingest makes it again."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.flows.faults.damage import SHOWING, flip, remove, truncate
from tests.flows.faults.site import Site
from warehouse.errors import KalendsError
from warehouse.store.generations import read_current
from warehouse.store.integrity import iter_corrupt_files
from warehouse.store.layout import Layout


@pytest.fixture(scope="session")
def whole(changed: Site, tmp_path_factory: pytest.TempPathFactory) -> Site:
    """With the changes taken in. Not to be harmed."""
    site = changed.copied(tmp_path_factory.mktemp("whole") / "warehouse")
    site.healed()
    return site


def _files(site: Site) -> list[Path]:
    """One of each kind that the published generation stands on, relative to the warehouse."""
    layout = Layout(site.warehouse)
    generation = read_current(layout).folder
    named = {holding_output.file for h in read_current(layout).read_entries() for holding_output in h.outputs}
    lake = (path for path in layout.lake.rglob("*.parquet") if path.stem in named)
    own = (path for path in generation.rglob("*") if path.is_file())
    vectors = [max(layout.lake.glob("vectors/*.parquet"), key=os.path.getsize)]
    found: dict[tuple[str, str], Path] = {}
    for path in sorted([*lake, *own, *vectors, *layout.indexes.rglob("*.*")]):
        kind = path.suffix if path.parent.name == "keywords" else path.name if generation in path.parents else ""
        found.setdefault((path.parent.name, kind or path.suffix), path)
    return [path.relative_to(site.warehouse) for path in found.values()]


def _check_heals(site: Site, file: Path, harm: Callable[[Path], None]) -> None:
    harm(site.warehouse / file)
    with suppress(KalendsError):
        site.state()
    healed = site.healed()
    assert "parse" not in healed.worked or file.parts[1] in {"contents", "blocks", "tables", "facts", "findings"}


def _check_found(site: Site, file: Path) -> None:
    """A bit turned over shows in what is read, or harms nothing; to remove what is found and to ingest mends it."""
    flip(site.warehouse / file)
    layout = Layout(site.warehouse)
    with suppress(KalendsError):
        for path in iter_corrupt_files(layout, read_current(layout)):
            path.unlink()
        assert site.state() == site.clean, file
    site.healed()


@pytest.mark.slow
def test_files_that_are_lost_or_cut_off_are_made_again(whole: Site, tmp_path: Path) -> None:
    site = whole.copied(tmp_path / "warehouse")
    for path in site.warehouse.glob("current/keywords/*.pos"):
        remove(path)
    for path in site.warehouse.glob("lake/chunks/*"):
        truncate(path)
    site.healed()


def test_a_bit_turned_over_in_the_middle_is_found_and_mended(whole: Site, tmp_path: Path) -> None:
    site = whole.copied(tmp_path / "warehouse")
    layout = Layout(site.warehouse)
    used = {output.file for h in read_current(layout).read_entries() if (output := h.find_output("chunk"))}
    pages = {layout.lake / "chunks" / f"{name}.parquet" for name in used}
    stored = set((read_current(layout).folder / "keywords").glob("*.store"))
    assert not list(iter_corrupt_files(layout, read_current(layout)))
    for path in pages:
        flip(path, _amid_texts(path))
    for path in stored:
        flip(path)
    harmed, found = pages | stored, set(iter_corrupt_files(layout, read_current(layout)))
    assert found == harmed
    for path in found:
        path.unlink()
    site.healed()


def _amid_texts(path: Path) -> int:
    """A place in the texts of a file."""
    with pq.ParquetFile(path) as file:
        group = file.metadata.row_group(0)
        columns = map(group.column, range(group.num_columns))
        texts = next(column for column in columns if column.path_in_schema == "text")
    start = texts.dictionary_page_offset if texts.has_dictionary_page else texts.data_page_offset
    return int(start + texts.total_compressed_size // 2)


def _each(site: Site, place: Path) -> Iterable[tuple[Site, Path]]:
    for number, file in enumerate(_files(site)):
        yield site.copied(place / str(number)), file


@pytest.mark.slow
@pytest.mark.parametrize("harm", SHOWING)
def test_any_file_that_is_lost_or_cut_off_is_made_again(
    whole: Site, tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    for site, file in _each(whole, tmp_path):
        _check_heals(site, file, harm)


@pytest.mark.slow
def test_a_bit_turned_over_in_any_file_is_found_or_harmless(whole: Site, tmp_path: Path) -> None:
    for site, file in _each(whole, tmp_path):
        _check_found(site, file)
