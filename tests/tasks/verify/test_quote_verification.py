"""Whether quotations stand where they are said to stand: the files are opened again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from shutil import copytree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.verify.claims import (
    Proof,
    ProofReader,
    ProofVerdict,
    QuoteClaim,
    make_passage_claim,
    make_quotation_claims,
    read_claims,
)
from tasks.verify.quote_verification import verify_claims
from tests.building import build_warehouse
from tests.examples import examples
from tests.tasks.parsers.drawn_pdf import Drawing, prose, rows
from warehouse.errors import BadInput
from warehouse.reader import Warehouse
from warehouse.settings.models import ParseSettings

REPORTS = Path(__file__).parents[3] / "samples" / "reports"
LIMITS = ParseSettings(processes=1)
NOTE = (
    "# Quay\n\nThe herring came late and the ice plant stood still.\n\n"
    "| Year | Landed |\n| --- | --- |\n| 2021 | 410 t |\n"
)
TABLE = rows(100, ("", "2021", "2022"), ("Net sales", "3,642", "3,507"), ("Net income", "459", "225"))


def made(tmp_path: Path) -> Warehouse:
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "note.md").write_text(NOTE, encoding="utf-8")
    drawn = (
        Drawing()
        .page([*prose(60, 2), *TABLE])
        .styled((90, 100, "Words that run up the page", "Helvetica", 10), turned=90)
    )
    (tmp_path / "files" / "report.pdf").write_bytes(drawn.data())
    return build_warehouse(tmp_path / "warehouse", tmp_path / "files")


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    return made(tmp_path_factory.mktemp("proving"))


def everything(held: Warehouse) -> list[QuoteClaim]:
    found = held.snapshot.query_rows("SELECT document_id, start, text FROM chunks ORDER BY chunk_id")
    return [QuoteClaim(document, text, start) for document, start, text in found]


def verdicts(held: Warehouse, claims: Sequence[QuoteClaim]) -> list[tuple[ProofVerdict, ProofReader | None]]:
    return [(proof.verdict, proof.reader) for proof in verify_claims(held, claims, LIMITS)]


def quote(held: Warehouse, words: str, source: str = "files/report.pdf") -> Proof:
    (claim,) = make_quotation_claims(held, words, source)
    (proof,) = verify_claims(held, [claim], LIMITS)
    return proof


def test_every_passage_of_a_page_is_read_from_its_boxes_and_others_from_the_file(held: Warehouse) -> None:
    claims = everything(held)
    pdf = held.find_document_id("files/report.pdf")
    assert verdicts(held, claims) == [
        (ProofVerdict.VERIFIED, ProofReader.BOXES if claim.document_id == pdf else ProofReader.PARSER)
        for claim in claims
    ]


def test_every_passage_of_the_sample_reports_is_verified(tmp_path: Path) -> None:
    samples = build_warehouse(tmp_path / "warehouse", REPORTS)
    assert {proof.verdict for proof in verify_claims(samples, everything(samples), LIMITS)} == {ProofVerdict.VERIFIED}


def test_a_changed_figure_is_found_on_its_page(held: Warehouse) -> None:
    (claim,) = [claim for claim in everything(held) if "3,507" in claim.text]
    (proof,) = verify_claims(
        held, [QuoteClaim(claim.document_id, claim.text.replace("3,507", "3,570"), claim.start)], LIMITS
    )
    (difference,) = proof.differences
    assert (proof.verdict, difference.page) == (ProofVerdict.DIFFERS, 1)
    assert ("3,570" in difference.said, "3,507" in difference.found) == (True, True)


@given(data=st.data())
@examples(0.8)
def test_any_changed_character_is_found(held: Warehouse, data: st.DataObject) -> None:
    claim = data.draw(st.sampled_from(everything(held)))
    lines = re.finditer(r"^[^\[\n].*$", claim.text, re.MULTILINE)
    places = [place for line in lines for place in range(*line.span()) if claim.text[place].isalnum()]
    place = data.draw(st.sampled_from(places))
    wrong = f"{claim.text[:place]}§{claim.text[place + 1 :]}"
    assert verdicts(held, [QuoteClaim(claim.document_id, wrong, claim.start)])[0][0] is ProofVerdict.DIFFERS


def test_a_part_of_a_passage_is_proved_by_its_own_boxes(held: Warehouse) -> None:
    row = "SELECT chunk_id, start, text FROM chunks WHERE contains(text, 'Net sales')"
    ((chunk, start, text),) = held.snapshot.query_rows(row)
    place = start + text.index("Net sales")
    whole, part = verify_claims(
        held, [make_passage_claim(held, chunk), make_passage_claim(held, chunk, (place, place + 9))], LIMITS
    )
    assert (part.verdict, part.claim.text, len(part.regions)) == (ProofVerdict.VERIFIED, "Net sales", 1)
    assert len(whole.regions) > 1
    with pytest.raises(BadInput, match="is not in the document: its text ends at"):
        make_passage_claim(held, chunk, (start, start + 1_000_000))
    with pytest.raises(BadInput, match="there is no passage 0"):
        make_passage_claim(held, "0")


@pytest.mark.parametrize(
    ("words", "source"),
    [
        ("The fleet  sailed on\nand nobody", "files/report.pdf"),
        ("| Net sales | 3,642 | 3,507 |", "files/report.pdf"),
        ("Net sales 3,642 3,507", "files/report.pdf"),
        ("Words that run up the page", "files/report.pdf"),
        ("the ice plant stood still", "files/note.md"),
        ("| 2021 | 410 t |", "files/note.md"),
    ],
)
def test_a_quotation_is_looked_for(held: Warehouse, words: str, source: str) -> None:
    proof = quote(held, words, source)
    assert proof.verdict is ProofVerdict.VERIFIED
    assert bool(proof.regions) == source.endswith(".pdf")


@pytest.mark.parametrize(
    ("words", "nearest"),
    [("Net sales 3,642 3,570", "Net sales"), ("642", "3,642"), ("the fleet sailed on and somebody wrote", "nobody")],
)
def test_a_quotation_that_differs_is_shown_with_what_is_there(held: Warehouse, words: str, nearest: str) -> None:
    proof = quote(held, words)
    assert proof.verdict is ProofVerdict.DIFFERS
    assert nearest in proof.differences[0].found


def test_a_file_that_is_no_longer_the_one_that_was_read_proves_nothing(tmp_path: Path) -> None:
    held = made(tmp_path)
    claims = everything(held)
    (tmp_path / "files" / "note.md").write_text(NOTE.replace("late", "soon"), encoding="utf-8")
    (tmp_path / "files" / "report.pdf").unlink()
    note = held.find_document_id("files/note.md")
    found = {claim.document_id: proof[0] for claim, proof in zip(claims, verdicts(held, claims), strict=True)}
    assert found.pop(note or "") is ProofVerdict.CHANGED
    assert set(found.values()) == {ProofVerdict.GONE}
    assert verdicts(held, [QuoteClaim("no such", "x", 0)]) == [(ProofVerdict.GONE, None)]


def test_hits_and_extracts_come_back_from_json(held: Warehouse) -> None:
    document = held.find_document_id("files/note.md")
    excerpt = '{"start": 10, "text": "herring"}'
    hit = f'{{"document_id": "{document}", "start": 6, "text": "The herring", "excerpt": {excerpt}}}'
    extract = f'{{"text": "| Year | Landed |\\n| 2021 | 410 t |", "citation": {{"document_id": "{document}"}}}}'
    claims = read_claims(held, f'{{"hits": [{hit}], "extracts": [{extract}]}}')
    assert [claim.text for claim in claims] == ["The herring", "herring", "| Year | Landed |", "| 2021 | 410 t |"]
    assert {verdict for verdict, _ in verdicts(held, claims)} == {ProofVerdict.VERIFIED}


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"hits": [{}]}', '{"hits": 3}'])
def test_other_json_is_refused(held: Warehouse, text: str) -> None:
    with pytest.raises(BadInput, match="kalends search --json"):
        read_claims(held, text)


def test_a_copy_of_the_warehouse_proves_as_well(held: Warehouse, tmp_path: Path) -> None:
    copy = Warehouse(copytree(held.layout.folder, tmp_path / "copy", symlinks=True))
    assert {verdict for verdict, _ in verdicts(copy, everything(copy))} == {ProofVerdict.VERIFIED}
