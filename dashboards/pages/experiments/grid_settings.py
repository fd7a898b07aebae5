"""Settings that an experiment can vary, the values offered for each, and the grid in YAML made of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, Literal, get_args, get_origin, get_type_hints

import yaml
from pydantic_core import to_json

from tasks.chunkers.chunker import CHUNKERS
from tasks.embedders.embedder import EMBEDDERS
from tasks.evaluate.experiments.experiment import INGESTION, Experiment, get_short_name, list_dimensions
from tasks.rerankers.reranker import RERANKERS
from warehouse.records import Ranking, TrialRecord
from warehouse.store.generations import find_latest
from warehouse.store.layout import Layout

SETTING_LABELS: Mapping[str, str] = {
    "chunk.chunker": "How documents are cut into passages",
    "chunk.size": "Longest passage, in characters or tokens",
    "chunk.overlap": "How much of the previous passage is repeated",
    "chunk.unit": "Unit of the sizes",
    "chunk.prefix": "Put dates, title and names before the text that is embedded",
    "embed.model": "Embedding model",
    "embed.tables": "Embed all parts of a long table, or only the first",
    "ranking.mode": "Search by meaning (dense), by keywords, or by both (hybrid)",
    "ranking.fusion": "How both rankings are combined",
    "ranking.alpha": "Weight of the vectors in the convex combination",
    "ranking.times": "Use the dates in a question",
    "ranking.names": "Use the names in a question",
    "ranking.query_expansion": "Use related words from the glossary",
    "ranking.relevance_feedback": "Use names found in the first passage",
    "ranking.distinct": "Show near duplicates only once",
    "ranking.merge": "Show a whole section instead of its parts",
    "ranking.per_document": "Most passages of one document",
    "ranking.reranker": "Reranker for the first passages",
    "k": "Number of passages that are found",
}
"""The settings that the page offers, with their labels; `kalends evaluate --grid FILE` accepts all others too."""
EMPTY_VALUE = '""'  # The empty value in YAML.
_NUMBERS = {
    "chunk.size": ("200", "400", "800", "1200", "1600"),
    "chunk.overlap": ("0", "40", "80", "160"),
    "ranking.alpha": ("0.3", "0.5", "0.7"),
    "ranking.per_document": ("1", "2", "3"),
    "k": ("3", "5", "10", "20"),
}


def list_values() -> dict[str, tuple[str, ...]]:
    """The values offered for each setting, in YAML."""
    return {
        name: values for name in list_dimensions() if name in SETTING_LABELS and (values := tuple(_iter_values(name)))
    }


def _iter_values(name: str) -> Iterator[str]:
    if name in _NUMBERS:
        yield from _NUMBERS[name]
    elif name == "chunk.chunker":
        yield from CHUNKERS
    elif name == "embed.model":
        yield from (name for name in EMBEDDERS if name not in ("sentence", "server"))
    elif name == "ranking.reranker":
        yield from (EMPTY_VALUE, *(name for name in RERANKERS if name not in ("cross", "server")))
    else:
        section, _, field_name = name.partition(".")
        if section == "ranking":
            type_: Any = get_type_hints(Ranking)[field_name]
        else:
            type_ = INGESTION[section].model_fields[field_name].annotation
        if type_ is bool:
            yield from ("on", "off")
        elif get_origin(type_) is Literal:
            yield from filter(None, get_args(type_))
        elif isinstance(type_, type) and issubclass(type_, StrEnum):
            yield from (member.value for member in type_)


def format_grid_yaml(axes: Mapping[str, Sequence[str]], exclude: str = "") -> str:
    """A grid in YAML from the values (in YAML) of each setting, and a YAML list of combinations to leave out."""
    lines = [
        f"  {get_short_name(name)}: [{', '.join(map(to_yaml_value, values))}]"
        for name, values in axes.items()
        if values
    ]
    parts = ["grid:", *lines] if lines else []
    exclude_lines = exclude.strip("\n").splitlines()
    parts += ["exclude:", *(f"  {line}" for line in exclude_lines)] if exclude.strip() else []
    return "".join(f"{line}\n" for line in parts)


def to_yaml_value(value: str) -> str:
    """A typed value in YAML: unquoted if that is read as one value, else in quotes."""
    try:
        items = yaml.safe_load(f"[{value}]")
    except yaml.YAMLError:
        items = None
    is_plain = isinstance(items, list) and len(items) == 1 and isinstance(items[0], str | int | float | None)
    return value if value and is_plain else to_json(value).decode()


def count_grid_figures(
    experiments: Collection[Experiment], home: Layout, known_trials: Collection[TrialRecord]
) -> dict[str, int]:
    """Numbers of configurations of a grid and of the imports that they need, and how many of each exist already.

    `known_trials` are the trials about the same documents. A configuration counts as tried if there is one with the
    same settings; it is tried again if documents or code have changed since, which is checked only when it runs.
    """
    tried_settings = {record.settings for record in known_trials}
    fingerprints = {experiment.fingerprint for experiment in experiments}
    return {
        "Configurations": len(experiments),
        "Tried before": sum(to_json(experiment.values).decode() in tried_settings for experiment in experiments),
        "Imports needed": len(fingerprints),
        "Imports done already": sum(
            find_latest(Layout(home.experiments / fingerprint)) is not None for fingerprint in fingerprints
        ),
    }
