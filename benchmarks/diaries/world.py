"""What happened in an invented life: entries by day, each of items that name people, projects and measured values.

Everything is drawn from one seed, so a diary can be written again. Two vocabularies share no name, no project and no
sentence: `OPEN` is for building, `HELD_OUT` is asked to see whether what was built holds elsewhere.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum


class ItemKind(StrEnum):
    """Kinds of things that an entry tells."""

    MEETING = "meeting"
    MEASURE = "measure"
    EVENT = "event"
    CALL = "call"


@dataclass(frozen=True, slots=True)
class Item:
    """A sentence of an entry with what it is about; `metric` names a value that is measured again and again."""

    kind: ItemKind
    text: str
    person: str = ""
    project: str = ""
    metric: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A day with its items, in the order of the day."""

    day: date
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words of a life. Sentences have the fields `person`, `project`, `topic`, `metric`, `value`, `place`."""

    people: Sequence[str]
    metrics: Sequence[tuple[str, str, str]]  # Project, metric, unit.
    topics: Sequence[str]
    places: Sequence[str]
    meetings: Sequence[str]
    measures: Sequence[str]
    events: Sequence[str]
    calls: Sequence[str]


OPEN = Vocabulary(
    people=[
        "Tom Baker",
        "Ingrid Solberg",
        "Priya Raman",
        "Marcus Oyelaran",
        "Lena Hoffmann",
        "Diego Fuentes",
        "Akiko Mori",
    ],
    metrics=[
        ("Kestrel", "pump test flow", "l/min"),
        ("Falcon", "battery capacity", "mAh"),
        ("Heron", "unit cost", "dollars"),
        ("Osprey", "cabin noise", "dB"),
    ],
    topics=[
        "the supplier contract",
        "the winter schedule",
        "the budget overrun",
        "the new test bench",
        "hiring a technician",
    ],
    places=["the harbour office", "Lindqvist's workshop", "the cafe on Pine Street", "the university library"],
    meetings=[
        "Met {person} at {place} to discuss {topic} for {project}.",
        "Long meeting with {person} about {topic}; {project} stays on plan.",
    ],
    measures=[
        "{project}: {metric} measured at {value}.",
        "Ran the {project} bench again, {metric} came out at {value}.",
    ],
    events=[
        "Repaired the leaking gutter above the kitchen window before the rain came.",
        "Signed the lease for the second storage unit near the station.",
        "The neighbours' dog ran off with my left running shoe.",
        "Submitted the insurance claim for the broken windscreen.",
        "Baked rye bread with caraway, the crust burnt a little.",
        "Read the last chapter of the Shackleton biography.",
        "Replaced the chain and both brake pads of the bicycle.",
        "Found the missing passport behind the bookshelf.",
        "Planted garlic and broad beans in the allotment.",
        "Watched the lunar eclipse from the roof with a flask of tea.",
    ],
    calls=["Called {person}, who asked about {topic}.", "Phone call from {person} in the evening about {topic}."],
)
HELD_OUT = Vocabulary(
    people=[
        "Nadia Petrov",
        "Samuel Achebe",
        "Clara Lindgren",
        "Wei Zhang",
        "Rosa Delgado",
        "Fergus McKay",
        "Hana Suzuki",
    ],
    metrics=[
        ("Marigold", "seed germination rate", "percent"),
        ("Juniper", "soil moisture", "percent"),
        ("Bluebell", "greenhouse yield", "kg"),
        ("Foxglove", "irrigation pressure", "bar"),
    ],
    topics=[
        "the grant proposal",
        "the open day",
        "a shared data sheet",
        "the broken dehumidifier",
        "the spring intake",
    ],
    places=["the botanical garden", "her flat in Mill Lane", "the seminar room", "the canteen"],
    meetings=[
        "Sat down with {person} in {place}: {topic}, mostly in view of {project}.",
        "{person} came by {place} and we settled {topic} of {project}.",
    ],
    measures=["Checked {project} today, the {metric} is {value}.", "{metric} in {project}: {value} this time."],
    events=[
        "Took the old piano to the scrapyard, a sad morning.",
        "Passed the motorcycle theory test at the second try.",
        "Water pipe burst in the cellar; mopped until midnight.",
        "Got the results of the blood test, all fine.",
        "Swapped the summer tyres for the winter ones.",
        "Sold the telescope to a student from Leeds.",
        "Started learning the cello with a rented instrument.",
        "Donated four boxes of novels to the hospice shop.",
        "Lost my umbrella on the number nine tram.",
        "Painted the hallway in a pale yellow.",
    ],
    calls=["Spoke with {person} on the phone: {topic}.", "{person} rang about {topic}, will ring again."],
)
CHINESE = Vocabulary(
    people=["李雪梅", "王建国", "陈思远", "赵明华", "孙丽"],
    metrics=[("青鸟项目", "电池续航", "小时"), ("白鹭项目", "良品率", "%"), ("海燕项目", "噪声", "分贝")],
    topics=["供应商合同", "下季度预算", "新实验台", "招聘事宜"],
    places=["公司三楼", "人民路的茶馆", "大学图书馆"],
    meetings=["在{place}和{person}见面，讨论{project}的{topic}。", "与{person}开会谈{topic}，{project}按计划进行。"],
    measures=["{project}：{metric}测得{value}。", "今天再次测试{project}，{metric}为{value}。"],
    events=[
        "修好了厨房漏水的水龙头。",
        "把旧自行车卖给了邻居。",
        "读完了《三体》第二部。",
        "在阳台上种了薄荷和葱。",
        "去医院取了体检报告，一切正常。",
    ],
    calls=["给{person}打电话，问了{topic}。", "{person}晚上来电，谈到{topic}。"],
)


def entries(vocabulary: Vocabulary, seed: int, last: date, days: int) -> list[Entry]:
    """Entries of the `days` up to `last`, some days and two whole weeks without any."""
    rng = random.Random(seed)
    first = last - timedelta(days=days - 1)
    silent = {first + timedelta(days=7 * week) for week in rng.sample(range(4, days // 7 - 6), 2)}
    events = list(vocabulary.events)
    rng.shuffle(events)
    made = []
    for number in range(days):
        day = first + timedelta(days=number)
        monday = day - timedelta(days=day.weekday())
        if any(0 <= (monday - (week - timedelta(days=week.weekday()))).days < 7 for week in silent):
            continue
        if rng.random() < 0.55 and (items := _items(vocabulary, rng, events)):
            made.append(Entry(day, tuple(items)))
    return made


def _items(vocabulary: Vocabulary, rng: random.Random, events: list[str]) -> list[Item]:
    """One to three items; an event happens once in a life."""
    made = []
    for kind in rng.sample(list(ItemKind), rng.choice([1, 2, 2, 3])):
        if kind is ItemKind.EVENT:
            if events:
                made.append(Item(kind, events.pop()))
            continue
        project, metric, unit = rng.choice(list(vocabulary.metrics))
        person, topic, place = (
            rng.choice(list(each)) for each in (vocabulary.people, vocabulary.topics, vocabulary.places)
        )
        patterns = {ItemKind.MEETING: vocabulary.meetings, ItemKind.MEASURE: vocabulary.measures}
        pattern = rng.choice(list(patterns.get(kind, vocabulary.calls)))
        value = f"{rng.randint(20, 990)} {unit}"
        text = pattern.format(person=person, project=project, topic=topic, place=place, metric=metric, value=value)
        text = text[0].upper() + text[1:]
        if kind is ItemKind.MEASURE:
            made.append(Item(kind, text, project=project, metric=metric))
        else:
            made.append(Item(kind, text, person=person, project=project if kind is ItemKind.MEETING else ""))
    return made
