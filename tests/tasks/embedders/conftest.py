"""Models that the sentence-transformers library opens, small enough to be made anew."""

from __future__ import annotations

import string
import warnings
from pathlib import Path

import pytest

from tasks.embedders.bert.encoder import Numbers

CHINESE = "季度收入增长百分之十二。公司在上海开设了新的办事处。"
ENGLISH = "The zeppelin left Friedrichshafen in March 2021."
WINDOW = 64


def make_small_model(folder: Path, family: str = "bert", pooling: str = "mean") -> Path:
    """Its folder: random weights, a window of 64, a vocabulary with the letters of Chinese and of Latin script."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import torch
        from sentence_transformers import SentenceTransformer
        from sentence_transformers.models import Pooling, Transformer
        from transformers import AutoConfig, AutoModel, BertTokenizerFast

        torch.manual_seed(7)
        pieces = [*sorted(set(CHINESE)), *string.ascii_lowercase, *(f"##{each}" for each in string.ascii_lowercase)]
        words = ENGLISH.lower().replace(".", "").split()
        # All but BERT count positions behind padding, whose number is 1.
        special = ["[PAD]", "[UNK]"] if family == "bert" else ["[UNK]", "[PAD]"]
        vocabulary = [*special, "[CLS]", "[SEP]", "[MASK]", *dict.fromkeys([*words, *pieces])]
        (folder / "vocab.txt").write_text("\n".join(vocabulary), encoding="utf-8")
        inner = folder / "inner"
        BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(inner)
        shape = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
        positions = WINDOW if family == "bert" else WINDOW + 2
        numbers = {"pad_token_id": special.index("[PAD]"), "bos_token_id": 2, "eos_token_id": 3}
        sizes = {"vocab_size": len(vocabulary), "max_position_embeddings": positions, **shape, **numbers}
        model = AutoModel.from_config(AutoConfig.for_model(family, **sizes))
        for weight in model.parameters():
            # As they are made anew, biases are zero, norms one, and all else next to zero.
            torch.nn.init.normal_(weight, std=0.3)
        model.save_pretrained(inner)
        transformer = Transformer(str(inner), max_seq_length=WINDOW)
        modules = [transformer, Pooling(transformer.get_word_embedding_dimension(), pooling_mode=pooling)]
        SentenceTransformer(modules=modules).save(str(folder / "model"))
    return folder / "model"


@pytest.fixture(scope="session")
def small_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a model that our own encoder computes."""
    return make_small_model(tmp_path_factory.mktemp("small_model"))


@pytest.fixture
def float32_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Vectors are compared with those of the library to five digits: with AMX they would be computed in bfloat16."""
    monkeypatch.setattr("tasks.embedders.bert.encoder.choose_numbers", lambda: Numbers.FLOAT32)
