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

from dashboards.html.safe_text import render_error, render_note
from dashboards.http_server import PASSWORD
from dashboards.widgets.browser_scripts import mount_script
from dashboards.widgets.resources import load_page_context
from warehouse.errors import BadInput, KalendsError
from warehouse.settings.addresses import is_local

COOKIE = "kalends_pass"
VALIDITY = timedelta(days=14)
MAX_ATTEMPTS = 10
ATTEMPT_WINDOW = timedelta(minutes=1)
_LOGGED_OUT = "left"  # The session's pass after a log-out: the browser's cookie is not read again.


def has_access() -> bool:
    """Whether the reader may see the pages; where not, the login, the password field or an error is drawn."""
    if hasattr(st.user, "is_logged_in"):
        return _has_login()
    password = os.environ.get(PASSWORD, "")
    if password:
        return _has_password(password)
    address = str(st.get_option("server.address") or "")
    if is_local(address):
        return True
    problem = "the dashboard can be reached from other machines and has no password"
    st.html(render_error(BadInput(problem, f"set {PASSWORD}, or listen on 127.0.0.1")))
    return False


def may_log_in(user: str, users: Sequence[str]) -> bool:
    """Whether an address is one of `users`, or of a domain among them ("@example.org"); all are where none is named."""
    name = user.casefold()
    return not users or any(
        name.endswith(allowed_user) if allowed_user.startswith("@") else name == allowed_user
        for allowed_user in map(str.casefold, users)
    )


def _has_login() -> bool:
    if not st.user.is_logged_in:
        st.title("Kalends")
        st.button("Log in", type="primary", on_click=st.login)
        return False
    try:
        users = load_page_context().settings.dashboard.users
    except KalendsError as error:
        st.html(render_error(error))
        return False
    is_email_verified = st.user.get("email_verified", True)
    address = str(st.user.get("email") or "")
    _draw_logout(st.logout)
    if may_log_in(address if is_email_verified else "", users):
        return True
    st.title("Kalends")
    st.html(render_note(f"{address or 'This account'} has no access. Ask the person who runs the dashboard to add it."))
    return False


def _has_password(password: str) -> bool:
    """Whether the reader gave the password in this session, or has a valid pass in a cookie; else draw its field."""
    passes, now = _get_passes(), datetime.now(UTC)
    login_pass = str(st.session_state.get("pass") or st.context.cookies.get(COOKIE, ""))
    if passes.accepts(login_pass, now):
        _set_cookie(login_pass, int(VALIDITY.total_seconds()))
        _draw_logout(_log_out)
        return True
    if login_pass:
        _set_cookie("", 0)
    st.title("Kalends")
    with st.form("door", width=420):
        typed_text = st.text_input("Password", type="password", autocomplete="current-password")
        is_sent = st.form_submit_button("Log in", type="primary")
    if is_sent:
        attempts = _get_attempts()
        if attempts.is_exhausted(now):
            st.html(render_note("Too many wrong passwords. Wait a minute."))
        elif attempts.is_password(typed_text, password, now):
            st.session_state["pass"] = passes.issue(now)
            st.rerun()
        else:
            st.html(render_note("The password is wrong."))
    return False


def _draw_logout(forget: Callable[[], None]) -> None:
    with st.sidebar:
        st.button("Log out", icon=":material/logout:", type="tertiary", on_click=forget)


def _log_out() -> None:
    st.session_state.clear()
    st.session_state["pass"] = _LOGGED_OUT


def _set_cookie(value: str, seconds: int) -> None:
    """Set the cookie with a pass, or delete it: Streamlit itself can only read cookies."""
    mount_script("door", key="door_pass", data={"name": COOKIE, "value": value, "seconds": seconds})


class LoginPasses:
    """Passes signed with a key of this process (HMAC-SHA256, RFC 2104): they end with the process."""

    def __init__(self) -> None:
        """Make a new key."""
        self._key = secrets.token_bytes(32)

    def issue(self, now: datetime) -> str:
        """A pass that is valid for `VALIDITY` from now on."""
        until = str(int((now + VALIDITY).timestamp()))
        return f"{until}.{self._sign(until)}"

    def accepts(self, login_pass: str, now: datetime) -> bool:
        """Whether a pass was issued by this process and is still valid."""
        until, _, signature = login_pass.partition(".")
        if not hmac.compare_digest(_encode_text(signature), self._sign(until).encode()):
            return False
        return datetime.fromtimestamp(int(until), UTC) > now

    def _sign(self, until: str) -> str:
        return hmac.new(self._key, _encode_text(until), sha256).hexdigest()


class PasswordAttempts:
    """Recent wrong passwords of all readers together. Safe to share between threads."""

    def __init__(self) -> None:
        """Begin without any."""
        self._failure_times: deque[datetime] = deque(maxlen=MAX_ATTEMPTS)
        self._lock = Lock()

    def is_exhausted(self, now: datetime) -> bool:
        """Whether there were `MAX_ATTEMPTS` wrong ones within `ATTEMPT_WINDOW`."""
        with self._lock:
            return len(self._failure_times) == MAX_ATTEMPTS and now - self._failure_times[0] < ATTEMPT_WINDOW

    def is_password(self, text: str, password: str, now: datetime) -> bool:
        """Whether the given text is the password; a wrong one is counted."""
        if hmac.compare_digest(_encode_text(text), _encode_text(password)):
            return True
        with self._lock:
            self._failure_times.append(now)
        return False


@st.cache_resource(show_spinner=False)
def _get_passes() -> LoginPasses:
    return LoginPasses()


@st.cache_resource(show_spinner=False)
def _get_attempts() -> PasswordAttempts:
    return PasswordAttempts()


def _encode_text(text: str) -> bytes:
    """Text from a browser or the environment as bytes, unpaired surrogates too."""
    return text.encode("utf-8", "surrogatepass")
