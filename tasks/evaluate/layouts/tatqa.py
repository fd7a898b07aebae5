"""TAT-QA (Zhu et al. 2021): tables of financial reports, the paragraphs around them, and questions about each.

A list of contexts, `{table: {uid, table: [[…]]}, paragraphs: [{text}], questions: [{uid, question}]}`. A context is a
document here, named by its table; it is the gold of its questions.
"""

from __future__ import annotations

from pathlib import Path

from tasks.evaluate.dataset import CorpusDocument, Dataset, DatasetLayout, Gold, JudgedQuestion, make_stem
from tasks.evaluate.json_files import JsonItem, read_json
from warehouse.errors import BadInput

PATTERN = "tatqa_*.json"


def _fits(place: Path) -> bool:
    return (place.is_file() and place.suffix == ".json") or any(place.glob(PATTERN))


def _read(place: Path, split: str) -> Dataset:
    """`split` is the end of the file's name: "dev" for tatqa_dataset_dev.json."""
    files = [place] if place.is_file() else sorted(place.glob(f"tatqa_*{split}.json"))
    if len(files) != 1:
        names = ", ".join(file.name for file in sorted(place.glob(PATTERN)))
        cure = f"name one, or the end of its name by --split: {names}"
        raise BadInput(f"{place} holds {len(files)} such files", cure)
    (file,) = files
    contexts = read_json(file)
    if not isinstance(contexts, list) or not all(isinstance(context_object, dict) for context_object in contexts):
        raise BadInput(f"{file} is not a list of contexts", 'write [{"table": …, "paragraphs": …, "questions": …}]')
    documents: dict[str, CorpusDocument] = {}
    questions: dict[str, JudgedQuestion] = {}
    for number, context_object in enumerate(contexts, 1):
        context = JsonItem(context_object, f"{file}, context {number}")
        source = _read_document(context, documents)
        documents[source.name] = source
        for item in context.items("questions"):
            name = item.read_name("uid", questions)
            questions[name] = JudgedQuestion(name, item.read_words("question"), (Gold(source.name),))
    return Dataset(file.stem, tuple(documents.values()), tuple(questions.values()))


def _read_document(context: JsonItem, documents: dict[str, CorpusDocument]) -> CorpusDocument:
    table = context.value.get("table")
    if not isinstance(table, dict):
        raise BadInput(f"{context.location} has no table", 'write "table": {"uid": …, "table": [[…]]}')
    name = JsonItem(table, f"{context.location}, 'table'").read_name("uid", documents)
    rows = table.get("table")
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise BadInput(f"{context.location}: its table has no rows", 'write "table": [["…", "…"], ["…", "…"]]')
    paragraphs = tuple(item.read_text("text") for item in context.items("paragraphs"))
    return CorpusDocument(name, make_stem(name), "", tuple(tuple(map(str, row)) for row in rows), paragraphs)


member = DatasetLayout("tatqa_*.json, or such a file itself (TAT-QA)", _fits, _read)
