"""Cell adjacency of tables found in PDFs: Kalends beside camelot and plain pdfplumber, in one run.

    python benchmarks/tables.py [FOLDER ...] [--methods kalends,pdfplumber,hybrid] [--each] [--json]

A folder holds PDFs, each with its ground truth beside it: `NAME-str.xml` as in the ICDAR 2013 table competition, or
`NAME.json` as `benchmarks/rendered_tables.py` writes it. Camelot is no dependency of Kalends: `pip install camelot-py`.

The measure is that of Göbel, Hassan, Oro and Orsi ("A methodology for evaluating algorithms for table understanding in
PDF documents", DocEng 2012): each cell gives a relation to its nearest neighbour on the right and below that is not
blank; relations are compared as texts without white space, each as often as it occurs, over the whole document, so that
false tables cost precision. Figures are macro averages over documents. Spanning cells count at their first place, since
the peers give rows of texts only. `joined` counts the tables of several pages found as one table with those pages.
"""

from __future__ import annotations

import argparse
import json
import logging
import re
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from time import perf_counter
from xml.etree import ElementTree

sys.path.insert(0, str(Path(__file__).parents[1]))

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read
from warehouse.errors import UnreadableFile

FOLDER = Path(__file__).resolve().parents[1] / "../shared/data/tables/icdar2013"
CAMELOT = ("lattice", "stream", "hybrid", "network")
METHODS = ("kalends", "pdfplumber", *CAMELOT)

Rows = Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table's rows and the pages it stands on."""

    rows: Rows
    pages: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """Shares from 0 to 1 of one document."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """The harmonic mean."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


@dataclass(frozen=True, slots=True)
class Result:
    """One method over one folder."""

    method: str
    documents: int
    precision: float
    recall: float
    f1: float
    joined: int
    to_join: int
    seconds: float


def relations(tables: Iterable[Grid]) -> Counter[tuple[str, str, str]]:
    """The relations of all tables of a document, without white space and case.

    Four truth files of ICDAR 2013 have small letters where the page shows capitals, from a wrong map in the font.
    """
    found: Counter[tuple[str, str, str]] = Counter()
    for table in tables:
        rows = [[re.sub(r"\s+", "", cell or "").casefold() for cell in row] for row in table.rows]
        width = max(map(len, rows), default=0)
        padded = [row + [""] * (width - len(row)) for row in rows]
        for way, lines in (("right", padded), ("down", list(zip(*padded, strict=True)))):
            for line in lines:
                filled = [cell for cell in line if cell]
                found.update((one, two, way) for one, two in pairwise(filled))
    return found


def score(truth: Iterable[Grid], found: Iterable[Grid]) -> Score:
    """How well the found tables show the true relations; no tables where there are none is all right."""
    true, ours = relations(truth), relations(found)
    if not true and not ours:
        return Score(1.0, 1.0)
    right = (true & ours).total()
    return Score(right / ours.total() if ours else 0.0, right / true.total() if true else 0.0)


def truth_of(pdf: Path) -> list[Grid]:
    """The true tables of a PDF."""
    described = pdf.with_suffix(".json")
    if described.exists():
        tables = json.loads(described.read_text(encoding="utf-8"))["tables"]
        return [Grid(table["rows"], tuple(table["pages"])) for table in tables]
    root = ElementTree.parse(pdf.with_name(f"{pdf.stem}-str.xml")).getroot()
    return [
        Grid(_laid_out(region), (int(region.get("page", "1")),))
        for table in root.iter("table")
        for region in table.iter("region")
    ]


def _laid_out(region: ElementTree.Element) -> list[list[str]]:
    cells = {
        (int(cell.get("start-row", "0")), int(cell.get("start-col", "0"))): cell.findtext("content") or ""
        for cell in region.iter("cell")
    }
    height, width = max(row for row, _ in cells) + 1, max(column for _, column in cells) + 1
    return [[cells.get((row, column), "") for column in range(width)] for row in range(height)]


def kalends(pdf: Path) -> list[Grid]:
    """As `kalends tables` shows them."""
    try:
        document = read(Raw(pdf.name, pdf.read_bytes()))
    except UnreadableFile:
        return []
    return [Grid(table.rows, tuple(part.page for part in table.parts)) for table in document.tables]


def plumber(pdf: Path) -> list[Grid]:
    """The tables of pdfplumber with its default settings."""
    import pdfplumber

    with pdfplumber.open(pdf) as opened:
        return [
            Grid([[cell or "" for cell in row] for row in table], (page.page_number,))
            for page in opened.pages
            for table in page.extract_tables()
        ]


def camelot(flavor: str) -> Callable[[Path], list[Grid]]:
    """Camelot with its default settings; what it fails on counts as nothing found."""
    import camelot as library

    def method(pdf: Path) -> list[Grid]:
        try:
            tables = library.read_pdf(str(pdf), pages="all", flavor=flavor)
        except Exception as error:  # a peer may fail in any way; it is reported and costs it the document
            print(f"camelot {flavor} fails on {pdf.name}: {type(error).__name__} {error}"[:150], file=sys.stderr)
            return []
        return [Grid(table.data, (table.page,)) for table in tables]

    return method


def measure(name: str, folder: Path, *, each: bool) -> Result:
    """One method over the PDFs of one folder."""
    method = {"kalends": kalends, "pdfplumber": plumber}.get(name) or camelot(name)
    scores, joined, to_join = [], 0, 0
    started = perf_counter()
    for pdf in sorted(folder.glob("*.pdf")):
        truth, found = truth_of(pdf), method(pdf)
        scores.append(score(truth, found))
        spread = [table.pages for table in truth if len(table.pages) > 1]
        to_join += len(spread)
        joined += sum(pages in {table.pages for table in found} for pages in spread)
        if each:
            last = scores[-1]
            print(
                f"  {name:10} {pdf.stem:50} P {last.precision:.3f}  R {last.recall:.3f}  F1 {last.f1:.3f}",
                file=sys.stderr,
            )
    count = max(1, len(scores))
    mean = [sum(getattr(one, part) for one in scores) / count for part in ("precision", "recall", "f1")]
    return Result(name, len(scores), *(round(x, 4) for x in mean), joined, to_join, round(perf_counter() - started, 1))


def main() -> None:
    """Reads the command line, measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, default=[FOLDER])
    parser.add_argument("--methods", default=",".join(METHODS))
    parser.add_argument("--each", action="store_true", help="print every document")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    for folder in args.folders:
        results = [measure(name, folder, each=args.each) for name in args.methods.split(",")]
        if args.json:
            print(json.dumps({"folder": folder.name, "results": [asdict(result) for result in results]}))
            continue
        print(f"{folder.resolve().name}: {results[0].documents} documents\n")
        print("| method | P | R | macro F1 | joined | seconds |")
        print("| --- | --- | --- | --- | --- | --- |")
        for one in results:
            told = f"{one.joined} of {one.to_join}" if one.to_join else "–"
            print(f"| {one.method} | {one.precision:.3f} | {one.recall:.3f} | {one.f1:.3f} | {told} | {one.seconds} |")


if __name__ == "__main__":
    main()
