"""Failures of the Messages API: retried after a delay, or reported as one line with a cure."""

from __future__ import annotations

from anthropic import APIConnectionError, APIError, APIStatusError
from httpx2 import TransportError

from warehouse.errors import NoAnswer

ServiceFailure = APIError | TransportError
FAILURES = (APIError, TransportError)
WAITS = (0.5, 1.0, 2.0, 4.0)  # Seconds before each further attempt, where the service does not say.
LONGEST = 60.0
"""The longest wait that the service may ask for, in seconds; beyond it the person gets an error instead of waiting."""
_PASSING = {"overloaded_error", "api_error", "rate_limit_error", "timeout_error"}
_LINE = 300


def retry_delay(failure: ServiceFailure, attempt: int) -> float | None:
    """The seconds to wait before the next attempt, after attempt number `attempt` from 0; None where it is of no use.

    An error amid a stream (status 200) is judged by its type. 429 and 5xx may say how long in `retry-after`.
    """
    if attempt >= len(WAITS):
        return None
    if not isinstance(failure, APIStatusError):
        return WAITS[attempt]
    amid = failure.status_code == 200 and failure.type in _PASSING
    if not (amid or failure.status_code in {408, 409, 429} or failure.status_code >= 500):
        return None
    seconds = _retry_after(failure)
    if seconds is None:
        return WAITS[attempt]
    return seconds if seconds <= LONGEST else None


def failure_reason(failure: ServiceFailure) -> str:
    """The failure in a few words."""
    if isinstance(failure, APIStatusError):
        return {429: "too many requests", 529: "the service is overloaded"}.get(
            failure.status_code, _PLAIN.get(str(failure.type), f"the service failed ({failure.status_code})")
        )
    return "the service cannot be reached" if isinstance(failure, APIConnectionError) else "the connection was lost"


_PLAIN = {"overloaded_error": "the service is overloaded", "rate_limit_error": "too many requests"}


def no_answer_from(failure: ServiceFailure, model: str, url: str) -> NoAnswer:
    """The failure as one line with a cure."""
    if not isinstance(failure, APIStatusError):
        return NoAnswer(f"{url}: {failure_reason(failure)}", "check the connection and the setting chat.base_url")
    message = " ".join((failure.api_message or failure.message).split())[:_LINE]
    match failure.status_code:
        case 401:
            return NoAnswer(f"the key was refused ({message})", "set ANTHROPIC_API_KEY to a valid key")
        case 403:
            return NoAnswer(f"the key is not allowed to do this ({message})", "use another key or another chat.model")
        case 404:
            return NoAnswer(f"{url} does not know the model {model}", "correct the setting chat.model")
        case 413:
            return NoAnswer("the conversation is too long for the service", "start a new one")
    if retry_delay(failure, 0) is not None or _retry_after(failure) is not None:
        seconds = _retry_after(failure)
        return NoAnswer(
            failure_reason(failure), f"try again in {seconds:.0f} s" if seconds and seconds >= 1 else "try again later"
        )
    return NoAnswer(f"the service refused the request ({failure.status_code})", message)


def _retry_after(failure: APIStatusError) -> float | None:
    """The seconds that the service asks to wait; its other form, a date, is not used by the Messages API."""
    try:
        return max(float(failure.response.headers["retry-after"]), 0.0)
    except (KeyError, ValueError):
        return None
