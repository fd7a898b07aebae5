"""Version 1 named the chunker of a root alone; since then a root says all of how its documents are cut.

Version 1 had no record of its shapes either, and they changed under the one number.
"""

from __future__ import annotations

from typing import Any

from warehouse.store.migrations.chain import Migration


def _manifest(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields of a manifest of version 1 as those of version 2."""
    return {**fields, "schema_version": 2, "roots": [_root(root) for root in fields["roots"]]}


def _root(root: dict[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in root.items() if name != "chunker"}
    if not root.get("chunker"):
        return kept
    said = {"chunker": root["chunker"], "size": None, "overlap": None, "unit": ""}
    return {"chunking": said, **kept}


member = Migration(_manifest)
