"""Text that may be printed: without secrets and control characters, long lists cut."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

_NAMES = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)(?:_?ID)?$|^KALENDS_PASSWORD$")
_MIN_SECRET_LENGTH = 6  # Characters: what is shorter is a setting of that name or a word of every text.
_WITHIN_URL = re.compile(r"(?<=://)[^/\s@'\"]+(?=@)")
_BEARER = re.compile(r"(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{6,}")
_KEYS = re.compile(r"\bsk-[A-Za-z0-9_-]{8,}")
HIDDEN = "***"
ESCAPES = {code: repr(chr(code))[1:-1] for code in (*range(32), *range(127, 160))}
"""For `str.translate`: control characters as escapes, so that a text neither breaks its line nor steers a terminal."""


def hide_secrets(text: str) -> str:
    """The text without the secrets of this process's environment, passwords in URLs, and bearer tokens."""
    secrets = {
        value for name, value in os.environ.items() if len(value) >= _MIN_SECRET_LENGTH and _NAMES.search(name.upper())
    }
    for secret in sorted(secrets, key=len, reverse=True):  # The longest first, so that no part of one is left.
        text = text.replace(secret, HIDDEN)
    return _KEYS.sub(HIDDEN, _BEARER.sub(rf"\1 {HIDDEN}", _WITHIN_URL.sub(HIDDEN, text)))


def has_password(url: str) -> bool:
    """Whether a URL names a user or a password before its host (RFC 3986, section 3.2.1)."""
    return bool(_WITHIN_URL.search(url))


def format_first(texts: Sequence[str], most: int) -> str:
    """At most so many texts on one line, and how many more there are: "Ann, Bo and 3 more"."""
    more = f" and {len(texts) - most} more" if len(texts) > most else ""
    return f"{', '.join(texts[:most])}{more}"
