"""How an invented statement looks: as the page of a PDF, or as the HTML of a filing."""

from __future__ import annotations

from html import escape
from io import BytesIO
from random import Random

from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from benchmarks.statements.making import Row, Statement

WIDTH, HEIGHT, LEFT, RIGHT = 612.0, 792.0, 60.0, 552.0
PROSE = (
    "The increase was driven by higher volumes in most categories, partly offset by foreign exchange and by the",
    "timing of shipments to distributors during the period. Management reviews these measures every quarter and",
    "expects the trend to continue. See the notes for a discussion of risks that may cause results to differ.",
)


def html_of(statement: Statement, random: Random) -> bytes:
    """As filing agents write it: signs in columns of their own, upper headers over several columns."""
    head = f"<p>NOTES TO CONSOLIDATED FINANCIAL STATEMENTS ({escape(statement.scale)})</p>"
    parts = [head if statement.place == "head" else "", *(f"<p>{' '.join(PROSE)}</p>" for _ in range(2))]
    split = random.random() < 0.6
    wide = 3 if split else 1
    above, below = _around(statement)
    parts += [f"<h3>{escape(text)}</h3>" if tag == "title" else f"<p>{escape(text)}</p>" for tag, text in above]
    lines = []
    if statement.spanners:
        heads = "".join(
            f'<td colspan="{count * wide}" align="center"><b>{escape(name)}</b></td>'
            for name, count in statement.spanners
        )
        lines.append(f"<tr><td></td>{heads}</tr>")
    corner = escape(f"({statement.scale})") if statement.place == "corner" else ""
    lines.append(
        f"<tr><td>{corner}</td>"
        + "".join(
            f'<td colspan="{wide}"><b>{escape(_leaf(statement, n))}</b></td>' for n in range(len(statement.columns))
        )
        + "</tr>"
    )
    for place, row in enumerate(statement.rows):
        cells = ""
        for text in row.texts or ("",) * len(statement.columns):
            sign = "$" if row.texts and row.is_money and (place == 0 or row.power == 0) and not row.unit else ""
            number, close = (text[:-1], ")") if text.endswith(")") else (text, "")
            cells += f"<td>{sign}</td><td>{number}</td><td>{close}</td>" if split else f"<td>{sign}{text}</td>"
        lines.append(f"<tr><td>{escape(row.label)}</td>{cells}</tr>")
    parts.append(f"<table>{''.join(lines)}</table>")
    parts += [f"<p>{escape(text)}</p>" for text in below] + [f"<p>{' '.join(PROSE)}</p>"]
    return f"<html><body>{''.join(parts)}</body></html>".encode()


def pdf_of(statement: Statement, random: Random) -> bytes:
    """On a page of prose, with rules or without, headers on one line or two, signs beside the figures or apart."""
    out = BytesIO()
    canvas = Canvas(out, pagesize=(WIDTH, HEIGHT), invariant=1)
    page = _Page(canvas, random)
    above, below = _around(statement)
    if statement.place == "head":
        canvas.setFont(page.font, 8)
        canvas.drawCentredString(
            WIDTH / 2, HEIGHT - 30, f"NOTES TO CONSOLIDATED FINANCIAL STATEMENTS ({statement.scale})"
        )
    for _ in range(random.randint(1, 3)):
        page.prose(PROSE)
    for tag, text in above:
        page.title(text) if tag == "title" else page.line(text, centred=page.centred and tag != "lead")
    page.table(statement)
    for text in below:
        page.line(text)
    page.gap(12)
    page.prose(PROSE)
    canvas.save()
    return out.getvalue()


def _around(statement: Statement) -> tuple[list[tuple[str, str]], list[str]]:
    """The lines above the table, each with what it is, and those below."""
    scale, place = f"({statement.scale})", statement.place
    above = [("title", statement.title)]
    if place == "title":
        above = [("title", f"{statement.title} {scale}")]
    elif place in ("remark", "remarks"):
        above.append(("remark", scale))
        above += [("remark", "(unaudited)")] if place == "remarks" else []
    elif place == "lead":
        above.append(("lead", f"The results of our operations were as follows {scale}:"))
    elif place == "general":
        above.insert(0, ("lead", f"All amounts are {_spoken(statement.scale)} unless otherwise stated."))
    return above, [f"Amounts {_spoken(statement.scale)}."] if place == "below" else []


def _spoken(scale: str) -> str:
    words = scale.partition(" in ")
    return (
        f"in {words[2]}"
        if words[1]
        else scale.removeprefix("amounts ")
        if scale.startswith(("in ", "amounts"))
        else f"in {scale}"
    )


def _leaf(statement: Statement, number: int) -> str:
    leaf = statement.columns[number].path[-1]
    return f"{leaf} {statement.scale}" if statement.place == "column" else leaf


class _Page:
    def __init__(self, canvas: Canvas, random: Random) -> None:
        self.canvas, self.random = canvas, random
        self.font, self.bold = random.choice((("Helvetica", "Helvetica-Bold"), ("Times-Roman", "Times-Bold")))
        self.size = random.choice((8.0, 9.0, 10.0))
        self.centred = random.random() < 0.5
        self.y = 70.0

    def prose(self, lines: tuple[str, ...]) -> None:
        self.canvas.setFont(self.font, self.size)
        for line in lines:
            self.canvas.drawString(LEFT, HEIGHT - self.y, line)
            self.y += self.size * 1.25
        self.y += self.size

    def title(self, text: str) -> None:
        self._text(text, self.bold, self.size + 1, centred=self.centred)

    def line(self, text: str, *, centred: bool = False) -> None:
        self._text(text, self.font, self.size, centred=centred)

    def _text(self, text: str, font: str, size: float, *, centred: bool) -> None:
        self.canvas.setFont(font, size)
        if centred:
            self.canvas.drawCentredString(WIDTH / 2, HEIGHT - self.y, text)
        else:
            self.canvas.drawString(LEFT, HEIGHT - self.y, text)
        self.y += size * 1.4

    def gap(self, points: float) -> None:
        self.y += points

    def table(self, statement: Statement) -> None:
        """Upper headers, headers and rows, each figure flush with its column's right edge."""
        count = len(statement.columns)
        pitch = min(100.0, (RIGHT - LEFT - 190) / count)
        self.rights = [RIGHT - pitch * (count - 1 - number) for number in range(count)]
        self.pitch = pitch
        self.ruled, split, self.apart = (self.random.random() < share for share in (0.6, 0.4, 0.5))
        self.heavy = self.bold if self.random.random() < 0.7 else self.font
        self.y += 4
        if statement.spanners:
            self._spanners(statement)
        self._leaves(statement, split=split)
        self.y += 3
        for place, row in enumerate(statement.rows):
            self._row(row, is_first=place == 0)

    def _spanners(self, statement: Statement) -> None:
        first = 0
        self.canvas.setFont(self.heavy, self.size)
        for name, over in statement.spanners:
            left, right = self.rights[first] - self.pitch + 12, self.rights[first + over - 1]
            self.canvas.drawCentredString((left + right) / 2, HEIGHT - self.y, name)
            if self.ruled:
                self.canvas.line(left, HEIGHT - self.y - 2.5, right, HEIGHT - self.y - 2.5)
            first += over
        self.y += self.size * 1.35

    def _leaves(self, statement: Statement, *, split: bool) -> None:
        whole = [_leaf(statement, number) for number in range(len(statement.columns))]
        leaves = [leaf.replace(", ", ",\n").split("\n") if split else [leaf] for leaf in whole]
        deep = max(map(len, leaves))
        for level in range(deep):
            if level == deep - 1 and statement.place == "corner":
                self.canvas.setFont(self.heavy, self.size)
                self.canvas.drawString(LEFT, HEIGHT - self.y, f"({statement.scale})")
            for right, leaf in zip(self.rights, leaves, strict=True):
                place = level - (deep - len(leaf))
                if place >= 0:
                    wide = stringWidth(leaf[place], self.heavy, self.size)
                    self.canvas.setFont(self.heavy, min(self.size, self.size * (self.pitch - 6) / wide))
                    self.canvas.drawRightString(right, HEIGHT - self.y, leaf[place])
            self.y += self.size * 1.2
        if self.ruled:
            under = HEIGHT - self.y + self.size * 0.95
            for right in self.rights:
                self.canvas.line(right - self.pitch + 12, under, right, under)

    def _row(self, row: Row, *, is_first: bool) -> None:
        self.canvas.setFont(self.font, self.size)
        self.canvas.drawString(LEFT, HEIGHT - self.y, row.label)
        for right, text in zip(self.rights, row.texts, strict=False):
            edge = right + (stringWidth(")", self.font, self.size) if text.endswith(")") else 0)
            self.canvas.drawRightString(edge, HEIGHT - self.y, text)
            if row.is_money and not row.unit and (is_first or row.power == 0):
                beside = edge - stringWidth(text, self.font, self.size) - self.size * 0.75
                self.canvas.drawString(right - self.pitch + 14 if self.apart else beside, HEIGHT - self.y, "$")
        self.y += self.size * 1.35
