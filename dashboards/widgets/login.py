"""Access to the pages: open on this machine, by password or OpenID Connect from elsewhere.

Where OpenID Connect is set up (Streamlit's `[auth]` secrets), every reader logs in; else the password is asked for,
where one is set. Without either no page is shown beyond this machine. A reader who gave the password gets a signed pass
in a cookie, and the number of wrong passwords a minute is limited.
"""

from __future__ import annotations

import hmac
import os
import secrets
from collections import deque
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from threading import Lock

import streamlit as st

from dashboards.html.notices import error_html, note_html
from dashboards.http_server import PASSWORD, is_local
from dashboards.widgets.resources import page_context
from warehouse.errors import BadInput, KalendsError

_LEFT = "left"
"""No pass, and not the browser's either."""
_KEEP = """
export default function ({ data }) {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${data.name}=${data.value}; Max-Age=${data.seconds}; Path=/; SameSite=Strict${secure}`;
}
"""


def has_access() -> bool:
    """Whether who looks may see the pages; draws what they have to do where not."""
    if hasattr(st.user, "is_logged_in"):
        return _known()
    password = os.environ.get(PASSWORD, "")
    if password:
        return _told(password)
    address = str(st.get_option("server.address") or "")
    if is_local(address):
        return True
    trouble = "the dashboard can be reached from other machines and has no password"
    st.html(error_html(BadInput(trouble, f"set {PASSWORD}, or listen on 127.0.0.1")))
    return False


def may_log_in(user: str, users: Sequence[str]) -> bool:
    """Whether an address is one of `users`, or of a domain among them ("@example.org"); all are where none is named."""
    name = user.casefold()
    return not users or any(
        name.endswith(each) if each.startswith("@") else name == each for each in map(str.casefold, users)
    )


def _known() -> bool:
    if not st.user.is_logged_in:
        _greet()
        st.button("Log in", type="primary", on_click=st.login)
        return False
    try:
        users = page_context().settings.dashboard.users
    except KalendsError as error:
        st.html(error_html(error))
        return False
    verified = st.user.get("email_verified", True)
    address = str(st.user.get("email") or "")
    _leave(st.logout)
    if may_log_in(address if verified else "", users):
        return True
    _greet()
    st.html(note_html(f"{address or 'This account'} has no access. Ask the person who runs the dashboard to add it."))
    return False


def _told(password: str) -> bool:
    """Whether the password was told in this session, or in one whose pass the browser still has."""
    passes, now = _passes(), datetime.now(UTC)
    kept = str(st.session_state.get("pass") or st.context.cookies.get(COOKIE, ""))
    if passes.hold(kept, now):
        _keep(kept, int(VALIDITY.total_seconds()))
        _leave(_forget)
        return True
    if kept:
        _keep("", 0)
    _greet()
    with st.form("door", width=420):
        given = st.text_input("Password", type="password", autocomplete="current-password")
        sent = st.form_submit_button("Log in", type="primary")
    if sent:
        _try(given, password, passes, now)
    return False


def _try(given: str, password: str, passes: LoginPasses, now: datetime) -> None:
    tries = _tries()
    if tries.exhausted(now):
        st.html(note_html("Too many wrong passwords. Wait a minute."))
    elif tries.right(given, password, now):
        st.session_state["pass"] = passes.made(now)
        st.rerun()
    else:
        st.html(note_html("The password is wrong."))


def _greet() -> None:
    st.title("Kalends")


def _leave(forget: Callable[[], None]) -> None:
    with st.sidebar:
        st.button("Log out", icon=":material/logout:", type="tertiary", on_click=forget)


def _forget() -> None:
    st.session_state.clear()
    st.session_state["pass"] = _LEFT


def _keep(value: str, seconds: int) -> None:
    """Leave a pass with the browser, or take it back: Streamlit itself can only read what a browser keeps."""
    component = st.components.v2.component("kalends_door", js=_KEEP)
    component(key="door_pass", data={"name": COOKIE, "value": value, "seconds": seconds})


@st.cache_resource(show_spinner=False)
def _passes() -> LoginPasses:
    return LoginPasses()


@st.cache_resource(show_spinner=False)
def _tries() -> PasswordAttempts:
    return PasswordAttempts()


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
