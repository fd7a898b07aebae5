"""Prompts of the model, read from the Markdown files of this package, and material delimited by tags."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files


@cache
def read_prompt(name: str) -> str:
    """The words of a file, without the last line break. They never change while a process runs."""
    return (files("dashboards.assistant") / "prompts" / f"{name}.md").read_text(encoding="utf-8").strip()


def enclose_in_tags(tag: str, text: str) -> str:
    """Material between tags, which it cannot close itself."""
    harmless = re.sub(rf"<(?=\s*/\s*{tag})", "< ", text, flags=re.IGNORECASE)
    return f"<{tag}>\n{harmless}\n</{tag}>"
