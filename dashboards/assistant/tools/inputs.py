"""Inputs that several tools share, as annotated types."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from tasks.token_budget import MOST

LONGEST = 2000  # Characters of a question.

Text = Annotated[str, Field(max_length=300)]
Name = Annotated[str, Field(min_length=1, max_length=300)]
Documents = Annotated[
    tuple[Name, ...],
    Field(max_length=50, description="Only these: sources, ids, titles or companies."),
]
Count = Annotated[int, Field(ge=1, le=20, description="At most so many passages.")]
Tokens = Annotated[int, Field(ge=200, le=MOST, description="The longest answer.")]
After = Annotated[int, Field(ge=0, le=1_000_000, description="To go on: so many are left out.")]
