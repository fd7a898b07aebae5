"""Whether a file that is handed over can be taken in at all: its size, and whether any parser reads its content."""

from __future__ import annotations

from tasks.parsers.contract import Raw
from tasks.parsers.reading import choose
from warehouse.errors import UnreadableFile


def check_upload(name: str, content: bytes, most_megabytes: int) -> None:
    """Raise `UnreadableFile`, with the cure, for a file that is too large or of a kind that no parser reads."""
    if len(content) > most_megabytes << 20:
        problem = f"{len(content) >> 20:,} MB is over the limit of {most_megabytes:,} MB"
        raise UnreadableFile(problem, "put it into a folder and add that, or raise parse.max_file_megabytes")
    choose(Raw(name, content))
