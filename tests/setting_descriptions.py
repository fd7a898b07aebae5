"""Every setting with its description, for the tests that compare it with the docs and with the template."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import BaseModel

from warehouse.settings.loader import Settings
from warehouse.settings.models import SourceSettings


def iter_setting_descriptions() -> Iterator[tuple[str, str]]:
    """Every setting by dotted name, with its description."""
    yield "warehouse", "The folder of the warehouse."
    yield "sources", SourceSettings.__doc__ or ""
    yield from _iter_descriptions("", Settings)


def _iter_descriptions(prefix: str, model: type[BaseModel]) -> Iterator[tuple[str, str]]:
    for name, about in model.model_fields.items():
        kind = about.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from _iter_descriptions(f"{prefix}{name}.", kind)
        elif prefix:
            yield f"{prefix}{name}", about.description or ""
