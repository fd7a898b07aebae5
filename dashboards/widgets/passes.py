"""Passes for those who told the password, and a bound on how often it can be guessed."""

from __future__ import annotations

import hmac
import secrets
from collections import deque
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from threading import Lock

COOKIE = "kalends_pass"
VALIDITY = timedelta(days=14)
MAX_ATTEMPTS = 10
ATTEMPT_WINDOW = timedelta(minutes=1)


class LoginPasses:
    """Signed with a key of this process (HMAC-SHA256, RFC 2104): all end when it does."""

    def __init__(self) -> None:
        """With a new key."""
        self._key = secrets.token_bytes(32)

    def made(self, now: datetime) -> str:
        """A pass from now on."""
        until = str(int((now + VALIDITY).timestamp()))
        return f"{until}.{self._signed(until)}"

    def hold(self, given: str, now: datetime) -> bool:
        """Whether it is one of ours and has not ended."""
        until, _, signature = given.partition(".")
        if not hmac.compare_digest(_bytes(signature), self._signed(until).encode()):
            return False
        return datetime.fromtimestamp(int(until), UTC) > now

    def _signed(self, until: str) -> str:
        return hmac.new(self._key, _bytes(until), sha256).hexdigest()


class PasswordAttempts:
    """The wrong passwords of late, whoever gave them. Safe to share between threads."""

    def __init__(self) -> None:
        """None yet."""
        self._wrong: deque[datetime] = deque(maxlen=MAX_ATTEMPTS)
        self._lock = Lock()

    def exhausted(self, now: datetime) -> bool:
        """Whether there were too many."""
        with self._lock:
            return len(self._wrong) == MAX_ATTEMPTS and now - self._wrong[0] < ATTEMPT_WINDOW

    def right(self, given: str, password: str, now: datetime) -> bool:
        """Whether it is the password; a wrong one is remembered."""
        if hmac.compare_digest(_bytes(given), _bytes(password)):
            return True
        with self._lock:
            self._wrong.append(now)
        return False


def _bytes(text: str) -> bytes:
    """Any text a browser may send or an environment hold, half surrogates too."""
    return text.encode("utf-8", "surrogatepass")
