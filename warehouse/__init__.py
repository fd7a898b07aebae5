"""Kalends stores documents and searches them.

>>> from warehouse import Warehouse
>>> Warehouse(Path(".kalends")).list_documents()
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from warehouse.reader import Warehouse

__all__ = ["Warehouse"]


def __getattr__(name: str) -> Any:
    """Load the reader and its dependencies on first use."""
    if name == "Warehouse":
        from warehouse.reader import Warehouse

        return Warehouse
    raise AttributeError(name)
