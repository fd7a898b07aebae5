"""TAT-QA (Zhu et al. 2021): tables of financial reports with the paragraphs around them, and questions about each.

A list of contexts, `{table: {uid, table: [[…]]}, paragraphs: [{text}], questions: [{uid, question}]}`. A context is a
document here, named by its table; it is what its questions ask for.
"""

from __future__ import annotations

from pathlib import Path

from tasks.evaluate.dataset import CorpusDocument, Dataset, Gold, Judged, stem_of
from tasks.evaluate.json_files import JsonItem, whole
from warehouse.errors import BadInput

PATTERN = "tatqa_*.json"


class TatQa:
    """The layout."""

    form = "tatqa_*.json, or such a file itself (TAT-QA)"

    def fits(self, place: Path) -> bool:
        """See the contract."""
        return (place.is_file() and place.suffix == ".json") or any(place.glob(PATTERN))

    def read(self, place: Path, split: str) -> Dataset:
        """See the contract; `split` is the end of the file's name: "dev" for tatqa_dataset_dev.json."""
        file = _file(place, split)
        documents: dict[str, CorpusDocument] = {}
        questions: dict[str, Judged] = {}
        for context in _contexts(file):
            source = _source(context, documents)
            documents[source.name] = source
            for item in context.items("questions"):
                name = item.name("uid", questions)
                questions[name] = Judged(name, item.words("question"), (Gold(source.name),))
        return Dataset(file.stem, tuple(documents.values()), tuple(questions.values()))


def _file(place: Path, split: str) -> Path:
    if place.is_file():
        return place
    found = sorted(place.glob(f"tatqa_*{split}.json"))
    if len(found) != 1:
        there = ", ".join(file.name for file in sorted(place.glob(PATTERN)))
        raise BadInput(
            f"{place} holds {len(found)} such files", f"name one, or the end of its name by --split: {there}"
        )
    return found[0]


def _contexts(file: Path) -> list[JsonItem]:
    found = whole(file)
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise BadInput(f"{file} is not a list of contexts", 'write [{"table": …, "paragraphs": …, "questions": …}]')
    return [JsonItem(each, f"{file}, context {number}") for number, each in enumerate(found, 1)]


def _source(context: JsonItem, taken: dict[str, CorpusDocument]) -> CorpusDocument:
    table = context.value.get("table")
    if not isinstance(table, dict):
        raise BadInput(f"{context.where} has no table", 'write "table": {"uid": …, "table": [[…]]}')
    name = JsonItem(table, f"{context.where}, 'table'").name("uid", taken)
    rows = table.get("table")
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise BadInput(f"{context.where}: its table has no rows", 'write "table": [["…", "…"], ["…", "…"]]')
    paragraphs = tuple(item.text("text") for item in context.items("paragraphs"))
    return CorpusDocument(name, stem_of(name), "", tuple(tuple(map(str, row)) for row in rows), paragraphs)


member = TatQa()
