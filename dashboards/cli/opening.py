"""A file named on the command line, read as a document."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dashboards.cli.options import settings_of
from warehouse.errors import BadInput, UnreadableFile
from warehouse.records import Document

FileArgument = Annotated[Path, typer.Argument(help="The file.")]


def document_in(file: Path) -> Document:
    """The document in a file, read under the limits of the settings.

    Raises `BadInput` where it cannot be opened, `UnreadableFile` where it cannot be read.
    """
    from tasks.parsers.workers import Job, read_files

    if file.is_dir():
        raise BadInput(f"{file} is a folder", "name a file in it")
    try:
        with file.open("rb"):
            pass
    except OSError as error:
        raise BadInput(f"{file} cannot be opened ({error.strerror})", "check the path and its permissions") from None
    ((_, found, _),) = read_files([Job(file.name, file)], settings_of(None).parse)
    if isinstance(found, UnreadableFile):
        raise found
    return found
