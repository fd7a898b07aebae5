"""The one way to find: every face calls this and only draws what it gives differently."""

from __future__ import annotations

from datetime import date

from tasks.ask.understanding import understand
from tasks.embedders.contract import Embedder
from warehouse.reader import Warehouse
from warehouse.records import Found, Wanted


def find(warehouse: Warehouse, wanted: Wanted, embedder: Embedder, today: date) -> Found:
    """The best passages for a question, relative times read from `today`.

    Raises `BadInput` for a question without words, a `k` below one, or an embedder that the vectors are not of.
    """
    warehouse.check_model(embedder.model)
    question = understand(wanted, embedder, today, warehouse.fiscal_year_start(wanted.text, wanted.filters))
    return Found(question, tuple(warehouse.search(question)))
