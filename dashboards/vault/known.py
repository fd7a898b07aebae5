"""The notes of the vault that the warehouse knows."""

from __future__ import annotations

import os

from dashboards.vault.names import NOTE
from dashboards.vault.notes import Vault
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
    for root in snapshot.generation.manifest.roots:
        if not (root.folder.is_relative_to(vault.root) or vault.root.is_relative_to(root.folder)):
            continue
        # May lead up, where the root holds the vault.
        way = os.path.relpath(root.folder, vault.root)
        for document_id, path in snapshot.rows(_NOTES, {"root": root.name, "suffix": NOTE}):
            source = os.path.normpath(f"{way}/{path}")
            if not source.startswith("../"):
                found[document_id] = source
    return found
