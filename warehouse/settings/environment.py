"""The variables `KALENDS_*`, and secrets, which are kept in the environment and never in settings or output.

A misspelt variable, and one whose JSON cannot be read, are refused by name.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from difflib import get_close_matches
from typing import get_origin

from pydantic import BaseModel

from warehouse.errors import BadSettings

_NAMES = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)(?:_?ID)?$|^KALENDS_PASSWORD$")
_SHORTEST = 6  # Characters: what is shorter is a setting of that name or a word of every text.
_WITHIN_URL = re.compile(r"(?<=://)[^/\s@'\"]+(?=@)")
_BEARER = re.compile(r"(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{6,}")
_KEYS = re.compile(r"\bsk-[A-Za-z0-9_-]{8,}")
HIDDEN = "***"


def hidden(text: str) -> str:
    """The text without the secrets of this process's environment, passwords in URLs, and bearer tokens."""
    for secret in _held():
        text = text.replace(secret, HIDDEN)
    return _KEYS.sub(HIDDEN, _BEARER.sub(rf"\1 {HIDDEN}", _WITHIN_URL.sub(HIDDEN, text)))


def has_password(url: str) -> bool:
    """Whether a URL names a user or a password before its host (RFC 3986, section 3.2.1)."""
    return bool(_WITHIN_URL.search(url))


def _held() -> list[str]:
    """The longest first, so that no part of one is left."""
    found = {value for name, value in os.environ.items() if len(value) >= _SHORTEST and _NAMES.search(name.upper())}
    return sorted(found, key=len, reverse=True)


PREFIX = "KALENDS_"
OTHERS = tuple(
    f"{PREFIX}{name}" for name in ("CACHE", "CONFIG", "DEBUG", "HOME", "PASSWORD", "REWRITE_GOLDEN", "TOKEN")
)
"""Those that are no settings."""

JSON_NAMES: dict[type, str] = {dict: "a JSON object", list: "a JSON list"}


def check(model: type[BaseModel]) -> None:
    """Raises `BadSettings` for a variable that is no setting of `model`, or whose value is not the JSON it must be."""
    shapes = dict(_shapes(model))
    for variable, value in _set().items():
        if variable in OTHERS:
            continue
        if variable not in shapes:
            raise BadSettings(f"{variable} is no setting", _near(variable, [*shapes, *OTHERS]))
        shape = shapes[variable]
        if shape and not _is_json(value, shape):
            raise BadSettings(f"{variable} is not {JSON_NAMES[shape]}", "correct or unset it")


def origin(name: str) -> str | None:
    """The variable that sets the setting `name` (dotted), or what it is part of, or a part of it; None if none does."""
    given = _set()
    parts = name.split(".")
    holders = (variable(".".join(parts[:length])) for length in range(len(parts), 0, -1))
    inner = (found for found in given if found.startswith(f"{variable(name)}__"))
    return next((holder for holder in holders if holder in given), next(inner, None))


def variable(name: str) -> str:
    """How the setting `name` (dotted) is written as a variable."""
    return PREFIX + name.upper().replace(".", "__")


def _set() -> dict[str, str]:
    return {name.upper(): value for name, value in os.environ.items() if value and name.upper().startswith(PREFIX)}


def _shapes(model: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, type | None]]:
    """Every variable with the kind of JSON it must hold, None for plain text."""
    for name, field in model.model_fields.items():
        kind = field.annotation
        table = isinstance(kind, type) and issubclass(kind, BaseModel)
        yield variable(prefix + name), dict if table else list if get_origin(kind) is tuple else None
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from _shapes(kind, f"{prefix}{name}.")


def _is_json(text: str, shape: type) -> bool:
    try:
        return isinstance(json.loads(text), shape)
    except ValueError:
        return False


def _near(variable: str, known: list[str]) -> str:
    found = get_close_matches(variable, known, n=1)
    return f"did you mean {found[0]}?" if found else "unset it ('kalends status --settings' lists what there is)"
