"""A page as a list of strokes, painted at its end in the way one of several PDF writers would."""

from dataclasses import dataclass, field
from itertools import groupby
from typing import Literal

from reportlab.pdfgen.canvas import Canvas

from benchmarks.rendering.faces import width_of

Emission = Literal["string", "word", "glyph", "line"]
Colour = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Run:
    """A text at the left end of its baseline; x and y in points from the top left corner of the page."""

    x: float
    y: float
    text: str
    font: str
    size: float
    word_space: float = 0.0

    @property
    def end(self) -> float:
        """Where the run ends."""
        return self.x + width_of(self.text, self.font, self.size) + self.word_space * self.text.count(" ")

    def moved(self, dx: float, dy: float) -> "Run":
        """Return the same text elsewhere."""
        return Run(self.x + dx, self.y + dy, self.text, self.font, self.size, self.word_space)


@dataclass(frozen=True, slots=True)
class Rule:
    """A straight stroke between two points."""

    x0: float
    y0: float
    x1: float
    y1: float
    weight: float = 0.5

    def moved(self, dx: float, dy: float) -> "Rule":
        """Return the same stroke elsewhere."""
        return Rule(self.x0 + dx, self.y0 + dy, self.x1 + dx, self.y1 + dy, self.weight)


@dataclass(frozen=True, slots=True)
class Fill:
    """A filled rectangle from its top left corner."""

    x: float
    y: float
    width: float
    height: float
    colour: Colour


@dataclass(slots=True)
class Page:
    """What stands on one page. `emission` is how texts are cut into show operators, as writers differ in it."""

    width: float
    height: float
    emission: Emission = "string"
    by_column: bool = False
    runs: list[Run] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    fills: list[Fill] = field(default_factory=list)

    def paint(self, canvas: Canvas) -> None:
        """Draw all and end the page."""
        canvas.setPageSize((self.width, self.height))
        for fill in self.fills:
            canvas.setFillColorRGB(*fill.colour)
            canvas.rect(fill.x, self.height - fill.y - fill.height, fill.width, fill.height, stroke=0, fill=1)
        canvas.setFillColorRGB(0, 0, 0)
        for rule in self.rules:
            canvas.setLineWidth(rule.weight)
            canvas.line(rule.x0, self.height - rule.y0, rule.x1, self.height - rule.y1)
        for run in self._emitted():
            self._show(canvas, run)
        canvas.showPage()

    def _show(self, canvas: Canvas, run: Run) -> None:
        text = canvas.beginText(run.x, self.height - run.y)
        text.setFont(run.font, run.size)
        text.setWordSpace(run.word_space)
        text.textOut(run.text)
        canvas.drawText(text)

    def _emitted(self) -> list[Run]:
        if self.emission == "line":
            return _typewritten(self.runs)
        runs = sorted(self.runs, key=lambda run: (round(run.x / 40), run.y)) if self.by_column else self.runs
        if self.emission == "string":
            return runs
        cut = _words if self.emission == "word" else _glyphs
        return [part for run in runs for part in cut(run)]


def _words(run: Run) -> list[Run]:
    parts, x = [], run.x
    space = width_of(" ", run.font, run.size) + run.word_space
    for word in run.text.split(" "):
        if word:
            parts.append(Run(x, run.y, word, run.font, run.size))
        x += width_of(word, run.font, run.size) + space
    return parts


def _glyphs(run: Run) -> list[Run]:
    parts, x = [], run.x
    for glyph in run.text:
        parts.append(Run(x, run.y, glyph, run.font, run.size))
        x += width_of(glyph, run.font, run.size) + (run.word_space if glyph == " " else 0)
    return parts


def _typewritten(runs: list[Run]) -> list[Run]:
    """Set the runs of each baseline as one string filled up with spaces, as plain-text filings are printed."""
    lines: list[Run] = []
    ordered = sorted(runs, key=lambda run: (round(run.y, 1), run.font, run.size, run.x))
    for (y, font, size), group in groupby(ordered, key=lambda run: (round(run.y, 1), run.font, run.size)):
        pitch = width_of("0", font, size)
        start, text = 0.0, ""
        for run in group:
            start = start if text else run.x
            text = text.ljust(round((run.x - start) / pitch)) + run.text
        lines.append(Run(start, y, text, font, size))
    return lines
