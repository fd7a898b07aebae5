"""Files of every format that hold one table, which is all of the document or nearly."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read
from tests.tasks.parsers import raw_docx, raw_office
from warehouse.records import Document
from warehouse.table_notation import format_row

Rows = Sequence[Sequence[str]]


def separated(rows: Rows, mark: str) -> bytes:
    return "".join(f"{mark.join(row)}\n" for row in rows).encode()


def markdown(rows: Rows) -> Document:
    lines = [format_row(rows[0]), format_row(["---"] * len(rows[0])), *map(format_row, rows[1:])]
    text = (
        "# Prices\n\nAs the desk keeps them.\n\n## Daily\n\n" + "\n".join(lines) + "\n\nNot adjusted for dividends.\n"
    )
    return read(Raw("a.md", text.encode()))


def web_page(rows: Rows) -> Document:
    head = "".join(f"<th>{escape(cell)}</th>" for cell in rows[0])
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows[1:])
    page = f"<html><body><h1>Prices</h1><table><tr>{head}</tr>{body}</table><p>Not adjusted.</p></body></html>"
    return read(Raw("a.html", page.encode()))


def word_file(rows: Rows) -> Document:
    body = raw_docx.p("As the desk keeps them.") + raw_docx.table(*(list(row) for row in rows), header=1)
    return read(Raw("a.docx", raw_docx.package(body)))


def workbook(rows: Rows) -> Document:
    return raw_office.read_sheets(raw_office.sheet(raw_office.rows(*rows)))


FORMATS: Mapping[str, Callable[[Rows], Document]] = {
    "csv": lambda rows: read(Raw("a.csv", separated(rows, ";"))),
    "tsv": lambda rows: read(Raw("a.tsv", separated(rows, "\t"))),
    "md": markdown,
    "html": web_page,
    "docx": word_file,
    "xlsx": workbook,
}
