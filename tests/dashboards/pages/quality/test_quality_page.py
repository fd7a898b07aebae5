"""The page of quality: what it shows, and the way from a rule to the words on the page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboards.pages.quality.findings import QualityAddress
from tests.building import build_warehouse, copy_made, count_findings
from tests.dashboards.pages.elements import Reading, html_of, markdown_of, said
from warehouse.reader import Warehouse

Draw = Callable[..., AppTest]
SILENCED = "<!-- kalends: ignore=VLT001 -->\n# Silent\n\nThis leads to [[Nowhere at all]] and it is known.\n"
BROKEN = "# Loud\n\nThis leads to [[Nowhere at all]] and nobody knows.\n"


@pytest.fixture(autouse=True)
def _no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KALENDS_CACHE", "off")


def made(folder: Path) -> None:
    vault = folder / "vault"
    (vault / ".obsidian").mkdir(parents=True)
    (vault / "silent.md").write_text(SILENCED, encoding="utf-8")
    (vault / "loud.md").write_text(BROKEN, encoding="utf-8")
    build_warehouse(folder / "w", vault)


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Warehouse:
    """Two notes with the same broken link, of which one says that it is meant."""
    copy_made(made, tmp_path)
    monkeypatch.setenv("KALENDS_WAREHOUSE", str(tmp_path / "w"))
    return Warehouse(tmp_path / "w")


def one_finding(warehouse: Warehouse, *, charged: bool) -> dict[str, str]:
    sql = f"SELECT code, document_id, chunk_id FROM findings WHERE chunk_id IS {'NOT' if charged else ''} NULL LIMIT 1"
    code, document, chunk = warehouse.snapshot.query_rows(sql)[0]
    return {"rule": code, "document": document, **({"chunk": chunk} if charged else {})}


def test_the_figures_are_those_of_the_generation(draw: Draw, warehouse: Warehouse) -> None:
    page = draw("quality")
    assert not page.exception
    figures = {metric.label: metric.value for metric in page.metric}
    assert figures["Findings"] == str(sum(row["count"] for row in count_findings(warehouse)))
    assert figures["Passages below 0.8"].endswith(f"of {sum(d.chunk_count for d in warehouse.list_documents())}")


def test_the_page_says_first_what_the_score_means_and_what_to_do(draw: Draw, warehouse: Warehouse) -> None:
    page = draw("quality")
    assert "from 0 to 1" in page.markdown[0].value
    assert [header.value for header in page.header][:2] == ["What to do first", "Distribution of scores"]
    assert "No search finds anything in 1 file" in said(page)
    button = next(each for each in page.button if each.label == "Show the file")
    button.click().run()
    assert page.query_params["rule"]
    assert len(page.dataframe[0].value) == 1


def test_files_with_findings_are_never_more_than_files(draw: Draw, warehouse: Warehouse) -> None:
    figures = {metric.label: metric.value for metric in draw("quality").metric}
    some, every = map(int, figures["Files with findings"].split(" of "))
    assert 0 < some <= every == len(warehouse.list_documents())


def test_rules_are_listed_the_most_frequent_first(draw: Draw, warehouse: Warehouse) -> None:
    table = draw("quality").dataframe[0].value
    assert sorted(table["code"]) == sorted(row["code"] for row in count_findings(warehouse))
    assert list(table["count"]) == sorted(table["count"], reverse=True)


@pytest.mark.parametrize("side", ["Folders", "Kinds", "Documents", "Passages", "Generations"])
def test_every_side_can_be_sent_as_an_address(draw: Draw, side: str) -> None:
    page = draw("quality", by=side)
    assert not page.exception
    assert "Something went wrong" not in said(page)


def test_a_rule_is_explained_and_its_findings_listed(draw: Draw, warehouse: Warehouse) -> None:
    code = str(count_findings(warehouse)[0]["code"])
    page = draw("quality", rule=code)
    assert code in page.header[0].value
    assert all(part in said(page) for part in ("What", "Why it hurts", "Example", "Cure"))
    assert len(page.dataframe[0].value) == count_findings(warehouse)[0]["count"]


def test_a_passage_shows_its_finding_and_its_score_explained(draw: Draw, warehouse: Warehouse) -> None:
    what = one_finding(warehouse, charged=True)
    page = draw("quality", **what)
    assert not page.exception
    text = said(page)
    assert what["rule"] in text
    assert "Start, as " in text
    score = warehouse.snapshot.query_rows(
        "SELECT quality_score FROM chunks WHERE chunk_id = $id", {"id": what["chunk"]}
    )[0][0]
    assert f"Score{score:.2f}" in text


def test_a_finding_without_a_passage_leads_to_its_document(draw: Draw, warehouse: Warehouse) -> None:
    page = draw("quality", **one_finding(warehouse, charged=False))
    assert not page.exception
    assert len(page.dataframe[0].value) >= 1


@pytest.mark.parametrize(
    "address",
    [
        {"rule": "NO<b>", "at": "99"},
        {"document": "<script>", "kind": "../..", "severity": "bad"},
        {"chunk": "' OR 1=1"},
        {"twin": "none"},
        {"by": "nonsense", "together": "maybe", "at": "-3"},
    ],
)
def test_nonsense_in_the_address_harms_nothing(draw: Draw, address: dict[str, str]) -> None:
    page = draw("quality", **address)
    assert not page.exception
    assert "Something went wrong" not in said(page)
    assert not {"script", "b", "img"} & Reading(html_of(page)).tags


def test_names_and_texts_are_text(draw: Draw, warehouse: Warehouse) -> None:
    document = next(each for each in warehouse.list_documents() if "bold" in each.file.path)
    sql = "SELECT chunk_id FROM chunks WHERE document_id = $id LIMIT 1"
    chunk = warehouse.snapshot.query_rows(sql, {"id": document.document_id})[0][0]
    page = draw("quality", document=document.document_id, chunk=chunk)
    assert "alert(1)" in said(page)
    assert not {"script", "img", "a"} & Reading(html_of(page)).tags
    assert "evil.example" not in markdown_of(page)


def test_links_are_followed_only_by_the_check(draw: Draw, vault: Warehouse) -> None:
    assert "No findings" in said(draw("quality"))
    table = draw("quality", together="true").dataframe[0].value
    assert list(table[table["code"] == "VLT001"]["count"]) == [1]


def test_what_a_file_silences_is_counted_and_left_out(draw: Draw, vault: Warehouse) -> None:
    page = draw("quality", together="true")
    assert any("1 more finding is hidden" in caption.value for caption in page.caption)
    listed = draw("quality", together="true", rule="VLT001").dataframe[0].value
    assert [Path(source).name for source in listed["source"]] == ["loud.md"]


def test_near_duplicates_are_asked_of_the_check(draw: Draw, vault: Warehouse) -> None:
    assert "Documents have not been compared yet" in said(draw("quality", by="Near duplicates"))
    assert "No near duplicates" in said(draw("quality", by="Near duplicates", together="true"))


def test_a_rule_among_documents_says_where_its_findings_are(draw: Draw, vault: Warehouse) -> None:
    assert "switch on 'Compare documents'" in said(draw("quality", rule="VLT001"))


def test_the_way_back_keeps_the_rule(draw: Draw, warehouse: Warehouse) -> None:
    what = one_finding(warehouse, charged=True)
    page = draw("quality", **what, together="true")
    page.button(key=f"quality-go-{what['rule']}---").click().run()
    assert {name: page.query_params.get(name) for name in what} == {
        "rule": what["rule"],
        "document": None,
        "chunk": None,
    }
    assert page.query_params["together"]
    assert what["rule"] in page.header[0].value


def test_the_way_back_leads_to_the_side_that_was_left(draw: Draw, warehouse: Warehouse) -> None:
    page = draw("quality", by="Documents")
    page.query_params["document"] = one_finding(warehouse, charged=False)["document"]
    page.run()
    page.button(key="quality-go----").click().run()
    assert "Documents" in page.query_params["quality-by"]
    assert "document" not in page.query_params


def test_the_switch_is_kept_in_the_address(draw: Draw, vault: Warehouse) -> None:
    page = draw("quality")
    page.toggle[0].set_value(True).run()
    assert "VLT001" in list(page.dataframe[0].value["code"])
    assert "true" in page.query_params["together"]
    page.toggle[0].set_value(False).run()
    assert "together" not in page.query_params


def test_what_is_opened_is_nothing_at_first() -> None:
    assert QualityAddress() == QualityAddress(rule="", document="", chunk="", twin="")
