"""HTML of the experiments page: plain result, cost, progress of a run, and one question; all text is escaped here."""

from __future__ import annotations

from collections.abc import Mapping

from dashboards.background.runs import GridReport
from dashboards.html.notices import note_html
from dashboards.html.safe_text import text_html
from dashboards.pages.experiments.queries import ExperimentVerdict
from flows.experiments.losses import LostQuestion
from tasks.evaluate.experiments.price import Price
from tasks.evaluate.flips import Flip
from tasks.quality.phrases import counted


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


MOST_LISTED = 60
"""Configurations told one by one."""
_INGEST = "ingest"


def configurations_html(told: Mapping[str, str]) -> str:
    """What was last told of each configuration, the latest first; the others wait or are known already."""
    heard = [(name, line) for name, line in told.items() if line]
    done = sum(line != _INGEST for _, line in heard)
    items = "".join(_row(name, line) for name, line in heard[::-1][:MOST_LISTED])
    more = f"<li>and {len(heard) - MOST_LISTED:,} more</li>" if len(heard) > MOST_LISTED else ""
    count = f'<p class="k-where">{done:,} of {counted(len(told), "configuration")} finished in this run</p>'
    return f'{count}<ul class="k-tries">{items}{more}</ul>'


def describe_result(report: GridReport) -> str:
    """What a run came to, in one line."""
    kept = len(report.trials) - report.asked
    parts = [f"{counted(report.asked, 'configuration')} tried"]
    parts += [f"{kept:,} tried before"] if kept else []
    parts += [f"{len(report.failed):,} failed"] if report.failed else []
    return ", ".join(parts) + "."


def _row(name: str, line: str) -> str:
    failed = ' class="k-failed"' if line.startswith("failed: ") else ""
    return f"<li{failed}><code>{text_html(name)}</code> {text_html(line)}</li>"


def remark_html(note: str) -> str:
    """A note of the engine, which begins in lower case and ends without a stop."""
    return note_html(f"{note[:1].upper()}{note[1:]}.")
