"""Notebooks: the texts, the code, and what it gave."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tasks.parsers.notebook import MAX_OUTPUT_LENGTH
from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import choose_parser, read
from tests.tasks.parsers.promises import keeps_its_promises
from warehouse.errors import UnreadableFile
from warehouse.records import BlockKind, Document

FRAME = (
    "<div><style>x</style><table><thead><tr><th></th><th>year</th><th>sales</th></tr></thead><tbody>"
    "<tr><th>0</th><td>2020</td><td>14</td></tr><tr><th>1</th><td>2021</td><td>15</td></tr></tbody></table></div>"
)
CELLS: list[dict[str, Any]] = [
    {"cell_type": "markdown", "source": ["# Sales\n", "\n", "They rose on 12 March 2021.\n", "\n", "- one\n", "- two"]},
    {
        "cell_type": "code",
        "source": "print(total)\nframe",
        "outputs": [
            {"output_type": "stream", "text": ["total \x1b[31m42\x1b[0m\n"]},
            {"output_type": "execute_result", "data": {"text/html": [FRAME], "text/plain": ["year"]}},
            {"output_type": "error", "ename": "KeyError", "evalue": "'2022'", "traceback": ["…"]},
            {"output_type": "display_data", "data": {"image/png": "iVBOR"}},
        ],
    },
    {"cell_type": "raw", "source": "As it is."},
]


def notebook(cells: list[Any], **more: Any) -> Document:
    raw = Raw("a.ipynb", json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, **more}).encode())
    assert choose_parser(raw) == "notebook"
    document = read(raw)
    keeps_its_promises(document)
    return document


def test_cells_come_in_order() -> None:
    document = notebook(CELLS)
    shown = [(block.kind, document.text[block.start : block.end]) for block in document.blocks if not block.table]
    assert shown == [
        (BlockKind.HEADING, "Sales"),
        (BlockKind.PARAGRAPH, "They rose on 12 March 2021."),
        (BlockKind.LIST, "- one\n- two"),
        (BlockKind.CODE, "print(total)\nframe"),
        (BlockKind.CODE, "total 42"),
        (BlockKind.CODE, "KeyError: '2022'"),
        (BlockKind.PARAGRAPH, "As it is."),
    ]
    assert document.tables[0].rows == (("", "year", "sales"), ("0", "2020", "14"), ("1", "2021", "15"))
    assert document.title == "Sales"


def test_the_third_version_is_read() -> None:
    cells = [
        {"cell_type": "heading", "level": 2, "source": "Sales"},
        {"cell_type": "code", "input": ["x = 1"], "outputs": [{"output_type": "pyout", "text": ["1"]}]},
    ]
    raw = Raw("a.ipynb", json.dumps({"metadata": {}, "nbformat": 3, "worksheets": [{"cells": cells}]}).encode())
    assert read(raw).text == "Sales\n\nx = 1\n\n1"


def test_a_long_output_is_cut() -> None:
    document = notebook(
        [{"cell_type": "code", "source": "dump", "outputs": [{"output_type": "stream", "text": "x" * 99_999}]}]
    )
    assert len(document.text) == len("dump\n\n") + MAX_OUTPUT_LENGTH


@pytest.mark.parametrize("cells", [[None, 5, "words"], [{}], [{"cell_type": "code", "source": {"a": 1}, "outputs": 5}]])
def test_strange_cells_harm_nothing(cells: list[Any]) -> None:
    assert not notebook([*cells, {"cell_type": "markdown", "source": "Words."}]).text.replace("Words.", "").strip()


@pytest.mark.parametrize("data", ['{"cells": [{"cell_type": "mark', '{"cells": 5}', '{"metadata": {}}', '{"cells": [}'])
def test_what_is_none_is_refused_in_one_line(data: str) -> None:
    with pytest.raises(UnreadableFile, match="the notebook") as caught:
        read(Raw("a.ipynb", data.encode()))
    assert "\n" not in str(caught.value)
