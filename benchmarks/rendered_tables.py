"""Render documents whose tables are known cell by cell: `python benchmarks/rendered_tables.py OUT --count 150`.

Each NAME.pdf gets a NAME.json beside it with the tables in order, each as `pages`, `parts` (page, box in points from
the top left, rows), `caption`, `header_rows`, `rows` and `cells` (inclusive ranges), and with the `neutral` places
(contents, signatures, contacts) that a measure leaves out. The number, the seed and the source file settle every byte.
"""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from reportlab.pdfgen.canvas import Canvas

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.rendering.document import Rendered, render
from benchmarks.rendering.faces import register_faces
from benchmarks.rendering.filings import read_filings
from benchmarks.rendering.flow import Box, Drawn

_FILINGS = Path(__file__).parents[1] / "../shared/data/tables_qa/tatqa_dev.json"


def truth(rendered: Rendered) -> dict[str, object]:
    """Return the ground truth of a document, ready for JSON."""
    neutral = [{"kind": n.kind, "page": n.page, "bbox": _rounded(n.bbox)} for n in rendered.flow.neutral]
    return {"tables": [_table(table) for table in rendered.flow.tables], "neutral": neutral}


def _table(drawn: Drawn) -> dict[str, object]:
    parts = [{"page": part.page, "bbox": _rounded(part.bbox), "rows": part.rows} for part in drawn.parts]
    return {
        "pages": sorted({part.page for part in drawn.parts}),
        "parts": parts,
        "caption": drawn.caption,
        "header_rows": drawn.grid.header_rows,
        "rows": drawn.grid.rows,
        "cells": [asdict(cell) for cell in drawn.grid.cells()],
    }


def _rounded(box: Box) -> list[float]:
    return [round(edge, 1) for edge in box]


def write(rendered: Rendered, folder: Path) -> None:
    """Write a document and its ground truth."""
    canvas = Canvas(str(folder / f"{rendered.name}.pdf"), invariant=1)
    for page in rendered.flow.pages:
        page.paint(canvas)
    canvas.save()
    text = json.dumps(truth(rendered), ensure_ascii=False, indent=1)
    (folder / f"{rendered.name}.json").write_text(text + "\n", encoding="utf-8")


def main() -> None:
    """Read the command line, render, and say how much there is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--filings", type=Path, default=_FILINGS, help="a TAT-QA file, for the tables and the prose")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    register_faces()
    grids = read_filings(options.filings)
    tables = pages = 0
    for number in range(1, options.count + 1):
        rendered = render(number, options.seed, grids)
        write(rendered, options.out)
        tables += len(rendered.flow.tables)
        pages += len(rendered.flow.pages)
    print(f"{options.count} documents, {pages} pages, {tables} tables in {options.out}")


if __name__ == "__main__":
    main()
