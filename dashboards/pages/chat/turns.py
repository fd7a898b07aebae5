"""Turns of a conversation: a question with its answer, sources and activity; the opened source in the address."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from dashboards.assistant.answer_types import UNPROVEN, Answer, AnswerKind, claims_proven_by_tools, mark_unproven
from dashboards.assistant.service import usage_summary
from dashboards.assistant.sessions import WRITTEN_BY, Exchange, plain_text_of
from dashboards.html.hits import question_html, source_name, source_quotes_html
from dashboards.html.notices import note_html
from dashboards.html.passage_markup import query_words
from dashboards.html.safe_text import markdown_label
from dashboards.pages.chat.html import (
    CitationButtons,
    calls_html,
    copy_button_html,
    extracts_html,
    model_answer_html,
    read_passages_html,
)
from tasks.quality.phrases import counted
from warehouse.settings.models import ChatSettings

PERSON, BOOK = ":material/person:", ":material/menu_book:"


@dataclass(frozen=True, slots=True)
class ChatTurn:
    """An exchange of a session, its number from 1, and the answer in full where it is still in memory."""

    number: int
    exchange: Exchange
    answer: Answer | None = None


def draw_question(question: str) -> None:
    """Draw the question as it was typed."""
    with st.chat_message("user", avatar=PERSON):
        st.html(question_html(question))


def draw_turn(turn: ChatTurn, chat: ChatSettings, again: Callable[[str], None] | None = None) -> None:
    """Draw an exchange; with `again`, which asks a question, also a button that asks this one again."""
    draw_question(turn.exchange.question)
    with st.chat_message("assistant", avatar=BOOK):
        st.html(_answer_html(turn))
        for note in turn.exchange.notes:
            st.html(note_html(note))
        st.caption(" · ".join(_caption_parts(turn, chat)))
        with st.container(horizontal=True, vertical_alignment="center"):
            st.html(copy_button_html(plain_text_of(turn.exchange)), width="content")
            if again:
                draw_ask_again(turn.exchange.question, again)
        _draw_sources(turn)
        _draw_activity(turn, chat)


def draw_ask_again(question: str, again: Callable[[str], None]) -> None:
    """Draw a button that asks a question again."""
    icon = ":material/refresh:"
    st.button("Ask again", key="chat-again", type="tertiary", icon=icon, on_click=again, args=(question,))


def _answer_html(turn: ChatTurn) -> str:
    exchange, answer = turn.exchange, turn.answer
    cites = CitationButtons(str(turn.number), {source.number for source in exchange.sources})
    if exchange.kind is AnswerKind.EXTRACTS:
        return extracts_html(exchange.answer, cites, query_words(exchange.question))
    return model_answer_html(mark_unproven(answer) if answer else exchange.answer, cites)


def _caption_parts(turn: ChatTurn, chat: ChatSettings) -> Sequence[str]:
    """The author of the answer, its cost, and how much of it is proven by its sources."""
    exchange, answer = turn.exchange, turn.answer
    parts = [WRITTEN_BY[exchange.kind]]
    if exchange.usage.total:
        parts.append(markdown_label(usage_summary(exchange.usage, chat.prices), 200))
    missing = sum(not claim.proven for claim in answer.claims) if answer else 0
    if answer and missing:
        sign = markdown_label(UNPROVEN)
        parts.append(f"{sign} {missing} of {len(answer.claims)} numbers and quotations are in none of its sources")
    elif exchange.proven is not None:
        parts.append(f"{exchange.proven:.0%} of its numbers and quotations are in its sources")
    if answer:
        parts += [
            f"{markdown_label(', '.join(claims), 200)}: from {markdown_label(name)}"
            for name, claims in claims_proven_by_tools(answer).items()
        ]
    return parts


def _draw_sources(turn: ChatTurn) -> None:
    sources = turn.exchange.sources
    if not sources:
        return
    with st.expander(f"{counted(len(sources), 'source')}", icon=":material/format_quote:"):
        for source in sources:
            st.button(
                markdown_label(f"[{source.number}] {source_name(source.line)}", 120),
                key=f"chat-source-{turn.number}-{source.number}",
                type="tertiary",
                icon=":material/find_in_page:",
                on_click=set_source_in_address,
                args=(turn.number, source.number),
            )
            st.html(source_quotes_html(source.quotes))


def _draw_activity(turn: ChatTurn, chat: ChatSettings) -> None:
    answer = turn.answer
    if answer is None:
        return
    counts = [counted(len(answer.calls), "tool call")] if answer.calls else []
    counts.append(f"{counted(len(answer.hits), 'passage')} read")
    with st.expander(", ".join(counts), icon=":material/manage_search:"):
        if answer.calls:
            st.html(calls_html(answer.calls))
        for number, cost in enumerate(answer.costs if len(answer.costs) > 1 else (), 1):
            st.caption(f"Round {number}: {markdown_label(usage_summary(cost, chat.prices).partition(', ')[2], 200)}")
        if answer.hits:
            source_numbers = {source.hit.chunk_id: source.number for source in answer.sources}
            st.html(read_passages_html(answer.hits, source_numbers))


SOURCE_PARAMETER = "source"
"""The parameter of the address for the opened source: "2.1" is the first source of the second answer."""


def set_source_in_address(turn: int, number: int) -> None:
    """Open a source: put the numbers of its turn and of itself in the address."""
    st.query_params[SOURCE_PARAMETER] = f"{turn}.{number}"


def clear_source_in_address() -> None:
    """Close the opened source."""
    st.query_params.pop(SOURCE_PARAMETER, None)


def source_in_address() -> tuple[int, int] | None:
    """The numbers of the turn and of the source that the address names; None without one."""
    return parse_source(st.query_params.get(SOURCE_PARAMETER, ""))


def parse_source(text: str) -> tuple[int, int] | None:
    """The numbers of the turn and of the source in a text like "2.1"; None for any other text."""
    turn, _, number = text.partition(".")
    return (int(turn), int(number)) if turn.isdecimal() and number.isdecimal() else None
