"""What `kalends ingest` and `kalends search` show of the same files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from benchmarks.passages.questions import Asked, Span, places
from benchmarks.passages.remembering import remembering
from flows.orchestration import run_ingest, temporary_server
from tasks.ask.excerpts import with_excerpts
from tasks.query.question_parser import parse_question
from warehouse.reader import Warehouse
from warehouse.records import Filters, Hit, SearchRequest
from warehouse.settings.loader import Settings
from warehouse.store.layout import Layout

TODAY = date(2026, 1, 1)


@dataclass(frozen=True, slots=True)
class Shown:
    """The spans, in the files, of the passages of each question and of their excerpts; `chunks` were searched."""

    passages: list[list[Span]]
    excerpts: list[list[Span]]
    chunks: int


def shown(settings: Settings, files: Mapping[str, Path], asked: Sequence[Asked], count: int) -> Shown:
    """Ingest the files as the settings say, ask each question of its own file."""
    with temporary_server(Layout(settings.warehouse)):
        report = run_ingest(settings, list(files.values()), lambda line: None)
    warehouse = Warehouse(settings.warehouse)
    names = {Path(entry.file.path).stem: entry.document_id for entry in warehouse.list_documents()}
    rows = warehouse.run_sql("SELECT document_id, text FROM contents").rows
    read = {str(document): str(text) for document, text in rows}
    raw = {corpus: places(read[names[corpus]], path.read_text(encoding="utf-8")) for corpus, path in files.items()}
    found = list(_hits(warehouse, settings, names, asked, count))
    passages = [[_at(raw[each.corpus], (hit.start, hit.end)) for hit in hits] for each, hits in found]
    excerpts = [[_at(raw[each.corpus], hit.excerpt) for hit in hits if hit.excerpt] for each, hits in found]
    return Shown(passages, excerpts, report.chunks)


def _hits(
    warehouse: Warehouse, settings: Settings, names: Mapping[str, str], asked: Sequence[Asked], count: int
) -> Iterator[tuple[Asked, list[Hit]]]:
    chosen = remembering(settings.embed.model)
    for each in asked:
        question = parse_question(
            SearchRequest(each.text, Filters(documents=(names[each.corpus],)), k=count), chosen, TODAY
        )
        yield each, with_excerpts(question, warehouse.search(question), chosen)


def _at(places: Sequence[int], span: Span) -> Span:
    return places[span[0]], places[span[1] - 1] + 1
