"""Error responses of the HTTP API: every error of an endpoint becomes a problem detail (RFC 9457)."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.routing import Match

from dashboards.serializers.problems import Fault, Problem, make_http_problem, make_internal_problem, to_problem
from warehouse.errors import KalendsError
from warehouse.journal import record_internal_error

MEDIA_TYPE = "application/problem+json"
_LOG = logging.getLogger("kalends.api")


class RequestRefused(HTTPException):
    """A request that is refused with a problem of its own."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.status, problem.detail)
        self.problem = problem


def build_problem_response(problem: Problem, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """The HTTP response of a problem."""
    content = problem.model_dump(exclude_defaults=True)
    return JSONResponse(content, problem.status, headers, media_type=MEDIA_TYPE)


def describe_error_responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The error responses of an endpoint, for the OpenAPI description."""
    schema = {"schema": {"$ref": "#/components/schemas/Problem"}}
    return {status: {"description": HTTPStatus(status).phrase, "content": {MEDIA_TYPE: schema}} for status in statuses}


def install_error_handlers(app: FastAPI, routes: Sequence[APIRoute]) -> None:
    """Turn every error of the application, whose endpoints are `routes`, into a problem."""

    @app.exception_handler(KalendsError)
    async def _handle_kalends_error(request: Request, error: KalendsError) -> JSONResponse:
        return build_problem_response(to_problem(error))

    @app.exception_handler(RequestValidationError)
    async def _handle_validation_error(request: Request, error: RequestValidationError) -> JSONResponse:
        faults = [
            Fault(place=".".join(map(str, field_error["loc"])), message=field_error["msg"])
            for field_error in error.errors()
        ]
        first = f"{faults[0].place}: {faults[0].message}"
        problem = make_http_problem(
            422, f"the request does not match the schema ({first})", _suggest_schema_cure(request)
        )
        return build_problem_response(problem.model_copy(update={"errors": faults[:20]}))

    @app.exception_handler(HTTPException)
    async def _handle_http_error(request: Request, error: HTTPException) -> JSONResponse:
        if isinstance(error, RequestRefused):
            return build_problem_response(error.problem)
        return _build_routing_response(request, error, routes)

    @app.exception_handler(Exception)
    async def _handle_unexpected_error(request: Request, error: Exception) -> JSONResponse:
        reference = record_internal_error(error)
        _LOG.error("internal error, reference %s: %s", reference, type(error).__name__)
        return build_problem_response(make_internal_problem(reference))


def _suggest_schema_cure(request: Request) -> str:
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if request.method == "POST" and not media_type.endswith("json"):
        return "send a JSON body with the header 'content-type: application/json'"
    return "correct the values listed in 'errors'; /docs describes each"


def _build_routing_response(request: Request, error: HTTPException, routes: Sequence[APIRoute]) -> JSONResponse:
    """The response to an error of the framework, which says no more of it than the name of its status."""
    match error.status_code:
        case HTTPStatus.NOT_FOUND:
            path = request.scope["path"][:200]
            return build_problem_response(make_http_problem(404, f"there is no {path!r}", "see /docs"))
        case HTTPStatus.METHOD_NOT_ALLOWED:
            matching = [route for route in routes if route.matches(request.scope)[0] is not Match.NONE]
            methods = ", ".join(sorted({method for route in matching for method in route.methods or ()})) or "GET"
            problem = make_http_problem(405, f"{request.method} is not possible here", f"use {methods}")
            return build_problem_response(problem, {"Allow": methods})
        case HTTPStatus.BAD_REQUEST:
            return build_problem_response(
                make_http_problem(400, "the body is not JSON in UTF-8", "correct it, or send it whole")
            )
    return build_problem_response(make_http_problem(error.status_code, error.detail), error.headers)
