r"""The proof of speed: one command that measures and writes `docs/speed.md`.

    python benchmarks/speed.py [PART…] [--peers PYTHON] [--pdf FOLDER] [--notes 200] [--files 5000]
                               [--sizes 1000 10000 100000] [--pile FOLDER] [--passages 1000000]
                               [--page docs/speed.md]

Parts: `cold` (what a command costs), `ingest` (the share of each stage, and with --peers LlamaIndex with Chroma on the
same files), `threads` (embedding beside other processes), `again` (nothing changed, one file changed), `growth`,
`going` (publishing as it goes), `parse` (pages of PDF), `million` (very many passages, kept in the folder --pile); all
without any named. A section of the page is rewritten when its part was run. Corpora are made on the way, but for the
PDFs and the texts of --data.

--peers names the interpreter of an environment that has the peer:

    python -m venv PEERS && PEERS/bin/pip install llama-index-core llama-index-readers-file pypdf chromadb \
        llama-index-vector-stores-chroma llama-index-embeddings-huggingface sentence-transformers torch

haiku.rag is not among them: it embeds through a server (Ollama, OpenAI, VoyageAI), not with the model in hand.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from os import cpu_count
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks import ingest, million, parse
from benchmarks.speeds import again, cold, growth, peers, threads
from benchmarks.speeds import going as as_it_goes
from benchmarks.speeds.notes import USUAL, write_notes
from benchmarks.speeds.page import written
from benchmarks.speeds.runs import served
from warehouse.settings.loader import Settings

PAGE = Path(__file__).parents[1] / "docs" / "speed.md"
Section = tuple[str, Iterator[str]]


def starting(options: argparse.Namespace, folder: Path) -> Iterator[Section]:
    """Commands in new processes."""
    yield "Cold commands", cold.lines(folder)


def sharing(options: argparse.Namespace, folder: Path) -> Iterator[Section]:
    """Embedding beside other processes."""
    yield "Embedding on shared cores", threads.lines()


def ingesting(options: argparse.Namespace, folder: Path) -> Iterator[Section]:
    """An ingest with the model, and the peer's."""
    notes, warehouse = folder / "notes", folder / "warehouse"
    write_notes(notes, options.notes, USUAL)
    folders = [notes, options.pdf] if options.pdf.is_dir() else [notes]
    report, spent = ingest.measure(folders, Settings(warehouse=warehouse))
    yield "Where an ingest spends its time", iter([ingest.table(report, spent)])
    if options.peers:
        found = peers.lines(warehouse, report, spent, options.peers, folder)
        yield "An ingest beside LlamaIndex with Chroma", found


def ingesting_again(options: argparse.Namespace, folder: Path) -> Iterator[Section]:
    """Nothing changed, one file changed."""
    yield "Ingesting again", again.lines(folder, options.files)


def growing(options: argparse.Namespace, folder: Path) -> Iterator[Section]:
    """Larger and larger corpora."""
    yield "Growth", growth.lines(folder, options.sizes)


def going(options: argparse.Namespace, folder: Path) -> Iterator[Section]:
    """Publishing as it goes."""
    yield "Publishing as it goes", as_it_goes.lines(folder, options.going, options.pdf)


def many(options: argparse.Namespace, folder: Path) -> Iterator[Section]:
    """Very many passages."""
    place = options.pile or folder
    yield "A million passages", million.lines(place, options.data, options.passages)


def parsing(options: argparse.Namespace, folder: Path) -> Iterator[Section]:
    """Pages of PDF a second."""
    paths = sorted(options.pdf.rglob("*.pdf"))
    if paths:
        processes = cpu_count() or 1
        reading, plain = parse.ours(paths, processes), parse.yardstick(paths)
        yield "Pages of PDF", iter([parse.table(reading, plain, processes, len(paths))])


PARTS: dict[str, Callable[[argparse.Namespace, Path], Iterator[Section]]] = {
    "cold": starting,
    "ingest": ingesting,
    "threads": sharing,
    "again": ingesting_again,
    "growth": growing,
    "going": going,
    "parse": parsing,
    "million": many,
}


def main() -> None:
    """Run the parts that are chosen."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--peers", type=Path, metavar="PYTHON")
    parser.add_argument("--pdf", type=Path, default=parse.FOLDER)
    parser.add_argument("--notes", type=int, default=200)
    parser.add_argument("--files", type=int, default=5_000)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--going", type=int, default=1_000, help="notes of the part going")
    parser.add_argument("--pile", type=Path, metavar="FOLDER", help="where the part million keeps what it grew")
    parser.add_argument("--passages", type=int, default=1_000_000, help="of the part million")
    parser.add_argument("--data", type=Path, default=million.DATA, help="the shared data [default: ../shared/data]")
    parser.add_argument("--page", type=Path, default=PAGE)
    options = parser.parse_args()
    if unknown := set(options.parts) - PARTS.keys():
        parser.error(f"there is no part {', '.join(sorted(unknown))}; choose from {', '.join(PARTS)}")
    with tempfile.TemporaryDirectory(prefix="kalends-speed-") as scratch, served(Path(scratch) / "server"):
        for name in options.parts or PARTS:
            folder = Path(scratch) / name
            folder.mkdir()
            for title, lines in PARTS[name](options, folder):
                shown = list(lines)
                print(f"\n## {title}\n", *shown, sep="\n", flush=True)
                written(options.page, title, shown)


if __name__ == "__main__":
    main()
