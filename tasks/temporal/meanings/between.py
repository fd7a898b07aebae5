"""Times from one to another."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tasks.temporal.context import Context
from tasks.temporal.meanings.contract import Meaning, larger
from tasks.temporal.meanings.numeric import NumericDay
from tasks.temporal.meanings.recurrences import Recurring
from tasks.temporal.readings import MentionFields
from warehouse.records import Grain


@dataclass(frozen=True, slots=True)
class Between:
    """From the start of one time to the end of another: "from March to May 2021", "2019-2021".

    A recurring first side is the last such before the other side: "March" is that of 2021; a recurring last side is
    the first such after a first side that says more: "from 1 March 2021 to May", "from April 9 to the 17th".
    """

    first: Meaning
    last: Meaning

    @property
    def grain(self) -> Grain | None:
        """The last side's."""
        return self.last.grain

    def at(self, context: Context) -> MentionFields:
        """An ISO 8601 interval of the two values. Raises `ValueError` where the first is not before the last."""
        first, last = self._sides(context)
        if first.closed is None or last.closed is None:
            return MentionFields(f"{first.value}/{last.value}", None, self.grain, relative=True)
        if not first.closed[0] < last.closed[1]:
            raise ValueError(f"{first.value} is after {last.value}")
        return replace(
            last,
            value=f"{first.value}/{last.value}",
            interval=(first.closed[0], last.closed[1]),
            modifier=None,
            relative=first.relative or last.relative,
            anchor=last.anchor or first.anchor,
        )

    def _sides(self, context: Context) -> tuple[MentionFields, MentionFields]:
        first, last = _yearless(self.first, context), _yearless(self.last, context)
        if isinstance(first, Recurring) and not (isinstance(last, Recurring) and larger(first.parent, last.parent)):
            end = last.at(context)
            if end.closed is None:
                return first.at(context), end
            return replace(first.before(end.closed[0], context), relative=end.relative, anchor=end.anchor), end
        start = first.at(context)
        if isinstance(last, Recurring) and start.closed:
            end = last.after(start.closed[0], context)
            return start, replace(end, relative=start.relative, anchor=start.anchor)
        return start, last.at(replace(context, spoken=start))


def _yearless(side: Meaning, context: Context) -> Meaning:
    return side.day(context) if isinstance(side, NumericDay) else side
