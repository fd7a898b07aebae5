"""Questions about a diary, each with the days whose entries answer it, or with none where nothing happened.

For a question whose answer is one thing on a day, `sentences` holds what an excerpt should show.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from benchmarks.diaries.world import Entry, Item, ItemKind


@dataclass(frozen=True, slots=True)
class DiaryQuestion:
    """A question of a `kind`, answered by the entries of `days`; where there are none, an answer should say so."""

    kind: str
    text: str
    days: frozenset[date]
    sentences: frozenset[str]


def questions(entries: Sequence[Entry], today: date, seed: int, *, chinese: bool) -> list[DiaryQuestion]:
    """Up to six questions of each kind."""
    rng = random.Random(seed)
    kinds = [_day, _person_on_day, _latest, _first, _between, _week, _weekday, _month, _silent]
    asked = []
    for kind in kinds:
        found = list(kind(entries, today, chinese=chinese))
        asked += rng.sample(found, min(6, len(found)))
    return asked


def _asked(kind: str, text: str, entries: Sequence[Entry], wanted: Sequence[Item] | None = None) -> DiaryQuestion:
    """A question that the entries answer, all of their items or those that are wanted."""
    items = [item for entry in entries for item in entry.items if wanted is None or item in wanted]
    return DiaryQuestion(kind, text, frozenset(entry.day for entry in entries), frozenset(item.text for item in items))


def _written(day: date, style: int) -> str:
    """A day as people write it."""
    if style == 0:
        return day.isoformat()
    if style == 1:
        return f"{day.day} {day:%B %Y}"
    return f"{day:%B} {day.day}, {day.year}"


def _zh(day: date) -> str:
    return f"{day.year}年{day.month}月{day.day}日"


def _day(entries: Sequence[Entry], today: date, *, chinese: bool) -> Iterator[DiaryQuestion]:
    for number, entry in enumerate(entries):
        text = f"{_zh(entry.day)}发生了什么?" if chinese else f"What happened on {_written(entry.day, number % 3)}?"
        yield _asked("day", text, [entry])


def _person_on_day(entries: Sequence[Entry], today: date, *, chinese: bool) -> Iterator[DiaryQuestion]:
    for number, entry in enumerate(entries):
        if met := [item for item in entry.items if item.kind is ItemKind.MEETING]:
            text = (
                f"{_zh(entry.day)}我和谁见面了?" if chinese else f"Who did I meet on {_written(entry.day, number % 3)}?"
            )
            yield _asked("who", text, [entry], met)


def _series(entries: Sequence[Entry]) -> Iterator[tuple[Item, list[Entry]]]:
    """Each metric and each person met, by its first item, with the entries that hold it in order."""
    by_key: dict[tuple[str, str, str], list[Entry]] = {}
    first: dict[tuple[str, str, str], Item] = {}
    for entry in entries:
        for item in entry.items:
            if item.kind not in (ItemKind.MEASURE, ItemKind.MEETING):
                continue
            key = (item.kind, item.project, item.metric) if item.metric else (item.kind, item.person, "")
            first.setdefault(key, item)
            by_key.setdefault(key, []).append(entry)
    for key, item in first.items():
        if len(by_key[key]) > 1:
            yield item, by_key[key]


def _same(item: Item, entry: Entry) -> list[Item]:
    if item.metric:
        return [each for each in entry.items if (each.project, each.metric) == (item.project, item.metric)]
    return [each for each in entry.items if each.kind is ItemKind.MEETING and each.person == item.person]


def _latest(entries: Sequence[Entry], today: date, *, chinese: bool) -> Iterator[DiaryQuestion]:
    for number, (item, found) in enumerate(_series(entries)):
        last = found[-1]
        if chinese:
            texts = (
                [f"最近的{item.project}{item.metric}是多少?"]
                if item.metric
                else [f"上次和{item.person}见面是什么时候?"]
            )
        elif item.metric:
            texts = [
                f"latest {item.project} {item.metric}",
                f"What is the most recent {item.metric} of {item.project}?",
            ]
        else:
            texts = [f"When did I last meet {item.person}?", f"last meeting with {item.person}"]
        yield _asked("latest", texts[number % len(texts)], [last], _same(item, last))


def _first(entries: Sequence[Entry], today: date, *, chinese: bool) -> Iterator[DiaryQuestion]:
    for item, found in _series(entries):
        if chinese:
            text = (
                f"第一次{item.project}{item.metric}是多少?" if item.metric else f"第一次和{item.person}见面是什么时候?"
            )
        else:
            text = f"first {item.project} {item.metric}" if item.metric else f"When did I first meet {item.person}?"
        yield _asked("first", text, [found[0]], _same(item, found[0]))


def _between(entries: Sequence[Entry], today: date, *, chinese: bool) -> Iterator[DiaryQuestion]:
    for number, (item, found) in enumerate(_series(entries)):
        middle = found[len(found) // 2].day
        start, end = middle - timedelta(days=5), middle + timedelta(days=5)
        inside = [entry for entry in found if start <= entry.day <= end]
        what = f"{item.project} {item.metric}" if item.metric else f"meeting with {item.person}"
        if chinese:
            what = f"{item.project}的{item.metric}" if item.metric else f"和{item.person}见面"
            text = f"{_zh(start)}到{_zh(end)}之间{what}"
        else:
            text = f"{what} between {_written(start, number % 3)} and {_written(end, number % 3)}"
        yield _asked("between", text, inside, [each for entry in inside for each in _same(item, entry)])


def _week(entries: Sequence[Entry], today: date, *, chinese: bool) -> Iterator[DiaryQuestion]:
    monday = today - timedelta(days=today.weekday() + 7)
    inside = [entry for entry in entries if monday <= entry.day < monday + timedelta(days=7)]
    if inside:
        yield _asked("last week", "我上周做了什么?" if chinese else "what did I do last week", inside)
        if not chinese:
            yield _asked("last week", "What happened last week?", inside)


def _weekday(entries: Sequence[Entry], today: date, *, chinese: bool) -> Iterator[DiaryQuestion]:
    """Days of the week before: "last Tuesday" is that of last week."""
    monday = today - timedelta(days=today.weekday() + 7)
    for entry in entries:
        if monday <= entry.day < monday + timedelta(days=7):
            weekday = "一二三四五六日"[entry.day.weekday()]
            text = f"上周{weekday}我做了什么?" if chinese else f"What did I do on {entry.day:%A} last week?"
            yield _asked("weekday", text, [entry])


def _month(entries: Sequence[Entry], today: date, *, chinese: bool) -> Iterator[DiaryQuestion]:
    for item, found in _series(entries):
        day = found[len(found) // 3].day
        inside = [entry for entry in found if (entry.day.year, entry.day.month) == (day.year, day.month)]
        what = f"{item.project} {item.metric}" if item.metric else f"meeting with {item.person}"
        text = f"{what} in {day:%B %Y}"
        if chinese:
            what = f"{item.project}{item.metric}" if item.metric else f"和{item.person}见面"
            text = f"{day.year}年{day.month}月{what}"
        yield _asked("month", text, inside, [each for entry in inside for each in _same(item, entry)])


def _silent(entries: Sequence[Entry], today: date, *, chinese: bool) -> Iterator[DiaryQuestion]:
    """Weeks and days of which nothing is told."""
    told = {entry.day for entry in entries}
    day, first = entries[0].day, entries[0].day
    while day < entries[-1].day:
        monday = day - timedelta(days=day.weekday())
        if monday >= first and not told & {monday + timedelta(days=number) for number in range(7)}:
            text = (
                f"{_zh(monday)}那一周发生了什么?" if chinese else f"What happened in the week of {_written(monday, 2)}?"
            )
            yield DiaryQuestion("silent", text, frozenset(), frozenset())
        elif day not in told and day.day % 5 == 0:
            text = f"{_zh(day)}我做了什么?" if chinese else f"What did I do on {_written(day, 1)}?"
            yield DiaryQuestion("silent", text, frozenset(), frozenset())
        day += timedelta(days=1)
