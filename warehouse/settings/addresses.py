"""Addresses in settings to which documents, questions or keys are sent, and who may choose them.

A settings file among documents may have come with them. It may name only servers on this machine: otherwise a document
would choose who gets the user's key. The environment, and a file that --config or KALENDS_CONFIG names, are the user's
own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from warehouse.errors import BadSettings, BadWarehouse

if TYPE_CHECKING:
    from warehouse.settings.loader import Settings

_VAULT = ".obsidian"
_SERVER = "server:"


def is_local(host: str) -> bool:
    """Whether only programs on this machine can reach an address."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def check_addresses(settings: Settings, file: Path, origin_of: Callable[[str], Path | None]) -> None:
    """Raise `BadSettings` for an address beyond this machine that a file among documents sets.

    `file` is the settings file, `origin_of` gives the file that a setting comes from, None for the environment.
    """
    for name, address in _iter_addresses(settings):
        origin = origin_of(name)
        if origin is None or not (folder := _find_documents_folder(file.resolve().parent, settings)):
            continue
        problem = f"setting '{name}' of {origin} names {address}, and that file lies among documents ({folder})"
        variable = f"KALENDS_{name.upper().replace('.', '__')}"
        raise BadSettings(problem, f"if it is your own, use --config {file}, or set {variable}")


def _iter_addresses(settings: Settings) -> Iterator[tuple[str, str]]:
    """The settings that name another machine, each with that machine."""
    addresses = {
        "chat.base_url": settings.chat.base_url,
        "embed.model": settings.embed.model.removeprefix(_SERVER) if is_server(settings.embed.model) else "",
        "rerank.model": settings.rerank.model.removeprefix(_SERVER) if is_server(settings.rerank.model) else "",
        "lake.url": settings.lake.url,
        "scale.dask": settings.scale.dask,
    }
    for name, url in addresses.items():
        parts = urlsplit(url)
        if url and parts.scheme != "file" and not is_local(parts.hostname or ""):
            yield name, parts.netloc.rpartition("@")[2] or url


def is_server(model: str) -> bool:
    """Whether the name of an embedder or reranker is of one that a server computes."""
    return model.startswith(_SERVER)


def _find_documents_folder(folder: Path, settings: Settings) -> Path | None:
    """The folder of documents that contains or equals a folder: a vault, a declared source, or an ingested folder."""
    from warehouse.store.generations import find_current_folder, read_older
    from warehouse.store.layout import Layout

    folders = (folder, *folder.parents)
    document_folders = [source.folder.resolve() for source in settings.sources]
    with suppress(BadWarehouse):  # The code that opens the warehouse reports it.
        generation = find_current_folder(Layout(settings.warehouse))
        document_folders += [root.folder for root in read_older(generation).manifest.roots] if generation else []
    return next((parent for parent in folders if parent in document_folders or (parent / _VAULT).is_dir()), None)
