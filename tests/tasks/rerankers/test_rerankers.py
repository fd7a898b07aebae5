"""Every reranker keeps the contract, and a search with one is the search in the order of its scores."""

from __future__ import annotations

import warnings
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from tasks.embedders.bert.bert_embedder import BertEmbedder
from tasks.embedders.embedder import open_embedder
from tasks.query.retrieval import find
from tasks.rerankers.reranker import RERANKERS, Reranker, open_reranker
from tests.building import build_warehouse
from warehouse.errors import BadInput
from warehouse.records import Ranking, SearchRequest
from warehouse.settings.models import RerankSettings

QUESTION = "Which drug lowers the pressure of the blood?"
PASSAGES = [
    "The board met on Monday.",
    "Lisinopril lowers blood pressure. " + "It is sold in boxes of many sizes. " * 60,
    "",
    "Revenue rose.",
]


@pytest.fixture(scope="module")
def cross_encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small model of random weights, saved as the library saves them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import torch
        from transformers import AutoTokenizer, BertConfig, BertForSequenceClassification

        torch.manual_seed(7)
        folder = tmp_path_factory.mktemp("cross")
        installed = open_embedder("minilm")
        assert isinstance(installed, BertEmbedder)
        AutoTokenizer.from_pretrained(installed.folder).save_pretrained(folder)
        shape = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
        BertForSequenceClassification(BertConfig(num_labels=1, **shape)).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module", params=sorted(set(RERANKERS) - {"server"}))
def member(request: pytest.FixtureRequest, cross_encoder: Path) -> Reranker:
    place = {"cross": f"cross:{cross_encoder}"}
    return open_reranker(place.get(request.param, request.param), open_embedder("minilm"))


@pytest.mark.filterwarnings("ignore")
def test_fits_lie_between_0_and_1_and_do_not_depend_on_the_others(member: Reranker) -> None:
    fits = member.fits(QUESTION, PASSAGES)
    assert fits.shape == (len(PASSAGES),)
    assert ((fits >= 0) & (fits <= 1)).all()
    assert 0 < member.share <= 1
    assert member.fits(QUESTION, PASSAGES[1:2])[0] == pytest.approx(fits[1], abs=0.01)
    assert member.fits(QUESTION, []).shape == (0,)


@pytest.mark.filterwarnings("ignore")
def test_the_end_of_a_long_passage_is_read(member: Reranker) -> None:
    filler = "It is sold in boxes of many sizes. " * 60
    without, with_answer = member.fits(QUESTION, [filler, f"{filler} Lisinopril lowers blood pressure."])
    assert without != with_answer


def test_late_interaction_finds_the_answer() -> None:
    assert np.argmax(open_reranker("maxsim", open_embedder("minilm")).fits(QUESTION, PASSAGES)) == 1


@pytest.mark.parametrize(
    ("name", "model", "message"),
    [
        ("nobody", "minilm", "choose from cross, maxsim, server"),
        ("maxsim:x", "minilm", "takes no place"),
        ("maxsim", "hashing", "vectors of tokens"),
        ("cross", "minilm", "needs a model"),
    ],
)
def test_what_cannot_be_opened_is_named(name: str, model: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        open_reranker(name, open_embedder(model))


@pytest.mark.filterwarnings("ignore")
def test_a_folder_without_a_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="is not a cross-encoder"):
        open_reranker(f"cross:{tmp_path}", open_embedder("hashing")).fits(QUESTION, PASSAGES)


@pytest.mark.filterwarnings("ignore")
def test_a_search_is_ordered_by_the_second_look(tmp_path: Path, cross_encoder: Path) -> None:
    (tmp_path / "in").mkdir()
    for number in range(8):
        text = f"Sales of kind {number} rose. " * (number + 1)
        (tmp_path / "in" / f"{number}.txt").write_text(text, encoding="utf-8")
    warehouse = build_warehouse(tmp_path / "w", tmp_path / "in")
    name = f"cross:{cross_encoder}"
    wanted = SearchRequest("sales of kind 3", ranking=Ranking(reranker=name), k=4)
    hits = find(warehouse, wanted, open_embedder("hashing"), date(2025, 1, 1)).hits
    fits = open_reranker(name, open_embedder("hashing")).fits("sales of kind 3", [hit.text for hit in hits])
    assert len(hits) == 4
    assert [hit.score for hit in hits] == pytest.approx(sorted(fits, reverse=True), abs=1e-5)
    with_settings = partial(find, warehouse, embedder=open_embedder("hashing"), today=date(2025, 1, 1))
    plain = replace(wanted, ranking=Ranking())
    settings = RerankSettings(model=name)
    assert list(with_settings(plain, rerank_settings=settings).hits) == list(hits)
    unchanged = with_settings(plain).hits
    refused = replace(wanted, ranking=Ranking(reranker="none"))
    assert with_settings(refused, rerank_settings=settings).hits == unchanged
    half = with_settings(plain, rerank_settings=RerankSettings(model=name, share=0.5)).hits
    assert {part.name for hit in half for part in hit.parts} > {"rerank"}
    best = with_settings(replace(plain, k=1), rerank_settings=RerankSettings(model=name, passages=1)).hits
    assert [hit.chunk_id for hit in best] == [unchanged[0].chunk_id]
    for hit in (*hits, *half):
        assert sum(part.value for part in hit.parts) == pytest.approx(hit.score)
        assert hit.citation.relevance == hit.score
