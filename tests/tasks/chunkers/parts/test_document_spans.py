"""Reference lists in every format are marked, whether a heading stands above them or not, and other text is not."""

from __future__ import annotations

from io import BytesIO

import pytest
from docx import Document as WordDocument

from tasks.chunkers.parts.document_spans import find_reference_spans, is_entry, is_reference_list
from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read
from tests.tasks.parsers.drawn_pdf import Drawing
from warehouse.records import Document

ENTRIES = [
    "Allmann S, Baldwin IT (2010) Insects betray themselves in nature to predators. Science 329: 1075-1078.",
    "Price, P. W., Bouton, C. E., & Gross, P. (1980). Interactions among three trophic levels. Annual Review, 11, 41.",
    "J. Smith and A. B. Jones, “Counting piers,” in Proc. 4th Conf. on Harbours, pp. 12-19, 2019.",
    "Müller K, et al. Herring and ice: a review. Lancet. 2015;386(9990):145-54. doi: 10.1016/S0140-6736(15)00001-1.",
    "Vaswani A., Shazeer N. Attention and harbours. arXiv:1706.03762, 2017.",
]  # fmt: skip
PROSE = "Herring landed at the quay fell by a third between 2010 and 2019, as nobody counted them in the dark."
HEADINGS = [
    "References",
    "REFERENCES",
    "Bibliography",
    "Works Cited",
    "7. References",
    "References and Notes",
    "Literature",
    "参考文献",
]


def document(name: str, data: bytes) -> Document:
    return read(Raw(name, data))


def markdown(heading: str, numbered: bool) -> Document:
    entries = "\n".join(f"{n}. {each}" if numbered else f"{each}\n" for n, each in enumerate(ENTRIES, 1))
    return document(
        "a.md", f"# On herring\n\n{PROSE}\n\n## {heading}\n\n{entries}\n\n## Appendix\n\n{PROSE}\n".encode()
    )


def text(heading: str) -> Document:
    entries = "\n".join(f"[{n}] {each}" for n, each in enumerate(ENTRIES, 1))
    return document("a.txt", f"On herring\n\n{PROSE}\n\n{heading}\n\n{entries}\n".encode())


def page(heading: str) -> Document:
    entries = "".join(f"<li>{each}</li>" for each in ENTRIES)
    return document(
        "a.html",
        f"<html><body><h1>On herring</h1><p>{PROSE}</p><h2>{heading}</h2><ol>{entries}</ol></body></html>".encode(),
    )


def word(heading: str) -> Document:
    made = WordDocument()
    made.add_heading("On herring", 1)
    made.add_paragraph(PROSE)
    made.add_heading(heading, 2)
    for each in ENTRIES:
        made.add_paragraph(each)
    out = BytesIO()
    made.save(out)
    return document("a.docx", out.getvalue())


def paper(heading: str) -> Document:
    refs = "".join(f"<ref><mixed-citation>{each.replace('&', 'and')}</mixed-citation></ref>" for each in ENTRIES)
    refs = f"<back><ref-list><title>{heading}</title>{refs}</ref-list></back>"
    body = f"<body><sec><title>Results</title><p>{PROSE}</p></sec></body>{refs}"
    named = "<title-group><article-title>On herring</article-title></title-group>"
    head = f"<front><article-meta>{named}</article-meta></front>"
    return document("a.xml", f'<article article-type="research-article">{head}{body}</article>'.encode())


def pdf(heading: str) -> Document:
    lines = [(72, 72, "On herring"), (72, 100, PROSE[:90]), (72, 130, heading)]
    lines += [(72, 150 + 22 * n, f"[{n + 1}] {each[:98]}") for n, each in enumerate(ENTRIES)]
    return Drawing().page([(float(x), float(y), words) for x, y, words in lines]).read()


def marked(found: Document) -> str:
    return "".join(found.text[start:end] for start, end in find_reference_spans(found))


@pytest.mark.parametrize("heading", HEADINGS)
@pytest.mark.parametrize(
    "made", [text, page, word, paper, pdf, lambda h: markdown(h, True), lambda h: markdown(h, False)]
)
def test_what_stands_below_the_heading_is_marked_in_every_format(made, heading: str) -> None:  # type: ignore[no-untyped-def]
    if made is pdf and not heading.isascii():
        return
    found = made(heading)
    said = marked(found)
    assert all(each[:20] in said or each.replace("&", "and")[:20] in said for each in ENTRIES)
    assert PROSE[:40] not in said


@pytest.mark.parametrize("number", ["[{}] ", "{}. ", "({}) "])
def test_numbered_entries_without_a_heading_are_marked(number: str) -> None:
    entries = "\n\n".join(number.format(n) + each for n, each in enumerate(ENTRIES, 1))
    found = document("a.txt", f"{PROSE}\n\n{PROSE} Again.\n\n{entries}\n".encode())
    said = marked(found)
    assert all(each[:30] in said for each in ENTRIES)
    assert PROSE not in said


@pytest.mark.parametrize(
    "prose",
    [
        *(
            PROSE,
            "1. Sales rose by 5% in 2019.\n2. Costs fell in 2020.\n3. The quay closed in 2021.\n4. It opened in 2022.",
        ),
        "References\n\nOur auditors gave us references to three harbours. We asked each of them what they thought.",
        "- Smith wrote the plan\n- Jones read it in 2019\n- Nobody kept it",
        "Note 3. In 2019, J. Smith of Harbour University, see pp. 3-4, joined the board.",
    ],
)
def test_other_text_is_not_marked(prose: str) -> None:
    assert marked(document("a.txt", f"Title\n\n{prose}\n".encode())) == ""


@pytest.mark.parametrize("entry", ENTRIES)
def test_entries(entry: str) -> None:
    assert is_entry(entry)


def test_a_passage_is_a_list_by_its_greater_part() -> None:
    spans = ((100, 200), (300, 400))
    assert is_reference_list(spans, 100, 200)
    assert is_reference_list(spans, 60, 200)
    assert not is_reference_list(spans, 0, 150)
    assert is_reference_list(spans, 100, 390)
    assert not is_reference_list((), 0, 10)
