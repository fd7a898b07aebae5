"""Files of JSON, read with errors that name the file and the line."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic_core import from_json

from warehouse.errors import BadInput


@dataclass(frozen=True, slots=True)
class JsonItem:
    """A JSON object and where it stands, as messages name it."""

    value: dict[str, Any]
    where: str

    def read_words(self, key: str) -> str:
        """The text of a key, which must hold more than white space."""
        found = self.read_text(key)
        if not found.strip():
            raise BadInput(f"{self.where}: '{key}' is empty", "write text there or remove it")
        return found

    def read_text(self, key: str, otherwise: str | None = None) -> str:
        """The text of a key, or what stands for one that is not there or null."""
        raw = self.value.get(key)
        found = otherwise if raw is None else raw
        if not isinstance(found, str):
            raise BadInput(f"{self.where}: '{key}' is not text", f'it must have "{key}": "…"')
        return found

    def read_name(self, key: str, taken: Container[str] = ()) -> str:
        """The text or number of a key that names it, as no other of those `taken` is named."""
        found = self.value.get(key)
        if isinstance(found, bool) or not isinstance(found, str | int) or not str(found).strip():
            raise BadInput(f"{self.where}: it has no '{key}'", f'give it a name: "{key}": "…"')
        if str(found) in taken:
            raise BadInput(f"{self.where}: '{found}' is there twice", f"give each its own '{key}'")
        return str(found)

    def read_written(self, key: str) -> str:
        """The text of a key as people write it: a number as its digits, nothing where it is not there or null."""
        found = self.value.get(key)
        return str(found) if isinstance(found, int | float) and not isinstance(found, bool) else self.read_text(key, "")

    def read_whole(self, key: str, minimum: int) -> int | None:
        """The whole number of a key, at least so much; None where it is not there or null."""
        found = self.value.get(key)
        if found is not None and (isinstance(found, bool) or not isinstance(found, int) or found < minimum):
            raise BadInput(
                f"{self.where}: '{found}' is not a {key}", f'write a whole number from {minimum}: "{key}": 54'
            )
        return found

    def items(self, key: str) -> list[JsonItem]:
        """The objects of a list."""
        found = self.value.get(key)
        if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
            raise BadInput(f"{self.where}: '{key}' is not a list of objects", f'it must have "{key}": [{{…}}]')
        return [JsonItem(each, f"{self.where}, '{key}' {number}") for number, each in enumerate(found, 1)]


def iter_lines(file: Path) -> Iterator[tuple[str, str]]:
    """The lines of a UTF-8 file that are not empty, each with the place that messages name: "corpus.jsonl line 3"."""
    try:
        with file.open(encoding="utf-8-sig") as stream:
            for number, line in enumerate(stream, 1):
                if line.strip():
                    yield f"{file} line {number}", line
    except FileNotFoundError:
        raise BadInput(f"there is no {file}", "add it") from None
    except (OSError, UnicodeDecodeError) as error:
        raise _make_unreadable(file, error) from None


def iter_objects(file: Path) -> Iterator[JsonItem]:
    """The objects of a file of JSON lines."""
    cure = "write one JSON object a line"
    for where, line in iter_lines(file):
        try:
            value = from_json(line)
        except ValueError as error:
            raise BadInput(f"{where} is not JSON ({error})", cure) from None
        if not isinstance(value, dict):
            raise BadInput(f"{where} is not a JSON object", cure)
        yield JsonItem(value, where)


def read_json(file: Path) -> Any:
    """The value of a file of JSON."""
    try:
        return from_json(file.read_bytes())
    except OSError as error:
        raise _make_unreadable(file, error) from None
    except ValueError as error:
        raise BadInput(f"{file} is not JSON ({error})", "correct the file") from None


def _make_unreadable(file: Path, error: OSError | UnicodeDecodeError) -> BadInput:
    reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
    return BadInput(f"{file} cannot be read ({reason})", "it must be a readable file in UTF-8")
