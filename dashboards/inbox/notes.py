"""A text that somebody types, as the Markdown note it is kept as."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from unicodedata import category

from warehouse.errors import BadInput

_SLASHES = re.compile(r"[/\\]+")
_UNPRINTED = frozenset({"Cc", "Cs", "Cn"})


@dataclass(frozen=True, slots=True)
class TypedNote:
    """What was typed. `date` is the day that the text is of, if it has one."""

    title: str
    text: str
    date: date | None = None
    tags: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What its file would be called; a title is no path."""
        return f"{_SLASHES.sub('-', self.title.strip())}.md"

    @property
    def note(self) -> str:
        """Front matter and text. Raises `BadInput` where there is no title or no text."""
        title = " ".join(self.title.split())
        if not title:
            raise BadInput("the text has no title", "give it one: it is cited by it")
        if not self.text.strip():
            raise BadInput("there is no text", "write or paste it")
        lines = [f"title: {_quoted(title)}"]
        lines += [f"date: {self.date.isoformat()}"] if self.date else []
        lines += [f"tags: [{', '.join(_quoted(tag) for tag in self.tags)}]"] if self.tags else []
        return "\n".join(("---", *lines, "---", "", self.text.strip(), ""))


def parse_tags(words: str) -> tuple[str, ...]:
    """The tags of a line, between commas or spaces, each once."""
    return _once(word.strip().lstrip("#").strip("/") for word in words.replace(",", " ").split())


def _once(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for word in words if word))


def _quoted(text: str) -> str:
    """As a YAML scalar: what JSON calls a string is one (YAML 1.2, 1.3) where every character may be printed."""
    printable = "".join(character for character in text if category(character) not in _UNPRINTED)
    return json.dumps(printable, ensure_ascii=False)
