"""What is fuzzed: each target reads bytes and raises unless a promise holds, whatever the bytes are.

A parser gives a document that keeps its promises or says in one line why not; the temporal grammar finds expressions
in order whose words are those of the text. Both end soon. The same targets are run by hypothesis, by atheris
(`tests.fuzz.guided`) and on what these have found (`tests.fuzz.test_found`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random
from time import process_time

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import PARSERS, parse_as, read
from tasks.temporal.document import find_first_date
from tasks.temporal.fiscal_inference import infer_text_calendar
from tasks.temporal.question import parse_times
from tasks.temporal.tagger import tag
from tasks.temporal.timeml import format_timeml
from tests.fuzz import expressions
from tests.tasks.parsers.promises import keeps_its_promises
from tests.tasks.parsers.xbrl.northlight import northlight
from warehouse.errors import UnreadableFile
from warehouse.records import Document, Mention

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
OFFICE = Path(__file__).resolve().parents[1] / "tasks/parsers/office"
FOUND = Path(__file__).parent / "found"
FILES = Path(__file__).resolve().parents[1] / "tasks/parsers/files"
"""Files of formats that no sample has."""
TODAY = date(2025, 11, 22)
SOON, PER_MEGABYTE = 10.0, 30.0
"""Seconds of the processor that small bytes may cost, and what each megabyte adds, on a slow machine."""

Target = Callable[[bytes], None]


def parsed(name: str, data: bytes) -> None:
    """The parser of that name keeps the contract, even where the content is another's."""
    held(partial(parse_as, name, Raw(f"x{PARSERS[name].suffixes[0]}", data)), data)


def chosen(data: bytes) -> None:
    """So does the parser that the content chooses."""
    held(partial(read, Raw("x", data)), data)


def held(reading: Callable[[], Document], data: bytes) -> None:
    """A document, or an `UnreadableFile` of one line with a cure; soon."""
    started = process_time()
    outcome = _outcome(reading)
    if isinstance(outcome, UnreadableFile):
        assert outcome.cure
        assert "\n" not in str(outcome)
        assert outcome.code.startswith("DOC")
    else:
        keeps_its_promises(outcome)
        assert all(map(math.isfinite, _numbers(outcome)))
    assert process_time() - started < SOON + PER_MEGABYTE * len(data) / 2**20


def _outcome(reading: Callable[[], Document]) -> Document | UnreadableFile:
    try:
        return reading()
    except UnreadableFile as problem:
        return problem


def _numbers(document: Document) -> Iterator[float]:
    boxes = [region.box for block in document.blocks for region in block.regions]
    for box in (*boxes, *(part.box for table in document.tables for part in table.parts)):
        yield from (box.x0, box.top, box.x1, box.bottom)


def dated(data: bytes) -> None:
    """Expressions in order, apart, each with the words of its span and an interval that is not turned round."""
    text = data.decode("utf-8", "ignore")
    started = process_time()
    for language in ("en", "zh"):
        for anchor in (TODAY, None):
            sound(text, tag(text, anchor, language))
    find_first_date(text, "und")
    parse_times(text[:2000], TODAY, "und")
    assert process_time() - started < SOON + PER_MEGABYTE * len(data) / 2**20


def composed(data: bytes) -> None:
    """So do expressions composed from the grammar: each has a reading or none on every day, in every calendar."""
    anchor, calendar, order = expressions.context(data[:3])
    text = expressions.composed(data[3:])
    for language in ("en", "zh"):
        found = tag(text, anchor, language, day_order=order, fiscal=calendar)
        sound(text, found)
        format_timeml(text, anchor, found)
        infer_text_calendar(text, language)
    parse_times(text, anchor or TODAY, "und")


def sound(text: str, found: Sequence[Mention]) -> None:
    """The mentions are in order and apart, with the words of their spans and intervals that are not turned round."""
    assert all(before.end <= after.start for before, after in pairwise(found))
    for mention in found:
        assert 0 <= mention.start < mention.end <= len(text)
        assert mention.text == text[mention.start : mention.end]
        if mention.start_date and mention.end_date:
            assert mention.start_date < mention.end_date


TARGETS: dict[str, Target] = {
    **{f"parser-{name}": partial(parsed, name) for name in PARSERS},
    "choose": chosen,
    "temporal": dated,
    "temporal-compositions": composed,
}


STARTS = {
    "parser-delimited": b"""Quarter,Revenue,"Cost, net"\nQ1 2025,"1,250",-3.5\nQ2 2025,1300,\n"June 30",4 %,-\n""",
    "parser-subtitles": b"""WEBVTT - Talk

NOTE x

1
00:00:01.000 --> 00:00:04.000 align:start
<v Ada>We <i>moor</i>

00:04.000 --> 00:06.000
the boat &amp; go.
2
00:00:06,100 --> 00:00:07,000
Home.
""",
    "parser-html": b"""<!doctype html><html lang="en"><head><title>Oats</title><meta name="date" content="2025-03-04">
<base href="https://farm.example/"></head><body><nav><a href="/">Home</a></nav><main><h1>Oats</h1><p>Sold on <time
datetime="2025-03-04">March 4</time>.<ul><li>one<ol><li>two</ol></ul><table><caption>Sales</caption><thead><tr><th
rowspan=2>Quarter<th colspan=2>Sold</tr><tr><th>t<th>EUR</tr></thead><tr><td>Q1 2025<td>4<td>1,200</table><pre>a
 b</pre><blockquote>Said &amp; done</blockquote></main><script>no()</script></body></html>""",
    "parser-vcard": b"""BEGIN:VCARD
VERSION:3.0
N:Weber;Anna;;Dr.;
FN:Dr. Anna Weber
item1.EMAIL;type=WORK:anna@farm.example
item1.X-ABLabel:_$!<Work>!$_
ADR;TYPE=home:;;Hill 1;Oslo;;0150;Norway
BDAY:1980-03-04
NOTE:Met at the fair\\, in
  March
END:VCARD
""",
    "parser-ofx": b"""OFXHEADER:100
DATA:OFXSGML

<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR<BANKACCTFROM><ACCTID>12</BANKACCTFROM><BANKTRANLIST>
<DTSTART>20250301<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20250304120000[-5:EST]<TRNAMT>-4.50<NAME>Oats &amp; Co</STMTTRN>
</BANKTRANLIST><LEDGERBAL><BALAMT>100.00<DTASOF>20250331</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>
""",
    "parser-qif": b"!Type:Bank\nD3/ 4'25\nT-4.50\nPOats & Co\nLFood\nSSeed\n$-4.50\n^\nD2025-03-05\nT100.00\n^\n",
    "parser-gedcom": b"""0 HEAD
1 GEDC
2 VERS 5.5.1
0 @I1@ INDI
1 NAME Anna /Weber/
1 BIRT
2 DATE ABT 4 MAR 1880
2 PLAC Oslo
1 FAMS @F1@
0 @F1@ FAM
1 WIFE @I1@
1 MARR
2 DATE BET 1900 AND 1902
0 TRLR
""",
    "parser-mediawiki": b"""== Oats ==
'''Oats''' are [[grain|a grain]]<ref>Weber 2025</ref>. {{cite|year=2025}}
* one
** two
{| class="wikitable"
! Year !! Sold
|-
| 2025 || 4
|}
[[Category:Grain]]
""",
}
"""Of formats that no sample has."""


def seeds(target: str) -> list[bytes]:
    """What a fuzzer of the target begins with: the samples of its format, and what was found before."""
    suffixes = PARSERS[target.removeprefix("parser-")].suffixes if target.startswith("parser-") else None
    if target == "temporal-compositions":
        return [Random(seed).randbytes(400) for seed in range(50)]
    texts = {".md", ".txt"} if target == "temporal" else None
    wanted = suffixes or texts
    files = (*sorted(SAMPLES.rglob("*")), *sorted(OFFICE.glob("*")), *sorted(FILES.glob("*")))
    paths = [path for path in files if path.is_file() and (not wanted or path.suffix in wanted)]
    found = [path.read_bytes() for path in (*paths, *sorted((FOUND / target).glob("*")))]
    if target == "parser-html":
        found.append(northlight().encode())
    return [*found, STARTS[target]] if target in STARTS else found
