"""A question that two configurations answer differently."""

from __future__ import annotations

from dashboards.drawing.escaping import text_html
from flows.experiments.losses import LostQuestion
from tasks.evaluate.flips import Flip


def flip_html(flip: Flip, text: str, measure: str, loss: LostQuestion | None) -> str:
    """The question, its marks and ranks before and after, and where the two part if that is known."""
    facts = [
        (measure, f"{flip.before:.3f} to {flip.after:.3f}"),
        ("First passage that answers", f"{_place(flip.rank_before)}, then {_place(flip.rank_after)}"),
    ]
    facts += [("First stage that differs", loss.stage), ("What differs", loss.reason)] if loss else []
    rows = "".join(f"<dt>{text_html(name)}</dt><dd>{text_html(value)}</dd>" for name, value in facts)
    return f'<p class="k-asked">{text_html(" ".join(text.split()))}</p><dl class="k-facts">{rows}</dl>'


def _place(rank: int | None) -> str:
    return f"at rank {rank}" if rank else "not found"
