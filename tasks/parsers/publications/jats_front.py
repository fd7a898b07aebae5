"""The front matter of a paper in JATS, the words of inline JATS, and formulas (MathML, TeX) as one line."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

from tasks.parsers.trees import collapse_spaces, collect_text, get_tag
from tasks.parsers.written_dates import MONTHS, make_date
from warehouse.records import Attributes, DateClaim, DateOrigin

if TYPE_CHECKING:
    from lxml.etree import _Element

_NON_KEYWORD_TYPES = frozenset(["abbreviations", "abbreviation"])
_PAPER_TYPES = {"review-article": "Review", "research-article": "Research Article"}
_GENERIC_TYPES = frozenset(["", "Other", "Research Article"])
_DOI = re.compile(r"(?:https?://(?:dx\.)?doi\.org/|doi:\s*)", re.IGNORECASE)
_JOURNAL_PATHS = ("journal-title-group/journal-title", "journal-title", "journal-title-group/abbrev-journal-title")
_MEMBER_TAGS = frozenset(["contrib-group", "xref", "aff", "email", "fn", "address", "ext-link"])
_AUTHOR_TYPES = ("author", "collab", "group", "corresp")
_DATE_KINDS = (
    *("epub", "pub electronic", "publication electronic", "pub", "publication", "original-publication", "epub-ppub"),
    *("ppub", "pub print", "publication print", "", "collection", "collection electronic", "issue-pub"),
    *("epreprint", "preprint"),
)
"""`pub-type`, or `date-type` and `publication-format`, the surest first. Others are no publication in a journal."""
_SEASONS = {"winter": 1, "spring": 4, "summer": 7, "autumn": 10, "fall": 10}
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
UNSHOWN_TAGS = frozenset(
    {"graphic", "inline-graphic", "media", "object-id", "alt-text", "long-desc", "index-term", "permissions"}
    | {"sec-meta", "institution-id", "contrib-id", "processing-meta"}
)
"""Elements whose words the page does not show."""
_FORMULA_TAGS = frozenset(["alternatives", "inline-formula", "disp-formula", "math", "tex-math"])
_SEPARATED_TAGS = frozenset(["label", "p", "title", "verse-line", "speaker", "td", "th", "def", "mixed-citation", "fn"])
_NAME_TAGS = frozenset(
    {"name", "string-name", "surname", "given-names", "prefix", "suffix", "institution", "country", "addr-line"}
)
_NOTE_MARK = re.compile(r"\s*(?:\d+[a-z]?(?:\s*[,;–—-]\s*\d+[a-z]?)*|[*†‡§¶]+)\s*")
_DOCUMENT = re.compile(r"\\begin\{document\}(.*?)\\end\{document\}", re.DOTALL)
_WORD = re.compile(r"[^\W\d_]{2}")
_FINAL_WORD = re.compile(r"[^\W\d_]{2}\Z")
_SINGLE_TERM = re.compile(r"[\w.,′'′]*|\([^()]*\)")
_MATHML_FORMS = {
    "mfrac": ("", "/"), "msub": ("", "_"), "msup": ("", "^"), "msubsup": ("", "_", "^"), "munder": ("", "_"),
    "munderover": ("", "_", "^"), "mroot": ("√", "^1/"),
}  # fmt: skip
_MATHML_SEPARATORS = {"mtr": " ", "mlabeledtr": " ", "mtable": "; "}


def get_text(node: _Element | None) -> str:
    """The words of an element, or nothing for None."""
    return collapse_spaces(collect_text(node, format_inline))


def format_inline(node: _Element, inner: str) -> str | None:
    """The text that replaces an element inside a line."""
    tag = get_tag(node)
    if tag in UNSHOWN_TAGS:
        return ""
    if tag in _FORMULA_TAGS:
        return _format_formula(node, inner)
    if tag in ("sup", "xref"):
        return _format_raised(node, tag, inner)
    if tag in _SEPARATED_TAGS:
        return f" {inner} "
    if tag in _NAME_TAGS:
        return inner if node.getnext() is None or (node.tail or "").strip() else f"{inner} "
    return "\n" if tag == "break" else None


def _format_raised(node: _Element, tag: str, inner: str) -> str | None:
    """A citation in brackets, separated from its word, or a power with its sign after a number."""
    parent = node.getparent()
    is_citation = node.find("xref") is not None or (parent is not None and get_tag(parent) == "xref")
    if tag == "sup" and is_citation:
        return None if inner.strip().startswith(("[", "(")) or not inner.strip(" ,;") else f" [{inner.strip()}]"
    if tag == "sup" and re.fullmatch(r"\s*[−–-]?\d+\s*", inner) and _get_text_before(node)[-1:].isdigit():
        return f"^{inner.strip()}"
    if tag == "xref" and _NOTE_MARK.fullmatch(inner) and not (parent is not None and get_tag(parent) == "sup"):
        return f" [{inner.strip()}]" if _get_text_before(node)[-1:].isalpha() else None
    return None


def _get_text_before(node: _Element) -> str:
    """The text that an element follows immediately."""
    previous, parent = node.getprevious(), node.getparent()
    if previous is not None:
        return previous.tail or "".join(map(str, previous.itertext()))[-1:]
    return (parent.text or "") if parent is not None else ""


def _format_formula(node: _Element, inner: str) -> str | None:
    """The text of a formula, or of one of several versions of the same content; `inner` is the text of all versions."""
    tag = get_tag(node)
    if tag == "math":
        return _format_mathml(node)
    if tag == "tex-math":
        document = _DOCUMENT.search(inner)
        return (document[1] if document else inner).strip(" $\n")
    forms = sorted((form for form in node if get_tag(form) in ("math", "tex-math")), key=get_tag)  # MathML, then TeX
    if tag == "alternatives":
        texts = (text for form in node if (text := collect_text(form, format_inline)).strip())
        return collect_text(forms[0], format_inline) if forms else next(texts, "")
    if len(forms) < 2:
        return None
    label = collect_text(node.find("label"), format_inline)
    return f"{label} {collect_text(forms[0], format_inline)}"


def _format_mathml(node: _Element) -> str:
    """MathML on one line: `a/b`, `a_i`, `a^2`, `√(…)`."""
    tag = get_tag(node)
    if tag in ("annotation", "annotation-xml", ""):
        return ""
    if tag == "mspace":
        return " "
    parts = [text for child in node if (text := _format_mathml(child)) or get_tag(child) not in ("annotation", "")]
    if tag in _MATHML_FORMS and len(parts) == len(_MATHML_FORMS[tag]):
        marks = zip(_MATHML_FORMS[tag], parts, strict=True)
        return "".join(mark + _bracket_terms(part) if parts[0] else part for mark, part in marks)
    if tag in ("msqrt", "mfenced"):
        return f"{'√' * (tag == 'msqrt')}({', '.join(parts) if tag == 'mfenced' else ''.join(parts)})"
    if tag in _MATHML_SEPARATORS:
        return _MATHML_SEPARATORS[tag].join(parts)
    return " ".join((node.text or "").split()) + _join_terms(parts)


def _join_terms(parts: list[str]) -> str:
    """Terms side by side, with a blank between a word of several letters and other letters."""
    line, previous = "", ""
    for part in filter(None, parts):
        letters = previous[-1:].isalpha() and part[0].isalpha()
        line += f" {part}" if letters and (_FINAL_WORD.search(previous) or _WORD.match(part)) else part
        previous = part
    return line


def _bracket_terms(text: str) -> str:
    """A text in brackets if it is more than one term."""
    return text if _SINGLE_TERM.fullmatch(text) or len(text) == 1 else f"({text})"


def find_article_meta(article: _Element) -> _Element | None:
    """The element with the metadata of the article; of an article inside another, its stub."""
    meta = article.find("front/article-meta")
    return meta if meta is not None else article.find("front-stub")


def read_title(article: _Element) -> str:
    """The article's title, with its subtitle and without the marks of footnotes."""
    meta = find_article_meta(article)
    group = meta.find("title-group") if meta is not None else None
    if group is None:
        return ""

    def without_notes(part: _Element, inner: str) -> str | None:
        is_note = get_tag(part) == "fn" or (get_tag(part) == "xref" and part.get("ref-type") in ("fn", "author-notes"))
        return "" if is_note else format_inline(part, inner)

    titles = (collapse_spaces(collect_text(group.find(tag), without_notes)) for tag in ("article-title", "subtitle"))
    return ": ".join(filter(None, titles))


def read_authors(article: _Element) -> list[str]:
    """Given names and surname, or the group's name, in the order of the article; groups they write for come last."""
    meta = find_article_meta(article)
    if meta is None:
        return []
    groups = [group for group in meta.iterfind("contrib-group") if "editor" not in (group.get("content-type") or "")]
    people = (contrib for group in groups for contrib in group.iterfind("contrib"))
    names = [_format_name(contrib) for contrib in people if contrib.get("contrib-type", "author") in _AUTHOR_TYPES]
    names += [_get_group_name(group) for group in groups for group in group.iterfind("collab")]
    names += [get_text(group) for group in meta.iter("on-behalf-of")]
    return list(dict.fromkeys(filter(None, names)))


def _format_name(contrib: _Element) -> str:
    """A person's name, given names first; only one of several spellings."""
    collab = contrib.find("collab")
    if collab is None:
        collab = contrib.find("collab-alternatives/collab")
    if collab is not None:
        return _get_group_name(collab)
    elements = (contrib.find(path) for path in ("name", "name-alternatives/name", "string-name", "name-alternatives/*"))
    name = next((element for element in elements if element is not None), None)
    if name is None:
        return "Anonymous" if contrib.find("anonymous") is not None else ""
    order = ("surname", "given-names") if name.get("name-style") == "eastern" else ("given-names", "surname")
    parts = [get_text(name.find(tag)) for tag in ("prefix", *order, "suffix")]
    return " ".join(filter(None, parts)) if any(parts) else get_text(name)


def _get_group_name(collab: _Element) -> str:
    """A group's name without the list of its members."""
    return collapse_spaces(
        collect_text(collab, lambda part, inner: "" if get_tag(part) in _MEMBER_TAGS else format_inline(part, inner))
    )


def read_attributes(article: _Element) -> Attributes:
    """Journal, identifiers, subjects, type and keywords."""
    meta = find_article_meta(article)
    if meta is None:
        return Attributes()
    ids = {element.get("pub-id-type"): get_text(element) for element in meta.iterfind("article-id")}
    number = next(filter(None, (ids.get(kind) for kind in ("pmcid", "pmc", "pmc-aid"))), "").upper().split(".")[0]
    journal = article.find("front/journal-meta")
    journal_names = (get_text(journal.find(path)) for path in _JOURNAL_PATHS) if journal is not None else iter(())
    subjects = tuple(dict.fromkeys(filter(None, map(get_text, meta.iterfind("article-categories//subject")))))
    article_type = article.get("article-type") or ""
    kind = _PAPER_TYPES.get(article_type, article_type.replace("-", " ").title())
    # Where the mark-up names no type or the most common one, a heading may name it a review.
    heading = subjects[0] if subjects else ""
    if kind in _GENERIC_TYPES and re.search(r"\breview\b", heading, re.IGNORECASE):
        kind = "Review"
    elif kind in ("", "Other"):
        kind = heading
    groups = (group for group in meta.iterfind("kwd-group") if group.get("kwd-group-type") not in _NON_KEYWORD_TYPES)
    keyword_nodes = (keyword for group in groups for keyword in group.iter("kwd", "nested-kwd", "compound-kwd"))
    keywords = (" ".join(map(get_text, node.iterfind("compound-kwd-part"))) or get_text(node) for node in keyword_nodes)
    return Attributes(
        journal=next(filter(None, journal_names), ""),
        pmcid=f"PMC{number}" if number.isdigit() else number,
        pmid=ids.get("pmid", ""),
        doi=_DOI.sub("", ids.get("doi", "")),
        paper_type=kind,
        keywords=tuple(dict.fromkeys(filter(None, keywords))),
        subjects=subjects,
    )


def read_publication_dates(article: _Element) -> list[DateClaim]:
    """The dates of publication, the best first: a known kind before others, a full date before one without a day."""
    meta = find_article_meta(article)
    ranked = []
    for element in meta.iterfind("pub-date") if meta is not None else ():
        kind = element.get("pub-type") or element.get("date-type") or ""
        names = (f"{kind} {element.get('publication-format') or ''}".strip(), kind)
        rank = next((_DATE_KINDS.index(name) for name in names if name in _DATE_KINDS), len(_DATE_KINDS))
        is_complete = bool(element.get("iso-8601-date"))
        missing = 0 if is_complete else sum(not get_text(element.find(tag)) for tag in ("month", "day"))
        if day := _parse_date(element):
            ranked.append((rank == len(_DATE_KINDS), missing, rank, day))
    return [DateClaim(day, DateOrigin.PUBLICATION) for *_, day in sorted(ranked)]


def _parse_date(element: _Element) -> date | None:
    """The date; the first day of the month, season or year where no more is given."""
    texts = [get_text(element.find(tag)) for tag in ("year", "month", "day")]
    iso = (element.get("iso-8601-date") or "").split("T")[0].split("-")
    year, month, day = (text or iso_part for text, iso_part in zip(texts, [*iso, "", "", ""][:3], strict=True))
    match = _YEAR.search(year) or _YEAR.search(get_text(element.find("string-date")))
    if match is None:
        return None
    season = _SEASONS.get(get_text(element.find("season")).lower(), 1)
    number = int(month) if month.isdigit() else MONTHS.get(month[:3].lower(), 0)
    return make_date(int(match[0]), number if 0 < number < 13 else season, int(day) if day.isdigit() else 1)
