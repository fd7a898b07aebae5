"""Messages of a mailbox in threads: what answers what, by the ids that they name (RFC 5322, 3.6.4).

Threads come in the order of their first messages, the messages of a thread in that of time; an answer never stands
before what it answers, whatever the clocks of their senders said.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime

from tasks.parsers.mail.message_reader import MailMessage

_UNKNOWN = datetime(1, 1, 1, tzinfo=UTC)
_REPLY = re.compile(
    r"\s*(?:re|aw|antw|sv|vs|ref|rif|fwd?|wg|tr|rv|enc|odp|回复|回覆|答复|答覆|转发|轉寄|轉發)\s*(?:\[\d+\])?\s*[:：]\s*",
    re.IGNORECASE,
)


def strip_reply_marks(subject: str) -> str:
    """A subject without what programs put before it in answers and forwarded messages."""
    while match := _REPLY.match(subject):
        subject = subject[match.end() :]
    return subject.strip()


def group_in_threads(messages: Sequence[MailMessage]) -> list[list[MailMessage]]:
    """The messages thread by thread. An answer that names no message joins the last thread of its subject."""
    groups = _Groups(len(messages))
    by_id: dict[str, int] = {}
    by_subject: dict[str, int] = {}
    for place, message in enumerate(messages):
        for name in filter(None, (message.message_id, *message.references)):
            groups.join(by_id.setdefault(name, place), place)
        base = strip_reply_marks(message.subject).casefold()
        if base and not message.references and base != message.subject.strip().casefold() and base in by_subject:
            groups.join(by_subject[base], place)
        if base:
            by_subject[base] = place
    members: defaultdict[int, list[int]] = defaultdict(list)
    for place in range(len(messages)):
        members[groups.find_first(place)].append(place)
    threads = [_sort_thread([messages[place] for place in places]) for places in members.values()]
    return sorted(threads, key=lambda thread: _get_instant(thread[0]))


def _get_instant(message: MailMessage) -> datetime:
    return message.moment.instant if message.moment else _UNKNOWN


def _sort_thread(thread: Sequence[MailMessage]) -> list[MailMessage]:
    """The messages of a thread, each after those that it answers."""
    known = {message.message_id: place for place, message in enumerate(thread) if message.message_id}
    answered = [
        [known[name] for name in message.references if name in known and known[name] != place]
        for place, message in enumerate(thread)
    ]
    # The moment of a message, no earlier than those of what it answers, and how many it answers at that moment.
    moments: dict[int, tuple[datetime, int]] = {}
    waiting = sorted(range(len(thread)), key=lambda place: (_get_instant(thread[place]), place), reverse=True)
    seen: set[int] = set()
    while waiting:
        place = waiting[-1]
        above = [each for each in answered[place] if each not in seen]
        seen.add(place)
        if above:
            waiting += above
            continue
        waiting.pop()
        before = (moments[each] for each in answered[place] if each in moments)
        moments.setdefault(
            place, max([(_get_instant(thread[place]), 0), *((each, depth + 1) for each, depth in before)])
        )
    return [thread[place] for place in sorted(moments, key=lambda place: (*moments[place], place))]


class _Groups:
    """Numbers joined to groups (union by the smaller number, with paths halved)."""

    def __init__(self, count: int) -> None:
        self._above = list(range(count))

    def find_first(self, number: int) -> int:
        """The number that stands for the group."""
        while self._above[number] != number:
            self._above[number] = self._above[self._above[number]]
            number = self._above[number]
        return number

    def join(self, one: int, other: int) -> None:
        """Makes one group of two."""
        first, second = sorted((self.find_first(one), self.find_first(other)))
        self._above[second] = first
