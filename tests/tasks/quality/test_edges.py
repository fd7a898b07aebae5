"""What the rules must see, or pass over, beside their plainest cases."""

from __future__ import annotations

from pathlib import Path

import pytest

from tasks.quality.scoring import check_document
from tests.tasks.documents import Draft
from tests.tasks.quality.cases import DATED, PROSE
from tests.tasks.quality.checking import checked, codes_in, subject, write
from warehouse.records import BlockKind

ITEMS = "- the first item tells of the quay and of its builders\n- the second tells of the mole"
LIST = Draft().add(BlockKind.LIST, ITEMS).document()
SECOND = ITEMS.index("- the second")


@pytest.mark.parametrize(
    ("span", "codes"),
    [
        ((0, SECOND - 1), set()),
        ((SECOND, len(ITEMS)), set()),
        ((0, 30), {"CHK003"}),
        ((6, len(ITEMS)), {"CHK002"}),
    ],
)
def test_items_of_lists_are_cut_at_lines(span: tuple[int, int], codes: set[str]) -> None:
    found = {each.finding.code for each in check_document(subject(LIST, span))}
    assert found & {"CHK002", "CHK003"} == codes


def test_a_form_may_end_in_a_box_to_tick() -> None:
    text = "Indicate whether the registrant was required to submit such files in the year. Yes ☒ No ☐"
    found = check_document(subject(Draft().paragraph(text).document()))
    assert "CHK003" not in {each.finding.code for each in found}


@pytest.mark.parametrize(("said", "count"), [("水深见下表。", 1), ("局长在会议上表示满意。", 0)])
def test_chinese_references_are_no_other_words(said: str, count: int) -> None:
    found = check_document(subject(Draft().paragraph(said).document()))
    assert [each.finding.code for each in found].count("CHK011") == count


@pytest.mark.parametrize(("link", "found"), [("[[#Risks]]", ["VLT004"]), ("[[#Aims]]", [])])
def test_a_link_within_a_note_needs_its_heading(link: str, found: list[str], tmp_path: Path) -> None:
    write(tmp_path, {"a.md": f"{DATED}# Aims\n\n{PROSE}{link}\n"})
    assert codes_in(tmp_path, select=("VLT",)) == found


def test_names_that_are_stressed_and_helpers_are_no_acronyms(tmp_path: Path) -> None:
    names = "BARRY signed for the board. BARRY stays. Corie Barry was elected."
    helpers = "# Acknowledgements\n\nThe plan was written by PJC and was read by PJC."
    write(tmp_path, {"a.md": f"{DATED}{PROSE}{names}\n\n{helpers}\n"})
    assert codes_in(tmp_path, select=("CHK012",)) == []


@pytest.mark.parametrize(
    ("opening", "text", "greeting"),
    [
        (
            "Rosenheim, 22. März 2024\n\nSehr geehrte Damen und Herren,",
            "hiermit kündigen wir den Vertrag zum Ende des Quartals, da die Pumpe seit dem Winter steht.",
            "Mit freundlichen Grüßen\nAnna Huber",
        ),
        (
            "Lyon, le 3 mai 2021\n\nMonsieur, Madame Delacroix,",
            "nous vous informons que le contrat de la pompe prend fin avec le trimestre et que le solde est payé.",
            "Cordialement, Jeanne Petitjean",
        ),
        (
            "Madrid, 4 de junio de 2020\n\nEstimado Juan García López:",
            "Le informamos de que el contrato de la bomba termina con el trimestre y que el saldo está pagado.",
            "Atentamente, Lucía Romero",
        ),
    ],
)
def test_greetings_are_in_the_language_of_their_letter(opening: str, text: str, greeting: str, tmp_path: Path) -> None:
    write(tmp_path, {"a.txt": "\n\n".join([opening, text, greeting])})
    assert codes_in(tmp_path, select=("DOC021",)) == []


def test_english_paragraphs_in_a_german_text_are_another_language(tmp_path: Path) -> None:
    german = "Die Pumpe steht seit dem Winter und der Vertrag endet mit dem Quartal, das noch nicht bezahlt ist.\n\n"
    write(tmp_path, {"a.txt": german * 3 + "The pump has been out of order since the winter, as we wrote to you.\n"})
    assert codes_in(tmp_path, select=("DOC021",)) == ["DOC021"]


def test_brackets_in_code_make_no_note_of_obsidian(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": f"{DATED}{PROSE}See [it](b.md).\n\n```toml\n[[sources]]\n```\n", "b.md": DATED + PROSE})
    assert codes_in(tmp_path, select=("VLT",)) == []


def test_templates_of_a_vault_are_no_documents_from_wherever_it_is_checked(tmp_path: Path) -> None:
    told = '{"folder": "Forms"}'
    write(tmp_path, {"v/.obsidian/templates.json": told, "v/a.md": DATED + PROSE, "v/Forms/b.md": "[[Nowhere]]"})
    assert codes_in(tmp_path / "v", select=("VLT001",)) == []
    assert codes_in(tmp_path, select=("VLT001",)) == []


@pytest.mark.parametrize("suffix", ["md", "csv"])
def test_uneven_rows_cost_the_chunk_of_their_table_once(suffix: str, tmp_path: Path) -> None:
    rows = ["Item,2022,2023", "Tea,1200,1350", "Ink,310", "Pens,95", "Cups,41,52"]
    lines = [f"| {row.replace(',', ' | ')} |" for row in rows] if suffix == "md" else rows
    head = f"{DATED}{PROSE}\n\n" if suffix == "md" else ""
    rule = ["|---|---|---|"] if suffix == "md" else []
    write(tmp_path, {f"a-2024-02-02.{suffix}": head + "\n".join([lines[0], *rule, *lines[1:]]) + "\n"})
    found = [entry.source_finding.finding for entry in checked(tmp_path, select=("TAB004",)).report.entries]
    assert [each.penalty for each in found] == [0.1, 0.0]
    assert found[0].chunk_id is not None


@pytest.mark.parametrize(
    "above", ["sep=;\n", "# station: Pier; no. 4\n# metres\n", '"Konto:";"DE02"\n"Von:";"1.1.";""\n"Bis:";"31.1.";""\n']
)
def test_lines_above_a_table_of_values_are_no_uneven_rows(above: str, tmp_path: Path) -> None:
    rows = "Item;2021;2022;2023;Note\nTea;1;2;3;x\nInk;4;5;6;y\n"
    write(tmp_path, {"a-2024-02-02.csv": above + rows})
    assert codes_in(tmp_path, select=("TAB004",)) == []


LABELLED = "| | Amount |\n|---|---|\n| Staff at the end of the year | 12 |\n| Ships at year end | 3 |\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (LABELLED, []),
        (f"In 2023 the fleet grew. {PROSE}It had three ships at year end.\n", []),
        (f"{PROSE}It had three ships at the end of the year.\n", ["TMP002"]),
        (f"In 2023 the fleet grew. {PROSE}It lost a ship at the end of last month.\n", ["TMP002"]),
        (LABELLED.replace("Amount", "Last year"), ["TMP002"]),
    ],
)
def test_the_end_of_a_year_that_the_document_names_needs_no_date(text: str, found: list[str], tmp_path: Path) -> None:
    write(tmp_path, {"a.md": f"# The fleet\n\n{text}"})
    assert codes_in(tmp_path, select=("TMP002",)) == found
