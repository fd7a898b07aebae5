"""Cell adjacency of tables in plain text: the pages of ICDAR 2013 as `pdftotext -layout` prints them.

    python benchmarks/text_tables.py [--each] [--json]

Kalends reads the printed text alone; beside it stands what plain pdfplumber finds in the PDFs themselves. The measure
is that of `benchmarks/tables.py`. `pdftotext` is in Debian's package poppler-utils.
"""

from __future__ import annotations

import argparse
import json
import logging
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.tables import FOLDER, Grid, Score, plumber, score, truth_of
from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import parse_as


def printed(pdf: Path) -> list[Grid]:
    """The tables of the text that `pdftotext` prints, read as a text file."""
    text = subprocess.run(["pdftotext", "-layout", pdf, "-"], capture_output=True, check=True).stdout
    return [Grid(table.rows, ()) for table in parse_as("text", Raw(f"{pdf.stem}.txt", text)).tables]


def main() -> None:
    """Reads the command line, measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--each", action="store_true", help="print every document")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    logging.disable(logging.CRITICAL)
    found: dict[str, list[Score]] = {"kalends on text": [], "pdfplumber on PDF": []}
    for pdf in sorted(FOLDER.glob("*.pdf")):
        truth = truth_of(pdf)
        for scores, method in zip(found.values(), (printed, plumber), strict=True):
            scores.append(score(truth, method(pdf)))
        if args.each:
            print(pdf.stem, *(f"{scores[-1].f1:.3f}" for scores in found.values()), file=sys.stderr)
    means = {
        name: {
            part: round(sum(getattr(one, part) for one in scores) / len(scores), 4)
            for part in ("precision", "recall", "f1")
        }
        for name, scores in found.items()
    }
    if args.json:
        print(json.dumps(means))
        return
    for name, mean in means.items():
        print(f"{name:20} P {mean['precision']:.3f}  R {mean['recall']:.3f}  F1 {mean['f1']:.3f}")


if __name__ == "__main__":
    main()
