"""Makes the binary files of `samples/`, byte for byte the same each time.

    python benchmarks/make_samples.py [FOLDER]

Three earnings releases, a board memo and a damaged PDF. Northlight Instruments is invented. Its fiscal year
ends on September 30; figures are in millions of US dollars.
Needs reportlab (the `dev` extra).
"""

from __future__ import annotations

import argparse
import os
import zipfile
from dataclasses import dataclass
from datetime import UTC, date, datetime
from io import BytesIO
from pathlib import Path

LINES = ("Instruments", "Data services", "Cost of revenue", "Operating expenses", "Taxes and interest")
FIGURES = {
    (2024, 1): (62.6, 22.3, 46.7, 27.4, 2.5),
    (2024, 2): (64.8, 23.6, 47.7, 28.3, 2.9),
    (2024, 3): (66.9, 25.2, 48.8, 29.4, 3.2),
    (2024, 4): (70.1, 27.5, 50.8, 30.6, 3.7),
    (2025, 1): (68.0, 28.2, 50.0, 31.0, 3.5),
    (2025, 2): (70.9, 30.8, 51.9, 32.6, 3.9),
    (2025, 3): (74.1, 34.2, 54.1, 34.0, 4.6),
    (2025, 4): (78.0, 37.8, 56.7, 35.6, 5.3),
}
RISKS = (
    "The recall of June 2025 showed that one supplier makes all our optical windows; the line in Bergen ends that.",
    "The lease in Hamina is priced in euros and hedged until December 2027.",
    "If revenue in the first half of fiscal 2026 stays below $220 million, maintenance is cut first.",
)
SHARES = 40.0
ENDS = {1: "December 31", 2: "March 31", 3: "June 30", 4: "September 30"}
ORDINALS = {2: "Second", 3: "Third", 4: "Fourth"}


@dataclass(frozen=True)
class Results:
    """The income statement of one or more quarters."""

    instruments: float
    data: float
    cost: float
    operating: float
    below: float

    @property
    def revenue(self) -> float:
        """What was sold."""
        return self.instruments + self.data

    @property
    def gross(self) -> float:
        """Revenue less what making it cost."""
        return self.revenue - self.cost

    @property
    def income(self) -> float:
        """Operating income."""
        return self.gross - self.operating

    @property
    def net(self) -> float:
        """Net income."""
        return self.income - self.below


def results(year: int, *quarters: int) -> Results:
    """The sum of some quarters of a fiscal year."""
    columns = zip(*(FIGURES[year, quarter] for quarter in quarters), strict=True)
    return Results(*(round(sum(column), 1) for column in columns))


@dataclass(frozen=True)
class Release:
    """One earnings release and what its management said."""

    quarter: int
    day: date
    quote: str
    story: str
    outlook: str

    @property
    def file(self) -> str:
        """The name of its PDF."""
        return f"northlight-fy2025-q{self.quarter}.pdf"

    @property
    def title(self) -> str:
        """The headline."""
        word = "Fourth Quarter and Full Year" if self.quarter == 4 else f"{ORDINALS[self.quarter]} Quarter"
        return f"Northlight Instruments Reports {word} Fiscal 2025 Results"

    @property
    def period(self) -> str:
        """The quarter in words."""
        return f"three months ended {ENDS[self.quarter]}, 2025"


RELEASES = (
    Release(
        2,
        date(2025, 4, 24),
        "Customers moved from buying sensors to buying answers, and our data services grew by almost a third.",
        "The Tromso calibration hall opened on February 10, 2025, three weeks ahead of plan, and doubled the number of "
        "nitrate sensors that can be calibrated in a month. Freight costs fell compared with the same quarter last "
        "year. The backlog stood at $142 million on March 31, 2025.",
        "For the third quarter of fiscal 2025 the Company expects revenue between $105 million and $109 million and a "
        "gross margin near 49.5%.",
    ),
    Release(
        3,
        date(2025, 7, 24),
        "This was the first quarter in which half of every dollar of revenue was left after the cost of making it.",
        "Data services passed $34 million for the first time, helped by the five-year contract with the Baltic "
        "Monitoring Agency that began on May 1, 2025. The recall of 212 optical windows announced on June 12, 2025 "
        "cost $1.1 million, all of it in the quarter. The backlog rose to $151 million on June 30, 2025.",
        "For the fourth quarter of fiscal 2025 the Company expects revenue between $112 million and $117 million and a "
        "gross margin near 50.5%.",
    ),
    Release(
        4,
        date(2025, 10, 30),
        "Fiscal 2025 closed with the strongest quarter in our history and with the optical window issue behind us.",
        "All recalled optical windows were replaced by August 29, 2025. In September 2025 the Company bought the "
        "software house Tidemark for $18 million in cash. The backlog stood at $163 million on September 30, 2025.",
        "For fiscal 2026, which ends on September 30, 2026, the Company expects revenue between $470 million and $485 "
        "million and capital spending of about $30 million.",
    ),
)


def money(value: float) -> str:
    """Millions with one decimal; a loss in parentheses."""
    return f"({-value:,.1f})" if value < 0 else f"{value:,.1f}"


def growth(now: float, before: float) -> str:
    """The change in percent."""
    return f"{100 * (now / before - 1):.1f}%"


def statement(columns: list[tuple[str, Results]]) -> list[list[str]]:
    """The income statement as rows, a column for each period."""
    each = [column for _, column in columns]
    return [
        ["(in millions, except per share)", *(name for name, _ in columns)],
        ["Instruments", *(money(one.instruments) for one in each)],
        ["Data services", *(money(one.data) for one in each)],
        ["Total revenue", *(money(one.revenue) for one in each)],
        ["Cost of revenue", *(money(one.cost) for one in each)],
        ["Gross profit", *(money(one.gross) for one in each)],
        ["Gross margin", *(f"{100 * one.gross / one.revenue:.1f}%" for one in each)],
        ["Operating expenses", *(money(one.operating) for one in each)],
        ["Operating income", *(money(one.income) for one in each)],
        ["Net income", *(money(one.net) for one in each)],
        ["Earnings per diluted share", *(f"${one.net / SHARES:.2f}" for one in each)],
    ]


def by_quarter(year: int) -> list[list[str]]:
    """Revenue and margin of the quarters of a fiscal year and of the whole."""
    columns = [results(year, quarter) for quarter in range(1, 5)]
    columns.append(results(year, 1, 2, 3, 4))
    return [
        ["(in millions)", *(f"Q{quarter} {year}" for quarter in range(1, 5)), f"FY{year}"],
        ["Revenue", *(money(one.revenue) for one in columns)],
        ["Gross margin", *(f"{100 * one.gross / one.revenue:.1f}%" for one in columns)],
        ["Operating income", *(money(one.income) for one in columns)],
    ]


def make_release(release: Release, folder: Path) -> None:
    """One PDF of two pages: the news, then the statements in ruled tables."""
    os.environ["SOURCE_DATE_EPOCH"] = str(int(datetime(*release.day.timetuple()[:3], 12, tzinfo=UTC).timestamp()))
    from reportlab.lib import colors
    from reportlab.lib.pagesizes import LETTER
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.platypus import Flowable, PageBreak, Paragraph, SimpleDocTemplate, Spacer, Table

    body = ParagraphStyle("body", fontName="Helvetica", fontSize=10, leading=14, spaceAfter=8)
    head = ParagraphStyle("head", parent=body, fontName="Helvetica-Bold", fontSize=13, leading=17, spaceBefore=10)
    top = ParagraphStyle("top", parent=head, fontSize=17, leading=22, spaceAfter=10)
    now, before = results(2025, release.quarter), results(2024, release.quarter)

    def ruled(rows: list[list[str]]) -> Flowable:
        style = [
            ("GRID", (0, 0), (-1, -1), 0.5, colors.black),
            ("FONT", (0, 0), (-1, -1), "Helvetica", 9),
            ("FONT", (0, 0), (-1, 0), "Helvetica-Bold", 9),
            ("ALIGN", (1, 0), (-1, -1), "RIGHT"),
        ]
        first = 190 if len(rows[0]) < 6 else 110
        return Table(rows, colWidths=[first] + [(500 - first) / (len(rows[0]) - 1)] * (len(rows[0]) - 1), style=style)

    day = f"{release.day:%B} {release.day.day}, {release.day.year}"
    story: list[Flowable] = [
        Paragraph(release.title, top),
        Paragraph(
            f"BERGEN, Norway, {day} - Northlight Instruments, Inc. today reported revenue of "
            f"${money(now.revenue)} million for the {release.period}, an increase of "
            f"{growth(now.revenue, before.revenue)} over the same period a year earlier. "
            f"Net income was ${money(now.net)} million, or "
            f"${now.net / SHARES:.2f} per diluted share.",
            body,
        ),
        Paragraph(f'"{release.quote.rstrip(".")}," said Maren Solheim, chief executive officer.', body),
        Paragraph("Highlights of the quarter", head),
        Paragraph(
            f"Revenue from instruments was ${money(now.instruments)} million and revenue from data services was "
            f"${money(now.data)} million. Gross margin was {100 * now.gross / now.revenue:.1f}%, compared with "
            f"{100 * before.gross / before.revenue:.1f}% a year earlier.",
            body,
        ),
        Paragraph(release.story, body),
        Paragraph("Outlook", head),
        Paragraph(release.outlook, body),
        PageBreak(),
        Paragraph("Condensed statements of income (unaudited)", head),
        Spacer(1, 4),
        ruled(
            statement(
                [
                    (f"Three months ended\n{ENDS[release.quarter]}, {year}", one)
                    for year, one in ((2025, now), (2024, before))
                ]
            )
        ),
    ]
    if release.quarter == 4:
        story += [
            Paragraph("Fiscal years ended September 30", head),
            ruled(
                statement([(f"Year ended\nSeptember 30, {year}", results(year, 1, 2, 3, 4)) for year in (2025, 2024)])
            ),
            Paragraph("Quarters of fiscal 2025", head),
            ruled(by_quarter(2025)),
        ]
    story.append(
        Paragraph(
            "The Company's fiscal year ends on September 30. Growth is given against the same period of "
            "the fiscal year before.",
            body,
        )
    )

    def footer(canvas, template) -> None:  # type: ignore[no-untyped-def]
        canvas.setFont("Helvetica", 8)
        canvas.drawString(56, 36, "Northlight Instruments, Inc.")
        canvas.drawRightString(556, 36, f"Page {canvas.getPageNumber()}")

    target = BytesIO()
    template = SimpleDocTemplate(
        target,
        pagesize=LETTER,
        title=release.title,
        author="Northlight Instruments, Inc.",
        leftMargin=56,
        rightMargin=56,
        topMargin=60,
        bottomMargin=60,
    )
    template.build(story, onFirstPage=footer, onLaterPages=footer)
    (folder / release.file).write_bytes(target.getvalue())


def make_memo(folder: Path) -> None:
    """A board memo of August 2025 as DOCX."""
    import docx

    word = docx.Document()
    word.core_properties.title = "Board memo: capital plan for fiscal 2026"
    word.core_properties.author = "Ines Aaltonen"
    moment = datetime(2025, 8, 18, 9, 30, tzinfo=UTC)
    word.core_properties.created = word.core_properties.modified = moment
    word.add_heading("Board memo: capital plan for fiscal 2026", 0)
    word.add_paragraph(
        "From Ines Aaltonen, chief financial officer, to the board of Northlight Instruments. "
        "For the meeting on September 4, 2025."
    )
    word.add_heading("What we ask for", 1)
    word.add_paragraph(
        "We ask the board to approve capital spending of $30.0 million in fiscal 2026, which runs from "
        "October 1, 2025 to September 30, 2026. Fiscal 2025 closes at about $21.5 million."
    )
    word.add_heading("Where the money goes", 1)
    rows = [
        ("Project", "FY2025", "FY2026", "Ready by"),
        ("Calibration hall, Tromso", "9.0", "2.5", "March 2026"),
        ("Optical window line, Bergen", "4.5", "14.0", "July 2026"),
        ("Data centre lease, Hamina", "5.0", "8.5", "January 2026"),
        ("Maintenance", "3.0", "5.0", "every year"),
        ("Total", "21.5", "30.0", ""),
    ]
    table = word.add_table(rows=0, cols=4, style="Table Grid")
    for row in rows:
        for cell, text in zip(table.add_row().cells, row, strict=True):
            cell.text = text
    word.add_paragraph("Figures in millions of US dollars.")
    word.add_heading("Risks", 1)
    for risk in RISKS:
        word.add_paragraph(risk, style="List Bullet")
    word.add_heading("Decision", 1)
    word.add_paragraph(
        "Approve, defer or amend by September 12, 2025, so that the order for the window line can be "
        "placed before the supplier's price rise on October 1, 2025."
    )
    target = BytesIO()
    word.save(target)
    (folder / "board-memo-capital-plan.docx").write_bytes(same_time(target.getvalue()))


def same_time(data: bytes) -> bytes:
    """The ZIP archive with one fixed time on every entry."""
    target = BytesIO()
    with zipfile.ZipFile(BytesIO(data)) as source, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as copy:
        for entry in source.infolist():
            copy.writestr(
                zipfile.ZipInfo(entry.filename, (2025, 8, 18, 9, 30, 0)), source.read(entry), zipfile.ZIP_DEFLATED
            )
    return target.getvalue()


def main() -> None:
    """Writes everything below the folder, `samples/` beside this file's folder unless another is given."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=Path(__file__).resolve().parents[1] / "samples")
    folder = parser.parse_args().folder
    reports = folder / "reports"
    reports.mkdir(parents=True, exist_ok=True)
    for release in RELEASES:
        make_release(release, reports)
    make_memo(reports)
    whole = (reports / RELEASES[0].file).read_bytes()
    (folder / "broken.pdf").write_bytes(whole[: len(whole) * 2 // 3])


if __name__ == "__main__":
    main()
