"""A finding with its place in the source, and the name it keeps when lines move."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tasks.quality.places import Anchors
from tasks.quality.rule_runner import LocatedFinding
from warehouse.identity import digest
from warehouse.records import Finding

_QUOTED = 200
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Located:
    """A finding with the lines it covers (from 1) where the source has lines, and the beginning of what it is about."""

    finding: Finding
    line: int | None = None
    column: int | None = None
    last_line: int | None = None
    quote: str = ""


def located(found: LocatedFinding, known: Anchors, text: str = "", lines: Sequence[str] = ()) -> Located:
    """The place of a finding: its own of the source's `lines`, else that of its span in the document's text."""
    finding = found.finding
    if found.line is not None:
        quote = lines[found.line - 1] if len(lines) >= found.line else ""
        return Located(finding, found.line, found.column, found.line, " ".join(quote.split())[:_QUOTED])
    if finding.start is None:
        return Located(finding)
    end = max(finding.start, (finding.end or finding.start) - 1)
    quote = " ".join(text[finding.start : min(end + 1, finding.start + 2 * _QUOTED)].split())[:_QUOTED]
    return Located(finding, known.line(finding.start), known.column(finding.start), known.line(end), quote)


def fingerprints(path: str, found: Iterable[Located]) -> list[str]:
    """A name for each finding of a file, of its code and what it is about: lines that move do not change it."""
    seen: Counter[str] = Counter()
    names = []
    for each in found:
        about = each.quote or _DIGITS.sub("0", each.finding.message)
        name = digest("finding", path, each.finding.code, about)
        names.append(digest(name, seen[name]))
        seen[name] += 1
    return names
