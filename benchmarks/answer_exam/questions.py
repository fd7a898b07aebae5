"""The questions: each with its warehouse, its half, what it must find, and where that is to be found."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.answer_exam.outcomes import Rule, figures
from benchmarks.answer_exam.reports import HALVES, Report, half_of, hashed, reports

OWN_FILINGS = Path(__file__).with_name("filings.jsonl")
PASSAGES = 300
"""Passages of a collection of passages that become documents."""
_YEAR = re.compile(r"(?:19|20)\d\d")
_ABSENT_COMPANIES = (
    "Zephyr Marine",
    "Quorra Systems",
    "Halberd Mining",
    "Ottoline Air",
    "Fennimore Steel",
    "Ostrander Labs",
)
_FRAMES = (
    "{question}",
    "According to {company}, {lower}",
    "Please tell me about {company}: {lower}",
    "In the report of {company}, {lower}",
)
_WORDINGS: Mapping[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "revenue": (
        r"(total |net )?(revenues?|sales)",
        ("How much did {company} take in in {year}?", "What was the top line of {company} in {year}?"),
        ("What were {company}'s proceeds from selling in {year}?", "How large was {company}'s turnover in {year}?"),
    ),
    "profit": (
        r"net (income|earnings|profit)( \(loss\))?",
        ("What was the bottom line of {company} in {year}?",),
        ("How much profit did {company} make in {year}?", "What did {company} earn in {year}?"),
    ),
    "per share": (
        r".*\bdiluted (earnings|net income|income)?.*per (common )?share.*|diluted( eps)?",
        ("What did {company} earn per share, diluted, in {year}?",),
        ("How much did {company} make a share after dilution in {year}?", "{company}'s diluted EPS, {year}?"),
    ),
    "cash": (
        r"cash and cash equivalents",
        ("How much cash on hand did {company} have in {year}?",),
        ("How much money did {company} hold in cash in {year}?", "Cash position of {company} {year}"),
    ),
    "assets": (
        r"total assets",
        ("How big was the balance sheet of {company} in {year}?",),
        (
            "What was everything worth that {company} owned in {year}, in assets?",
            "Sum of assets at {company} in {year}",
        ),
    ),
    "operating": (
        r"(operating income|operating profit|income from operations)( \(loss\))?",
        ("What was {company}'s EBIT in {year}?",),
        (
            "What did {company}'s operations earn in {year}?",
            "How high was the operating result of {company} in {year}?",
        ),
    ),
    "research": (
        r"research and development( expenses?| costs?)?",
        ("What did {company} spend on R&D in {year}?",),
        (
            "How much money went into developing new products at {company} in {year}, R&D?",
            "R and D at {company}, {year}",
        ),
    ),
    "tax": (
        r"(provision for income taxes|income tax expense|income tax(es)?)",
        ("How much tax did {company} book in {year}?",),
        ("What did {company} set aside for income taxes in {year}?", "Tax bill of {company} in {year}"),
    ),
    "gross": (
        r"gross (profit|margin)",
        ("What was left of {company}'s sales after their cost, the gross profit, in {year}?",),
        ("What did {company} make before operating costs, its gross income, in {year}?",),
    ),
    "depreciation": (
        r"depreciation and amortization.*|depreciation.*",
        ("How high were {company}'s D&A in {year}?",),
        ("How much did {company} write down by depreciation in {year}?",),
    ),
    "inventory": (
        r"(total )?inventor(y|ies)(, net)?",
        ("How much stock lay in the warehouses of {company} (inventory) in {year}?",),
        ("What were the goods in stock worth at {company} in {year}, the inventories?",),
    ),
    "receivables": (
        r"(accounts|trade) receivables?.*",
        ("What did customers owe {company} in {year}?",),
        ("How much had {company} yet to collect from its customers in {year}, receivables?",),
    ),
    "goodwill": (
        r"goodwill",
        ("How much goodwill did {company} carry in {year}?",),
        ("What is the goodwill on the books of {company} for {year}?",),
    ),
    "shares": (
        r"(stock|share)-based compensation.*",
        ("What did {company} give its staff in stock-based pay in {year}?",),
        ("How much was paid to employees in shares at {company} in {year} (share-based compensation)?",),
    ),
    "debt": (
        r"(total )?long-term debt.*|total debt",
        ("How much long-term borrowing did {company} have in {year}?",),
        ("How deep was {company} in long-term debt in {year}?",),
    ),
}
"""For each item what rows are called, and questions in other words: those of the half to choose by, those to report."""


@dataclass(frozen=True)
class Asked:
    """A question. `group` is the kind, `warehouse` whom it is asked of, `document` the only file that it may use."""

    id: str
    group: str
    half: str
    warehouse: str
    text: str
    rule: Rule
    gold: tuple[str, ...] = ()
    scale: str = ""
    document: str = ""

    @property
    def answerable(self) -> bool:
        """Whether the documents have the answer."""
        return self.rule is not Rule.NONE


def write_documents(data: Path, folder: Path) -> list[str]:
    """Write the documents of each warehouse into a folder of its own. The names of the warehouses."""
    for report in _reports(data):
        _write(folder / "reports" / report.name, report.html())
    for file in sorted((data / "pdf").glob("*.pdf")):
        (folder / "filings").mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, folder / "filings" / file.name)
    for file in sorted((data / "chunking" / "corpora").glob("*.md")):
        _write(folder / "prose" / file.name, file.read_text(encoding="utf-8"))
    for name, place in _COLLECTIONS.items():
        for key, text in _passages(data / place).items():
            _write(folder / name / f"{key}.txt", text)
    return ["reports", "filings", "prose", *_COLLECTIONS]


def questions(data: Path, most: int) -> list[Asked]:
    """All questions, of each group and half at most `most`, chosen by the hash of their ids."""
    found: dict[tuple[str, str], list[Asked]] = {}
    for each in _every(data):
        found.setdefault((each.group, each.half), []).append(each)
    return [each for own in found.values() for each in sorted(own, key=lambda asked: hashed(asked.id))[:most]]


def _every(data: Path) -> Iterator[Asked]:
    made = _reports(data)
    for place, report in enumerate(made):
        own = list(_tatqa(report))
        yield from own
        yield from _reworded(report)
        yield from _absent(report, own, made[place - 1])
    yield from _filings(data)
    yield from _prose(data)
    for name, place in _COLLECTIONS.items():
        yield from _collected(data / place, name)
    yield from _strangers()


def _reports(data: Path) -> list[Report]:
    return reports(json.loads((data / "tables_qa" / "tatqa_dev.json").read_text(encoding="utf-8")))


def _tatqa(report: Report) -> Iterator[Asked]:
    for context in report.contexts:
        for item in context["questions"]:
            gold, group, rule = _gold(item)
            if gold:
                text, document = _framed(item["question"], report, item["uid"])
                scale = (
                    item["scale"] if item["scale"] in ("thousand", "million", "billion") and rule is Rule.ALL else ""
                )
                yield Asked(item["uid"], group, report.half, "reports", text, rule, gold, scale, document)


def _gold(item: Mapping[str, Any]) -> tuple[tuple[str, ...], str, Rule]:
    """What must be quoted, the group and the rule; nothing for what asks to count, to compare, or for several spans."""
    if item["answer_type"] == "span" and not item["req_comparison"]:
        gold = str(item["answer"][0])
        if item["answer_from"] == "text":
            return (gold,), "paragraphs", Rule.SPAN
        if _YEAR.fullmatch(gold.strip()) or not any(map(str.isalnum, gold)):
            return (), "", Rule.NONE
        return ((gold,), "tables", Rule.ALL) if figures(gold) else ((gold,), "tables", Rule.SPAN)
    if item["answer_type"] == "arithmetic" and item["answer_from"] == "table":
        parts = tuple(dict.fromkeys(re.findall(r"\d[\d,]*\.?\d*", item["derivation"])))
        parts = tuple(part for part in parts if part not in ("100", "2", "3", "1"))
        if 1 < len(parts) < 4:
            return parts, "computed", Rule.ALL
    return (), "", Rule.NONE


def _framed(question: str, report: Report, key: str) -> tuple[str, str]:
    """The question as somebody asks it who names the company, or limits it to the report."""
    frame = _FRAMES[hashed(key) % len(_FRAMES)]
    lower = question[:1].lower() + question[1:]
    return frame.format(question=question, company=report.company, lower=lower), report.name if frame == _FRAMES[
        0
    ] else ""


def _reworded(report: Report) -> Iterator[Asked]:
    for name, (row, *halves) in _WORDINGS.items():
        for year, values in sorted(_values(report, row).items()):
            for number, wording in enumerate(halves[HALVES.index(report.half)]):
                text = wording.format(company=report.company, year=year)
                yield Asked(
                    f"{report.company} {name} {year} {number}",
                    "reworded",
                    report.half,
                    "reports",
                    text,
                    Rule.ANY,
                    tuple(values),
                )


def _values(report: Report, row: str) -> dict[str, list[str]]:
    """By year, the figures in the rows of a name, of the tables whose columns are years; one year a report."""
    found: dict[str, list[str]] = {}
    for context in report.contexts:
        table = context["table"]["table"]
        head = next((line for line in table[:3] if sum(bool(_YEAR.fullmatch(cell.strip())) for cell in line) > 1), None)
        for line in table if head else ():
            if re.fullmatch(row, line[0].strip().lower()):
                for year, cell in zip(head or (), line, strict=False):
                    if _YEAR.fullmatch(year.strip()) and any(len(str(each)) > 1 for each in figures(cell)):
                        found.setdefault(year.strip(), []).append(cell)
    return dict(sorted(found.items())[-1:])


def _absent(report: Report, own: Sequence[Asked], other: Report) -> Iterator[Asked]:
    """The report's questions asked of another company, of a time long past, and of a report that lacks the words."""
    for each in own:
        bare = replace(each, rule=Rule.NONE, gold=(), scale="")
        plain = next(item for context in report.contexts for item in context["questions"] if item["uid"] == each.id)[
            "question"
        ]
        lower = plain[:1].lower() + plain[1:]
        choice = hashed(f"{each.id} absent") % 8
        if choice == 0:
            company = _ABSENT_COMPANIES[hashed(each.id) % len(_ABSENT_COMPANIES)]
            yield replace(
                bare, id=f"{each.id} subject", group="absent subject", text=f"For {company}, {lower}", document=""
            )
        elif choice == 1 and _YEAR.search(plain):
            text = _YEAR.sub(lambda match: str(int(match[0]) - 25), lower)
            yield replace(
                bare, id=f"{each.id} period", group="absent period", text=f"For {report.company}, {text}", document=""
            )
        elif choice == 2 and other.half == report.half:
            words = set(re.findall(r"[a-z]{5,}", plain.lower())) - _FRAMING
            missing = [word for word in words if word[:5] not in other.text]
            if len(missing) > 1 and 2 * len(missing) >= len(words):
                yield replace(bare, id=f"{each.id} matter", group="absent matter", text=plain, document=other.name)


_FRAMING_WORDS = "which where there their these those about total amount company during between respective value"
_FRAMING = frozenset(_FRAMING_WORDS.split())


def _filings(data: Path) -> Iterator[Asked]:
    for line in OWN_FILINGS.read_text(encoding="utf-8").splitlines():
        item = json.loads(line)
        rule = Rule(item.get("rule", "all"))
        text = item["question"]
        yield Asked(text, "filings", half_of(text), "filings", text, rule, tuple(item["gold"]), item.get("scale", ""))
    for line in (data / "pdf" / "questions.jsonl").read_text(encoding="utf-8").splitlines():
        item = json.loads(line)
        lines = tuple(part for each in item["evidence"] for part in [each["text"]])
        found = [each for each in re.findall(r"\d[\d,]*\.?\d+", item["answer"]) if not _YEAR.fullmatch(each)]
        held = " ".join(lines)
        kept = tuple(each for each in found if figures(each) <= figures(held))
        rule, gold = (Rule.ANY, kept) if kept else (Rule.PASSAGE, lines)
        yield Asked(item["id"], "financebench", "report", "filings", item["question"], rule, gold)


def _prose(data: Path) -> Iterator[Asked]:
    for line in (data / "chunking" / "questions.jsonl").read_text(encoding="utf-8").splitlines():
        item = json.loads(line)
        if (data / "chunking" / "corpora" / f"{item['corpus']}.md").exists():
            gold = tuple(each["content"] for each in item["references"])
            yield Asked(
                item["question"], "prose", half_of(item["question"]), "prose", item["question"], Rule.SPAN, gold
            )


_COLLECTIONS = {"hotpotqa": "multihop/hotpotqa", "drcd": "chinese/drcd"}


def _passages(place: Path) -> dict[str, str]:
    """The first passages of a collection in BEIR's layout, those first that questions ask for."""
    asked = _relevant(place)
    wanted = {key for keys in asked.values() for key in keys}
    items = [json.loads(line) for line in (place / "corpus.jsonl").read_text(encoding="utf-8").splitlines()]
    items.sort(key=lambda item: (item["_id"] not in wanted, hashed(item["_id"])))
    return {item["_id"]: f"{item.get('title', '')}\n\n{item['text']}".strip() for item in items[:PASSAGES]}


def _relevant(place: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in (place / "qrels" / "test.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        query, passage, score = line.split("\t")
        if int(score) > 0:
            found.setdefault(query, []).append(passage)
    return found


def _collected(place: Path, name: str) -> Iterator[Asked]:
    held, relevant = _passages(place), _relevant(place)
    for line in (place / "queries.jsonl").read_text(encoding="utf-8").splitlines():
        item = json.loads(line)
        gold = tuple(held[each] for each in relevant.get(item["_id"], ()) if each in held)
        if gold:
            yield Asked(item["_id"], name, half_of(item["_id"]), name, item["text"], Rule.PASSAGE, gold)


def _strangers() -> Iterator[Asked]:
    """Questions about what is in none of the filings."""
    items = ("revenue", "net income", "cash on hand", "dividend per share", "number of employees", "operating margin")
    for place, company in enumerate(
        ("Microsoft", "Nike", "Toyota", "Boeing", "Pfizer", "Unilever", "Siemens", "Walmart")
    ):
        for number, item in enumerate(items):
            if (place + number) % 3 == 0:
                text = f"What was {company}'s {item} in 2022?"
                yield Asked(text, "absent subject", half_of(text), "filings", text, Rule.NONE)
    for company in ("Adobe", "Amcor", "Best Buy", "PepsiCo"):
        for item in items[:4]:
            text = f"What was {company}'s {item} in 2009?"
            yield Asked(text, "absent period", half_of(text), "filings", text, Rule.NONE)
    for text in (
        "Who won the football world cup in 1998?",
        "What is the capital of Mongolia?",
        "How do I bake sourdough bread?",
        "What is the boiling point of ethanol?",
        "Who wrote Pride and Prejudice?",
        "How many moons does Jupiter have?",
        "What does the liver do?",
        "How tall is the Eiffel Tower?",
    ):
        yield Asked(text, "absent matter", half_of(text), "filings", text, Rule.NONE)


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
