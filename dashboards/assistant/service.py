"""The model's client, for Anthropic or another server, and the cost of its answers."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from dashboards.assistant.answer_types import Usage
from tasks.embedders.model_server import KEY_VARIABLE
from warehouse.errors import NoAnswer
from warehouse.settings.loader import Settings
from warehouse.settings.models import PriceSettings

if TYPE_CHECKING:
    from anthropic import Anthropic


KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
_HOST = "anthropic.com"


def is_model_available(settings: Settings) -> bool:
    """Whether a model can be asked: there is a key, or another server, which may need none. Uses no network."""
    if any(os.environ.get(name) for name in KEYS) or _get_other_server(settings):
        return True
    # Whether the SDK may find a key elsewhere, determined without importing it, which takes a second.
    folder = os.environ.get("APPDATA", "") or Path.home() / ".config"
    has_variables = any(name.startswith("ANTHROPIC_") for name in os.environ)
    if not has_variables and not any(Path(folder, name).is_dir() for name in ("anthropic", "Anthropic")):
        return False
    from anthropic import Anthropic, CredentialsError

    try:
        with Anthropic(max_retries=0) as client:
            return client.credentials is not None
    except CredentialsError:
        # It names a profile that is not there or may not be read.
        return False


def make_client(settings: Settings) -> Anthropic:
    """A client for any number of conversations, safe to share between threads. Raises `NoAnswer` without a key."""
    from anthropic import Anthropic

    if not is_model_available(settings):
        raise NoAnswer("there is no key for the language model", f"set {KEYS[0]}, or chat.base_url to a local server")
    if settings.chat.api == "chat-completions":
        from anthropic import DefaultHttpxClient

        from dashboards.assistant.chat_completions import ChatCompletionsTransport

        http = DefaultHttpxClient(transport=ChatCompletionsTransport(os.environ.get(KEY_VARIABLE, "")))
        return Anthropic(base_url=settings.chat.base_url, api_key="none", max_retries=0, http_client=http)
    # A server that needs no key gets a placeholder, for the SDK refuses to send nothing.
    key = None if any(os.environ.get(name) for name in KEYS) or not _get_other_server(settings) else "none"
    # Requests are repeated by `stream_message`, which reports that the text streamed so far must be discarded.
    return Anthropic(base_url=settings.chat.base_url or None, api_key=key, max_retries=0)


def has_service_citations(settings: Settings, client: Anthropic) -> bool:
    """Whether the service cites by spans; if not, the model writes marks."""
    if settings.chat.api == "chat-completions":
        return False
    if settings.chat.citations != "auto":
        return settings.chat.citations == "service"
    host = client.base_url.host
    return host == _HOST or host.endswith(f".{_HOST}")


def _get_other_server(settings: Settings) -> str:
    return settings.chat.base_url or os.environ.get("ANTHROPIC_BASE_URL", "")


_clients: dict[tuple[str, ...], Anthropic] = {}
_lock = Lock()


def get_shared_client(settings: Settings) -> Anthropic:
    """The process's one client for these settings and the environment's variables. Raises `NoAnswer` without a key.

    Making a client takes longer than a round may; it keeps no connection and is safe to share between threads.
    """
    variables = sorted(f"{name}={value}" for name, value in os.environ.items() if name.startswith("ANTHROPIC_"))
    with _lock:
        key = (settings.chat.base_url, settings.chat.api, os.environ.get(KEY_VARIABLE, ""), *variables)
        if key not in _clients:
            _clients[key] = make_client(settings)
        return _clients[key]


_MILLION = 1_000_000


def compute_cost(usage: Usage, prices: PriceSettings) -> float | None:
    """The cost in the currency of the prices; None where no price is set."""
    kinds = ("input", "output", "cache_read", "cache_written")
    amounts: list[tuple[int, float]] = [(getattr(usage, kind), getattr(prices, kind)) for kind in kinds]
    return sum(tokens * price for tokens, price in amounts) / _MILLION if any(price for _, price in amounts) else None


def describe_usage(usage: Usage, prices: PriceSettings) -> str:
    """The usage in words: "3 rounds, 5,210 tokens in (4,000 from the cache), 310 out, 0.0123 USD"."""
    if not usage.total:
        return "no tokens"
    read = f" ({usage.cache_read:,} from the cache)" if usage.cache_read else ""
    rounds = f"{usage.rounds} round{'' if usage.rounds == 1 else 's'}"
    tokens_in = usage.input + usage.cache_read + usage.cache_written
    cost = compute_cost(usage, prices)
    money = f", {cost:.4f} {prices.currency}" if cost is not None else ""
    return f"{rounds}, {tokens_in:,} tokens in{read}, {usage.output:,} out{money}"
