"""Where an ingest spends its time: `python benchmarks/ingest.py FOLDER…`.

Ingests the folders into a fresh warehouse, then does the models' arithmetic (vectors, and the names of notes) and the
reading of the PDFs alone, on the same texts and files, and prints the share of each stage and of everything that is
none of these.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from time import monotonic

from flows.orchestration import orchestration
from flows.progress import IngestReport
from tasks.embedders.embedder import embedder
from tasks.entities.names import entities_of
from tasks.parsers.reader import Job, read_files
from warehouse.reader import Warehouse
from warehouse.settings.loader import Settings
from warehouse.store.lake import Lake, read_documents
from warehouse.store.layout import Layout


def measure(folders: list[Path], settings: Settings) -> tuple[IngestReport, dict[str, float]]:
    """The run's report and the seconds of its parts."""
    with orchestration(Layout(settings.warehouse), print):
        from flows.ingest import ingest

        started = monotonic()
        report = ingest([str(folder) for folder in folders], settings=settings)
        whole = monotonic() - started
    alone = {"model": _model_seconds(settings), "names": _names_seconds(settings), "pdf": _pdf_seconds(settings)}
    return report, {"flow": whole, **alone}


def _model_seconds(settings: Settings) -> float:
    chosen = embedder(settings.embed.model)
    warehouse = Warehouse(settings.warehouse)
    chunks = warehouse.snapshot.records("SELECT prefix, text FROM chunks")
    texts = list(dict.fromkeys(w for c in chunks for w in chosen.windows(c["prefix"], c["text"])))
    chosen.embed(texts[:1])
    started = monotonic()
    chosen.embed(texts)
    return monotonic() - started


def _names_seconds(settings: Settings) -> float:
    named = [h for h in Warehouse(settings.warehouse).documents() if h.kind in settings.entities.kinds]
    parsed = [output for entry in named if (output := entry.output("parse"))]
    lake = Lake(Layout(settings.warehouse).lake)
    documents = list(read_documents(lake, {output.key: output.file for output in parsed}).values())
    if not documents:
        return 0.0
    entities_of(documents[:1])
    started = monotonic()
    entities_of(documents)
    return monotonic() - started


def _pdf_seconds(settings: Settings) -> float:
    warehouse = Warehouse(settings.warehouse)
    folders = {root.name: root.folder for root in warehouse.snapshot.generation.manifest.roots}
    files = [h.file for h in warehouse.documents() if h.file.path.lower().endswith(".pdf") and h.file.sha256]
    jobs = [Job(Path(f.path).name, folders[f.root] / f.path, f.sha256) for f in files]
    if not jobs:
        return 0.0
    started = monotonic()
    for _ in read_files(jobs, settings.parse):
        pass
    return monotonic() - started


def table(report: IngestReport, seconds: dict[str, float]) -> str:
    """The figures as a Markdown table."""
    whole = seconds["flow"]
    rows = [(cost.stage, str(cost.documents), cost.seconds) for cost in report.stages]
    rows.append(("flow, plan and lock", "", whole - sum(cost.seconds for cost in report.stages)))
    lines = ["| part | documents | seconds | share |", "|---|---:|---:|---:|"]
    lines += [f"| {name} | {documents} | {spent:.2f} | {spent / whole:.1%} |" for name, documents, spent in rows]
    lines.append(f"| **whole** | {report.documents} | {whole:.2f} | 100.0% |")
    rest = whole - seconds["model"] - seconds["names"] - seconds["pdf"]
    lines.append(f"| model arithmetic alone | | {seconds['model']:.2f} | {seconds['model'] / whole:.1%} |")
    lines.append(f"| names of notes alone | | {seconds['names']:.2f} | {seconds['names'] / whole:.1%} |")
    lines.append(f"| reading the PDFs alone | | {seconds['pdf']:.2f} | {seconds['pdf'] / whole:.1%} |")
    lines.append(f"| **everything else** | | {rest:.2f} | {rest / whole:.1%} |")
    return "\n".join(lines)


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(warehouse=Path(folder) / "warehouse")
        report, seconds = measure(options.folders, settings)
        print(table(report, seconds))
        print(f"\n{report.chunks} chunks, {report.chunks / seconds['flow']:.1f} a second")
        from flows.service import processes

        processes.stop_server(Layout(settings.warehouse))


if __name__ == "__main__":
    main()
