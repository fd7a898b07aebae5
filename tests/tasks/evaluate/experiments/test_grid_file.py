"""A grid says which configurations are tried; a mistake in it is told with its line and key before anything runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tasks.evaluate.experiments.experiment import Experiment
from tasks.evaluate.experiments.grid_file import GridConfigurations, read_grid
from warehouse.errors import BadInput
from warehouse.records import Fusion, Mode
from warehouse.settings.loader import Settings
from warehouse.settings.models import ChunkSettings, EmbedSettings

BASE = Settings(embed=EmbedSettings(model="hashing"))


def names(place: Path, text: str) -> list[str]:
    return [each.name for each in read(place, text)]


def read(place: Path, text: str, base: Settings = BASE) -> tuple[Experiment, ...]:
    return configurations(place, text, base).experiments


def configurations(place: Path, text: str, base: Settings = BASE) -> GridConfigurations:
    file = place / "grid.yaml"
    file.write_text(text, encoding="utf-8")
    return read_grid(file, base)


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


REFERENCE = """
grid:
  chunking_strategies: ["fixed", "recursive", "sentence"]
  chunk_sizes_child: [128, 256, 512]
  chunk_overlaps: [25, 50]
  enable_hybrid: [true, false]
  enable_auto_merge: [true, false]
  enable_rerank: [true, false]
"""


def test_a_grid_of_another_system_is_read_as_it_stands(tmp_path: Path) -> None:
    found = configurations(tmp_path, REFERENCE)
    assert len(found.experiments) == 144
    assert found.experiments[0].name == "chunker=fixed size=128 overlap=25 mode=hybrid merge=on reranker=maxsim"
    assert found.experiments[-1].name == "chunker=sentence size=512 overlap=50 mode=dense merge=off reranker=none"
    named, units = found.notes
    assert "enable_hybrid is mode (true: hybrid, false: dense)" in named
    assert "enable_rerank is reranker (true: maxsim, false: none)" in named
    assert units.startswith("sizes and overlaps count tokens for fixed, characters for recursive and sentence")


def test_names_that_decide_nothing_are_noted_and_left_out(tmp_path: Path) -> None:
    text = """
        fixed: {llm_provider: dashscope, retrieval_top_k: 50, rerank_top_k: 5}
        grid: {top_k_unused: []}
    """
    with pytest.raises(BadInput, match="'top_k_unused': there is no dimension"):
        read(tmp_path, text)
    found = configurations(tmp_path, text.replace("top_k_unused: []", "llm_models: [a, b], hybrid: [on]"))
    assert [(each.name, each.k) for each in found.experiments] == [("mode=hybrid", 5)]
    assert "llm_provider, llm_models (a grid measures the search, without a language model)" in found.notes[2]
    assert "retrieval_top_k (the search scores all passages" in found.notes[2]
    assert found.notes[0] == "the same in all: k=5"


def test_a_configuration_of_another_system_is_one_experiment(tmp_path: Path) -> None:
    text = """
        experiment: {id: one}
        model: {embedding_model: sentence-transformers/all-MiniLM-L6-v2}
        rag: {chunking_strategy: fixed, chunk_size_child: 256, chunk_overlap: 50}
        retrieval: {enable_hybrid: false, hybrid_alpha: 0.3, enable_rerank: false}
    """
    (found,) = read(tmp_path, text)
    assert (found.chunk.chunker, found.chunk.size, found.chunk.overlap) == ("fixed", 256, 50)
    assert (found.embed.model, found.ranking.mode, found.ranking.reranker) == ("minilm", Mode.DENSE, "")
    assert (found.ranking.fusion, found.ranking.alpha) == (Fusion.CONVEX, 0.3)


def test_values_need_no_part(tmp_path: Path) -> None:
    assert names(tmp_path, "hybrid: [true, false]\ntop_k: [5, 10]\nchunking-strategy: fixed") == [
        "mode=hybrid k=5",
        "mode=hybrid k=10",
        "mode=dense k=5",
        "mode=dense k=10",
    ]


def test_the_switch_and_the_name_of_a_reranker_are_one_dimension(tmp_path: Path) -> None:
    both = "grid: {enable_rerank: [true, false], reranker_models: [maxsim, 'cross:model'], top_k: [5]}"
    assert [name.split()[0] for name in names(tmp_path, both)] == [
        "reranker=maxsim",
        "reranker=cross:model",
        "reranker=none",
    ]
    apart = "fixed: {reranker_model: 'cross:model'}\ngrid: {rerank: [false, true]}\nexclude: [{rerank: false}]"
    assert names(tmp_path, apart) == ["reranker=cross:model"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("rerank: ['true', 'off', none]", ["reranker=maxsim", "reranker=none"]),
        ("reranker: [null, maxsim]", ["reranker=none", "reranker=maxsim"]),
        ("mode: [vector, BM25, hybrid]", ["mode=dense", "mode=keyword", "mode=hybrid"]),
        ("enable_hybrid: ['on', no]", ["mode=hybrid", "mode=dense"]),
    ],
)
def test_values_have_other_names_too(tmp_path: Path, text: str, found: list[str]) -> None:
    assert names(tmp_path, f"grid: {{{text}}}") == found


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    text = "grid:\n  embedding_models: [text-embedding-v4]\n  hybird: [true]\n  size: [5]"
    told = (
        r"grid.yaml line 2: .*'text-embedding-v4' .*; line 3: 'hybird': .*did you mean 'hybrid'\?\); line 4: 'size': 5"
    )
    with pytest.raises(BadInput, match=told):
        read(tmp_path, text)


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
        ("grid:\n  size: []", r"line 2: 'size': is an empty list"),
        ("grid:\n  size: [400]\n  chunk.size: [500]", r"line 3: 'chunk.size': 'size' is named already"),
        ("grid:\n  size: [400]\n  size: [500]", r"line 3: 'size': it is there twice"),
        ("gird:\n  size: [400]", r"line 2: 'gird': is not a part of a grid: the parts are fixed, grid"),
        ("grid: [a]", r"line 1: 'grid': is not a mapping"),
        ("grid:\n  size: [400", r"line 2: it is not YAML"),
        ("", r"is empty"),
        ("fixed: {k: 5}", r"leaves no configuration"),
        ("grid: {metrics: [mrr]}", r"leaves no configuration; not used: metrics \(all measures are computed\)"),
        ("- size", r"line 1: is not a mapping"),
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
        read_grid(tmp_path / "nowhere.yaml", BASE)
