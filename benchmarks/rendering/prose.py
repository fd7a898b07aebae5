"""What stands around tables: headings, paragraphs, lists, prose in columns."""

from dataclasses import dataclass

from benchmarks.rendering.faces import Face, width_of, wrap
from benchmarks.rendering.flow import Flow
from benchmarks.rendering.page import Run


@dataclass(frozen=True, slots=True)
class Hand:
    """How prose is set: size and leading in points, straight right edge or ragged."""

    face: Face
    size: float
    leading: float
    justified: bool

    @property
    def line(self) -> float:
        """The height of one line."""
        return self.size * self.leading


def paragraph(flow: Flow, hand: Hand, text: str, *, after: float = 6.0, first: str = "", inset: float = 0.0) -> None:
    """Write a paragraph that may go on in the next frame; `first` hangs left of an inset paragraph, as a bullet."""
    lines = wrap(text, hand.face.plain, hand.size, flow.width - inset)
    for i, line in enumerate(lines):
        flow.need(hand.line)
        runs = [line_run(hand, line, inset, flow.width - inset, last=i == len(lines) - 1)]
        if first and i == 0:
            x = inset - 5 - width_of(first, hand.face.plain, hand.size)
            runs.insert(0, Run(x, hand.size, first, hand.face.plain, hand.size))
        flow.write(runs, hand.line)
    flow.y += after


def line_run(hand: Hand, line: str, x: float, width: float, *, last: bool) -> Run:
    """Return one line, spread to `width` where the hand is justified and the line is not the last."""
    spaces = line.count(" ")
    lacking = width - width_of(line, hand.face.plain, hand.size)
    space = lacking / spaces if hand.justified and spaces and not last else 0.0
    return Run(x, hand.size, line, hand.face.plain, hand.size, space)


def heading(flow: Flow, hand: Hand, text: str, *, scale: float = 1.2, centred: bool = False) -> None:
    """Write a heading in the bold cut, with room for two lines of what follows."""
    size = hand.size * scale
    lines = wrap(text, hand.face.bold, size, flow.width)
    flow.need(len(lines) * size * 1.2 + 3 * hand.line)
    for line in lines:
        x = (flow.width - width_of(line, hand.face.bold, size)) / 2 if centred else 0.0
        flow.write([Run(x, size, line, hand.face.bold, size)], size * 1.2)
    flow.y += hand.size * 0.4


def bullets(flow: Flow, hand: Hand, texts: list[str], mark: str) -> None:
    """Write a list; `mark` is a bullet, or a format for the number of the item, as "({})"."""
    for number, text in enumerate(texts, start=1):
        paragraph(flow, hand, text, after=2.0, first=mark.format(number), inset=26.0)
    flow.y += 5.0


def prose_columns(flow: Flow, hand: Hand, texts: list[str], columns: int) -> None:
    """Write paragraphs in even columns side by side across the frame."""
    gutter = 20.0
    width = (flow.width - gutter * (columns - 1)) / columns
    lines: list[Run] = []
    for text in texts:
        broken = wrap(text, hand.face.plain, hand.size, width)
        lines += [line_run(hand, line, 0.0, width, last=i == len(broken) - 1) for i, line in enumerate(broken)]
    depth = min(-(-len(lines) // columns), int(flow.depth / hand.line))
    flow.need(depth * hand.line)
    shown = lines[: depth * columns]
    runs = [run.moved(i // depth * (width + gutter), i % depth * hand.line) for i, run in enumerate(shown)]
    flow.write(runs, depth * hand.line + 8.0)
