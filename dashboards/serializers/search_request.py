"""Search requests as every interface reads them, made from the declarations in `warehouse.records.search_request`.

`build_input_fields` gives the fields of an HTTP body or of a tool's input; `parse_filters` and `parse_ranking` read the
values that came in. Times come as words ("Q2 2023", "last year"), relative ones counted from today.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import MAXYEAR, MINYEAR, date
from typing import Annotated, Any, get_type_hints

from pydantic import BeforeValidator, Field, StrictBool

from warehouse.errors import BadInput
from warehouse.records import Filters, Fusion, Kind, Ranking
from warehouse.records.search_request import FILTER_FIELDS, RANKING_FIELDS, Format, RequestField

MAX_NAME_LENGTH = 300  # Characters of a value that is a name.
MAX_VALUES = 100  # Values of one field.
_YEARS = re.compile(r"(\d{4})?(-)?(\d{4})?")
_ENUMERATIONS = {name: kind for name, kind in get_type_hints(Ranking).items() if name in ("mode", "fusion")}


def build_input_fields(declarations: Mapping[str, RequestField]) -> dict[str, tuple[Any, Any]]:
    """Each field's type, with its bounds, and its default and description, as `pydantic.create_model` takes them."""
    return {name: _build_input_field(name, field) for name, field in declarations.items()}


def parse_filters(values: Mapping[str, Any], today: date) -> Filters:
    """The filters from values by field name; a field without a value filters nothing.

    A day may come as a date instead of as words.

    Raises `BadInput` for words that name no time, years that are none, or days of which none is between the others.
    """
    filters = Filters(
        **{
            name: _parse_value(field.format, values[name], today)
            for name, field in FILTER_FIELDS.items()
            if name in values
        }
    )
    if filters.since and filters.until and filters.until <= filters.since:
        problem = f"the end, {filters.until}, is not after the start, {filters.since}"
        raise BadInput(problem, "choose a later end: the day after the last one")
    return filters


def parse_ranking(values: Mapping[str, Any]) -> Ranking:
    """The ranking from values by field name; a share of the vectors without a fusion means convex fusion.

    Raises `BadInput` for a share with another fusion.
    """
    ranking_values = {name: values[name] for name in RANKING_FIELDS if values.get(name) is not None}
    if "alpha" in ranking_values and ranking_values.setdefault("fusion", Fusion.CONVEX) != Fusion.CONVEX:
        raise BadInput(f"alpha has no effect with fusion '{ranking_values['fusion']}'", "leave one of them out")
    return Ranking(**ranking_values)


def rename_earlier_fields(
    values: Mapping[str, Any], declarations: Mapping[str, RequestField]
) -> tuple[dict[str, Any], list[str]]:
    """Values by the current names of their fields, and a notice for each that came by an earlier name.

    Raises `BadInput` where a field came by both.
    """
    current_values, notices = dict(values), []
    for name, field in declarations.items():
        by_earlier = {
            earlier: current_values.pop(earlier) for earlier in field.earlier_names if earlier in current_values
        }
        if not by_earlier:
            continue
        if name in current_values:
            raise BadInput(f"{name} is given twice, also as {', '.join(by_earlier)}", "keep one of them")
        current_values[name] = (
            next(iter(by_earlier.values())) if field.format is not Format.YEARS else _join_years(by_earlier)
        )
        notices += [
            f"'{earlier}' is called '{name}' now; the earlier name is read until the next version"
            for earlier in by_earlier
        ]
    return current_values, notices


def parse_years(text: str) -> tuple[int, int] | None:
    """The first and the last of the years in "2023", "2019-2021", "2019-" or "-2021"; None for an empty text.

    Raises `BadInput` for anything else.
    """
    if not text.strip():
        return None
    match = _YEARS.fullmatch(text.strip())
    if match and (match[1] or match[3]):
        first = int(match[1]) if match[1] else MINYEAR
        last = int(match[3]) if match[3] else MAXYEAR if match[2] else first
        if MINYEAR <= first <= last and (match[2] or not match[3]):
            return first, last
    raise BadInput(f"'{_shorten(text)}' is not a year", "write it as 2023, or years as 2019-2021")


def _join_years(by_earlier: Mapping[str, Any]) -> str:
    if "year" in by_earlier:
        return str(by_earlier["year"])
    first, last = by_earlier.get("min_year"), by_earlier.get("max_year")
    padded_years = (str(year).rjust(4, "0") if year else "" for year in (first, last))
    return "-".join(padded_years) if first or last else ""


def _shorten(words: str) -> str:
    """Words on one line, cut where a message that repeats them would grow too long."""
    line = " ".join(words.split())
    return line if len(line) <= MAX_NAME_LENGTH else f"{line[:MAX_NAME_LENGTH]}…"


def _parse_value(format: Format, value: Any, today: date) -> Any:  # noqa: A002
    """A value of a request as `Filters` has it. A day given as a period without a start ("before 2020") is its end."""
    if isinstance(value, date):
        return value
    match format:
        case Format.TEXTS | Format.KINDS | Format.NUMBERS:
            return tuple(value or ())
        case Format.YEARS:
            return parse_years(value or "")
        case Format.FIRST_DAY | Format.LAST_DAY | Format.PERIOD:
            from tasks.query.filter_values import parse_last_day, parse_period

            words = _shorten(value or "")
            if not words:
                return None
            if format is Format.LAST_DAY:
                return parse_last_day(words, today)
            start, end = parse_period(words, today)
            return (start, end) if format is Format.PERIOD else start or end
    return value


def _to_whole_number(value: object) -> object:
    """A float without a fraction as an int: JSON Schema counts it as an integer."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


WHOLE = BeforeValidator(_to_whole_number)  # After the bounds, which the description would lose otherwise.


def _build_input_field(name: str, field: RequestField) -> tuple[Any, Any]:
    examples = [field.example] if field.example else None
    description: dict[str, Any] = {"description": field.help, "examples": examples}
    match field.format:
        case Format.TEXTS:
            word = Annotated[str, Field(min_length=1, max_length=MAX_NAME_LENGTH)]
            return list[word], Field([], max_length=MAX_VALUES, **description)
        case Format.KINDS:
            return list[Kind], Field([], max_length=len(Kind), **description)
        case Format.NUMBERS:
            number = Annotated[int, Field(ge=field.minimum, le=field.maximum, strict=True), WHOLE]
            return list[number], Field([], max_length=MAX_VALUES, **description)
        case Format.FIRST_DAY | Format.LAST_DAY | Format.PERIOD | Format.YEARS:
            return str, Field("", max_length=MAX_VALUES, **description)
        case Format.YES_NO:
            return StrictBool | None, Field(None, **description)
        case Format.SHARE:
            return float | None, Field(None, ge=0, le=1, strict=True, **description)
        case Format.NUMBER:
            bounded_integer = Annotated[int, Field(ge=field.minimum, le=field.maximum, strict=True), WHOLE]
            return bounded_integer | None, Field(None, **description)
        case Format.SWITCH:
            return StrictBool, Field(default=True, **description)
        case Format.CHOICE:
            return _ENUMERATIONS[name], Field(getattr(Ranking(), name), **description)
        case Format.TEXT:
            return str, Field("", pattern="^[a-z]*$", max_length=40, **description)
