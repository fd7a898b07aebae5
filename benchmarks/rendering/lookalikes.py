"""Things with white space in rows that are no tables: the chart, the equation, addresses, signatures, contents."""

from random import Random

from benchmarks.rendering.faces import width_of
from benchmarks.rendering.flow import Flow
from benchmarks.rendering.page import Fill, Rule, Run
from benchmarks.rendering.prose import Hand

_NAMES = ("Maria Keller", "John A. Whitfield", "Susan Okafor", "Henrik Dahl", "Elena Rossi", "David Cho")
_POSTS = ("Chief Financial Officer", "Chairman of the Board", "Director, Investor Relations", "Corporate Secretary")
_STREETS = ("One Harbor Plaza, Suite 900", "2200 Mission College Blvd.", "14 rue de la Loi", "350 Park Avenue")
_TOWNS = ("Boston, Massachusetts 02110", "Santa Clara, CA 95054", "1049 Bruxelles", "New York, New York 10022")


def address(flow: Flow, hand: Hand, random: Random) -> None:
    """Write a letter head's address, one line under the other."""
    lines = [random.choice(_NAMES), random.choice(_POSTS), random.choice(_STREETS), random.choice(_TOWNS)]
    lines.append(f"({random.randint(201, 989)}) 555-01{random.randint(10, 99)}")
    x = random.choice((0.0, 0.0, flow.width * 0.55))
    _stack(flow, hand, [[(x, line)] for line in lines])


def contacts(flow: Flow, hand: Hand, random: Random) -> None:
    """Write two contacts side by side, as releases end; open to dispute."""
    left, right = random.sample(_NAMES, 2)
    first, second = (f"(617) 555-01{random.randint(10, 99)}" for _ in range(2))
    rows = [("Investor contact:", "Media contact:"), (left, right), (random.choice(_POSTS), "Public Affairs")]
    rows += [(first, second), (f"{left.split()[-1].lower()}@example.com", "press@example.com")]
    flow.need(len(rows) * hand.line)
    flow.mark_neutral("contacts", len(rows) * hand.line)
    _stack(flow, hand, [[(0.0, first), (flow.width * 0.52, second)] for first, second in rows])


def signature(flow: Flow, hand: Hand, random: Random) -> None:
    """Write a signature block: date at the left, the line to sign on and the name at the right; open to dispute."""
    x, name = flow.width * 0.5, random.choice(_NAMES)
    rows = [[(x, "ACME HOLDINGS CORPORATION")], [], [(0.0, "Date: March 2, 2020"), (x, f"By: /s/ {name}")]]
    rows += [[(x + 16, name)], [(x + 16, random.choice(_POSTS))]]
    flow.need(len(rows) * hand.line)
    flow.mark_neutral("signature", len(rows) * hand.line)
    flow.page.rules.append(Rule(flow.left + x, flow.y + 3.2 * hand.line, flow.left + x + 170, flow.y + 3.2 * hand.line))
    _stack(flow, hand, rows)


def equations(flow: Flow, hand: Hand, random: Random) -> None:
    """Write numbered display formulas, their numbers at the right edge."""
    rows: list[list[tuple[float, str]]] = []
    for number in range(1, random.randint(2, 4)):
        a, b, c = random.sample("abcknprtxyz", 3)
        formula = f"{a} = ({b} + {random.randint(2, 9)}{c}) / (1 - {b}{c})"
        rows += [[(flow.width * 0.3, formula), (flow.width - 16, f"({number})")], []]
    flow.need(len(rows) * hand.line)
    _stack(flow, hand, rows)


def contents(flow: Flow, hand: Hand, titles: list[str], random: Random) -> None:
    """Write a table of contents with leaders and page numbers; open to dispute."""
    number, size, font = 1, hand.size, hand.face.plain
    flow.need(len(titles) * hand.line * 1.3)
    flow.mark_neutral("contents", len(titles) * hand.line * 1.3)
    for title in titles:
        number += random.randint(1, 9)
        folio = str(number)
        x = width_of(title, font, size) + 4
        dots = ". " * int((flow.width - x - 24) / width_of(". ", font, size))
        runs = [Run(0, size, title, font, size), Run(x, size, dots.strip(), font, size)]
        runs.append(Run(flow.width - width_of(folio, font, size), size, folio, font, size))
        flow.write(runs, hand.line * 1.3)
    flow.y += 8.0


def chart(flow: Flow, hand: Hand, random: Random) -> None:
    """Draw a bar chart with figures on its axis, years under its bars and a legend: rows of text, but no table."""
    height, years = 130.0, random.randint(4, 8)
    flow.need(height + 40)
    size, font, x0, y0 = 7.0, hand.face.plain, flow.left + 30, flow.y + height
    top = random.choice((50, 100, 400))
    for i in range(6):
        y, label = y0 - i * height / 6, f"{top * i // 5}"
        flow.page.runs.append(Run(x0 - 6 - width_of(label, font, size), y + 2, label, font, size))
        flow.page.rules.append(Rule(x0, y, flow.left + flow.width, y, 0.2))
    step = (flow.width - 40) / years
    for i in range(years):
        x, tall = x0 + (i + 0.25) * step, random.uniform(0.2, 0.8) * height
        flow.page.fills.append(Fill(x, y0 - tall, step * 0.45, tall, (0.35, 0.5, 0.7)))
        flow.page.runs.append(Run(x, y0 + 10, str(2012 + i), font, size))
        flow.page.runs.append(Run(x, y0 - tall - 2, f"{tall / height * top:.1f}", font, size))
    for i, word in enumerate(("Net sales", "Operating margin")):
        flow.page.runs.append(Run(x0 + 20 + i * 110, y0 + 24, word, font, size))
    flow.y += height + 36


def _stack(flow: Flow, hand: Hand, rows: list[list[tuple[float, str]]]) -> None:
    flow.need(len(rows) * hand.line)
    for row in rows:
        flow.write([Run(x, hand.size, text, hand.face.plain, hand.size) for x, text in row], hand.line)
    flow.y += 8.0
