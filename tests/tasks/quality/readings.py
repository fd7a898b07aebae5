"""Files of which their reader reports a fault, and files like them of which it reports none."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageDraw
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from tasks.parsers.parser_process import Begin
from tasks.parsers.pdf import has_ocr
from tests.tasks.parsers.raw_mail import attached, mixed, part
from tests.tasks.parsers.raw_office import rows, sheet, workbook
from tests.tasks.parsers.raw_pdf import pdf_of, text
from tests.tasks.parsers.reading_processes import killed_when_asked
from tests.tasks.parsers.xbrl.northlight import northlight
from tests.tasks.quality.cases import DATED, PROSE
from tests.tasks.quality.checking import LIMITS, Files
from warehouse.settings.models import ParseSettings

SAMPLES = Path(__file__).parents[3] / "samples"
PAPER = (SAMPLES / "papers/nitrate-drift.xml").read_bytes()
MEMO = (SAMPLES / "reports/board-memo-capital-plan.docx").read_bytes()
WORDS = pdf_of([text("Here are words."), text("And here are more.")])
ABSTRACT = PAPER[: PAPER.index(b"<body>")] + PAPER[PAPER.index(b"</body>") + len(b"</body>") :]
NO_NAMES = b"<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [1000 0 R] >>"
DESCENDANT = (
    b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) "
    b"/Supplement 0 >> /FontDescriptor << /Type /FontDescriptor /FontName /X /Flags 4 >> >>"
)
GLYPHS = b"BT /F 12 Tf 20 100 Td <" + b"".join(b"%04x" % number for number in range(100, 140)) + b"> Tj ET"


def locked(password: str) -> bytes:
    """A PDF that opens with a password, or by everybody where that is empty."""
    target = BytesIO()
    canvas = Canvas(target, encrypt=StandardEncryption(password, ownerPassword="owner", strength=128), invariant=True)
    canvas.drawString(72, 700, "Behind a lock.")
    canvas.save()
    return target.getvalue()


def scanned() -> bytes:
    """A PDF whose only page is a picture of words."""
    picture, target = Image.new("RGB", (600, 800), "white"), BytesIO()
    ImageDraw.Draw(picture).text((60, 60), "The keeper counts the ships.", fill="black", font_size=32)
    canvas = Canvas(target, pagesize=(600, 800), invariant=True)
    canvas.drawImage(ImageReader(picture), 0, 0, 600, 800)
    canvas.save()
    return target.getvalue()


def endless(*more: bytes) -> bytes:
    """A small PDF whose first page takes minutes to read; `more` are the contents of the others."""
    return pdf_of([b"BT /F 12 Tf " + b"(a) Tj " * 1_000_000 + b"ET", *more])


def killed_at_once() -> AbstractContextManager[None]:
    """The process that opens a file is killed."""
    return killed_when_asked(lambda request: isinstance(request, Begin))


@dataclass(frozen=True, slots=True)
class Reading:
    """Files of which a fault is reported, files that are sound, the limits of the first, and what happens to them."""

    firing: Files
    sound: Files
    limits: ParseSettings = LIMITS
    meanwhile: Callable[[], AbstractContextManager[None]] = nullcontext


def figures(last: str, states: tuple[str, ...] = ("", "")) -> Files:
    """A workbook whose last row has this cell, and a second sheet in the second of these states."""
    data = rows(["Item", "Sold"], ["Oats", 4], ["Rye", 5]) + f'<row r="4"><c r="A4"><v>6</v></c>{last}</row>'
    return {"a.xlsx": workbook(sheet(data), sheet(rows(["Said below"])), states=states)}


NOTE = {"a.md": DATED + PROSE}
FIGURES = figures('<c r="B4"><f>B2</f><v>4</v></c>')
READINGS: dict[str, Reading] = {
    "DOC001": Reading({"a.pdf": b"\x89PNG\r\n\x1a\n0000"}, NOTE),
    "DOC002": Reading({"a.txt": "  \n"}, NOTE),
    "DOC003": Reading({"a.pdf": locked("hush")}, {"a.pdf": locked("")}),
    "DOC004": Reading({"a.docx": MEMO[: len(MEMO) // 2]}, {"a.docx": MEMO}),
    "DOC005": Reading({"a.pdf": endless()}, {"a.pdf": WORDS}, LIMITS.model_copy(update={"seconds": 1, "processes": 1})),
    "DOC006": Reading({"a.txt": "a word " * 200_000}, NOTE, ParseSettings(max_file_megabytes=1)),
    "DOC007": Reading({"a.xml": ABSTRACT}, {"a.xml": PAPER}),
    "DOC008": Reading({"a.md": f"---\ntitle: Plan: draft\n---\n{PROSE}"}, {"a.md": f"---\ntitle: Plan\n---\n{PROSE}"}),
    "DOC009": Reading({"a.pdf": scanned()}, {"a.pdf": WORDS}),
    "DOC010": Reading({"a.pdf": endless()}, {"a.pdf": WORDS}, ParseSettings(processes=1), killed_at_once),
    "DOC012": Reading(
        {"a.pdf": endless(text("Here are words."))}, {"a.pdf": WORDS}, ParseSettings(processes=1, page_seconds=1)
    ),
    "DOC013": Reading({"a.pdf": scanned()}, {"a.pdf": WORDS}),
    "DOC014": Reading({"a.pdf": pdf_of([GLYPHS], more={1000: DESCENDANT}, font=NO_NAMES)}, {"a.pdf": WORDS}),
    "DOC023": Reading(figures("", ("", "hidden")), FIGURES),
    "DOC024": Reading(figures('<c r="B4" t="e"><v>#REF!</v></c>'), FIGURES),
    "DOC025": Reading(figures('<c r="B4"><f>B2</f></c>'), FIGURES),
    "DOC026": Reading({"a.eml": mixed(part("See."), attached("a.pdf", b"%PDF-1.7"))}, {"a.eml": mixed(part("See."))}),
    "DOC015": Reading({"report-2014-05-05.md": DATED + PROSE}, {"report-2025-02-02.md": DATED + PROSE}),
    "DOC032": Reading({"a.docx": PROSE}, {"a.txt": PROSE}),
    "DOC031": Reading(
        {"a.htm": northlight().replace('contextRef="q24"', 'contextRef="gone"')}, {"a.htm": northlight()}
    ),
}
UNTRIED = {"DOC009" if has_ocr() else "DOC013": f"the extra 'ocr' is {'' if has_ocr() else 'not '}installed"}
"""Either pictures can be read here, or they cannot."""
