"""Where an ingest spends its time: `python benchmarks/ingest.py FOLDER…`.

Ingests the folders into a fresh warehouse, then does the models' arithmetic (vectors, and the names of notes) and the
reading of the PDFs alone, on the same texts and files, and prints the share of each stage and of everything that is
none of these. Shares of processor seconds hold on a machine that others use too.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from benchmarks.speeds.processor import Spent, reading
from flows.orchestration import connect_prefect
from flows.progress import IngestReport
from tasks.embedders.embedder import open_embedder
from tasks.entities.names import find_entities
from tasks.parsers.reader import Job, read_files
from warehouse.reader import Warehouse
from warehouse.records import Embedding
from warehouse.settings.loader import Settings
from warehouse.store.lake import Lake, read_documents
from warehouse.store.layout import Layout

AIM = 0.15
"""The share of processor seconds that is neither the model, nor names, nor reading PDFs, at most; .18 on 2026-11-25."""


def measure(folders: list[Path], settings: Settings) -> tuple[IngestReport, dict[str, Spent]]:
    """The run's report and what its parts take."""
    with connect_prefect(Layout(settings.warehouse), print):
        from flows.ingest import ingest

        started = reading()
        report = ingest([str(folder) for folder in folders], settings=settings)
        whole = reading() - started
    return report, {"flow": whole, "model": _model(settings), "names": _names(settings), "pdf": _pdfs(settings)}


def _model(settings: Settings) -> Spent:
    chosen = open_embedder(settings.embed.model)
    warehouse = Warehouse(settings.warehouse)
    chunks = warehouse.snapshot.query_records("SELECT prefix, text FROM chunks")
    windows = (window for chunk in chunks for window in chosen.cut_windows(chunk["prefix"], chunk["text"]))
    outputs = [output for entry in warehouse.list_documents() if (output := entry.find_output("embed"))]
    made = Lake(Layout(settings.warehouse).lake).read("embeddings", Embedding, {o.key: o.file for o in outputs})
    labels = (each.label for rows in made.values() for each in rows if each.label)
    texts = list(dict.fromkeys((*windows, *labels)))
    chosen.embed(texts[:1])
    started = reading()
    chosen.embed(texts)
    return reading() - started


def _names(settings: Settings) -> Spent:
    named = [h for h in Warehouse(settings.warehouse).list_documents() if h.kind in settings.entities.kinds]
    parsed = [output for entry in named if (output := entry.find_output("parse"))]
    lake = Lake(Layout(settings.warehouse).lake)
    documents = list(read_documents(lake, {output.key: output.file for output in parsed}).values())
    if not documents:
        return Spent(0.0, 0.0)
    find_entities(documents[:1])
    started = reading()
    find_entities(documents)
    return reading() - started


def _pdfs(settings: Settings) -> Spent:
    warehouse = Warehouse(settings.warehouse)
    folders = {root.name: root.folder for root in warehouse.snapshot.generation.manifest.roots}
    files = [h.file for h in warehouse.list_documents() if h.file.path.lower().endswith(".pdf") and h.file.sha256]
    jobs = [Job(Path(f.path).name, folders[f.root] / f.path, f.sha256) for f in files]
    started = reading()
    for _ in read_files(jobs, settings.parse):
        pass
    return reading() - started


def table(report: IngestReport, spent: dict[str, Spent]) -> str:
    """The figures as a Markdown table."""
    whole = spent["flow"]
    lines = ["| part | documents | seconds | share | processor s | share |", "|---|---:|---:|---:|---:|---:|"]
    stages = ((cost.stage, cost.documents, cost.seconds) for cost in report.stages)
    lines += [f"| {name} | {count} | {took:.2f} | {took / whole.passed:.1%} | | |" for name, count, took in stages]
    beside = whole.passed - sum(cost.seconds for cost in report.stages)
    lines.append(f"| flow, plan and lock | | {beside:.2f} | {beside / whole.passed:.1%} | | |")
    rest = whole - spent["model"] - spent["names"] - spent["pdf"]
    named = {
        "**whole**": whole,
        "model arithmetic alone": spent["model"],
        "names of notes alone": spent["names"],
        "reading the PDFs alone": spent["pdf"],
        "**everything else**": rest,
    }
    for name, each in named.items():
        shares = each.passed / whole.passed, each.processor / whole.processor
        documents = str(report.documents) if each is whole else ""
        lines.append(
            f"| {name} | {documents} | {each.passed:.2f} | {shares[0]:.1%} | {each.processor:.2f} | {shares[1]:.1%} |"
        )
    kept = "kept" if rest.processor <= AIM * whole.processor else "NOT KEPT"
    lines.append(f"\nEverything else takes at most {AIM:.0%} of the processor seconds: {kept}.")
    return "\n".join(lines)


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(warehouse=Path(folder) / "warehouse")
        report, spent = measure(options.folders, settings)
        print(table(report, spent))
        print(f"\n{report.chunks} chunks, {report.chunks / spent['flow'].passed:.1f} a second")
        from flows.service import processes

        processes.stop_server(Layout(settings.warehouse))


if __name__ == "__main__":
    main()
