"""Names found by the model."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tasks.entities.names import LABELS, find_entities
from tests.tasks.documents import Draft
from warehouse.records import BlockKind, Document, Entity


def entities(document: Document) -> tuple[Entity, ...]:
    return find_entities([document])[0]


def english() -> Document:
    draft = Draft().heading("Report").paragraph("Tim Cook met Apple's staff in Paris on Monday.")
    return draft.table([["Who", "Where"], ["Barack Obama", "London"]]).furniture("Microsoft Corporation").document()


def test_names_are_exact_normalised_and_in_order() -> None:
    document = english()
    found = entities(document)
    assert all(document.text[name.start : name.end] == name.text for name in found)
    assert all(name.label in LABELS for name in found)
    assert {("Tim Cook", "PERSON"), ("Apple", "ORG"), ("Paris", "GPE")} <= {(name.name, name.label) for name in found}
    assert [name.start for name in found] == sorted(name.start for name in found)


def test_tables_code_and_furniture_are_not_read() -> None:
    assert not {"Barack Obama", "London", "Microsoft Corporation"} & {name.name for name in entities(english())}
    assert entities(Draft().add(BlockKind.CODE, "Barack Obama lives in London").document()) == ()


def names(draft: Draft) -> set[tuple[str, str]]:
    return {(name.name, name.label) for name in entities(draft.document())}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_each_block_is_read_in_its_own_language(language: str) -> None:
    draft = Draft(language=language).paragraph("Tim Cook lives in Paris.").paragraph("上午和王丽华在北京开会。")
    expected = {("Tim Cook", "PERSON"), ("Paris", "GPE"), ("王丽华", "PERSON"), ("北京", "GPE")}
    assert names(draft) == expected


def test_sentences_of_both_languages_in_one_paragraph() -> None:
    draft = Draft(language="zh").paragraph(
        "今天给刘强打电话。Tim Cook met the staff in Paris. 晚上和 Priya Nair 讨论结果。"
    )
    assert names(draft) == {("刘强", "PERSON"), ("Tim Cook", "PERSON"), ("Paris", "GPE"), ("Priya Nair", "PERSON")}


def test_other_languages_are_not_read() -> None:
    assert (
        names(Draft(language="und").paragraph("Die Sitzung mit Tim Cook ist nicht in Paris, und das ist gut.")) == set()
    )


MANUAL = """- Open Settings and select Appearance in the sidebar
- Click Reset, then choose a Theme from the menu
- Move the Cursor to the icon and press Escape
- Put kalends.toml into the Plugins folder, with DEFAULT_DEPTH and maxDepth as options
- The default theme was drawn by Marit Haugen"""


def test_words_of_menus_files_and_options_are_no_names() -> None:
    assert {name for name, _ in names(Draft().add(BlockKind.LIST, MANUAL))} == {"Marit Haugen"}


@pytest.mark.parametrize(
    "name", ["Ingrid", "Akiko Mori", "Wei Zhang", "Fergus McKay", "Oyelaran", "Priya", "Mark", "Grace", "Nkechi"]
)
def test_people_in_items_of_a_diary_are_kept(name: str) -> None:
    draft = Draft().heading("2026-03-02").add(BlockKind.LIST, f"- 08:40 Met {name} at the pump house\n- Rained all day")
    assert (name, "PERSON") in names(draft)


def test_first_words_of_items_and_days_are_no_names() -> None:
    items = "- Groceries\n- Buy milk\n- Review: good\n- Tomorrow: workshop. Monday: dentist\n- Standup at nine"
    assert names(Draft().add(BlockKind.LIST, items)) == set()


def test_a_name_has_one_label_in_a_document() -> None:
    text = "Met Leilani in the morning. Leilani said that it was fine. Leilani. I asked Leilani about Leilani's boat."
    assert {label for _, label in names(Draft().paragraph(text))} == {"PERSON"}


def test_a_batch_gives_each_document_its_own() -> None:
    other = Draft().paragraph("Angela Merkel was born in Hamburg, Germany.").document()
    assert find_entities([english(), other, english()]) == (entities(english()), entities(other), entities(english()))


def test_threads_read_names_at_the_same_time() -> None:
    documents = [Draft().paragraph(f"Tim Cook met {name} in Paris.").document() for name in ("Ann Lee", "Bob Hall")] * 4
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(entities, documents)) == [entities(each) for each in documents]


def test_long_blocks_are_read_whole() -> None:
    document = Draft().paragraph("It was a long day for all. " * 400 + "Angela Merkel was born in Germany.").document()
    assert "Germany" in {name.name for name in entities(document)}


def test_names_are_read_without_torch() -> None:
    code = (
        "import sys; from tasks.entities.english_words import english_model; english_model().__enter__();"
        "assert 'spacy' in sys.modules; raise SystemExit('torch' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[3])
