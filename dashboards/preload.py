"""Preloading of what the first question needs, in a thread, before anybody asks it.

The code of the pages, the published generation with its names, the weights of the model that embeds questions, the
grammar of times, and the client of the language model: together about 5 processor seconds. Each step waits until no
page is being drawn, so that the first page comes as soon as without.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import UTC, datetime
from importlib import import_module
from threading import Thread, main_thread

from dashboards.widgets.page_activity import page_activity
from warehouse.errors import KalendsError

QUESTIONS = {"en": "What was revenue in 2022?", "zh": "2022年收入是多少？"}
"""A question for each language, asked where a document is in it: it loads all that other questions need."""
MAX_WAIT_SECONDS = 5.0  # Seconds that a step waits while pages are drawn; then it shares the processor with them.
FIRST_PAGE_SECONDS = 3.0  # Seconds after the start of the process in which a first page goes before all preloading.

log = logging.getLogger(__name__)


def start_preloading() -> Thread:
    """Start the thread that loads everything once the first page is drawn, or after `FIRST_PAGE_SECONDS` seconds."""

    def wait() -> None:
        page_activity.wait_for_none(MAX_WAIT_SECONDS)
        if not main_thread().is_alive():
            raise SystemExit  # The dashboard ends: so does this thread.

    def run() -> None:
        page_activity.wait_for_first(FIRST_PAGE_SECONDS)
        preload(wait)

    # Not a daemon: the interpreter aborts where it ends while such a thread is in native code.
    thread = Thread(target=run, name="warming", daemon=False)
    thread.start()
    return thread


def preload(wait: Callable[[], object]) -> None:
    """Load everything, calling `wait` before each step; a question that needs a step that failed raises its error."""
    for step in (_preload_pages, _preload_search, _preload_chat):
        wait()
        try:
            step(wait)
        except KalendsError as error:
            log.debug("not warmed: %s", error)


def _preload_pages(wait: Callable[[], object]) -> None:
    from dashboards.widgets.navigation import PAGES

    for page in PAGES:
        wait()
        import_module(f"dashboards.pages.{page.name}.{page.name}_page")


def _preload_search(wait: Callable[[], object]) -> None:
    """The published generation, the embedder, and all that a search loads, by a question in each language."""
    from dashboards.assistant.extract_answers import extract_answer
    from dashboards.assistant.tools.contract import ToolContext
    from dashboards.widgets.resources import load_page_context
    from tasks.embedders.embedder import embed_question
    from warehouse.records import SearchRequest

    page = load_page_context()
    context = ToolContext(page.settings, page.warehouse, datetime.now(UTC).date())
    page.warehouse.check_model(context.embedder.model)
    embed_question(context.embedder, QUESTIONS["en"])
    for language in {"en", *(page.warehouse.list_values("languages"))}:
        wait()
        if language in QUESTIONS:
            extract_answer(context, SearchRequest(QUESTIONS[language]), on_event=lambda event: None)


def _preload_chat(wait: Callable[[], object]) -> None:
    from dashboards.assistant.service import get_shared_client, is_model_available
    from dashboards.widgets.resources import load_page_context

    settings = load_page_context().settings
    if not is_model_available(settings):
        return
    for module in ("streaming", "loop", "model_answers"):
        wait()
        import_module(f"dashboards.assistant.{module}")
    from dashboards.assistant.loop import list_tool_definitions

    get_shared_client(settings)
    wait()
    list_tool_definitions()
