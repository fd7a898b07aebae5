"""The findings that were there already: with a baseline only new ones count."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from warehouse.errors import BadInput

_VERSION = 1


def read_baseline(path: Path) -> frozenset[str]:
    """The names of its findings. Raises `BadInput` where it is not there or no baseline."""
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
        return frozenset(known["findings"])
    except OSError as error:
        cure = "write one with --write-baseline FILE"
        raise BadInput(f"the baseline {path} cannot be read ({error.strerror})", cure) from None
    except (ValueError, KeyError, TypeError):
        raise BadInput(f"{path} is no baseline", "write one with --write-baseline FILE") from None


def write_baseline(path: Path, findings: Mapping[str, Sequence[str]]) -> None:
    """Write the names of findings with what people want to see in a difference: path, code and message."""
    text = json.dumps({"version": _VERSION, "findings": findings}, indent=1, ensure_ascii=False, sort_keys=True)
    try:
        path.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise BadInput(f"the baseline {path} cannot be written ({error.strerror})", "name another file") from None
