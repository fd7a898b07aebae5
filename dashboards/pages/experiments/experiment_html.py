"""HTML of the experiments page: plain result, cost, progress of a run, and one question; all text is escaped here."""

from __future__ import annotations

from collections.abc import Mapping

from dashboards.background.runs import GridReport
from dashboards.html.hits import render_question
from dashboards.html.safe_text import escape_text, render_facts, render_more_item, render_note
from dashboards.pages.experiments.experiment_queries import ExperimentVerdict
from flows.experiments.losses import LostQuestion
from tasks.evaluate.experiments.grid_outcome import Price
from tasks.evaluate.outcomes import Flip
from tasks.quality.phrases import format_count


def render_verdict(verdict: ExperimentVerdict) -> str:
    """The better configuration, the difference, whether it is significant, and the settings that differ."""
    best, other = _render_name(verdict, verdict.best.name), _render_name(verdict, verdict.other.name)
    change, measure = verdict.change, verdict.measure
    interval = f"{_format_signed(change.low)} to {_format_signed(change.high)}"
    if verdict.is_sure:
        lines = [
            f"{best} is better than {other} by {escape_text(f'{change.difference:.3f} {measure}')}.",
            f"This is sure: the 95 % interval of the difference is {interval}.",
        ]
    else:
        difference = escape_text(f"{_format_signed(change.difference)} {measure}")
        chance = f"The difference of {difference} may be chance: its 95 % interval, {interval}, includes 0."
        lines = [
            f"No difference between {best} and {other} can be shown.",
            f"{chance} More questions can tell smaller differences apart.",
        ]
    if verdict.settings:
        settings = (f"{name} {own} instead of {other}" for name, (own, other) in verdict.settings.items())
        lines.append(escape_text(f"What differs: {', '.join(settings)}."))
    return f'<div class="k-verdict" role="status">{"".join(f"<p>{line}</p>" for line in lines)}</div>'


def _render_name(verdict: ExperimentVerdict, name: str) -> str:
    return f"<code>{escape_text(name)}</code>{' (the settings in use)' if name == verdict.current else ''}"


def _format_signed(value: float) -> str:
    return f"{abs(value):.3f}" if round(value, 3) >= 0 else f"−{-value:.3f}"


def render_price(price: Price) -> str:
    """The gain of the best over the cheapest that is not significantly worse, and the cost of that gain."""
    best = f"<code>{escape_text(price.best.name)}</code>"
    if price.cheapest is price.best:
        return (
            f'<p class="k-best">Best by {escape_text(price.measure)}: {best}. No cheaper configuration is as good: all '
            "others are significantly worse or cost as much.</p>"
        )
    change = price.gains[price.cheapest.name]
    facts = (
        ("Better by", f"{change.difference:+.3f} [{change.low:+.3f}, {change.high:+.3f}] {price.measure}"),
        ("Time of a search", f"{price.milliseconds:+.1f} ms"),
        ("Vectors", f"{price.vectors:+,}"),
        ("Size of the indexes", f"{price.bytes / 1e6:+.1f} MB"),
    )
    return (
        f'<p class="k-best">Best by {escape_text(price.measure)}: {best}. '
        "The cheapest that is not significantly worse is "
        f"<code>{escape_text(price.cheapest.name)}</code>. Compared with that one:</p>{render_facts(facts)}"
    )


def render_flip(flip: Flip, text: str, measure: str, loss: LostQuestion | None) -> str:
    """A question with its scores and ranks before and after, and the first stage that differs, if known."""
    facts = [
        (measure, f"{flip.before:.3f} to {flip.after:.3f}"),
        ("First passage that answers", f"{_format_rank(flip.rank_before)}, then {_format_rank(flip.rank_after)}"),
    ]
    facts += [("First stage that differs", loss.stage), ("What differs", loss.reason)] if loss else []
    return f"{render_question(' '.join(text.split()))}{render_facts(facts)}"


def _format_rank(rank: int | None) -> str:
    return f"at rank {rank}" if rank else "not found"


MAX_LISTED = 60  # Configurations that are listed one by one.
_INGEST, _FAILED = "ingest", ' class="k-failed"'


def render_configurations(statuses: Mapping[str, str]) -> str:
    """The last status of each configuration, the latest first; those without one are waiting or were tried before."""
    status_lines = [(name, line) for name, line in statuses.items() if line]
    finished = sum(line != _INGEST for _, line in status_lines)
    items = "".join(
        f"<li{_FAILED * line.startswith('failed: ')}><code>{escape_text(name)}</code> {escape_text(line)}</li>"
        for name, line in status_lines[::-1][:MAX_LISTED]
    )
    more = render_more_item(len(status_lines) - MAX_LISTED)
    count = (
        f'<p class="k-where">{finished:,} of {format_count(len(statuses), "configuration")} finished in this run</p>'
    )
    return f'{count}<ul class="k-tries">{items}{more}</ul>'


def describe_result(report: GridReport) -> str:
    """The result of a run in one line."""
    earlier = len(report.trials) - report.asked
    parts = [f"{format_count(report.asked, 'configuration')} tried"]
    parts += [f"{earlier:,} tried before"] if earlier else []
    parts += [f"{len(report.failed):,} failed"] if report.failed else []
    return ", ".join(parts) + "."


def render_remark(note: str) -> str:
    """A note of the evaluation, which starts in lower case and has no full stop, as a sentence."""
    return render_note(f"{note[:1].upper()}{note[1:]}.")
