"""What the loaders promise: all documents and questions of the files, or one line that says where it hurts."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.evaluate.dataset import Dataset, Gold, format_webpage, make_stem, read_dataset
from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read
from tests.tasks.evaluate.written_datasets import beir, lines, pages, tatqa
from warehouse.errors import BadInput

WORDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(lambda text: text.strip())
NAMES = WORDS.filter(lambda name: "\t" not in name and name.strip() == name and len(name.splitlines()) == 1)


@given(st.dictionaries(NAMES, WORDS, min_size=1, max_size=5), st.dictionaries(NAMES, WORDS, min_size=1, max_size=5))
def test_beir_loses_no_document_and_no_question(corpus: dict[str, str], queries: dict[str, str]) -> None:
    relevant = next(iter(corpus))
    with tempfile.TemporaryDirectory() as folder:
        exam = read_dataset(beir(Path(folder) / "set", corpus, queries, [(name, relevant, 2) for name in queries]))
    assert [source.name for source in exam.documents] == list(corpus)
    assert {question.name: question.text for question in exam.questions} == queries
    assert {question.gold for question in exam.questions} == {(Gold(relevant, None, 2),)}
    assert exam.notes == ()
    assert not exam.is_paged
    assert len({source.stem for source in exam.documents}) == len(corpus)


@given(NAMES, NAMES)
def test_file_names_are_apart_and_an_ingest_sees_them(one: str, other: str) -> None:
    stem = make_stem(one)
    assert (stem == make_stem(other)) == (one == other)
    assert 0 < len(stem.encode()) <= 200
    assert "/" not in stem
    assert not stem.startswith((".", "~", "#"))


def test_beir_asks_what_is_relevant_and_says_what_it_leaves_out(tmp_path: Path) -> None:
    corpus = {"d1": "One.\n\nTwo.", "d2": "Three."}
    qrels = [("q1", "d1", 1), ("q1", "d2", 0), ("q1", "gone", 1), ("q2", "d2", 0), ("nobody", "d1", 1)]
    exam = read_dataset(beir(tmp_path / "set", corpus, {"q1": "One?", "q2": "Two?", "q3": "Three?"}, qrels))
    assert exam.name == "set"
    assert exam.documents[0].paragraphs == ("One.", "Two.")
    assert [(question.name, question.gold) for question in exam.questions] == [("q1", (Gold("d1"), Gold("gone")))]
    assert exam.notes == (
        "left out: 1 judged questions that are not in queries.jsonl, the first 'nobody'",
        "left out: 1 questions without a relevant passage, the first 'q2'",
        "cannot be found: 1 judged passages that are not in corpus.jsonl, the first 'gone'",
    )


@pytest.mark.parametrize("name", ["qrels/test.tsv", "qrels/test.qrels", "qrels.txt"])
def test_qrels_of_trec_are_read_as_those_of_beir(tmp_path: Path, name: str) -> None:
    folder = beir(tmp_path / "set", {"d 1": "One.", "d2": "Two."}, {"q1": "One?"}, [("q1", "d 1", 2)])
    expected = read_dataset(folder)
    (folder / "qrels" / "test.tsv").unlink()
    corpus = (folder / "corpus.jsonl").read_text(encoding="utf-8").replace("d 1", "d1")
    (folder / "corpus.jsonl").write_text(corpus, encoding="utf-8")
    (folder / name).write_bytes("\ufeffq1 0 d1 2\r\nq1\t0\td2\t-1\r\n\r\n".encode())
    found = read_dataset(folder)
    assert found.questions[0].gold == (Gold("d1", grade=2),)
    assert found.questions[0].text == expected.questions[0].text


def test_marks_of_other_systems_in_qrels_change_nothing(tmp_path: Path) -> None:
    folder = beir(tmp_path / "set", {"d1": "One."}, {"q1": "One?"}, [("q1", "d1", 2), ("q1", "d1", 2)])
    plain = read_dataset(folder)
    file = folder / "qrels" / "test.tsv"
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes().replace(b"\n", b"\r\n"))
    assert read_dataset(folder) == plain


def test_a_context_of_tatqa_is_a_document_that_its_questions_ask_for(tmp_path: Path) -> None:
    exam = read_dataset(tatqa(tmp_path / "tables"))
    assert exam == read_dataset(tmp_path / "tables" / "tatqa_dataset_dev.json")
    assert [(question.text, question.gold) for question in exam.questions] == [
        ("What was marmalade revenue in 2019?", (Gold("t1"),)),
        ("What was zeppelin depreciation in 2019?", (Gold("t2"),)),
    ]
    document = read(Raw("t1.html", format_webpage(exam.documents[0]).encode()))
    assert document.tables[0].rows == (("", "2019"), ("marmalade revenue", "12.5"))
    assert document.text.endswith("Oranges were dear.")


def test_pages_are_known_by_their_document_with_or_without_suffix(tmp_path: Path) -> None:
    folder = pages(tmp_path / "filings")
    exam = read_dataset(folder)
    assert exam.is_paged
    assert {source.name: source.file for source in exam.documents} == {
        name: folder / f"{name}.pdf" for name in ("ALPHA_2022", "BETA_2022")
    }
    assert exam.questions[0].gold == (Gold("ALPHA_2022", 2, text="Turbines of the third dam"),)
    assert exam.questions[0].answer == "Yes"
    both = [{"page": 2}, {"page": 1, "document": "BETA_2022.pdf"}, {"page": 2}]
    lines(folder / "questions.jsonl", [{"document": "ALPHA_2022.pdf", "question": "Who?", "evidence": both}])
    assert read_dataset(folder).questions[0].gold == (Gold("ALPHA_2022", 2), Gold("BETA_2022", 1))


@given(st.integers(1, 40), st.integers(1, 40))
def test_a_limit_keeps_so_many_questions_in_order(count: int, limit: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        queries = {f"q{number}": "What?" for number in range(count)}
        exam = read_dataset(beir(Path(folder) / "set", {"d": "Text."}, queries, [(name, "d", 1) for name in queries]))
    names = [question.name for question in exam.limit_questions(limit).questions]
    assert len(names) == min(count, limit)
    assert names == [name for name in queries if name in set(names)]


def _judged(folder: Path) -> Path:
    return beir(folder, {"d1": "One."}, {"q1": "One?"}, [("q1", "d1", 1)])


def _spoilt(name: str, content: str) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        (_judged(folder) / name).write_text(content, encoding="utf-8")
        return folder

    return make


def _without(name: str) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        (_judged(folder) / name).unlink()
        return folder

    return make


def _asking(**changes: object) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        item = {"document": "ALPHA_2022", "question": "Who?", "evidence": [{"page": 1}]}
        lines(pages(folder) / "questions.jsonl", [item, {**item, **changes}])
        return folder

    return make


def _contexts(value: object) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        (tatqa(folder) / "tatqa_dataset_dev.json").write_text(json.dumps(value), encoding="utf-8")
        return folder

    return make


QUERY = '{"_id": "q1", "text": "One?"}\n'
TABLE = {"uid": "t", "table": [["a"]]}


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda folder: folder, "there is no file or folder"),
        (
            lambda folder: folder.parent,
            "give --questions FILE or --questions made, or a folder with one of these: corpus.jsonl",
        ),
        (_without("corpus.jsonl"), "corpus.jsonl: add it"),
        (_without("queries.jsonl"), "queries.jsonl: add it"),
        (_without("qrels/test.tsv"), "add it: query-id, corpus-id and score"),
        (_spoilt("corpus.jsonl", ""), "holds no passage"),
        (_spoilt("queries.jsonl", "\n"), "holds no question"),
        (_spoilt("qrels/test.tsv", ""), "judges nothing"),
        (_spoilt("qrels/test.tsv", "query-id\tcorpus-id\tscore\n"), "judges nothing"),
        (_spoilt("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\n"), "line 2 has 2 columns"),
        (_spoilt("qrels/test.tsv", "q1\td1\t1\nq1\td1\tmuch\n"), "line 2: the score 'much' is not a whole number"),
        (_spoilt("qrels/test.tsv", "q1\td1\t1\nq1\td1\t2\n"), "line 2: 'd1' has grade 2, and 1 before, for 'q1'"),
        (_spoilt("qrels/test.tsv", "q1 0 d1 1\nq1 d1 1\n"), "line 2 has 1 columns"),
        (_spoilt("qrels/test.tsv", "q7\td1\t1\n"), "no question of"),
        (_spoilt("qrels/test.tsv", "q1\td7\t1\n"), "no question of"),
        (_spoilt("corpus.jsonl", '{"_id": "d1", "text": "One."}\n\n{"_id"\n'), "corpus.jsonl line 3 is not JSON"),
        (_spoilt("corpus.jsonl", '["d1"]\n'), "corpus.jsonl line 1 is not a JSON object"),
        (_spoilt("corpus.jsonl", '{"_id": "d1"}\n'), "corpus.jsonl line 1: 'text' is not text"),
        (_spoilt("corpus.jsonl", '{"text": "One."}\n'), "corpus.jsonl line 1: it has no '_id'"),
        (_spoilt("corpus.jsonl", '{"_id": "d1", "text": "One."}\n' * 2), "corpus.jsonl line 2: 'd1' is there twice"),
        (_spoilt("queries.jsonl", QUERY * 2), "queries.jsonl line 2: 'q1' is there twice"),
        (_spoilt("queries.jsonl", '{"_id": "q1", "text": " "}\n'), "queries.jsonl line 1: 'text' is empty"),
        (_asking(document="GAMMA"), "questions.jsonl line 2: there is no document 'GAMMA'"),
        (_asking(evidence=[]), "questions.jsonl line 2: there is no evidence"),
        (_asking(evidence=[{"page": 1}, {"page": 0}]), "questions.jsonl line 2, 'evidence' 2: '0' is not a page"),
        (_asking(evidence="page 1"), "'evidence' is not a list of objects"),
        (_contexts({}), "is not a list of contexts"),
        (_contexts([{"questions": []}]), "context 1 has no table"),
        (_contexts([{"table": {"uid": "t"}}]), "context 1: its table has no rows"),
        (_contexts([{"table": TABLE, "paragraphs": [], "questions": []}] * 2), "context 2, 'table': 't' is there"),
    ],
)
def test_bad_files_are_one_line_with_a_place_and_a_cure(
    tmp_path: Path, make: Callable[[Path], Path], said: str
) -> None:
    with pytest.raises(BadInput) as caught:
        read_dataset(make(tmp_path / "set"))
    assert said in str(caught.value)
    assert caught.value.cure
    assert len(str(caught.value).splitlines()) == 1


def test_bytes_that_are_no_text_are_named(tmp_path: Path) -> None:
    (_judged(tmp_path / "set") / "corpus.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadInput, match=r"corpus.jsonl cannot be read \(it is not UTF-8\)"):
        read_dataset(tmp_path / "set")


def test_a_split_that_is_not_there_names_those_that_are(tmp_path: Path) -> None:
    folder = _judged(tmp_path / "set")
    (folder / "qrels" / "test.tsv").rename(folder / "qrels" / "dev.tsv")
    with pytest.raises(BadInput, match="choose with --split from dev"):
        read_dataset(folder)
    assert isinstance(read_dataset(folder, "dev"), Dataset)
    with pytest.raises(BadInput, match="leave --split out"):
        read_dataset(pages(tmp_path / "filings"), "dev")
