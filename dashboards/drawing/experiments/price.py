"""The best configuration of an experiment and what it costs, in words."""

from __future__ import annotations

from dashboards.drawing.escaping import text_html
from tasks.evaluate.experiments.price import Price


def price_html(found: Price) -> str:
    """What the best gains over the cheapest that is not significantly worse, and what that costs."""
    best = f"<code>{text_html(found.best.name)}</code>"
    if found.cheapest is found.best:
        return (
            f'<p class="k-best">Best by {text_html(found.measure)}: {best}. No cheaper configuration is as good: all '
            "others are significantly worse or cost as much.</p>"
        )
    gain = found.gains[found.cheapest.name]
    facts = (
        ("Better by", f"{gain.difference:+.3f} [{gain.low:+.3f}, {gain.high:+.3f}] {found.measure}"),
        ("Time of a search", f"{found.milliseconds:+.1f} ms"),
        ("Vectors", f"{found.vectors:+,}"),
        ("Size of the indexes", f"{found.bytes / 1e6:+.1f} MB"),
    )
    rows = "".join(f"<dt>{name}</dt><dd>{text_html(value)}</dd>" for name, value in facts)
    return (
        f'<p class="k-best">Best by {text_html(found.measure)}: {best}. '
        "The cheapest that is not significantly worse is "
        f'<code>{text_html(found.cheapest.name)}</code>. Compared with that one:</p><dl class="k-facts">{rows}</dl>'
    )
