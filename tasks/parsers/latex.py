"""LaTeX sources (.tex) of papers, theses, letters and slides.

Shorthands of packages are expanded before the source is read: abbreviations of acro and glossaries, overlays of
Beamer's slides, quotes and umlauts of babel, fields of KOMA's letters, and commands for a row of a table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from tasks.parsers.assembly import Assembly
from tasks.parsers.decoder import decode_head, decode_text
from tasks.parsers.document_head import HEAD_LENGTH, find_datelines
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.tex.tex_blocks import AUTHOR_SEPARATOR, add_latex
from tasks.parsers.written_dates import find_day_order, parse_entry_interval
from warehouse.records import Attributes, DateClaim, DateOrigin, Document, Kind

_BEGINNING = re.compile(r"\A(?:\s|%[^\n]*\n)*\\document(?:class|style)\b|\A(?:\s|%[^\n]*\n)*\\begin\{document\}")
_BRACED_CONTENT = r"(?:[^{}]++|\{(?:[^{}]++|\{[^{}]*+\})*+\})*+"
_GROUP = rf"\{{({_BRACED_CONTENT})\}}"
_OPTION = r"(?:\[[^\[\]]*\])?"
_ABBREVIATION = re.compile(
    rf"\\(?:newacronym|newabbreviation)\s*(?P<options>{_OPTION})\s*\{{(?P<key>[^{{}}]+)\}}\s*{_GROUP}\s*{_GROUP}"
    rf"|\\(?:acro|newacro|acrodef)\s*\{{(?P<acro>[^{{}}]+)\}}\s*(?:\[(?P<short>[^\[\]]*)\])?\s*{_GROUP}"
    rf"|\\(?:DeclareAcronym|newglossaryentry)\s*\{{(?P<entry>[^{{}}]+)\}}\s*{_GROUP}"
)
"""The definition of an abbreviation: glossaries, acronym, acro."""
_SETTING = re.compile(rf"\b(?P<name>short|long|name|longplural)\s*=\s*(?:{_GROUP}|(?P<plain>[^,{{}}]+))")
_ABBREVIATION_USE = re.compile(
    rf"\\(?P<name>gls|acr?|Gls|Ac|GLS)(?P<form>pl|short|long|full|lp|sp|fp|[pslf])?\*?{_OPTION}\{{(?P<key>[^{{}}\\]+)\}}"
)
_OVERLAY = re.compile(r"(\\(?:begin\{\w+\}|[A-Za-z]+)\*?(?:\[[^\[\]]*\])?)<[\d\s,+.|*a-z:@-]*>|\[<[\d\s,+.|a-z:@-]*>\]")
"""The steps of a slide on which an element is shown."""
_FRAME = re.compile(rf"\\begin\{{frame\}}\s*{_OPTION}\s*(?:{_GROUP}[ \t]*(?:{_GROUP})?)?")
_GERMAN_PACKAGE = re.compile(
    r"\\(?:documentclass|usepackage)\s*(?:\[[^\[\]]*german[^\[\]]*\]|\{n?german\})|\\setdefaultlanguage\{german\}"
)
_SHORTHAND = re.compile(
    r"\\(?:verb|lstinline)\*?(?P<mark>[^\w\s*{\[])[^\n]*?(?P=mark)|(?<!\\)\"(?P<sign>[aouAOUsz`'<>=~|\"-])"
)
_SHORTHANDS = dict(
    zip(
        "aouAOUsz`'<>=~|\"-",
        ("ä", "ö", "ü", "Ä", "Ö", "Ü", "ß", "ß", "„", "“", "«", "»", "-", "-", "", "", ""),
        strict=True,
    )
)
_LETTER_FIELD = re.compile(
    r"\\setkomavar\s*\{(subject|date|fromname|fromphone|fromemail)\}\s*(?:\[[^\[\]]*\])?\s*(?=\{)"
)
_LETTER_FIELDS = {"subject": "title", "date": "date", "fromname": "author", "fromphone": "phone", "fromemail": "email"}
_ROW_COMMAND = re.compile(rf"\\(?:new|renew|provide)command\*?\s*\{{?\\([A-Za-z]+)\}}?\s*\[(\d)\]\s*{_GROUP}")
_CELL_SEPARATOR = re.compile(r"(?<!\\)&")
_MAX_USES = 10_000  # Commands that are expanded, rows and abbreviations each.
_MAX_ROW_LENGTH = 500  # Characters of the definition of a row.
_MAX_ROW_PARAMETERS = 20  # Parameters in the definition of a row.
_MAX_LONG_FORM = 200  # Characters of the long form of an abbreviation.
_CODE = re.compile(r"\\begin\{(verbatim\*?|[BL]?Verbatim|lstlisting|minted|alltt|tikzpicture|filecontents\*?)\}")
_AUTHORS = re.compile(r",\s*(?:and\s)?|;|\s+(?:and|und|et|&)\s+")


class Latex:
    """The words of the typeset page; formulas and code as they are written, comments left out."""

    version = 3
    media_type = "text/x-tex"
    suffixes: tuple[str, ...] = (".tex", ".latex", ".ltx")
    heavy = False
    signature: Signature | None = Signature(text=_BEGINNING)

    def measure_confidence(self, raw: Raw) -> float:
        """Any text with a suffix of LaTeX; complete documents have a signature."""
        return float(raw.suffix in self.suffixes and bool(decode_head(raw.data).strip()))

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` where the bytes are no text."""
        source = decode_text(raw.data)
        assembly = Assembly()
        front = add_latex(assembly, expand_shorthands(source))
        order = find_day_order((), source)
        days = parse_entry_interval(front.fields.get("date", ""), order)
        people = (
            name.strip().split("\n", 1)[0] for name in front.fields.get("author", "").split(AUTHOR_SEPARATOR) if name
        )
        return assembly.finish(
            Kind.PAPER if front.has_abstract else Kind.TEXT,
            self.media_type,
            title=front.fields.get("title", ""),
            authors=[name for author in people for name in _AUTHORS.split(author)],
            dates=[
                *([DateClaim(days[0], DateOrigin.FRONT_MATTER)] if days else []),
                *find_datelines(assembly.list_beginning(HEAD_LENGTH)),
            ],
            attributes=Attributes(links=tuple(dict.fromkeys(front.links)), day_order=order),
        )


def expand_shorthands(source: str) -> str:
    """A source with the shorthands of packages expanded, outside of code."""
    replacements: list[Callable[[str], str]] = [_with_rows(source), _with_abbreviations(source)]
    if "{beamer}" in source:
        replacements.append(lambda text: _FRAME.sub(_format_frame, _OVERLAY.sub(lambda step: step[1] or "", text)))
    if _GERMAN_PACKAGE.search(source):
        replacements.append(lambda text: _SHORTHAND.sub(lambda match: _SHORTHANDS.get(match["sign"], match[0]), text))
    if "\\setkomavar" in source:
        replacements.append(lambda text: _LETTER_FIELD.sub(lambda name: f"\\{_LETTER_FIELDS[name[1]]}", text))
    pieces = list[str]()
    for text, is_code in _iter_code_and_text(source):
        piece = text
        for replace_text in replacements if not is_code else ():
            piece = replace_text(piece)
        pieces.append(piece)
    return "".join(pieces)


def _iter_code_and_text(source: str) -> Iterator[tuple[str, bool]]:
    """The pieces of a source, and of each whether it is code."""
    place = 0
    for begin in _CODE.finditer(source):
        if begin.start() < place:
            continue
        end = source.find(f"\\end{{{begin[1]}}}", begin.end())
        if end < 0:
            break
        yield source[place : begin.start()], False
        yield source[begin.start() : end], True
        place = end
    yield source[place:], False


def _format_frame(frame: re.Match[str]) -> str:
    """A frame with its title and subtitle as commands."""
    title, subtitle = frame[1], frame[2]
    head = f"\\frametitle{{{title}}}" if title else ""
    return f"\\begin{{frame}}{head}" + (f"\\framesubtitle{{{subtitle}}}\n\n" if subtitle else "\n" * bool(title))


def _with_rows(source: str) -> Callable[[str], str]:
    """A function that expands the commands whose definition has the separator of cells."""
    bodies = {
        name: (int(count), body)
        for name, count, body in _ROW_COMMAND.findall(source)
        if len(body) <= _MAX_ROW_LENGTH and _CELL_SEPARATOR.search(body) and body.count("#") <= _MAX_ROW_PARAMETERS
    }
    if not bodies:
        return lambda text: text
    use = re.compile(rf"\\({'|'.join(bodies)})(?![A-Za-z])((?:\s*\{{{_BRACED_CONTENT}\}})*)")

    def write_row(match: re.Match[str]) -> str:
        count, body = bodies[match[1]]
        arguments = [group[1] for group in re.finditer(_GROUP, match[2])]
        if len(arguments) < count:
            return match[0]
        return re.sub(
            r"#(\d)", lambda number: arguments[int(number[1]) - 1] if 0 < int(number[1]) <= count else "", body
        )

    return lambda text: use.sub(write_row, text, count=_MAX_USES)


def _with_abbreviations(source: str) -> Callable[[str], str]:
    """A function that expands abbreviations as they are typeset: in full at the first use, then short."""
    forms: dict[str, tuple[str, str, str]] = {}
    for match in _ABBREVIATION.finditer(source):
        settings = match["options"] or match[9] or ""
        fields = {part["name"]: (part[2] or part["plain"] or "").strip() for part in _SETTING.finditer(settings)}
        key = (match["key"] or match["acro"] or match["entry"]).strip()
        short = match[3] or match["short"] or match["acro"] or fields.get("short") or fields.get("name") or key
        long = match[4] or match[7] or fields.get("long", "")
        if len(short + long) <= _MAX_LONG_FORM:
            forms[key] = short.strip(), long.strip(), fields.get("longplural", f"{long}s").strip()
    used: set[str] = set()

    def expand(match: re.Match[str]) -> str:
        key = match["key"].strip()
        if key not in forms:
            return match[0]
        short, long, plural_long = forms[key]
        form = match["form"] or ""
        is_first = key not in used and match["name"] != "acr"
        used.add(key)
        if "p" in form:
            short, long = f"{short}s", plural_long
        if form in ("s", "sp", "short") or not long:
            return short
        if form in ("l", "lp", "long"):
            return long
        return f"{long} ({short})" if is_first or form in ("f", "fp", "full") else short

    if not forms:
        return lambda text: text
    return lambda text: _ABBREVIATION_USE.sub(expand, _ABBREVIATION.sub(_format_list_entry, text), count=_MAX_USES)


def _format_list_entry(definition: re.Match[str]) -> str:
    """The words of an abbreviation in a list of them; nothing for other definitions."""
    is_listed = definition[0].startswith("\\acro") and not definition[0].startswith("\\acrodef")
    return f"{definition['short'] or definition['acro']}: {definition[7]}\n\n" if is_listed else ""


member = Latex()
