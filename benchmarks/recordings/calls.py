"""Runs commands one after the other in one process, which is run with the code that is recorded.

    python calls.py MODULE:FUNCTION

Each line of the input is a request: words, what is given as standard input, variables. Each line of the output is what
the function of the console script printed, and its exit code. It imports nothing of the program but that function.
"""

from __future__ import annotations

import io
import json
import os
import sys
import traceback
from importlib import import_module
from typing import Any


def main() -> None:
    """Answer requests until there are no more."""
    requests, answers = sys.stdin, sys.stdout
    module, _, name = sys.argv[1].partition(":")
    function = getattr(import_module(module), name)
    for line in requests:
        answers.write(json.dumps(_answer(function, json.loads(line))) + "\n")
        answers.flush()


def _answer(function: Any, request: dict[str, Any]) -> dict[str, Any]:
    streams = sys.stdin, sys.stdout, sys.stderr
    before = dict(os.environ)
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    sys.argv = ["kalends", *request["words"]]
    os.environ.update(request["variables"])
    sys.stdin = io.TextIOWrapper(io.BytesIO(request["given"].encode()), encoding="utf-8")
    sys.stdout, sys.stderr = out, err
    code: object = 0
    try:
        function()
    except SystemExit as ended:
        code = ended.code
    except BaseException:
        traceback.print_exc()
        code = 1
    finally:
        sys.stdin, sys.stdout, sys.stderr = streams
        for each in set(os.environ) - set(before):
            del os.environ[each]
        os.environ.update(before)
    texts = {"out": _text(out), "err": _text(err)}
    return {"code": code if isinstance(code, int) else 0 if code is None else 1, **texts}


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    written: bytes = stream.buffer.getvalue()  # type: ignore[attr-defined]
    return written.decode("utf-8", "backslashreplace")


if __name__ == "__main__":
    main()
