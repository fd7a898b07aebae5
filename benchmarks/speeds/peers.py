"""LlamaIndex with Chroma over the files that Kalends has just read, with the same model."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.speeds.processor import Spent
from flows.progress import IngestReport
from tasks.embedders.bert.encoder import choose_numbers
from tasks.embedders.embedder import open_embedder
from tasks.embedders.minilm import member
from warehouse.reader import Warehouse
from warehouse.records import Status

ADDED = ("tables", "temporal", "entities", "score")
"""Stages that the peer has nothing like."""
PARTS = ("parse", "chunk", "embed and index")
SPECIAL = 2
"""The tokens that open and close a text."""
LIKE, WHOLE = "like for like", "with all that it adds"
AIMS, BEFORE = {LIKE: 2.0, WHOLE: 1.6}, {LIKE: 1.74, WHOLE: 1.21}
"""At least so many times the peer's chunks a second, and how many times they were on 2026-11-23."""
LLAMA = Path(__file__).with_name("llama.py")


def lines(folder: Path, report: IngestReport, parts: Mapping[str, Spent], python: Path, scratch: Path) -> Iterator[str]:
    """The figures as Markdown: of the warehouse in `folder`, by what its `parts` took, and of the peer's run.

    The limit is what the model's arithmetic and the reading of PDFs take alone.
    """
    warehouse = Warehouse(folder)
    model = open_embedder("minilm")
    tokens = model.window - SPECIAL
    theirs = _llama(python, tokens, scratch / "chroma", _files(warehouse))
    spent = sum(theirs[part] for part in PARTS)
    rate = theirs["pieces"] / spent
    added = sum(cost.seconds for cost in report.stages if cost.stage in ADDED)
    ((characters, pages),) = warehouse.snapshot.query_rows(
        "SELECT sum(length(text)), (SELECT coalesce(sum(total_pages), 0) FROM documents) FROM contents"
    )
    sizes = theirs["characters"] // theirs["pieces"], characters // report.chunks
    yield _conditions(theirs, tokens, pages, sizes)
    seconds, limit = parts["flow"].passed, parts["model"].passed + parts["pdf"].passed
    yield "| | chunks | seconds | chunks a second | ratio | aim | limit | before | MB of text a second |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    yield f"| LlamaIndex + Chroma | {_figures(theirs['pieces'], spent, rate, ('', '', ''), theirs['characters'])} |"
    for name, took in ((LIKE, seconds - added), (WHOLE, seconds)):
        beside = str(AIMS[name]), f"{report.chunks / limit / rate:.2f}", str(BEFORE[name])
        yield f"| Kalends, {name} | {_figures(report.chunks, took, rate, beside, characters)} |"
    computed = report.chunks / parts["flow"].processor / (theirs["pieces"] / theirs["processor"])
    yield (
        f"\nFor each processor second Kalends, with all that it adds, makes {computed:.2f} times as many chunks "
        f"({parts['flow'].processor:.1f} s, the peer {theirs['processor']:.1f} s)."
    )
    versions = ", ".join(f"{name} {number}" for name, number in theirs["versions"].items())
    yield f"\nThe peer: {', '.join(f'{part} {theirs[part]:.1f} s' for part in PARTS)}; {versions}."
    yield f"Like for like leaves out {', '.join(ADDED)} and keeps all else, keyword index and catalog included."


def _figures(chunks: int, seconds: float, peer: float, beside: Sequence[str], characters: int) -> str:
    rate, mega = chunks / seconds, characters / 1e6 / seconds
    return f"{chunks:,} | {seconds:.1f} | {rate:.1f} | {rate / peer:.2f} | {' | '.join(beside)} | {mega:.3f}"


def _conditions(theirs: dict[str, Any], tokens: int, pages: int, sizes: tuple[int, int]) -> str:
    return (
        f"{theirs['files']} files, {pages} pages of PDF among them, {theirs['threads']} threads. Kalends computes in "
        f"{choose_numbers()}, the peer in {theirs['number']} and batches of {theirs['batch']}, each by default. Its "
        f"pieces hold at most {tokens} tokens, what the model reads at once, and {sizes[0]} characters on average, "
        f"chunks of Kalends {sizes[1]}. The peer's start-up, with the model ({theirs['start']:.1f} s), is not counted; "
        f"Kalends' loading of models is.\n"
    )


def _llama(python: Path, tokens: int, chroma: Path, files: list[str]) -> dict[str, Any]:
    command = [str(python), str(LLAMA), "--model", str(member().folder), "--tokens", str(tokens)]
    done = subprocess.run([*command, "--chroma", str(chroma), *files], check=False, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise SystemExit(f"the peer failed: install what 'python benchmarks/speed.py --help' lists for {python}")
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    if found["kept"] != found["pieces"]:
        raise SystemExit(f"Chroma kept {found['kept']} of {found['pieces']} pieces")
    return {**found, "files": len(files)}


def _files(warehouse: Warehouse) -> list[str]:
    folders = {root.name: root.folder for root in warehouse.snapshot.generation.manifest.roots}
    read = (entry.file for entry in warehouse.list_documents() if entry.status is Status.PUBLISHED)
    return [str(folders[file.root] / file.path) for file in read]
