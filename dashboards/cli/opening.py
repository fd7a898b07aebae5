"""A file named on the command line, read as a document."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from warehouse.errors import BadInput
from warehouse.records import Document

FileArgument = Annotated[Path, typer.Argument(help="The file.")]


def document_in(file: Path) -> Document:
    """The document in a file. Raises `BadInput` where it cannot be opened, `UnreadableFile` where it cannot be read."""
    from tasks.parsers.contract import Raw
    from tasks.parsers.reading import read

    if file.is_dir():
        raise BadInput(f"{file} is a folder", "name a file in it")
    try:
        data = file.read_bytes()
    except OSError as error:
        raise BadInput(f"{file} cannot be opened ({error.strerror})", "check the path and its permissions") from None
    return read(Raw(file.name, data))
