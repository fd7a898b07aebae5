"""A model that the sentence-transformers library opens, small enough to be made anew."""

from __future__ import annotations

import string
import warnings
from pathlib import Path

import pytest

CHINESE = "季度收入增长百分之十二。公司在上海开设了新的办事处。"
ENGLISH = "The zeppelin left Friedrichshafen in March 2021."


@pytest.fixture(scope="session")
def small_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its folder: random weights, a window of 64, a vocabulary with the letters of Chinese and of Latin script."""
    folder = tmp_path_factory.mktemp("small_model")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import torch
        from sentence_transformers import SentenceTransformer
        from sentence_transformers.models import Pooling, Transformer
        from transformers import BertConfig, BertModel, BertTokenizerFast

        torch.manual_seed(7)
        pieces = [*sorted(set(CHINESE)), *string.ascii_lowercase, *(f"##{each}" for each in string.ascii_lowercase)]
        words = ENGLISH.lower().replace(".", "").split()
        vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *dict.fromkeys([*words, *pieces])]
        (folder / "vocab.txt").write_text("\n".join(vocabulary), encoding="utf-8")
        inner = folder / "inner"
        BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(inner)
        shape = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
        BertModel(BertConfig(vocab_size=len(vocabulary), max_position_embeddings=64, **shape)).save_pretrained(inner)
        transformer = Transformer(str(inner), max_seq_length=64)
        pooling = Pooling(transformer.get_word_embedding_dimension())
        SentenceTransformer(modules=[transformer, pooling]).save(str(folder / "model"))
    return folder / "model"
