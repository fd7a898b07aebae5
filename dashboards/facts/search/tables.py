"""Which tables of its document a passage holds or cuts."""

from __future__ import annotations

from collections.abc import Sequence

from warehouse.reader import Warehouse
from warehouse.records import Hit

_FIRST_TABLES = """
    WITH asked AS (SELECT unnest($places) AS place, unnest($ids) AS id, unnest($starts) AS low, unnest($ends) AS high)
    SELECT asked.place, min(found.number)
    FROM (SELECT * FROM tables WHERE document_id IN (SELECT unnest($ids))) AS found
    JOIN asked ON found.document_id = asked.id AND found.start < asked.high AND found."end" > asked.low
    GROUP BY asked.place
"""


def first_tables(warehouse: Warehouse, hits: Sequence[Hit]) -> dict[int, int]:
    """The number of the first table that each hit touches, by the hit's place; none for one without a table."""
    asked = {
        "places": list(range(len(hits))),
        "ids": [hit.document_id for hit in hits],
        "starts": [hit.start for hit in hits],
        "ends": [hit.end for hit in hits],
    }
    return {int(place): int(number) for place, number in warehouse.snapshot.rows(_FIRST_TABLES, asked)}
