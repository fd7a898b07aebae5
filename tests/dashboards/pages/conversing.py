"""Talking with the chat page, whose answers are made beside it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from tests.dashboards.pages.elements import html_of

SECONDS = 30


def asked(page: AppTest, question: str) -> AppTest:
    """The page when the question is answered."""
    page.chat_input(key="chat-question").set_value(question).run()
    join_threads("answer", SECONDS)
    return settled(page, lambda: not page.chat_input(key="chat-question").disabled)


def settled(page: AppTest, reached: Callable[[], bool]) -> AppTest:
    """The page, drawn until it has come so far."""
    end = time.monotonic() + SECONDS
    while not reached():
        assert time.monotonic() < end, html_of(page)
        time.sleep(0.05)
        page.run()
    assert not page.exception
    return page


def join_threads(name: str, seconds: float) -> None:
    """Wait for what a page has begun beside it, so that it need not be drawn again and again."""
    for thread in threading.enumerate():
        if thread.name == name:
            thread.join(seconds)


def session_of(page: AppTest) -> str:
    """The id in its address."""
    found = page.query_params["session"]
    return found if isinstance(found, str) else found[0]
