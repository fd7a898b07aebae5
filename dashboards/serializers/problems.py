"""Errors as problem details (RFC 9457): what is wrong and how to cure it, never where in our code."""

from __future__ import annotations

import re
from collections.abc import Mapping
from http import HTTPStatus

from pydantic import BaseModel, ConfigDict
from pydantic.config import JsonDict

from warehouse.errors import (
    BadInput,
    BadQuery,
    BadSettings,
    BadWarehouse,
    KalendsError,
    ModelServerFailed,
    NoAnswer,
    NoWarehouse,
    ServerFailed,
    UnknownDocument,
    UnreadableFile,
    WarehouseBusy,
)

EXAMPLE: JsonDict = {
    "type": "urn:kalends:no-warehouse",
    "title": "Service Unavailable",
    "status": 503,
    "detail": "nothing has been ingested into .kalends",
    "cure": "run 'kalends ingest FOLDER' first",
}


class NotFound(BadInput):
    """The request names something that does not exist."""


class UploadTooLarge(UnreadableFile):
    """A file that is larger than the limit, of which the rest is not read."""


class UnwritableInbox(BadInput):
    """The inbox cannot be written: the disk is full, or its permissions forbid it."""


STATUSES: Mapping[type[KalendsError], HTTPStatus] = {
    NotFound: HTTPStatus.NOT_FOUND,
    UnknownDocument: HTTPStatus.NOT_FOUND,
    BadSettings: HTTPStatus.INTERNAL_SERVER_ERROR,
    UnwritableInbox: HTTPStatus.INSUFFICIENT_STORAGE,
    BadInput: HTTPStatus.BAD_REQUEST,
    BadQuery: HTTPStatus.BAD_REQUEST,
    UploadTooLarge: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    UnreadableFile: HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    WarehouseBusy: HTTPStatus.CONFLICT,
    NoWarehouse: HTTPStatus.SERVICE_UNAVAILABLE,
    ServerFailed: HTTPStatus.SERVICE_UNAVAILABLE,
    ModelServerFailed: HTTPStatus.BAD_GATEWAY,
    NoAnswer: HTTPStatus.BAD_GATEWAY,
    BadWarehouse: HTTPStatus.INTERNAL_SERVER_ERROR,
}
"""By the nearest class of the error's; any other is an internal error."""


class DocumentedModel(BaseModel):
    """A model whose schema takes the description of each field from the docstring below it."""

    model_config = ConfigDict(use_attribute_docstrings=True)


class Fault(DocumentedModel):
    """A value of the request that does not match the schema."""

    place: str
    """The position of the value in the request, like `body.count`."""
    message: str


class Problem(DocumentedModel):
    """An error, and what to do about it."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    type: str
    """The type of the problem, for programs."""
    title: str
    status: int
    detail: str
    cure: str = ""
    """What to do about the problem; empty if nothing can be done."""
    errors: list[Fault] = []
    """The values that do not match the schema."""
    run: str | None = None
    """The id of the running ingest that prevents this one."""


def to_problem(error: KalendsError) -> Problem:
    """The problem detail of an error; its status is that of the nearest class in `STATUSES`."""
    status = next(
        (STATUSES[kind] for kind in type(error).__mro__ if kind in STATUSES), HTTPStatus.INTERNAL_SERVER_ERROR
    )
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", type(error).__name__).lower()
    run = getattr(error, "run", None)
    kind, title = f"urn:kalends:{name}", status.phrase
    return Problem(type=kind, title=title, status=status, detail=error.problem, cure=error.cure, run=run)


def make_internal_problem(reference: str) -> Problem:
    """An error that the program did not foresee; the server's log says under `reference` what it was and where."""
    cure = f"try again; if it happens again, report it with the lines of the server's log for reference {reference}"
    return make_http_problem(500, f"internal error of the server (reference {reference})", cure)


def make_http_problem(status: int, detail: str, cure: str = "") -> Problem:
    """A problem that HTTP itself has a name for."""
    return Problem(type="about:blank", title=HTTPStatus(status).phrase, status=status, detail=detail, cure=cure)
