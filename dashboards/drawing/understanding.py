"""How a question was read, as HTML."""

from __future__ import annotations

from collections.abc import Sequence

from dashboards.drawing.escaping import text_html


def fact_list_html(facts: Sequence[tuple[str, str]]) -> str:
    """A list of facts, each with its name; of a name that follows itself only the first is shown."""
    items, before = [], ""
    for name, words in facts:
        items.append(f"<dt>{text_html(name) if name != before else ''}</dt><dd>{text_html(words)}</dd>")
        before = name
    return f'<dl class="k-facts">{"".join(items)}</dl>'
