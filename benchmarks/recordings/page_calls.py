"""Draws pages of the dashboard in one process, which is run with the code that is recorded.

    python page_calls.py APP

Each line of the input is a request: the name of a page and the parameters of its address. Each line of the output is
the page as text: what Streamlit would send to a browser, an element a paragraph. APP is the file that Streamlit runs.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import pyarrow as pa
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

LONGEST = 20_000
"""Characters of a text that is recorded whole; of a longer one, such as a script, the hash."""
HIDDEN = {"id", "form_id", "fragment_id", "element_hash", "stack_trace", "page_script_hash", "script", "js_content"}
"""Fields that name nothing a reader sees."""


def main() -> None:
    """Draw pages until no more are asked for."""
    requests, answers = sys.stdin, sys.stdout
    # What the app prints is no answer.
    sys.stdout = sys.stderr
    for line in requests:
        answers.write(json.dumps({"text": _page(sys.argv[1], **json.loads(line))}) + "\n")
        answers.flush()


def _page(app: str, name: str, parameters: dict[str, str | list[str]]) -> str:
    """A page with these parameters in its address; the first page where none is named."""
    page = AppTest.from_file(app, default_timeout=120)
    if name:
        # The only way to another page of `st.navigation` than by a press.
        page._page_hash = calc_hash(name)
    page.query_params.update(parameters)
    page.run()
    parts = [f"address {dict(sorted(page.query_params.items()))}"]
    for place in ("main", "sidebar"):
        parts.append(f"== {place}")
        parts += _shown(getattr(page, place), 0)
    parts.append("== event")
    parts += _shown(page._tree.children[2], 0)
    return "\n".join(parts)


def _shown(node: Any, depth: int) -> Iterator[str]:
    """A block with all that is in it, or an element; deeper ones are indented."""
    space = "  " * depth
    fields = _fields(node.proto) if node.proto is not None else {}
    yield f"{space}{node.type}"
    for line in _lines(fields):
        yield f"{space}    {line}"
    for _, child in sorted(getattr(node, "children", {}).items()):
        yield from _shown(child, depth + 1)


def _fields(proto: Any) -> dict[str, Any]:
    """What a message of Streamlit's protocol says."""
    if not hasattr(proto, "ListFields"):
        return {}
    return {field.name: _value(value) for field, value in proto.ListFields() if field.name not in HIDDEN}


def _value(value: Any) -> Any:
    if isinstance(value, bytes):
        return _table(value)
    if isinstance(value, str):
        return value if len(value) <= LONGEST else f"{len(value)} characters {sha256(value.encode()).hexdigest()[:16]}"
    if hasattr(value, "ListFields"):
        return _fields(value)
    if hasattr(value, "items"):
        return {str(key): _value(each) for key, each in sorted(value.items())}
    if hasattr(value, "__len__"):
        return [_value(each) for each in value]
    return value


def _table(data: bytes) -> Any:
    """The rows of a table, or the hash of other bytes."""
    try:
        return pa.ipc.open_stream(data).read_all().to_pylist()
    except pa.ArrowInvalid:
        return f"{len(data)} bytes {sha256(data).hexdigest()[:16]}"


def _lines(fields: dict[str, Any]) -> list[str]:
    if not fields:
        return []
    text = json.dumps(fields, indent=1, ensure_ascii=False, default=str)
    # A text's own lines, and each element of some HTML, are lines here.
    text = re.sub(r"><(?=[^/])", ">\n<", text.replace("\\n", "\n"))
    return text.splitlines()


if __name__ == "__main__":
    main()
