"""The shapes of all that a warehouse stores, and the name they go by: a record that changes gives them another name."""

from __future__ import annotations

from functools import cache
from typing import Any

import pyarrow as pa

from warehouse.identity import digest
from warehouse.records import CatalogEntry, Finding, Run
from warehouse.store.schemas import LAKE_RECORDS, lake_schema, schema_of

Shape = dict[str, "Shape"] | list["Shape"] | str
"""Of a column: the name of its type, the shape of a list's elements, or the shapes of a struct's fields by name."""

GENERATION_RECORDS: dict[str, Any] = {"documents": CatalogEntry, "generation_findings": Finding, "runs": Run}


def shape_of(kind: pa.DataType | pa.Schema) -> Shape:
    """The shape of a table or of a column's type. What Parquet calls the elements of a list makes no difference."""
    if isinstance(kind, pa.Schema):
        return {field.name: shape_of(field.type) for field in kind}
    if pa.types.is_list(kind):
        return [shape_of(kind.value_type)]
    if pa.types.is_struct(kind):
        return {field.name: shape_of(field.type) for field in kind}
    return str(kind)


def shapes() -> dict[str, Shape]:
    """The shape of each table, of the lake and of a generation, as this program writes them."""
    lake = {table: shape_of(lake_schema(table)) for table in LAKE_RECORDS}
    return {**lake, **{table: shape_of(schema_of(record)) for table, record in GENERATION_RECORDS.items()}}


@cache
def edition() -> str:
    """The name of the shapes that this program writes. The order of columns is part of it."""
    return digest([[table, _ordered(shape)] for table, shape in sorted(shapes().items())])


def _ordered(shape: Shape) -> Any:
    if isinstance(shape, dict):
        return [[name, _ordered(each)] for name, each in shape.items()]
    return [_ordered(each) for each in shape] if isinstance(shape, list) else shape
