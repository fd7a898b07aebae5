"""The service that writes answers: Anthropic's, or a server that speaks its Messages API."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from warehouse.errors import NoAnswer
from warehouse.settings.loader import Settings

if TYPE_CHECKING:
    from anthropic import Anthropic

KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
_HOST = "anthropic.com"


def available(settings: Settings) -> bool:
    """Whether there is somebody to ask: a key, or another server, which may want none. Asks no network."""
    if any(os.environ.get(name) for name in KEYS) or _other_server(settings):
        return True
    if not _may_have_profile():
        return False
    from anthropic import Anthropic, CredentialsError

    try:
        with Anthropic(max_retries=0) as client:
            return client.credentials is not None
    except CredentialsError:
        # It names a profile that is not there or may not be read.
        return False


def client_of(settings: Settings) -> Anthropic:
    """A client for any number of conversations, safe to share between threads. Raises `NoAnswer` without a key."""
    from anthropic import Anthropic

    if not available(settings):
        raise NoAnswer("there is no key for the language model", f"set {KEYS[0]}, or chat.base_url to a local server")
    # A server that wants no key is sent a word instead, for the SDK refuses to send nothing.
    key = None if any(os.environ.get(name) for name in KEYS) or not _other_server(settings) else "none"
    # Requests are repeated by the loop, which tells that what was streamed is void.
    return Anthropic(base_url=settings.chat.base_url or None, api_key=key, max_retries=0)


def cites_itself(settings: Settings, client: Anthropic) -> bool:
    """Whether the service cites by spans; where not, the model writes marks."""
    if settings.chat.citations != "auto":
        return settings.chat.citations == "service"
    host = client.base_url.host
    return host == _HOST or host.endswith(f".{_HOST}")


def _may_have_profile() -> bool:
    """Whether the SDK may find a key elsewhere, told without loading it, which takes a second."""
    folder = os.environ.get("APPDATA", "") or Path.home() / ".config"
    named = any(name.startswith("ANTHROPIC_") for name in os.environ)
    return named or any(Path(folder, name).is_dir() for name in ("anthropic", "Anthropic"))


def _other_server(settings: Settings) -> str:
    return settings.chat.base_url or os.environ.get("ANTHROPIC_BASE_URL", "")
