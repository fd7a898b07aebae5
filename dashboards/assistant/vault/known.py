"""The notes of the vault that the warehouse knows."""

from __future__ import annotations

from dashboards.assistant.vault.names import NOTE
from dashboards.assistant.vault.notes import Vault
from warehouse.errors import NoWarehouse
from warehouse.reader import Warehouse

_NOTES = "SELECT document_id, path FROM documents WHERE root = $root AND ends_with(lower(path), $suffix)"


def notes_known(warehouse: Warehouse, vault: Vault) -> dict[str, str]:
    """The path in the vault of each note that can be found, by the id of its document; none without a warehouse."""
    try:
        snapshot = warehouse.snapshot
    except NoWarehouse:
        return {}
    found: dict[str, str] = {}
    inside = f"{vault.root}/"
    for root in snapshot.generation.manifest.roots:
        if not (root.folder.is_relative_to(vault.root) or vault.root.is_relative_to(root.folder)):
            continue
        for document_id, path in snapshot.rows(_NOTES, {"root": root.name, "suffix": NOTE}):
            place = f"{root.folder}/{path}"
            if place.startswith(inside):
                found[document_id] = place.removeprefix(inside)
    return found
