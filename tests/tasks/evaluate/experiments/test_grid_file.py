"""A grid says which configurations are tried; a mistake in it is told with its line and key before anything runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tasks.evaluate.experiments.experiment import Experiment
from tasks.evaluate.experiments.grid_file import grid_at
from warehouse.errors import BadInput
from warehouse.records import Fusion, Mode
from warehouse.settings.loader import Settings
from warehouse.settings.models import ChunkSettings, EmbedSettings

BASE = Settings(embed=EmbedSettings(model="hashing"))


def names(place: Path, text: str) -> list[str]:
    return [each.name for each in read(place, text)]


def read(place: Path, text: str, base: Settings = BASE) -> tuple[Experiment, ...]:
    file = place / "grid.yaml"
    file.write_text(text, encoding="utf-8")
    return grid_at(file, base)


def test_the_product_has_the_last_dimension_fastest(tmp_path: Path) -> None:
    found = read(tmp_path, "grid: {chunker: [fixed, recursive], fusion: [rrf, convex]}")
    assert [(each.chunk.chunker, each.ranking.fusion) for each in found] == [
        ("fixed", Fusion.RRF),
        ("fixed", Fusion.CONVEX),
        ("recursive", Fusion.RRF),
        ("recursive", Fusion.CONVEX),
    ]
    assert found[0].name == "chunker=fixed fusion=rrf"


def test_points_are_left_out_and_added(tmp_path: Path) -> None:
    text = """
        fixed: {k: 5}
        grid: {chunker: [fixed, recursive], prefix: [on, off]}
        exclude: [{chunker: fixed, prefix: off}]
        include: [{mode: dense}, {chunker: recursive, prefix: on}]
    """
    assert names(tmp_path, text) == [
        "chunker=fixed prefix=on",
        "chunker=recursive prefix=on",
        "chunker=recursive prefix=off",
        "mode=dense",
    ]
    assert {each.k for each in read(tmp_path, text)} == {5}


def test_names_may_be_whole_short_or_those_of_the_reference(tmp_path: Path) -> None:
    (found,) = read(
        tmp_path,
        "fixed: {chunk.size: 300, embed.tables: first, time_fit: off, auto_merge: off, alpha: 0.3}\n"
        "grid: {hybrid: [keyword]}",
    )
    assert (found.chunk.size, found.embed.tables, found.ranking.alpha) == (300, "first", 0.3)
    assert (found.ranking.times, found.ranking.merge, found.ranking.mode) == (False, False, Mode.KEYWORD)


def test_what_is_not_named_is_as_the_settings_have_it(tmp_path: Path) -> None:
    base = BASE.model_copy(update={"chunk": ChunkSettings(chunker="sentence", size=500)})
    (found,) = read(tmp_path, "grid: {fusion: [rrf]}", base)
    assert (found.chunk, found.embed) == (base.chunk, base.embed)


def test_a_chunker_for_all_outweighs_those_of_kinds(tmp_path: Path) -> None:
    base = Settings.model_validate({"embed": {"model": "hashing"}, "chunk": {"kinds": {"note": {"size": 200}}}})
    (cut,) = read(tmp_path, "grid: {size: [900]}", base)
    (kept,) = read(tmp_path, "grid: {fusion: [rrf]}", base)
    assert (cut.chunk.kinds.note.size, kept.chunk.kinds.note.size) == (None, 200)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("grid:\n  chuncker: [fixed]", r"line 2: 'chuncker': there is no dimension 'chuncker': did you mean 'chunker'"),
        ("grid:\n  size: [400, big]", r"line 2: 'size': 'big': .*valid integer"),
        ("grid:\n  fusion: [rrf]\n  size: [5]", r"line 3: 'size': 5: .*greater than or equal to 20"),
        ("grid:\n  fusion: [rff]", r"line 2: 'fusion': 'rff': .*'weighed', 'convex' or 'rrf'"),
        (
            "grid:\n  chunker:\n    - fixed\n    - nobody",
            r"line 4: 'chunker': no chunker is named 'nobody': choose from",
        ),
        ("grid:\n  embedder: [nobody]", r"line 2: 'embedder': no embedder is named 'nobody'"),
        ("grid:\n  rerank: [nobody]", r"line 2: 'rerank': no reranker is named 'nobody'"),
        ("grid:\n  alpha: [1.5]", r"line 2: 'alpha': 1.5 is not a share"),
        ("grid:\n  k: [0]", r"line 2: 'k': 0: .*greater than or equal to 1"),
        ("grid:\n  size: 400", r"line 2: 'size': is not a list of values"),
        ("grid:\n  size: []", r"line 2: 'size': is not a list of values"),
        ("grid:\n  size: [400]\n  chunk.size: [500]", r"line 3: 'chunk.size': 'chunk.size' is named already"),
        ("grid:\n  size: [400]\n  size: [500]", r"line 3: 'size': it is there twice"),
        ("gird:\n  size: [400]", r"line 2: 'gird': is not a part of a grid: the parts are fixed, grid"),
        ("grid: [a]", r"line 1: 'grid': is not a mapping"),
        ("grid:\n  size: [400", r"line 2: it is not YAML"),
        ("", r"is empty"),
        ("fixed: {k: 5}", r"leaves no configuration"),
        ("grid: {size: [400]}\nexclude: [{size: 400}]", r"leaves no configuration"),
        (
            "grid: {chunker: [hierarchical], overlap: [50]}",
            r"chunker=hierarchical overlap=50: .*do not overlap: exclude it",
        ),
        ("grid: {size: [100], overlap: [200]}", r"size=100 overlap=200: .*must be smaller than the size"),
        ("grid: {size: [" + ",".join(map(str, range(20, 1100))) + "]}", r"has 1080 configurations"),
    ],
)
def test_a_mistake_is_told_with_its_line_and_key(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        read(tmp_path, text)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"nowhere.yaml cannot be read \(No such file"):
        grid_at(tmp_path / "nowhere.yaml", BASE)
