"""Pages in the making that note which items they answer for which year."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from random import Random

from benchmarks.invented_filings.companies import InventedCompany, figures
from benchmarks.rendering.faces import FACES, wrap
from benchmarks.rendering.flow import Flow, Sheet
from benchmarks.rendering.grid import Grid
from benchmarks.rendering.prose import Hand, heading, paragraph
from benchmarks.rendering.style import choose_style
from benchmarks.rendering.table import lay_table

_COSTS = {"cost_of_sales", "research", "overheads", "restructuring", "interest_expense", "tax"}

Row = tuple[str, Sequence[str], Sequence[str]]  # A label, the cells, the items that the row answers.


class ReportPages:
    """The pages of one annual report; `pages` has those that answer by item and year."""

    def __init__(self, company: InventedCompany, year: int, fillers: Sequence[str]) -> None:
        """No page is written yet. `fillers` are paragraphs without figures."""
        self.company, self.year = company, year
        self.random = Random(f"report {company.short} {year}")
        self.fillers = self.random.sample(fillers, len(fillers))
        looks = Random(f"looks {company.short}")
        family = looks.choice(("sans", "serif", "embedded"))
        width, height = (595.3, 841.9) if company.ifrs else (612.0, 792.0)
        header = looks.choice(("", f"{company.name}", "Annual Report"))
        self.flow = Flow(Sheet(width, height, looks.choice((54.0, 64.0)), header=header, font=FACES[family].plain))
        self.hand = Hand(FACES[family], looks.choice((9.5, 10.0, 10.5)), 1.25, justified=False)
        rules = looks.choice(("norules", "headrule", "hairlines", "shade", "booktabs"))
        style = choose_style(looks, family, rules, 9.5)
        self.style = replace(style, pad=min(style.pad, 3.0), gap=min(style.gap, 14.0), label_share=0.6, leading=1.2)
        self.years = (year, year - 1) if company.ifrs else (year, year - 1, year - 2)
        self.figures = {each: figures(company, each) for each in self.years}
        self.pages: defaultdict[tuple[str, int], set[int]] = defaultdict(set)

    def _money(self, value: float, unit: str = " million") -> str:
        return f"{self.company.currency}{value:,.1f}{unit}"

    def _now(self, item: str, year: int | None = None) -> float:
        return abs(self.figures[year or self.year][item])

    def _title(self, text: str, scale: float = 1.15) -> None:
        heading(self.flow, self.hand, text, scale=scale)

    def _fact(self, text: str, *items: str, years: Sequence[int] = ()) -> None:
        """A paragraph on one page, which answers these items; for the report's year where none is given."""
        lines = len(wrap(text, self.hand.face.plain, self.hand.size, self.flow.width))
        self.flow.need((lines + 1) * self.hand.line)
        for item in items:
            for year in years or (self.year,):
                self.pages[item, year].add(len(self.flow.pages))
        paragraph(self.flow, self.hand, text)

    def _fill(self, count: int) -> None:
        for _ in range(min(count, len(self.fillers))):
            paragraph(self.flow, self.hand, self.fillers.pop())

    def _table(self, head: Sequence[str], rows: Sequence[Row], years: Sequence[int]) -> None:
        """A table of rows, each with a label, its cells and the items that it answers for `years`."""
        grid = Grid((tuple(head), *((label, *cells) for label, cells, _ in rows)), 1)
        small = replace(self.style, size=7.5, gap=8.0)
        box = lay_table(grid, self.style, self.flow.width) or lay_table(grid, small, self.flow.width)
        assert box is not None, "the table is too wide"
        self.flow.need(min(box.height, self.flow.depth * 0.9))
        self.flow.draw(box, "", splits=True)
        self.flow.y += 9.0
        for part in self.flow.tables[-1].parts:
            for row in range(max(part.rows[0], 1), part.rows[1] + 1):
                for item in rows[row - 1][2]:
                    for year in years:
                        self.pages[item, year].add(part.page)

    def _lines(
        self, unit: str, names: Sequence[tuple[str, str, Sequence[str]]], years: Sequence[int], places: int = 1
    ) -> None:
        """A table of figures by year: the item of each row, its label, what it answers besides itself."""
        rows = [
            (label, [self._cell(item, year, places) for year in years], (item, *more)) for item, label, more in names
        ]
        self._table((unit, *map(self._column, years)), rows, years)

    def _column(self, year: int) -> str:
        """How the company heads the column of a year in its statements."""
        return self.company.choose(
            "column", str(year), f"{self.company.year_end}, {year}", f"FY{year}", f"Fiscal {year}"
        )

    def _cell(self, item: str, year: int, places: int) -> str:
        value = self.figures[year][item]
        text = f"{abs(value):,.2f}" if item == "eps" else f"{abs(value):,.{places}f}"
        negative = value < 0 or (item in _COSTS and self.company.ifrs)
        return f"({text})" if negative else text
