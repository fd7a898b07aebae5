"""The invented reports as files, and questions to them in five wordings from several lists."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

from reportlab.pdfgen.canvas import Canvas

from benchmarks.invented_filings.companies import COMPANIES, InventedCompany
from benchmarks.invented_filings.report import Report
from benchmarks.rendering.faces import register_faces

PHRASES: dict[str, dict[str, list[str]]] = tomllib.loads(Path(__file__).with_name("phrases.toml").read_text("utf-8"))
EACH = 10  # Questions to a company; the items follow in turn, so that each comes three or four times.
YEARS = (2022, 2023)

Page = tuple[str, int]  # A report's name and a page of it, from 1.
Answers = Mapping[tuple[str, str, int], set[Page]]  # By a company's ticker, an item, a fiscal year.
_PERIODS = {"asked": ("fiscal {}", "FY{}"), "analyst": ("FY{}",)}


def write_reports(folder: Path, fillers: Sequence[str]) -> Answers:
    """Write the report of every company for every year into a folder as PDF; gives the pages that answer.

    `fillers` are paragraphs of prose. A year is answered by the report of the next one too where that repeats it.
    """
    register_faces()
    folder.mkdir(parents=True, exist_ok=True)
    answers: defaultdict[tuple[str, str, int], set[Page]] = defaultdict(set)
    for company in COMPANIES:
        for year in YEARS:
            name = f"{company.short.replace(' ', '_')}_{year}_{'annual_report' if company.ifrs else '10K'}"
            report = Report(company, year, fillers).write()
            canvas = Canvas(str(folder / f"{name}.pdf"), invariant=1)
            for page in report.flow.pages:
                page.paint(canvas)
            canvas.save()
            for (item, of), pages in report.pages.items():
                answers[company.ticker, item, of] |= {(name, page) for page in pages}
    return answers


def worded(answers: Answers) -> Iterator[tuple[str, dict[str, str], frozenset[Page]]]:
    """A name, the wordings by style, and the pages that answer, of every question."""
    items = list(PHRASES)
    for number, company in enumerate(COMPANIES):
        for turn in range(EACH):
            item, year = items[(number * EACH + turn) % len(items)], YEARS[(number + turn) % 2]
            pages = frozenset(answers[company.ticker, item, year])
            yield f"{company.ticker}-{item}-{year}", dict(_wordings(company, item, year)), pages


def _wordings(company: InventedCompany, item: str, year: int) -> Iterator[tuple[str, str]]:
    for style, phrases in PHRASES[item].items():
        random = Random(f"{company.ticker} {item} {year} {style}")
        period = random.choice(_PERIODS.get(style, ("{}",))).format(year % 100 if style == "analyst" else year)
        yield style, random.choice(phrases).format(c=company.short, p=period, r=company.regions[1])
