"""A document of a corpus as a page of HTML, for the pipeline to read."""

from __future__ import annotations

from html import escape

from tasks.evaluate.contract import CorpusDocument


def webpage(source: CorpusDocument) -> str:
    """Its title as heading, its table, its paragraphs."""
    title = escape(source.title)
    heading = f"<h1>{title}</h1>" if title.strip() else ""
    paragraphs = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in source.paragraphs)
    head = f"<!doctype html><html><head><meta charset='utf-8'><title>{title}</title></head>"
    return f"{head}<body>{heading}{_table(source)}{paragraphs}</body></html>"


def _table(source: CorpusDocument) -> str:
    rows = ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in source.rows]
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>" if rows else ""
