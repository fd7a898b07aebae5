"""Error responses of the HTTP API: every error of an endpoint becomes a problem detail (RFC 9457)."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from dashboards.serializers.problems import Fault, Problem, http_problem, internal_error, problem_of
from warehouse.errors import KalendsError
from warehouse.journal import record_internal_error

MEDIA_TYPE = "application/problem+json"
_LOG = logging.getLogger("kalends.api")


def problem_response(problem: Problem, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """The HTTP response of a problem."""
    content = problem.model_dump(exclude_defaults=True)
    return JSONResponse(content, problem.status, headers, media_type=MEDIA_TYPE)


def error_responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The error responses of an endpoint, for the OpenAPI description."""
    schema = {"schema": {"$ref": "#/components/schemas/Problem"}}
    return {status: {"description": HTTPStatus(status).phrase, "content": {MEDIA_TYPE: schema}} for status in statuses}


def install_error_handlers(app: FastAPI) -> None:
    """Turn every error of the application into a problem."""

    @app.exception_handler(KalendsError)
    async def _ours(request: Request, error: KalendsError) -> JSONResponse:
        return problem_response(problem_of(error))

    @app.exception_handler(RequestValidationError)
    async def _refused(request: Request, error: RequestValidationError) -> JSONResponse:
        faults = [Fault(place=".".join(map(str, each["loc"])), message=each["msg"]) for each in error.errors()]
        problem = http_problem(
            422, "the request does not match the schema", "correct the values listed in 'errors'; see /openapi.json"
        )
        return problem_response(problem.model_copy(update={"errors": faults[:20]}))

    @app.exception_handler(HTTPException)
    async def _http(request: Request, error: HTTPException) -> JSONResponse:
        return problem_response(http_problem(error.status_code, error.detail), error.headers)

    @app.exception_handler(Exception)
    async def _mistake(request: Request, error: Exception) -> JSONResponse:
        reference = record_internal_error(error)
        _LOG.error("internal error, reference %s: %s", reference, type(error).__name__)
        return problem_response(internal_error(reference))
