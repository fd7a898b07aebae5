"""Ordinary documents and a file of questions about them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tasks.evaluate.corpus import build_corpus, read_corpus, with_questions_of
from tasks.evaluate.corpus import iter_question_lines as lines_of
from tasks.evaluate.dataset import Gold, JudgedQuestion, read_dataset
from tests.tasks.evaluate.written_datasets import beir, lines
from warehouse.errors import BadInput

ROW = {"question": "Who?", "evidence": [{"document": "deep/a", "text": "One."}]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a.md", "deep/a.md", "deep/b.txt", "deep/b.md", ".hidden.md", "~$a.docx"):
        file = tmp_path / "docs" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("One.", encoding="utf-8")
    return tmp_path / "docs"


def _asked(folder: Path, *rows: object) -> tuple[JudgedQuestion, ...]:
    lines(folder.parent / "q.jsonl", rows)
    return with_questions_of(build_corpus(folder), folder.parent / "q.jsonl").questions


def test_documents_are_named_by_their_path_and_their_suffix_where_they_must(folder: Path) -> None:
    assert [source.name for source in build_corpus(folder).documents] == ["a", "deep/a", "deep/b.md", "deep/b.txt"]
    assert [source.name for source in build_corpus(folder / "a.md").documents] == ["a"]


def test_evidence_names_its_document_as_people_do(folder: Path) -> None:
    evidence = [
        {"document": "b.txt", "page": 2, "text": " One. "},
        {"document": "deep/a.md"},
        {"text": "Two", "start": 7},
    ]
    (question,) = _asked(folder, {"document": "a", "question": "Who?", "answer": 7, "evidence": evidence})
    assert question.gold == (Gold("deep/b.txt", 2, text="One."), Gold("deep/a"), Gold("a", text="Two", near=7))
    assert question.answer == "7"


def test_what_is_written_is_read_again(folder: Path) -> None:
    questions = (
        JudgedQuestion("one", "Wer?", (Gold("a", text="Öl\n| 1 |", near=3), Gold("deep/b.md", 4)), "Öl"),
        JudgedQuestion("two", "Who?", (Gold("deep/a"),)),
    )
    (folder.parent / "q.jsonl").write_text("\n".join(lines_of(questions)), encoding="utf-8")
    assert with_questions_of(build_corpus(folder), folder.parent / "q.jsonl").questions == questions


def test_the_only_document_need_not_be_named(folder: Path) -> None:
    lines(folder.parent / "q.jsonl", [{"question": "Who?", "evidence": [{"text": "One."}]}])
    assert with_questions_of(build_corpus(folder / "a.md"), folder.parent / "q.jsonl").questions[0].gold == (
        Gold("a", text="One."),
    )


def test_questions_among_the_documents_are_no_document(folder: Path) -> None:
    for name in ("questions.jsonl", "answers.jsonl"):
        lines(folder / name, [ROW])
    exam = read_dataset(folder)
    assert [source.name for source in exam.documents] == ["a", "deep/a", "deep/b.md", "deep/b.txt"]
    assert exam.places == (folder / "a.md", folder / "deep")
    lines(folder / "deep" / "q.jsonl", [ROW])
    with pytest.raises(BadInput, match="lie among the documents"):
        build_corpus(folder, folder / "deep" / "q.jsonl")


def test_published_documents_are_a_corpus_too(tmp_path: Path) -> None:
    place = beir(tmp_path / "set", {"d1": "One."}, {"q1": "One?"}, [("q1", "d1", 1)])
    corpus = read_corpus(place)
    assert ([source.name for source in corpus.documents], corpus.questions) == (["d1"], ())


def test_references_exact_to_the_character_are_gold(tmp_path: Path) -> None:
    (tmp_path / "set" / "corpora").mkdir(parents=True)
    (tmp_path / "set" / "corpora" / "news.md").write_text("Two. One.", encoding="utf-8")
    references = [{"content": "One.", "start_index": 5, "end_index": 9}]
    lines(tmp_path / "set" / "questions.jsonl", [{"question": "Who?", "corpus": "news", "references": references}])
    exam = read_dataset(tmp_path / "set")
    assert (exam.name, exam.places) == ("set", (tmp_path / "set" / "corpora",))
    assert exam.questions == (JudgedQuestion("1", "Who?", (Gold("news", text="One.", near=5),)),)
    lines(tmp_path / "set" / "questions.jsonl", [{"question": "Who?", "corpus": "tides", "references": references}])
    with pytest.raises(BadInput, match="line 1: there is no corpus 'tides'"):
        read_dataset(tmp_path / "set")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({**ROW, "evidence": [{"document": "b", "text": "One."}]}, "'evidence' 1: there is no document 'b'"),
        ({**ROW, "evidence": [{"text": "One."}]}, "line 1: it has no 'document'"),
        ({**ROW, "document": "a", "evidence": [{"text": " "}]}, "'evidence' 1 does not say what answers"),
        ({**ROW, "document": "a", "evidence": [{"page": 0}]}, "'0' is not a page"),
        ({**ROW, "document": "a", "evidence": [{"text": "x", "start": -1}]}, "'-1' is not a start"),
        ({**ROW, "evidence": []}, "there is no evidence"),
        ({**ROW, "answer": ["One"]}, "'answer' is not text"),
    ],
)
def test_a_line_that_cannot_be_used_is_named(folder: Path, row: object, said: str) -> None:
    with pytest.raises(BadInput) as caught:
        _asked(folder, row)
    assert said in str(caught.value)
    assert caught.value.cure
