"""The glossary: which items a question asks for, and what reports call them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tasks.embedders.embedder import Embedder, embed_question, open_embedder
from tasks.query import glossary
from tasks.query.glossary import MAX_ITEMS, find_items
from tasks.query.question_parser import asks_for_reasons, build_related_words
from warehouse.records import StatementKind
from warehouse.settings.loader import load_settings


@pytest.fixture(scope="module")
def model() -> Embedder:
    return open_embedder(load_settings().embed.model)


def items_of(question: str, model: Embedder) -> list[str]:
    return [item.name for item in find_items(question, embed_question(model, question), model)]


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Does it have an improving operating margin?", "operating income"),
        ("OPERATING MARGINS of 2020", "operating income"),
        ("a healthy liquidity profile based on its quick ratio", "current assets"),
        ("Is it a capital-intensive business?", "capital expenditures"),
        ("what is the year end net PPNE", "property, plant and equipment"),
        ("the P&L statement", "income statement"),
        ("2023年毛利率是多少", "毛利率"),
        # In words that no entry has.
        ("invoices that clients have not paid yet", "accounts receivable"),
        ("what was laid out for new factories and vehicles", "capital expenditures"),
        ("cash handed to people who hold its shares", "dividends paid"),
        ("fees and judges: who is suing it in court", "legal proceedings"),
        ("what it earned from showing ads to people", "advertising revenue"),
        ("the price of bringing parcels to buyers", "shipping costs"),
        ("CP outstanding", "commercial paper program"),
        ("FY21 GBs", "gross bookings"),
        # As a lay person asks who does not know the term.
        ("how safe do people think its debt is", "credit ratings"),
        ("does it depend on a handful of big buyers", "customer concentration"),
        ("what was left of sales after paying for making the goods", "gross profit"),
        ("how much did it lay out on machines and buildings", "capital expenditures"),
        ("how much did it still owe people whom it had let go", "restructuring"),
        ("could the business go bust", "going concern"),
        ("how many of its workers belong to a union", "collective bargaining"),
        ("what all the shares are worth on the stock market", "market capitalization"),
        ("what it does if interest rates go up", "interest rate risk"),
        ("how many votes does one of its shares have", "voting rights"),
        ("what do the people who check the books get paid", "audit fees"),
        ("how many planes does it have", "fleet"),
        ("what it spent on films and series", "content spending"),
        ("how many fridges did it sell", "household appliances"),
        # As analysts shorten it.
        ("op inc", "operating income"),
        ("def. rev.", "deferred revenue"),
        ("int. exp.", "interest expense"),
        ("SBC, stock comp", "stock-based compensation"),
        ("US SSS", "comparable sales"),
        ("TAC", "traffic acquisition costs"),
        ("ICFR", "internal control over financial reporting"),
        ("wtd avg sh", "diluted share count"),
        ("LOE/boe", "lifting costs"),
        ("FX headwind", "currency effect on sales"),
    ],
)
def test_an_item_is_found_by_its_words_or_by_their_meaning(question: str, name: str, model: Embedder) -> None:
    assert name in items_of(question, model)


@pytest.mark.parametrize(
    "question",
    [
        "the operating room",
        "survival after surgery",
        "learning rate",
        "谁是校长",
        "who left the band",
        "how many lives were lost",
        "Op. 27 of Beethoven",
        "which river did they cross",
        "def of a function in Python",
        "what the bill of a duck looks like",
        "did the cat owe its name to a poet",
    ],
)
def test_other_questions_ask_for_no_item(question: str, model: Embedder) -> None:
    assert items_of(question, model) == []


def test_items_are_the_likest_first_with_a_vector_for_each_label(model: Embedder) -> None:
    question = "net sales, gross profit, inventories, goodwill and dividends paid"
    items = find_items(question, embed_question(model, question), model)
    assert len(items) == MAX_ITEMS
    assert [item.confidence for item in items] == sorted((item.confidence for item in items), reverse=True)
    assert all(item.vectors.shape == (len(item.labels), model.dimension) for item in items)
    related = build_related_words(items, ("due to",), model)
    assert [set(each.text.split()) for each in related] == [
        {*(word for label in item.labels for word in label.split()), "due", "to"} for item in items
    ]
    weights = [each.weight for each in related]
    assert weights == sorted(weights, reverse=True)
    assert weights[0] == 1
    assert all(np.linalg.norm(each.vector) == pytest.approx(1) for each in related)


def test_every_entry_is_asked_for_by_its_own_phrases() -> None:
    known = glossary.load_glossary()
    for place, entry in enumerate(known.entries):
        for phrase in entry.asked:
            if not phrase.isascii() or not phrase.islower():
                assert place in known.find_phrases(f"What about {phrase} in 2020?"), phrase
    assert {entry.statement for entry in known.entries} <= {None, *StatementKind}


def test_a_phrase_counts_less_the_more_else_is_asked() -> None:
    known = glossary.load_glossary()
    place = next(place for place, entry in enumerate(known.entries) if "SBC" in entry.asked)
    confidences = [
        known.find_phrases(text)[place] for text in ("SBC", "unrecognized SBC", "unrecognized SBC of engineers")
    ]
    assert confidences[0] == 1.0 > confidences[1] > confidences[2] > glossary.MIN_PHRASE_SIMILARITY


@pytest.mark.parametrize(
    ("question", "spelt"),
    [
        ("op exp FY23", "operating expense FY23"),
        ("Liab. and rev.?", "liabilities and revenue?"),
        ("avg opex of options", "average opex of options"),
        ("an op-ed, R&D/exp and the co-op", "an op-ed, R&D/exp and the co-op"),
        ("options o/s", "options outstanding"),
    ],
)
def test_shortened_words_are_spelt_out(question: str, spelt: str) -> None:
    assert glossary.load_glossary().spell_out(question) == spelt


def test_no_phrase_is_shortened_as_questions_are_spelt_out_before() -> None:
    known = glossary.load_glossary()
    assert [text for text in known.texts if known.spell_out(text) != text] == []


def test_a_question_in_english_does_not_wait_for_the_dictionary_of_chinese() -> None:
    code = (
        "import sys; from tasks.query.glossary import load_glossary; load_glossary().find_phrases('the quick ratio');"
        "raise SystemExit('jieba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_vectors_of_phrases_are_kept_and_made_again_where_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KALENDS_CACHE", str(tmp_path))
    model = open_embedder("hashing")
    monkeypatch.setattr(glossary, "_phrase_spaces", {})
    made = glossary.get_phrase_space(model).vectors
    (file,) = (tmp_path / "glossaries").iterdir()
    kept = file.read_bytes()
    for content in (kept, b"", b"\x93NUMPY", b"no array"):
        file.write_bytes(content)
        glossary._phrase_spaces.clear()
        np.testing.assert_array_equal(glossary.get_phrase_space(model).vectors, made)
        assert file.read_bytes() == kept
    assert made.shape == (len(glossary.load_glossary().texts), model.dimension)


def test_a_cache_that_is_off_or_cannot_be_written_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    model = open_embedder("hashing")
    for place in ("off", str(tmp_path / "file" / "below")):
        monkeypatch.setenv("KALENDS_CACHE", place)
        monkeypatch.setattr(glossary, "_phrase_spaces", {})
        assert len(glossary.get_phrase_space(model).vectors) == len(glossary.load_glossary().texts)


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("Why did margins fall?", True),
        ("margin decline reasons", True),
        ("What was behind the rise in costs?", True),
        ("What made borrowing so much dearer?", True),
        ("What made Acme's cloud business sell more?", True),
        ("What pushed up the direct costs?", True),
        ("What sent in the parts?", False),
        ("为什么利润下降", True),
        ("What was the gross margin?", False),
        ("capex 2022", False),
        ("How much did it drive up to in total?", True),
        ("Did margins improve? If they are of no use here, explain why.", False),
        ("If sales fell, why?", True),
    ],
)
def test_questions_for_reasons_are_known(question: str, asks: bool) -> None:
    assert asks_for_reasons(question) is asks


@pytest.mark.parametrize("name", ["minilm", "hashing"])
def test_a_phrase_is_nearest_to_its_entry_and_covers_it(name: str) -> None:
    known, embedder = glossary.load_glossary(), open_embedder(name)
    space = glossary.get_phrase_space(embedder)
    for place in range(0, len(known.entries), 20):
        phrase = known.entries[place].asked[0]
        if embedder.can_read(phrase):
            near = space.compare_entries(space.vectors[known.bounds[place]])
            assert [each[place] for each in near] == pytest.approx([1, 1], abs=1e-4)
        assert known.measure_coverage(phrase)[place] == pytest.approx(1)
    assert not known.measure_coverage("zzyzx").any()


def test_a_model_that_reads_no_phrase_of_an_entry_compares_the_others() -> None:
    vectors = np.zeros((5, 3), np.float32)
    vectors[:2] = [[1, 0, 0], [0.6, 0.8, 0]]
    cosines, normalised = glossary.PhraseSpace(vectors, np.array([0, 2, 4])).compare_entries(vectors[0])
    assert cosines == pytest.approx([1, 0, 0])
    assert normalised == pytest.approx([1, 0, 0], abs=1e-4)
