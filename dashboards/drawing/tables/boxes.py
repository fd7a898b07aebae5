"""Where a cell stands on its page: of a row the box is known, of its cells it is looked up in the file."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path

from warehouse.records import Box, Region

SECONDS = 10
"""The longest that it may take; the row is boxed then."""
_PROGRAM = Path(__file__).with_name("lookup.py")


def cell_box(file: Path, row: Region, cells: Sequence[str], column: int) -> Box:
    """The box of one of a row's `cells` in a PDF; that of the whole row where the page does not have it as such."""
    told = json.dumps(astuple(row.box)), json.dumps(list(cells)), str(column)
    command = [sys.executable, "-I", str(_PROGRAM), str(file.absolute()), str(row.page), *told]
    try:
        done = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return row.box
    found = json.loads(done.stdout) if not done.returncode and done.stdout else None
    return Box(*found) if found else row.box
