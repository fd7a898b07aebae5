"""Names found by the model."""

from __future__ import annotations

from tasks.entities.names import LABELS, entities_of
from tests.tasks.documents import Draft
from warehouse.records import BlockKind, Document, Entity


def entities(document: Document) -> tuple[Entity, ...]:
    return entities_of([document])[0]


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


def test_only_english_is_read() -> None:
    assert entities(Draft(language="zh").paragraph("Tim Cook lives in Paris.").document()) == ()


def test_a_batch_gives_each_document_its_own() -> None:
    other = Draft().paragraph("Angela Merkel was born in Hamburg, Germany.").document()
    assert entities_of([english(), other, english()]) == (entities(english()), entities(other), entities(english()))


def test_long_blocks_are_read_whole() -> None:
    document = Draft().paragraph("It was a long day for all. " * 400 + "Angela Merkel was born in Germany.").document()
    assert "Germany" in {name.name for name in entities(document)}
