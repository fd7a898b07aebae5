"""Names and values of other experiment systems, translated to those of Kalends.

Grids written for LlamaIndex and LangChain pipelines say `chunking_strategies`, `enable_rerank`, `top_k`. Case, hyphens,
plurals, and `enable_` or `use_` before a switch make no difference.
"""

from __future__ import annotations

from warehouse.records import Mode
from warehouse.settings.models import RerankSettings

FOREIGN_NAMES = {
    "embedder": "embed.model",
    "embedding": "embed.model",
    "embedding_model": "embed.model",
    "chunking_strategy": "chunk.chunker",
    "chunking": "chunk.chunker",
    "splitter": "chunk.chunker",
    "chunk_size": "chunk.size",
    "chunk_size_child": "chunk.size",
    "child_chunk_size": "chunk.size",
    "chunk_overlap": "chunk.overlap",
    "hybrid": "ranking.mode",
    "hybrid_search": "ranking.mode",
    "search_mode": "ranking.mode",
    "hybrid_alpha": "ranking.alpha",
    "time_fit": "ranking.times",
    "auto_merge": "ranking.merge",
    "auto_merging": "ranking.merge",
    "rerank": "ranking.reranker",
    "reranking": "ranking.reranker",
    "reranker_model": "ranking.reranker",
    "rerank_model": "ranking.reranker",
    "top_k": "k",
    "rerank_top_k": "k",
    "final_top_k": "k",
    "similarity_top_k": "k",
}
"""Dimensions by the singular of other names for them."""

_NO_LANGUAGE_MODEL = "a grid measures the search, without a language model"
_MODEL_DECIDES = "the name of the model decides it"
_NAMED_BY_VALUES = "a configuration is named by its values"
_OWN_WAREHOUSE = "each way to cut and embed has a warehouse of its own"
_FROM_ENVIRONMENT = "keys are read from the environment"

UNUSED_NAMES = {
    "llm": _NO_LANGUAGE_MODEL,
    "llm_model": _NO_LANGUAGE_MODEL,
    "llm_provider": _NO_LANGUAGE_MODEL,
    "llm_temperature": _NO_LANGUAGE_MODEL,
    "temperature": _NO_LANGUAGE_MODEL,
    "embedding_provider": _MODEL_DECIDES,
    "embedding_dim": _MODEL_DECIDES,
    "embedding_dimension": _MODEL_DECIDES,
    "reranker_provider": _MODEL_DECIDES,
    "chunk_size_parent": "the parent of a passage is its section",
    "parent_chunk_size": "the parent of a passage is its section",
    "retrieval_top_k": f"the search scores all passages, and a reranker reads the best {RerankSettings().passages}",
    "qdrant_path": _OWN_WAREHOUSE,
    "qdrant_url": _OWN_WAREHOUSE,
    "vector_store": _OWN_WAREHOUSE,
    "collection_name": _OWN_WAREHOUSE,
    "id": _NAMED_BY_VALUES,
    "name": _NAMED_BY_VALUES,
    "description": _NAMED_BY_VALUES,
    "experiment_id": _NAMED_BY_VALUES,
    "experiment_description": _NAMED_BY_VALUES,
    "metric": "all measures are computed",
    "api_key": _FROM_ENVIRONMENT,
    "dashscope_api_key": _FROM_ENVIRONMENT,
}
"""Singular names of settings that do not exist here or do not change the search, each with the reason."""

SECTIONS = frozenset({"experiment", "model", "storage", "rag", "retrieval", "defaults"})
"""Parts of other systems' files whose entries are settings."""

DEFAULT_RERANKER = "maxsim"  # The meaning of `rerank: true` if no reranker is named: it needs no other model.
_SWITCHES = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}
_MINILM = dict.fromkeys(("all-minilm-l6-v2", "sentence-transformers/all-minilm-l6-v2"), "minilm")
_DENSE = dict.fromkeys(("vector", "semantic", "embedding"), Mode.DENSE.value)
_KEYWORD = dict.fromkeys(("bm25", "sparse", "lexical", "keywords"), Mode.KEYWORD.value)
_VALUES = {"embed.model": _MINILM, "ranking.mode": _DENSE | _KEYWORD, "ranking.reranker": {"none": ""}}


def normalize_foreign_name(name: str) -> str:
    """The name as in the tables above: "enable-reranks" is "rerank", "chunking_strategies" "chunking_strategy"."""
    normalized_name = name.strip().lower().replace("-", "_")
    for prefix in ("enable_", "use_"):
        normalized_name = normalized_name.removeprefix(prefix)
    return "_".join(map(_to_singular, normalized_name.split("_")))


def _to_singular(word: str) -> str:
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def parse_switch(value: object) -> bool | None:
    """Whether the value, also in quotes, is on or off; None for any other value."""
    return value if isinstance(value, bool) else _SWITCHES.get(_normalize_value(value))


def translate_value(dimension: str, value: object) -> object:
    """The value of a dimension as Kalends names it, from a switch or another name of a mode, reranker or default model.

    Without hybrid search, vectors alone are searched. A reranker that is switched on is `DEFAULT_RERANKER`.
    """
    switch = parse_switch(value)
    if dimension == "ranking.mode" and switch is not None:
        return Mode.HYBRID.value if switch else Mode.DENSE.value
    if dimension == "ranking.reranker" and (switch is not None or value is None):
        return DEFAULT_RERANKER if switch else ""
    return _VALUES.get(dimension, {}).get(_normalize_value(value), value)


def _normalize_value(value: object) -> str:
    return value.strip().lower() if isinstance(value, str) else ""
