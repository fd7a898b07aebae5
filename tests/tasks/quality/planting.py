"""Clean notes made of the project's own samples, and defects planted into them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read
from warehouse.records import BlockKind

SAMPLES = Path(__file__).parents[3] / "samples"
_SOURCES = (
    "papers/nitrate-drift.xml",
    "courses/ocean-time-series.txt",
    "courses/reading-quarters.txt",
    "reports/board-memo-capital-plan.docx",
    "reports/incident-2025-06.txt",
)
_UNFIT = re.compile(
    r"\d|\b[A-Z]{3,}\b|[Ff]iscal|[Ff]ollowing|\b(?:January|February|March|April|May|June|July|August)\b"
)
NOTES = 6
Plant = Callable[[dict[str, str], str], list[str]]
"""Changes the notes (text by name) at the note named, and gives the names in which its rule must fire."""


@cache
def paragraphs() -> tuple[str, ...]:
    """Whole sentences, each a paragraph of its own, without dates, acronyms and references: the files are read once."""
    made = [read(Raw(Path(name).name, (SAMPLES / name).read_bytes())) for name in _SOURCES]
    texts = (
        " ".join(document.text[block.start : block.end].split())
        for document in made
        for block in document.blocks
        if block.kind is BlockKind.PARAGRAPH
    )
    sentences = chain.from_iterable(re.split(r"(?<=[.!?]) (?=[A-Z])", text) for text in texts)
    return tuple(each for each in sentences if each.endswith(".") and len(each) > 50 and not _UNFIT.search(each))


def clean() -> dict[str, str]:
    """Notes with a date, links to the next one, two sections and a table, none like another."""
    every = paragraphs()
    size = len(every) // NOTES
    notes = {}
    for number in range(NOTES):
        own = every[number * size : (number + 1) * size]
        body = "\n\n".join(
            (f"# Note {number}", *own[: size // 2], f"## Part {number}", *own[size // 2 :], table(number))
        )
        link = f"More is said in [[Note {(number + 1) % NOTES}]]."
        notes[f"Note {number}.md"] = f"---\ndate: 2024-0{number + 1}-12\ntags: [field]\n---\n\n{body}\n\n{link}\n"
    return notes


def table(number: int) -> str:
    rows = [(f"Tea of {number}", 1200, 1350), ("Ink", 310, 290), ("Pens", 95, 120 + number)]
    total = ("Total", sum(row[1] for row in rows), sum(row[2] for row in rows))
    shown = [f"| {name} | {before:,} | {after:,} |" for name, before, after in (*rows, total)]
    return "\n".join(("| Item | 2022 | 2023 |", "|---|---|---|", *shown))


def both(*plants: Plant) -> Plant:
    """One after the other."""

    def plant(notes: dict[str, str], name: str) -> list[str]:
        return [plant(notes, name) for plant in plants][-1]

    return plant


def appended(text: str) -> Plant:
    """Put a passage at the end."""

    def plant(notes: dict[str, str], name: str) -> list[str]:
        notes[name] = f"{notes[name]}\n{text}\n"
        return [name]

    return plant


def replaced(pattern: str, by: str, count: int = 1) -> Plant:
    """Change what is there."""

    def plant(notes: dict[str, str], name: str) -> list[str]:
        notes[name], changes = re.subn(pattern, by, notes[name], count=count, flags=re.MULTILINE)
        assert changes
        return [name]

    return plant


def added(name: str, text: str) -> Plant:
    """Put another file beside."""

    def plant(notes: dict[str, str], _: str) -> list[str]:
        notes[name] = text
        return [name]

    return plant


def copied(change: Callable[[str], str]) -> Plant:
    """Put a changed copy beside."""

    def plant(notes: dict[str, str], name: str) -> list[str]:
        notes[f"z {name}"] = change(notes[name])
        return [f"z {name}"]

    return plant


def superseded(notes: dict[str, str], name: str) -> list[str]:
    """The same statement twice, with another figure in the later note."""
    later = max(notes)
    earlier = min(notes)
    notes[earlier] += "\nThe basic plan costs 30 dollars for each member of a team.\n"
    notes[later] += "\nThe basic plan costs 35 dollars for each member of a team.\n"
    return [earlier]


def near_chunk(notes: dict[str, str], name: str) -> list[str]:
    """A section of conditions in two notes, the later one hardly changed."""
    terms = " ".join(f"The {who} shall {do} the buoy." for who in _WHO for do in _DO)
    first, second = sorted((name, "Note 5.md"))
    notes[first] += f"\n# Conditions\n\n{terms}\n"
    notes[second] += f"\n# Conditions\n\n{terms.replace('keeper', 'warden', 1)}\n"
    return [second]


def near_passage(notes: dict[str, str], name: str) -> list[str]:
    """A paragraph of one note amid the last section of another."""
    first, second = sorted((name, "Note 5.md"))
    terms = " ".join(f"The {who} shall {do} the buoy." for who in _WHO for do in _DO)
    notes[first] += f"\n{terms}\n"
    notes[second] += f"\nIt is said in another place as well.\n\n{terms.replace('owner', 'holder', 1)}\n"
    return [second]


def overtaken(statement: str, old: str, new: str) -> Plant:
    """A statement in the first note that the last one makes anew."""

    def plant(notes: dict[str, str], _: str) -> list[str]:
        notes[min(notes)] += f"\n{statement}\n"
        notes[max(notes)] += f"\n{statement.replace(old, new)}\n"
        return [min(notes)]

    return plant


CUT = "The cost of all repairs to the moorings and to the buoys of the eastern harbour was higher than"
GERMAN = " ".join(
    ("Der Hafen ist im vergangenen Jahr deutlich gewachsen, und auch die Zahl der Schiffe hat sich verbessert.",) * 9
)
PAGE = (
    "<html><head><title>Costs</title><meta name='date' content='2024-02-03'></head><body><p>The costs are these.</p>"
    "<table><tr><th>Item</th><th>2022</th><th>2023</th></tr>\n<tr><td>Tea</td><td>1,200</td><td>1,350</td></tr>\n"
    "<tr><td>Ink</td><td>310</td><td>290</td></tr>\n<tr><td>Pens</td><td>95</td><td>120</td></tr>\n</table></body></html>"
)
_WHO = ("keeper of the light", "harbour master", "pilot on duty", "owner of the mooring")
_DO = ("inspect and paint", "not move or lend", "pay the dues of")

SEEDS: dict[str, tuple[tuple[str, Plant], ...]] = {
    "DOC": (
        ("DOC016", appended("They met at the cafÃ© by the harbour.")),
        ("DOC016", appended("It isnâ€™t known who wrote it.")),
        ("DOC016", appended("They met at the caf√© near the fa√ßade.")),
        ("DOC016", appended("He asked: Ïðèâåò, êàê äåëà ñåãîäíÿ.")),
        ("DOC020", replaced(r"^date: .*$", "date: 2062-03-04")),
        ("DOC020", added("minutes-2071-05-06.md", "# Minutes\n\nThe keepers met and went home again.\n")),
        ("DOC015", added("minutes-2014-05-06.md", "---\ndate: 2023-05-06\n---\n\nThe keepers met and went home.\n")),
        ("DOC015", replaced(r"^(# Note \d)$", r"\1\n\nPublished: 12 May 2014")),
        ("DOC008", replaced(r"^tags: .*$", "title: Plan: draft")),
        ("DOC008", replaced(r"^tags: .*$", "tags: [field")),
        ("DOC017", copied(lambda text: text)),
        ("DOC018", copied(lambda text: text.replace("More is said", "Much more is said"))),
        ("DOC019", replaced(r"\A---\n(?:.*\n)+?---\n", "")),
        ("DOC021", appended("公司收入增长了百分之十，利润也增加了很多，市场反应良好，前景光明。\n\n" * 40)),
        ("DOC021", replaced(r"^(# Note \d)$", rf"\1\n\n{GERMAN}")),
        ("DOC002", added("empty.txt", "")),
        ("DOC004", added("cut.pdf", "%PDF-1.4\n1 0 obj\n<< /Type /Catalog")),
    ),
    "TAB": (
        ("TAB004", replaced(r"^\| Ink \| 310 \| 290 \|$", "| Ink | 310 |")),
        ("TAB004", replaced(r"^\| Ink \| 310 \| 290 \|$", "| Ink | 310 | 290 | 7 |")),
        ("TAB005", replaced(r"^\| Item \| 2022 \| 2023 \|$", "| | | |")),
        (
            "TAB007",
            both(
                replaced(r"^\|(?! Item|-)(.*)$", r"|\1 |", 0),
                replaced(r"^\| Item(.*)$", r"| Item\1 Notes |"),
                replaced(r"^\|---(.*)$", r"|---\1---|"),
            ),
        ),
        ("TAB004", added("page.html", PAGE.replace("<td>290</td>", ""))),
        ("TAB005", added("page.html", PAGE.replace("<th>", "<td>").replace("2022", "1,210").replace("2023", "1,377"))),
        ("TAB004", added("sums-2024-02-02.csv", "Item,2022\nTea,1210,1377\nInk,310,290\nPens,95,120\n")),
        ("TAB005", added("sums-2024-02-02.csv", ",,\nTea,1210,1377\nInk,314,291\nPens,95,120\n")),
        ("TAB008", added("sums-2024-02-02.csv", "Item,2022\nTea,1210\nInk,--310\nPens,95\nCups,41\n")),
        ("TAB008", added("sums-2024-02-02.csv", "Item,2022\nTea,12.1\nInk,3.x\nPens,9.5\nCups,4.1\n")),
        ("TAB008", replaced(r"\| 310 \|", "| #REF! |")),
        ("TAB008", replaced(r"\| 310 \|", "| 310abc |")),
        ("TAB008", replaced(r"\| 310 \|", "| three |")),
        ("TAB008", replaced(r"\| 310 \|", "| 3l0 |")),
        ("TAB008", replaced(r"\| 310 \|", "| 31..0 |")),
        ("TAB008", replaced(r"\| 310 \|", "| 3,10,5 |")),
        ("TAB003", replaced(r"^\| Ink \| 310 ", "| Ink | 410 ")),
        ("TAB003", replaced(r"^\| Total \| 1", "| Total | 2")),
    ),
    "CHK": (
        ("CHK013", appended("The na\ufffdve view is common.")),
        ("CHK013", appended("The word (cid:12)(cid:45)(cid:9) is lost.")),
        ("CHK002", added("cut.md", "which rose by four parts in a hundred against what the founders had hoped for.")),
        ("CHK003", appended("\n# Costs\n\nThe cost of all repairs to the moorings and the buoys amounted to")),
        ("CHK004", appended("\n# Costs\n\nSee there.")),
        ("CHK005", appended("\n# Costs\n\n12 345 11 202 9.2 % 8 114 7 903 2.7 % 5 611 4 402 1.1 % 9 555 3 141 9.9 %")),
        ("CHK008", appended("\n# Legal\n\n© Northlight Ltd. All rights reserved. No part of this may be reproduced.")),
        ("CHK002", appended("\n# Costs\n\nwhich rose by four parts in a hundred against what they had hoped for.\n")),
        ("CHK003", replaced(r"^(## Part \d)$", rf"{CUT}\n\n\1")),
        ("CHK005", appended("\n# Bytes\n\n" + "0f a3 7c 19 e2 04 b8 55 " * 12)),
        ("CHK006", replaced(r"^(## Part \d)$", r"## What is left\n\n\1")),
        ("CHK006", appended("\n## What is left")),
        ("CHK008", appended("We use cookies to give you the best experience. Accept all cookies. Privacy policy.")),
        ("CHK008", appended("Past performance is no guide to what comes. You may not get back the amount you paid.")),
        ("CHK008", appended("Home | About us | Contact | Sitemap | Log in | Subscribe")),
        ("CHK008", appended("Aims ........ 3\n\nCosts ........ 14\n\nRisks ........ 27")),
        ("CHK009", near_chunk),
        ("CHK009", near_passage),
        ("CHK011", appended("The map on the next page marks the route.")),
        ("CHK011", appended("The table that follows lists the ships.")),
        ("CHK011", added("plain.md", "---\ndate: 2024-02-02\n---\n\nThe results are shown in the table below.\n")),
        ("CHK012", appended("The ARPU fell in all shops. In the end the ARPU rose again.")),
        (
            "CHK010",
            appended("\n# 附录\n\n" + "公司收入增长，利润增加，市场反应良好，前景光明，员工稳定，" * 12 + "好。"),
        ),
    ),
    "TMP": (
        ("TMP001", appended("They met on 03/04/2023 in Oslo.")),
        ("TMP001", appended("From 03/04/2023 to 05/06/2023 the quay was shut.")),
        ("TMP003", appended("It began on 20230231 and ended soon.")),
        ("TMP003", appended("It was signed on February 30, 2023, in Oslo.")),
        ("TMP003", appended("It was signed on 31 April 2023 in Oslo.")),
        ("TMP003", appended("It was signed on 2023-13-05 in Oslo.")),
        ("TMP004", appended("Sales grew in the second quarter of fiscal 2023.")),
        ("TMP003", appended("It was signed on 2023/02/30 in Oslo.")),
        ("TMP004", appended("In Q3 FY21 two more shops were opened.")),
        ("TMP005", superseded),
        ("TMP005", overtaken("The chief keeper of the Northlight is Anna Berg.", "Anna Berg", "Tom Hale")),
        ("TMP005", overtaken("Our terms allow 30 days for any item you send back.", "30", "14")),
        ("TMP005", overtaken("The current rate of the loan is 3.5% for members.", "3.5%", "now 4.25%")),
        ("TMP002", added("plain.txt", "Sales fell last month. They will rise next quarter, or so everybody hopes.")),
    ),
    "VLT": (
        ("VLT001", appended("See [[Nowhere]].")),
        ("VLT001", appended("See ![[lost.png]].")),
        ("VLT002", added("Lone.md", "---\ndate: 2024-02-02\n---\n\nNobody knows of it, and it knows of nobody.\n")),
        ("VLT004", appended("See [[Note 1#Nothing]].")),
        ("VLT005", replaced(r"^date: .*$", "date: 2023-13-05")),
        ("VLT001", appended("See [the plan](lost/plan.md).")),
        ("VLT004", appended("See [[#Nothing such]].")),
        ("VLT005", replaced(r"^date: .*$", "date: soon")),
        ("VLT005", replaced(r"^tags: .*$", "tags: [annual report]")),
        ("VLT105", appended("See [[Note 1^a#b]].")),
        ("VLT103", appended("See [[Note 1.")),
        ("VLT112", appended("```\nx = 1")),
        ("VLT123", appended("\n##Costs of it")),
    ),
}


def seeds(family: str) -> Iterator[tuple[str, Plant]]:
    yield from SEEDS[family]
