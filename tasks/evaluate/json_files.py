"""Files of JSON, read with errors that name the file and the line."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic_core import from_json

from warehouse.errors import BadInput
from warehouse.regular_files import require_regular_file


@dataclass(frozen=True, slots=True)
class JsonItem:
    """A JSON object and its location for messages."""

    value: dict[str, Any]
    location: str

    def read_words(self, key: str) -> str:
        """The text of a key, which must not be blank."""
        text = self.read_text(key)
        if not text.strip():
            raise BadInput(f"{self.location}: '{key}' is empty", "write text there or remove it")
        return text

    def read_text(self, key: str, default: str | None = None) -> str:
        """The text of a key, or `default` if it is missing or null."""
        value = self.value.get(key)
        text = default if value is None else value
        if not isinstance(text, str):
            raise BadInput(f"{self.location}: '{key}' is not text", f'it must have "{key}": "…"')
        return text

    def read_name(self, key: str, names: Container[str] = ()) -> str:
        """The text or number of a key that names the object; it must not be among `names`."""
        name = self.value.get(key)
        if isinstance(name, bool) or not isinstance(name, str | int) or not str(name).strip():
            raise BadInput(f"{self.location}: it has no '{key}'", f'give it a name: "{key}": "…"')
        if str(name) in names:
            raise BadInput(f"{self.location}: '{name}' is there twice", f"give each its own '{key}'")
        return str(name)

    def read_text_or_number(self, key: str) -> str:
        """The text of a key; a number as its digits; empty if it is missing or null."""
        value = self.value.get(key)
        return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else self.read_text(key, "")

    def read_integer(self, key: str, minimum: int) -> int | None:
        """The integer of a key, at least `minimum`; None if it is missing or null."""
        number = self.value.get(key)
        if number is not None and (isinstance(number, bool) or not isinstance(number, int) or number < minimum):
            raise BadInput(
                f"{self.location}: '{number}' is not a {key}", f'write a whole number from {minimum}: "{key}": 54'
            )
        return number

    def items(self, key: str) -> list[JsonItem]:
        """The objects of a list."""
        objects = self.value.get(key)
        if not isinstance(objects, list) or not all(isinstance(item, dict) for item in objects):
            raise BadInput(f"{self.location}: '{key}' is not a list of objects", f'it must have "{key}": [{{…}}]')
        return [JsonItem(item, f"{self.location}, '{key}' {number}") for number, item in enumerate(objects, 1)]


def iter_lines(file: Path) -> Iterator[tuple[str, str]]:
    """The lines of a UTF-8 file that are not empty, each with its location for messages: "corpus.jsonl line 3"."""
    try:
        with require_regular_file(file).open(encoding="utf-8-sig") as stream:
            for number, line in enumerate(stream, 1):
                if line.strip():
                    yield f"{file} line {number}", line
    except FileNotFoundError:
        raise BadInput(f"there is no {file}", "add it") from None
    except (OSError, UnicodeDecodeError) as error:
        raise _make_read_error(file, error) from None


def iter_objects(file: Path) -> Iterator[JsonItem]:
    """The objects of a file of JSON lines."""
    cure = "write one JSON object a line"
    for location, line in iter_lines(file):
        try:
            value = from_json(line)
        except ValueError as error:
            raise BadInput(f"{location} is not JSON ({error})", cure) from None
        if not isinstance(value, dict):
            raise BadInput(f"{location} is not a JSON object", cure)
        yield JsonItem(value, location)


def read_json(file: Path) -> Any:
    """The value of a file of JSON."""
    try:
        return from_json(require_regular_file(file).read_bytes())
    except OSError as error:
        raise _make_read_error(file, error) from None
    except ValueError as error:
        raise BadInput(f"{file} is not JSON ({error})", "correct the file") from None


def _make_read_error(file: Path, error: OSError | UnicodeDecodeError) -> BadInput:
    reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
    return BadInput(f"{file} cannot be read ({reason})", "it must be a readable file in UTF-8")
