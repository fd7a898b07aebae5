"""The plain result of an experiment, in words."""

from __future__ import annotations

from dashboards.drawing.escaping import text_html
from dashboards.facts.experiments.verdicts import ExperimentVerdict


def verdict_html(found: ExperimentVerdict) -> str:
    """Which is better and by how much, whether that is sure, in which settings the two differ, and what to do."""
    lines = [f"<p>{_compared(found)}</p>", f"<p>{_sure(found)}</p>"]
    if found.settings:
        lines.append(f"<p>{text_html(_differing(found))}</p>")
    return f'<div class="k-verdict" role="status">{"".join(lines)}</div>'


def _compared(found: ExperimentVerdict) -> str:
    best, other = _named(found, found.best.name), _named(found, found.other.name)
    if not found.is_sure:
        return f"No difference can be told apart between {best} and {other}."
    return f"{best} is better than {other} by {text_html(f'{found.change.difference:.3f} {found.measure}')}."


def _sure(found: ExperimentVerdict) -> str:
    change = found.change
    interval = f"{_signed(change.low)} to {_signed(change.high)}"
    if found.is_sure:
        return f"This is sure: the 95 % interval of the difference is {interval}."
    return (
        f"The difference of {text_html(f'{_signed(change.difference)} {found.measure}')} may be chance: "
        f"its 95 % interval, {interval}, includes 0. More questions can tell smaller differences apart."
    )


def _differing(found: ExperimentVerdict) -> str:
    said = ", ".join(f"{name} {own} instead of {other}" for name, (own, other) in found.settings.items())
    return f"What differs: {said}."


def _named(found: ExperimentVerdict, name: str) -> str:
    return f"<code>{text_html(name)}</code>{' (the settings in use)' if name == found.current else ''}"


def _signed(value: float) -> str:
    return f"{abs(value):.3f}" if round(value, 3) >= 0 else f"−{-value:.3f}"
