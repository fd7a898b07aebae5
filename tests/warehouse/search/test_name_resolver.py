"""Names of documents as people write them: parts, abbreviations, without accents, misspelt; several are listed."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from dashboards.assistant.tools.contract import TOOLS
from dashboards.cli.main import app
from tasks.query.filter_values import find_document, resolve_documents, resolve_filter_names
from tests.building import build_warehouse
from tests.building_papers import course, paper
from tests.dashboards.assistant.tool_contexts import tool_context_at
from tests.examples import examples
from warehouse.errors import BadInput, UnknownDocument
from warehouse.reader import Warehouse
from warehouse.records import Filters, Kind, SearchRequest
from warehouse.search.catalogue import count_allowed_typos, split_tokens
from warehouse.store.words import fold_text

TITLES = {
    "p1.xml": "Müller cells and the ageing retina of zebrafish",
    "p2.xml": "Spatial transcriptomics of the human placenta",
    "p3.xml": "Gradient descent for sparse regression problems",
    "p4.xml": "Gradient descent with momentum explained",
    "agents.txt": "Protocols: Build Context-Rich Agents with Tools",
    "harbour.txt": "Harbour Tides for Sailors",
}
DISTINCT = [title for title in TITLES.values() if not title.startswith("Gradient")]


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    folder = tmp_path_factory.mktemp("names")
    root = folder / "library"
    root.mkdir()
    for number, (name, title) in enumerate(TITLES.items()):
        lessons = {1: ("First", "We begin."), 2: ("Second", "We go on.")}
        made = paper(title, number=number) if name.endswith("xml") else course(title, "Elsa Norén", lessons)
        (root / name).write_text(made)
    for year in (2021, 2022):
        (root / f"OSTERGAARD_{year}_10K.md").write_text(f"# Østergård Holdings annual report {year}\n\nSales rose.\n")
    build_warehouse(folder / "w", root)
    return Warehouse(folder / "w").pin_generation()


def titles(warehouse: Warehouse, name: str) -> list[str]:
    return [warehouse.catalogue.documents[each].title for each in warehouse.resolve(name).documents]


def _misspelt(draw: st.DrawFn, word: str) -> str:
    """A word with one letter of its middle left out, doubled or exchanged with the next, where that is allowed."""
    if not count_allowed_typos(word):
        return word
    place = draw(st.integers(1, len(word) - 3))
    change = draw(st.sampled_from(["drop", "double", "swap"]))
    if change == "drop":
        return word[:place] + word[place + 1 :]
    if change == "double":
        return word[:place] + word[place] + word[place:]
    return word[:place] + word[place + 1] + word[place] + word[place + 2 :]


@st.composite
def _written(draw: st.DrawFn) -> tuple[str, str]:
    """A title and a loose form of it: a run of its words, perhaps without accents or case, one of them misspelt."""
    title = draw(st.sampled_from(DISTINCT))
    words = title.replace(":", "").split()
    telling = [place for place, word in enumerate(words) if len(word) > 6 and word.isalpha()]
    place = draw(st.sampled_from(telling))
    first, last = draw(st.integers(0, place)), draw(st.integers(place, len(words) - 1))
    run = words[first : last + 1]
    if draw(st.booleans()):
        run = [unicodedata.normalize("NFKD", word).encode("ascii", "ignore").decode() for word in run]
    if draw(st.booleans()):
        run[place - first] = _misspelt(draw, run[place - first])
    text = " ".join(run)
    return title, draw(st.sampled_from([text, text.lower(), text.upper(), f"the {text}", f"“{text}”"]))


@given(case=_written())
@examples(10)
def test_a_loose_form_of_a_title_means_its_document(case: tuple[str, str], warehouse: Warehouse) -> None:
    title, written = case
    assert titles(warehouse, written) == [title], written


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("the agents course", "Protocols: Build Context-Rich Agents with Tools"),
        ("Protocols", "Protocols: Build Context-Rich Agents with Tools"),
        ("the paper on the placenta", "Spatial transcriptomics of the human placenta"),
        ("sthp", "Spatial transcriptomics of the human placenta"),
        ("p2.xml", "Spatial transcriptomics of the human placenta"),
        ("library/p2.xml", "Spatial transcriptomics of the human placenta"),
        ("muller cells", "Müller cells and the ageing retina of zebrafish"),
        ("港口课程", ""),
    ],
)
def test_other_ways_to_name_a_document(name: str, title: str, warehouse: Warehouse) -> None:
    assert titles(warehouse, name) == ([title] if title else [])


def test_the_kind_that_is_demanded_alone_counts(warehouse: Warehouse) -> None:
    assert warehouse.resolve("placenta", Kind.COURSE).documents == ()
    assert len(warehouse.resolve("harbour", Kind.COURSE).documents) == 1


def test_a_company_means_all_its_documents(warehouse: Warehouse) -> None:
    for name in ("Ostergaard", "OSTERGAARD", "ostergaad"):
        assert len(warehouse.resolve(name).documents) == 2, name


def test_several_are_listed_on_one_line(warehouse: Warehouse) -> None:
    with pytest.raises(BadInput, match="may mean 2 names: name one: Gradient descent for") as error:
        find_document(warehouse, "gradient descent")
    assert "\n" not in str(error.value)
    assert titles(warehouse, "gradient descent momentum") == [TITLES["p4.xml"]]


def test_what_is_not_there_offers_the_nearest(warehouse: Warehouse) -> None:
    with pytest.raises(UnknownDocument, match=r"did you mean .*harbour\.txt"):
        find_document(warehouse, "Harbor Lights of Sailing")
    with pytest.raises(UnknownDocument, match="there is no document"):
        find_document(warehouse, "qqqq")


def test_a_name_says_what_it_is_read_as(warehouse: Warehouse) -> None:
    assert resolve_documents(warehouse, ["the agents course"]).notes == (
        "'the agents course' is read as “Protocols: Build Context-Rich Agents with Tools” (library/agents.txt)",
    )
    assert resolve_documents(warehouse, ["library/agents.txt", TITLES["harbour.txt"]]).notes == ()


def test_a_name_to_filter_by_is_read_as_the_documents_have_it(warehouse: Warehouse) -> None:
    found = resolve_filter_names(
        warehouse, SearchRequest("what is new?", Filters(names=("transcriptomiks", "placenta")))
    )
    assert found.filters.names[1] == "placenta"
    kept = resolve_filter_names(warehouse, SearchRequest("what is new?", Filters(names=("zzzz",))))
    assert kept.filters.names == ("zzzz",)


def test_every_tool_that_takes_a_document_takes_it_loosely(warehouse: Warehouse) -> None:
    context = tool_context_at(warehouse.layout.folder)
    outline = TOOLS["document_outline"].call(context, {"document": "harbor tides"})
    assert "Harbour Tides for Sailors" in outline.text
    read = TOOLS["open_passage"].call(context, {"document": "the agents course", "start": 0})
    assert "Protocols: Build" in read.text
    found = TOOLS["search"].call(context, {"question": "what do we begin?", "documents": ["the agents course"]})
    assert {hit.citation.title for hit in found.hits} == {TITLES["agents.txt"]}
    assert "is read as “Protocols" in found.text


def test_the_command_line_takes_it_loosely(warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KALENDS_EMBED__MODEL", "hashing")
    given_options = ["--warehouse", str(warehouse.layout.folder), "--document", "agents course"]
    shown = CliRunner().invoke(app, ["search", "what do we begin?", *given_options])
    assert shown.exit_code == 0, shown.output
    assert "is read as “Protocols: Build Context-Rich Agents with Tools”" in shown.output
    assert "Harbour" not in shown.output


def test_folding_keeps_words_apart() -> None:
    assert fold_text("Zoë Åkesson Łódź Ærø") == "zoe akesson lodz aero"
    assert split_tokens(fold_text("Müller Glia")) == ["muller", "glia"]
