"""What answers cost: tokens always, money where the settings say what tokens cost."""

from __future__ import annotations

from dashboards.assistant.records import Usage
from warehouse.settings.models import PriceSettings

_MILLION = 1_000_000


def cost_of(usage: Usage, prices: PriceSettings) -> float | None:
    """In the currency of the prices; None where none is set."""
    counted = (
        (usage.input, prices.input),
        (usage.output, prices.output),
        (usage.cache_read, prices.cache_read),
        (usage.cache_written, prices.cache_written),
    )
    return sum(tokens * price for tokens, price in counted) / _MILLION if any(price for _, price in counted) else None


def spent(usage: Usage, prices: PriceSettings) -> str:
    """In words: "3 rounds, 5,210 tokens in (4,000 from the cache), 310 out, 0.0123 USD"."""
    if not usage.total:
        return "no tokens"
    read = f" ({usage.cache_read:,} from the cache)" if usage.cache_read else ""
    rounds = f"{usage.rounds} round{'' if usage.rounds == 1 else 's'}"
    came = usage.input + usage.cache_read + usage.cache_written
    cost = cost_of(usage, prices)
    money = f", {cost:.4f} {prices.currency}" if cost is not None else ""
    return f"{rounds}, {came:,} tokens in{read}, {usage.output:,} out{money}"
