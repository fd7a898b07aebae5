"""Arrow schemas of the stored records, derived from the records themselves, and the way between the two.

Each row of a lake table starts with `key`, the stage output it belongs to. A schema is a pure function of the record
type, so there is one definition of each shape; `docs/tables.md` shows the result.
"""

from __future__ import annotations

import types
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from enum import Enum
from functools import cache
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

import pyarrow as pa
from pydantic import TypeAdapter, ValidationError

from warehouse.errors import BadWarehouse
from warehouse.records import (
    Block,
    Cell,
    Chunk,
    Content,
    Embedding,
    Entity,
    Finding,
    Mention,
    Parent,
    Score,
    Table,
    Total,
)
from warehouse.store.parquet import CURE

Record = TypeVar("Record")

LAKE_RECORDS: dict[str, type[Any]] = {
    "contents": Content,
    "blocks": Block,
    "tables": Table,
    "cells": Cell,
    "totals": Total,
    "mentions": Mention,
    "entities": Entity,
    "chunks": Chunk,
    "parents": Parent,
    "scores": Score,
    "findings": Finding,
    "embeddings": Embedding,
}

SCALARS: dict[type, pa.DataType] = {
    str: pa.string(),
    bool: pa.bool_(),
    int: pa.int64(),
    float: pa.float64(),
    date: pa.date32(),
    datetime: pa.timestamp("us", tz="UTC"),
}


def arrow_type(hint: Any) -> pa.DataType:
    """The Arrow type of a record field's type."""
    if isinstance(hint, type) and is_dataclass(hint):
        return pa.struct(list(_fields(hint)))
    if isinstance(hint, type) and issubclass(hint, Enum):
        return pa.string()
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return arrow_type(next(argument for argument in arguments if argument is not type(None)))
    if origin is tuple:
        return pa.list_(arrow_type(arguments[0]))
    return SCALARS[hint]


def _fields(record: type[Any]) -> Iterable[pa.Field]:
    hints = get_type_hints(record)
    return (pa.field(item.name, arrow_type(hints[item.name])) for item in fields(record))


@cache
def schema_of(record: Any) -> pa.Schema:
    """The schema of a record's rows."""
    return pa.schema(list(_fields(record)))


@cache
def lake_schema(table: str) -> pa.Schema:
    """The schema of a lake table: `key`, then the record's fields."""
    record: Any = LAKE_RECORDS[table]
    return schema_of(record).insert(0, pa.field("key", pa.string()))


_ADAPTERS: dict[type[Any], TypeAdapter[Any]] = {}


def _adapter_of(record: Any) -> TypeAdapter[Any]:
    if record not in _ADAPTERS:
        _ADAPTERS[record] = TypeAdapter(tuple[record, ...])
    return _ADAPTERS[record]


def rows_of(record: type[Record], records: Iterable[Record]) -> list[dict[str, Any]]:
    """The records as rows for Arrow."""
    rows: list[dict[str, Any]] = _adapter_of(record).dump_python(tuple(records))
    return rows


def records_of(record: type[Record], rows: Iterable[dict[str, Any]]) -> tuple[Record, ...]:
    """The rows as records again; columns that the record does not have are ignored.

    Raises `BadWarehouse` where they are no such records: a bit turned over in a file's footer may rename a column.
    """
    try:
        found: tuple[Record, ...] = _adapter_of(record).validate_python(tuple(rows))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise BadWarehouse(f"stored records are damaged ({record.__name__} {place}: {first['msg']})", CURE) from error
    return found
