"""Text that may be printed: without secrets and control characters, long lists cut."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

_SECRET_NAME = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)(?:_?ID)?$|^KALENDS_PASSWORD$")
_MIN_SECRET_LENGTH = 6  # Characters: shorter values are settings or common words.
_URL_CREDENTIALS = re.compile(r"(?<=://)[^/\s@'\"]+(?=@)")
_AUTHORIZATION = re.compile(r"(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{6,}")
_API_KEY = re.compile(r"\bsk-[A-Za-z0-9_-]{8,}")
HIDDEN = "***"
ESCAPES = {code: repr(chr(code))[1:-1] for code in (*range(32), *range(127, 160))}
"""For `str.translate`: control characters as escapes, so that a text neither breaks its line nor steers a terminal."""


def hide_secrets(text: str) -> str:
    """The text without the secrets of this process's environment, passwords in URLs, and bearer tokens."""
    values = (value for name, value in os.environ.items() if _SECRET_NAME.search(name.upper()))
    secrets = {value for value in values if len(value) >= _MIN_SECRET_LENGTH}
    for secret in sorted(secrets, key=len, reverse=True):  # The longest first, so that no part of one is left.
        text = text.replace(secret, HIDDEN)
    return _API_KEY.sub(HIDDEN, _AUTHORIZATION.sub(rf"\1 {HIDDEN}", _URL_CREDENTIALS.sub(HIDDEN, text)))


def has_password(url: str) -> bool:
    """Whether a URL names a user or a password before its host (RFC 3986, section 3.2.1)."""
    return bool(_URL_CREDENTIALS.search(url))


def format_first(texts: Sequence[str], max_count: int) -> str:
    """At most so many texts on one line, and how many more there are: "Ann, Bo and 3 more"."""
    ending = f" and {len(texts) - max_count} more" if len(texts) > max_count else ""
    return f"{', '.join(texts[:max_count])}{ending}"
