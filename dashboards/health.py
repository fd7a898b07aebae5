"""Health check of a service in a container: exit code 0 where HEALTH_URL answers with success, else 1 and the reason.

python -m dashboards.health
"""

from __future__ import annotations

import os
import sys
from http.client import HTTPException
from urllib.error import URLError
from urllib.request import Request, urlopen

URL = "HEALTH_URL"
"""The variable with the address."""
_SECONDS = 4.0


def check_health(url: str, token: str = "") -> str:
    """Why a service is not healthy; empty where its address answers with success. Servers get the bearer token."""
    if not url.startswith(("http://", "https://")):
        return f"{URL} is no address: set it to http://HOST:PORT/PATH"
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    try:
        urlopen(Request(url, headers=headers), timeout=_SECONDS).close()  # noqa: S310 - the scheme is checked above
    except (URLError, HTTPException, OSError, ValueError) as error:
        return f"{url}: {error}"
    return ""


if __name__ == "__main__":
    problem = check_health(os.environ.get(URL, ""), os.environ.get("KALENDS_TOKEN", ""))
    if problem:
        print(problem, file=sys.stderr)
    sys.exit(bool(problem))
