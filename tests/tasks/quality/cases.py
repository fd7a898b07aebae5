"""For each rule something that fires it and something like it that does not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tasks.quality.checked_document import CheckedDocument
from tests.tasks.documents import Draft
from tests.tasks.parsers.xbrl.northlight import northlight
from tests.tasks.quality.checking import Files, subject
from warehouse.records import BlockKind, Box, Document, TablePart

DATED = "---\ndate: 2025-03-01\n---\n\n"
PROSE = "The company grew in every one of its markets, and it did so without any loans at all. "
LONG = (
    "The harbour office counts the ships that pass the eastern breakwater, notes the colour of their funnels and asks "
    "each captain for the cargo, the port of origin and the name of the agent who will pay the dues before the tide. "
)


def note(text: str) -> Files:
    return {"note.md": DATED + text}


def table(*rows: str) -> str:
    head, *body = rows
    rule = "|" + "---|" * (head.count("|") - 1)
    return "\n".join((PROSE, "", head, rule, *body)) + "\n"


def vault(**notes: str) -> Files:
    return {".obsidian/app.json": "{}", **{f"{name}.md": DATED + text for name, text in notes.items()}}


HEAD, TEA = "| Item | 2022 | 2023 |", "| Tea | 1,200 | 1,350 |"
INK, PEN = "| Ink | 310 | 290 |", "| Pens | 95 | 120 |"
FILES: dict[str, tuple[Files, Files]] = {
    "DOC016": (note(PROSE + "We met at the cafÃ© on Monday."), note(PROSE + "We met at the café; ÉCOLE, naïve, São.")),
    "DOC017": ({"a.txt": LONG, "b.txt": LONG}, {"a.txt": LONG, "b.txt": LONG + "So it goes."}),
    "DOC018": (
        {"a.txt": LONG * 2 + "It is old.", "b.txt": LONG * 2 + "It is new."},
        {"a.txt": LONG, "b.txt": PROSE * 3},
    ),
    "DOC019": ({"a.txt": PROSE * 3}, note(PROSE * 3)),
    "DOC020": ({"a.md": "---\ndate: 2052-03-04\n---\n" + PROSE}, note(PROSE)),
    "DOC021": (
        note(f"{PROSE}\n\n公司收入增长了百分之十，利润也增加了很多，市场反应良好，前景光明。\n\n" * 2),
        note(f"{PROSE}The brand is called 北光 in China.\n\n" * 4),
    ),
    "TAB003": (
        note(table("| Item | 2023 |", "| Tea | 10 |", "| Ink | 20 |", "| Total | 35 |")),
        note(table("| Item | 2023 |", "| Tea | 10 |", "| Ink | 20 |", "| Total | 30 |")),
    ),
    "TAB004": (note(table(HEAD, TEA, "| Ink | 310 |", PEN)), note(table(HEAD, TEA, "| Ink | 310 | |", PEN))),
    "TAB005": (note(table("| | | |", TEA, INK)), note(table(HEAD, TEA, INK))),
    "TAB007": (note(table(HEAD, "| Tea | 1 | |", "| Ink | 2 | |")), note(table(HEAD, "| Tea | 1 | |", INK))),
    "TAB008": (note(table(HEAD, TEA, "| Ink | 3l0 | 290 |", PEN)), note(table(HEAD, TEA, "| Ink | n/a | – |", PEN))),
    "TAB012": ({"a.htm": northlight()}, {"a.htm": northlight().replace('scale="3"', 'scale="6"')}),
    "CHK004": (
        note(f"# One\n\n{PROSE * 8}\n\n# Two\n\nSee there."),
        note(f"# One\n\n{PROSE * 8}\n\n# Two\n\n{PROSE * 8}"),
    ),
    "CHK008": (
        note("© 2025 Northlight Ltd. All rights reserved. No part of this report may be reproduced without consent."),
        note(PROSE + "The copyright of the songs was sold for 2 million. "),
    ),
    "CHK009": (
        {
            "a.md": f"{DATED}# A\n\n{PROSE * 12}\n\n# B\n\n{LONG * 2}",
            "b.md": f"{DATED}# C\n\n{LONG * 2}\n\n# D\n\nOther things were said by other people {PROSE * 9}",
        },
        {"a.md": f"{DATED}{LONG * 2}", "b.md": f"{DATED}The harbour office is closed on Sundays. {PROSE * 4}"},
    ),
    "CHK010": (
        {"a.txt": "2025-03-01\n\n" + "公司收入增长，利润增加，市场反应良好，前景光明，员工稳定，" * 12 + "好。"},
        note(PROSE * 5),
    ),
    "CHK011": (
        note(PROSE + "The results are shown in the table below."),
        note(PROSE + "The results are shown in Table 3. The figures above 100 are good.\n\n" + table(HEAD, TEA)),
    ),
    "CHK012": (
        note("In spring the CAC fell in all shops. The CAC of new shops rose. " + PROSE),
        note("The customer acquisition cost (CAC) fell. The CAC rose. The GDP of the USA grew. " + PROSE),
    ),
    "CHK013": (
        note(PROSE + "In the \ufffdrst quarter of \ufffdscal 2023 it had 5 shops."),
        note(PROSE + "In the first quarter of fiscal 2023 it had 5 shops \ue001 and called a glyph (cid:12)."),
    ),
    "TMP001": (note(PROSE + "They met on 03/04/2023 in Oslo."), note(PROSE + "They met on 03/04/2023 and 25/04/2023.")),
    "TMP002": ({"a.txt": PROSE + "Sales fell last month."}, note(PROSE + "Sales fell last month.")),
    "TMP003": (
        note(PROSE + "It was signed on February 30, 2023."),
        note(PROSE + "It was signed on February 28, 2023."),
    ),
    "TMP004": (
        note(PROSE + "Revenue grew in the second quarter of fiscal 2023."),
        note(PROSE + "Our fiscal year ends on June 30. Revenue grew in the second quarter of fiscal 2023."),
    ),
    "TMP005": (
        {
            "a.md": f"---\ndate: 2021-03-01\n---\n{PROSE}The basic plan costs 30 dollars for each member of a team.",
            "b.md": f"---\ndate: 2024-03-01\n---\n{LONG}The basic plan costs 35 dollars for each member of a team.",
        },
        {
            "a.md": f"---\ndate: 2021-03-01\n---\n{PROSE}The plan cost 30 dollars in 2021 for each member of a team.",
            "b.md": f"---\ndate: 2024-03-01\n---\n{LONG}The plan cost 35 dollars in 2024 for each member of a team.",
        },
    ),
    "VLT001": (vault(Plan="See [[Budegt]].", Budget="See [[Plan]]."), vault(Plan="See [[budget]].", Budget="[[Plan]]")),
    "VLT002": (
        vault(Plan="[[Budget]]", Budget="[[Plan]]", Lone="Nobody knows it."),
        vault(Plan="[[Budget]] [[Lone]]", Budget="[[Plan]]", Lone="It is known."),
    ),
    "VLT003": (
        vault(Plan="[[Minutes]]", **{"2022/Minutes": "One.", "2023/Minutes": "Two."}),
        vault(Plan="[[2022/Minutes]]", **{"2022/Minutes": "One.", "2023/Minutes": "Two."}),
    ),
    "VLT004": (vault(Plan="# Aims", Budget="[[Plan#Risks]]"), vault(Plan="# Risks: all", Budget="[[Plan#Risks all]]")),
    "VLT005": ({"a.md": "---\ndate: 2023-13-05\n---\n" + PROSE}, {"a.md": "---\ndate: 2023-12-05\n---\n" + PROSE}),
}
NOTES: dict[str, tuple[str, str]] = {
    "VLT101": ("Hello.\n\n---\ntitle: Late\n---\n", "Hello.\n\n---\n\nGood-bye.\n"),
    "VLT102": ("---\ntitle: Open\n\nText.", "---\ntitle: Shut\n---\n\nText."),
    "VLT103": ("See [[Budget 2023.", "See [[Budget 2023]] and `[[`."),
    "VLT104": ("See [[]].", "See [[A]]."),
    "VLT105": ("See [[Plan^a#Risks]].", "See [[Plan#^a]]."),
    "VLT106": ("See ![[chart.png.", "See ![[chart.png]]."),
    "VLT107": ("See ![[]].", "See ![[chart.png]]."),
    "VLT108": ("![[chart.png|300x]]", "![[chart.png|300x200]]"),
    "VLT109": ("> [!nota] Title\n> Text", "> [!note] Title\n> Text"),
    "VLT110": ("> [!note] Title\nText", "> [!note] Title\n> Text"),
    "VLT111": ("> [!note*] Title\n> Text", "> [!note]+ Title\n> Text"),
    "VLT112": ("```\nx = 1\n", "```\nx = 1\n```\n"),
    "VLT113": ("A ==marked word.", "A ==marked== word, and `a == b`."),
    "VLT114": ("%% to do", "%% to do %%"),
    "VLT115": ("As shown[^3].", "As shown[^3].\n\n[^3]: There."),
    "VLT116": ("Text.\n\n[^3]: There.", "Text[^3].\n\n[^3]: There."),
    "VLT117": ("| a | b |\n| 1 | 2 |", "| a | b |\n|---|---|\n| 1 | 2 |"),
    "VLT118": ("$$\nx = 1\n", "$$\nx = 1\n$$\n"),
    "VLT119": ("where $x is small", "where $x$ is small, for $5"),
    "VLT120": ("[[A]] and [Plan](Plan.md)", "[[A]] and [Plan](https://example.org/Plan.md)"),
    "VLT121": ("[[A]] and ![chart](img/chart.png)", "[[A]] and ![chart](https://example.org/chart.png)"),
    "VLT122": ("[[A]] and [Plan][1]", "[[A]] and [Plan] [1]"),
    "VLT123": ("##Risks of it", "## Risks of it"),
    "VLT124": ("[[A]]\n\n    x = 1\n", "[[A]]\n\n```\nx = 1\n```\n"),
    "VLT125": ("[[A]] <div>x</div>", "[[A]] `<div>` x"),
    "VLT126": ("[[A]]\n\n***\n", "[[A]]\n\n---\n"),
}
FILES |= {code: ({"n.md": firing}, {"n.md": silent}) for code, (firing, silent) in NOTES.items()}

ROWS = [["Quarter", "Revenue"], ["Q1 2023", "100"]]
PARAGRAPH = Draft().paragraph(PROSE * 2).document()
TABLE = Draft().table(ROWS).document()


def _with_table(document: Document, **changes: object) -> Document:
    return replace(document, tables=(replace(document.tables[0], **changes),))  # type: ignore[arg-type]


def _parts(*pages: int) -> tuple[TablePart, ...]:
    return tuple(TablePart(page, Box(0, 0, 1, 1), 0, 1) for page in pages)


SUBJECTS: dict[str, tuple[Callable[[], CheckedDocument], Callable[[], CheckedDocument]]] = {
    "CHK001": (lambda: subject(Draft().paragraph("* * *").document()), lambda: subject(PARAGRAPH)),
    "CHK002": (lambda: subject(PARAGRAPH, (4, len(PARAGRAPH.text))), lambda: subject(PARAGRAPH)),
    "CHK003": (lambda: subject(PARAGRAPH, (0, 60)), lambda: subject(PARAGRAPH)),
    "CHK005": (
        lambda: subject(Draft().paragraph("12 345 11 202 9.2 % 8 114 7 903.").document()),
        lambda: subject(Draft().add(BlockKind.CODE, "x = [1, 2, 3, 4] + {5: 6}[7:8:9]").document()),
    ),
    "CHK006": (
        lambda: subject(Draft().heading("Results of the operations").paragraph(PROSE).document(), (0, 25)),
        lambda: subject(Draft().heading("Results of the operations").paragraph(PROSE).document()),
    ),
    "CHK007": (
        lambda: subject(Draft().paragraph(PROSE * 6).document()),
        lambda: subject(Draft().paragraph(PROSE * 3).document()),
    ),
    "TAB001": (lambda: subject(TABLE, (0, 40)), lambda: subject(TABLE)),
    "TAB002": (lambda: subject(Draft().table(ROWS * 14).document()), lambda: subject(TABLE)),
    "TAB006": (
        lambda: subject(_with_table(TABLE, parts=_parts(1, 2))),
        lambda: subject(_with_table(TABLE, parts=_parts(1))),
    ),
    "TAB009": (lambda: subject(_with_table(TABLE, confidence=0.4)), lambda: subject(TABLE)),
}
