"""Records as lines of tags, in the exchange formats of programs.

Contacts (vCard, RFC 6350 and older), accounts (OFX, QIF) and family trees (GEDCOM 5.5 and 7).

A contact or a person is a heading with lines "name: value", the transactions of an account are a table. Tags have
readable names; pictures, keys and ids of programs are left out.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from html import unescape

from tasks.parsers.assembly import Assembly
from tasks.parsers.decoder import decode_text
from tasks.parsers.mail.calendar_text import decode_value, unfold_lines
from tasks.parsers.parser_contract import Parser, Raw, Signature
from warehouse.records import BlockKind, Document, Kind

_ESCAPE = re.compile(r"\\(.)")

_CONTACT_LINE = re.compile(
    r"(?:(?P<group>[\w-]+)\.)?(?P<name>[A-Z][A-Z0-9-]*)(?P<types>(?:;(?:[^:;\"]|\"[^\"]*\")*)*):(?P<value>.*)",
    re.IGNORECASE,
)
_CONTACT_NAMES = {
    "NICKNAME": "Also called", "ORG": "Organisation", "TITLE": "Title", "ROLE": "Role", "TEL": "Telephone",
    "EMAIL": "Email", "ADR": "Address", "BDAY": "Birthday", "ANNIVERSARY": "Anniversary", "URL": "Link", "NOTE": "Note",
    "CATEGORIES": "Categories", "IMPP": "Chat", "RELATED": "Related", "MEMBER": "Member", "GENDER": "Gender",
    "LANG": "Language", "X-ABDATE": "Date", "X-ABRELATEDNAMES": "Related", "X-SPOUSE": "Spouse",
    "X-MANAGER": "Manager", "X-ASSISTANT": "Assistant", "X-SOCIALPROFILE": "Profile", "X-SKYPE": "Skype",
    "X-ANNIVERSARY": "Anniversary", "X-PHONETIC-LAST-NAME": "Pronounced",
}  # fmt: skip
_LABEL_PROPERTY = "X-ABLABEL"
_APPLE_LABEL = re.compile(r"_\$!<(.*)>!\$_")
_PHONE_KIND = re.compile(r"[;,=](home|work|cell|mobile|fax|pager|main|other)\b", re.IGNORECASE)

_ELEMENT = re.compile(r"<(/?)([A-Z][A-Z0-9._]*)>([^<]*)")
_MAX_DEPTH = 20  # Elements inside of one another: bounds the time of hostile files.
_OFX_DAY = re.compile(r"(\d{4})(\d\d)(\d\d)\d*(?:\.\d+)?(?:\[[^\]]*\])?")
_OFX_NAMES = {
    "DTPOSTED": "Date", "DTUSER": "Made", "DTTRADE": "Traded", "DTSETTLE": "Settled", "TRNAMT": "Amount",
    "TRNTYPE": "Type", "NAME": "Name", "MEMO": "Memo", "CHECKNUM": "Check number", "CURDEF": "Currency",
    "BALAMT": "Balance", "DTASOF": "As of", "ACCTID": "Account", "ACCTTYPE": "Account type", "BANKID": "Bank",
    "BROKERID": "Broker", "DTSTART": "From", "DTEND": "Until", "UNITS": "Units", "UNITPRICE": "Price",
    "TOTAL": "Total", "SECNAME": "Security", "TICKER": "Symbol", "UNIQUEID": "Security id", "MKTVAL": "Value",
    "COMMISSION": "Commission", "FEES": "Fees", "INCOMETYPE": "Income type", "DTPRICEASOF": "Price of",
}  # fmt: skip
_OFX_OMITTED = frozenset({
    "FITID", "TRNUID", "SRVRTID", "CODE", "SEVERITY", "LANGUAGE", "UNIQUEIDTYPE", "SUBACCTSEC", "SUBACCTFUND",
    "CURRATE",
})  # fmt: skip
_OFX_LISTS = {"Transactions": ("BANKTRANLIST", "INVTRANLIST"), "Holdings": ("INVPOSLIST",), "Balances": ("BALLIST",)}

_SECTION = re.compile(r"!(?P<kind>Type:|Account|Option:|Clear:)(?P<name>[^\n]*)", re.IGNORECASE)
_QIF_NAMES = {
    "D": "Date", "T": "Amount", "U": "Amount", "P": "Payee", "M": "Memo", "L": "Category", "N": "Number",
    "A": "Address", "C": "Cleared", "Y": "Security", "I": "Price", "Q": "Quantity", "O": "Commission",
    **dict.fromkeys("SE$%", "Split"),
}  # fmt: skip
_QIF_LIST_NAMES = {"N": "Name", "D": "Description", "T": "Type", "S": "Symbol", "L": "Limit", "B": "Budget"}
_QIF_DAY = re.compile(r"(\d{1,2})/ ?(\d{1,2})' ?(\d{1,4})")

_GEDCOM_LINE = re.compile(r"\s*(\d{1,2}) (?:@([^@]+)@ )?(\w+)(?: (.*))?")
_EVENTS = {
    "BIRT": "Born", "CHR": "Christened", "BAPM": "Baptised", "DEAT": "Died", "BURI": "Buried", "CREM": "Cremated",
    "ADOP": "Adopted", "CONF": "Confirmed", "GRAD": "Graduated", "EMIG": "Emigrated", "IMMI": "Immigrated",
    "NATU": "Naturalised", "CENS": "Census", "RETI": "Retired", "WILL": "Will", "PROB": "Probate", "OCCU": "Occupation",
    "RESI": "Residence", "EDUC": "Education", "RELI": "Religion", "TITL": "Title", "EVEN": "Event", "FACT": "Fact",
    "MARR": "Married", "DIV": "Divorced", "ENGA": "Engaged", "NOTE": "Note",
}  # fmt: skip
_DATE_WORDS = {
    "ABT": "about", "CAL": "about", "EST": "about", "BEF": "before", "AFT": "after", "BET": "between", "AND": "and",
    "FROM": "from", "TO": "to", "INT": "",
}  # fmt: skip
_TREE_TITLE = "Family tree"


@dataclass(slots=True)
class _Node:
    """An element or a line of a tree, with those below it."""

    tag: str
    value: str
    id: str = ""
    children: list[_Node] = field(default_factory=list)

    def iter_all(self, excluded_ids: Container[int] = ()) -> Iterator[_Node]:
        """All nodes below it, in order, without the nodes with these identities and those below them."""
        pending = self.children[::-1]
        while pending:
            node = pending.pop()
            if id(node) not in excluded_ids:
                yield node
                pending += node.children[::-1]

    def list_values(self, *tags: str) -> list[str]:
        """The values of the lines below with these tags, with their continuation lines."""
        return [node.text for node in self.children if node.tag in tags and node.text]

    @property
    def text(self) -> str:
        """The value with its continuation lines."""
        pieces = [self.value]
        for node in self.children:
            pieces += [node.value] if node.tag == "CONC" else [f"\n{node.value}"] if node.tag == "CONT" else []
        return " ".join("".join(pieces).split())


class VCard:
    """A heading of the name for each contact, with the values of the card below."""

    version = 1
    media_type = "text/vcard"
    suffixes: tuple[str, ...] = (".vcf", ".vcard")
    heavy = False
    signature: Signature | None = Signature(text=re.compile(r"\A[\ufeff\s]*BEGIN:VCARD\b", re.IGNORECASE))

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` where the bytes are no text."""
        assembly = Assembly()
        names = [_add_contact(assembly, lines) for lines in _split_cards(decode_text(raw.data))]
        return assembly.finish(Kind.TEXT, self.media_type, title=names[0] if len(names) == 1 else "")


def _split_cards(text: str) -> Iterator[list[re.Match[str]]]:
    """The lines of each card, unfolded."""
    card: list[re.Match[str]] = []
    for line in unfold_lines(text):
        match = _CONTACT_LINE.match(line.strip())
        if match and match["name"].upper() in ("BEGIN", "END"):
            if card:
                yield card
            card = []
        elif match:
            card.append(match)
    if card:
        yield card


def _add_contact(assembly: Assembly, lines: Sequence[re.Match[str]]) -> str:
    """Adds a contact and returns its name."""
    labels = {line["group"]: _read_value(line) for line in lines if line["name"].upper() == _LABEL_PROPERTY}
    values: dict[str, str] = {}
    contact_lines: list[str] = []
    for line in lines:
        name, text = line["name"].upper(), _read_value(line)
        values.setdefault(name, text)
        if not text or name not in _CONTACT_NAMES or text.startswith("data:"):
            continue
        label = labels.get(line["group"], "") if line["group"] else ""
        kinds = [label] if label else list(dict.fromkeys(kind.lower() for kind in _PHONE_KIND.findall(line["types"])))
        contact_lines.append(
            f"{_CONTACT_NAMES[name]} ({', '.join(kinds)}): {text}" if kinds else f"{_CONTACT_NAMES[name]}: {text}"
        )
    family_name, given_name, *middle_names = [*values.get("N", "").split(", "), "", ""]
    full_name = " ".join(filter(None, (given_name, *middle_names[:1], family_name)))
    name = values.get("FN") or full_name or values.get("ORG") or values.get("EMAIL") or "(no name)"
    assembly.add_heading(name, 1)
    assembly.add(BlockKind.LIST, "\n".join(dict.fromkeys(contact_lines)))
    return name


def _read_value(line: re.Match[str]) -> str:
    """The value of a line in words, its parts separated by commas."""
    value = decode_value(line["value"], line["types"]).strip()
    parts = re.split(r"(?<!\\);", value) if line["name"].upper() in ("N", "ADR", "ORG") else [value]
    if line["name"].upper() == "N":
        parts = (parts + [""] * 3)[:3]
        return ", ".join(_unescape(part) for part in parts)
    text = ", ".join(filter(None, map(_unescape, parts)))
    return _APPLE_LABEL.sub(r"\1", text)


def _unescape(text: str) -> str:
    return " ".join(_ESCAPE.sub(lambda match: "\n" if match[1] in "nN" else match[1], text).split())


class Ofx:
    """A table of the transactions of each account, below its number, dates and balances."""

    version = 1
    media_type = "application/x-ofx"
    suffixes: tuple[str, ...] = (".ofx", ".qfx")
    heavy = False
    signature: Signature | None = Signature(
        text=re.compile(r"\A[\ufeff\s]*(?:OFXHEADER:\d|(?:<\?xml[^>]*>\s*)?(?:<\?OFX\b[^>]*>\s*)?<OFX>)")
    )

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` where nothing of it can be read."""
        root = _read_elements(decode_text(raw.data).partition("<OFX>")[2])
        assembly = Assembly()
        for node in root.iter_all():
            if node.tag.endswith("STMTRS"):
                _add_statement(assembly, node)
            elif node.tag == "SECLIST":
                _add_records(assembly, "Securities", [_read_leaves(child) for child in node.children])
        return assembly.finish(Kind.TEXT, self.media_type)


def _read_elements(text: str) -> _Node:
    """The elements of a file, in SGML, which need not be closed, or in XML.

    No element is inside another of the same name: the second ends the first.
    """
    root = _Node("OFX", "")
    path = [root]
    for closing, tag, value in _ELEMENT.findall(text):
        if closing:
            index = next((depth for depth in range(len(path) - 1, 0, -1) if path[depth].tag == tag), len(path))
            del path[index:]
            continue
        node = _Node(tag, " ".join(unescape(value).split()))
        index = next((depth for depth in range(1, len(path)) if path[depth].tag == tag), len(path))
        del path[index:]
        path[-1].children.append(node)
        if not node.value and len(path) < _MAX_DEPTH:
            path.append(node)
    return root


def _add_statement(assembly: Assembly, node: _Node) -> None:
    """Adds the values of a statement's account, and its transactions and holdings as tables."""
    records = {
        name: [leaf for parent in node.iter_all() if parent.tag in tags for leaf in parent.children if leaf.children]
        for name, tags in _OFX_LISTS.items()
    }
    account_values = _read_leaves(node, {id(leaf) for nodes in records.values() for leaf in nodes})
    assembly.add_heading(f"Account {account_values.get('Account', '')}".strip(), 1)
    assembly.add(BlockKind.LIST, "\n".join(f"{name}: {value}" for name, value in account_values.items()))
    for name, nodes in records.items():
        _add_records(assembly, name, [_read_leaves(leaf) for leaf in nodes], level=2)


def _read_leaves(node: _Node, excluded_ids: Container[int] = ()) -> dict[str, str]:
    """The values inside of an element by readable names, days as in ISO 8601."""
    values: dict[str, dict[str, None]] = {}
    for leaf in node.iter_all(excluded_ids):
        if leaf.value and leaf.tag not in _OFX_OMITTED and not leaf.tag.startswith("INTU."):
            day = _OFX_DAY.fullmatch(leaf.value) if leaf.tag.startswith("DT") else None
            text = "-".join(day.groups()) if day else leaf.value
            values.setdefault(_OFX_NAMES.get(leaf.tag, leaf.tag), {})[text] = None
    return {name: ", ".join(texts) for name, texts in values.items()}


class Qif:
    """A table for each list of the file, a row a record."""

    version = 1
    media_type = "application/qif"
    suffixes: tuple[str, ...] = (".qif",)
    heavy = False
    signature: Signature | None = Signature(text=re.compile(r"\A[\ufeff\s]*!(?:Type:[A-Za-z]|Account\b|Option:)"))

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` where the bytes are no text."""
        assembly = Assembly()
        kind, names, records = "", _QIF_NAMES, list[dict[str, str]]()
        record: dict[str, list[str]] = {}
        for line in [*decode_text(raw.data).split("\n"), "^", "!Type:"]:
            text = line.strip()
            section = _SECTION.fullmatch(text)
            if section or text.startswith("^"):
                records += [{name: ", ".join(values) for name, values in record.items()}] if record else []
                record = {}
            if section and section["kind"].lower() in ("type:", "account"):
                _add_records(assembly, kind, records)
                records = []
                kind = section["name"].strip() or section["kind"].rstrip(":")
                is_list = kind.lower() in ("account", "cat", "class", "security", "tag", "memorized")
                names = _QIF_LIST_NAMES if is_list else _QIF_NAMES
            elif text and not section and not text.startswith("^"):
                name = names.get(text[0], text[0])
                value = _QIF_DAY.sub(_format_year, text[1:].strip()) if name == "Date" else text[1:].strip()
                if value and record.get(name) != [value]:
                    record.setdefault(name, []).append(value)
        return assembly.finish(Kind.TEXT, self.media_type)


def _format_year(day: re.Match[str]) -> str:
    """A day of Quicken, as 3/12'24 or 3/12' 4, with a year of four digits."""
    return f"{day[1]}/{day[2]}/{day[3] if len(day[3]) > 2 else 2000 + int(day[3])}"


def _add_records(assembly: Assembly, kind: str, records: Sequence[dict[str, str]], level: int = 1) -> None:
    """Adds records below the name of their kind: a table, or lines for a single record or value name."""
    if not records:
        return
    assembly.add_heading(kind, level)
    names = list(dict.fromkeys(name for record in records for name in record))
    if len(names) == 1 or len(records) == 1:
        lines = ["; ".join(f"{name}: {value}" for name, value in record.items()) for record in records]
        assembly.add(BlockKind.LIST, "\n".join(lines))
        return
    rows = [[record.get(name, "") for name in names] for record in records]
    assembly.add_table([names, *rows], header_rows=1, caption=kind)


class Gedcom:
    """A heading for each person, with events, parents, spouses, children and notes below."""

    version = 1
    media_type = "text/vnd.familysearch.gedcom"
    suffixes: tuple[str, ...] = (".ged", ".gedcom")
    heavy = False
    signature: Signature | None = Signature(text=re.compile(r"\A[\ufeff\s]*0 HEAD\s*\n\s*1 \w"))

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` where the bytes are no text."""
        nodes = _read_tree(decode_text(raw.data))
        nodes_by_id = {node.id: node for node in nodes if node.id}
        families = {node.id: _read_family(node, nodes_by_id) for node in nodes if node.tag == "FAM"}
        assembly = Assembly()
        for node in nodes:
            if node.tag == "INDI":
                assembly.add_heading(_get_name(node), 1)
                assembly.add(BlockKind.LIST, "\n".join(_iter_person_lines(node, nodes_by_id, families)))
            elif node.tag == "SOUR":
                assembly.add_heading(" ".join(node.list_values("TITL")[:1]) or "Source", 1)
                source_lines = [
                    line.text for line in node.children if line.tag in ("AUTH", "PUBL", "TEXT", "NOTE") and line.text
                ]
                assembly.add(BlockKind.LIST, "\n".join(source_lines))
        return assembly.finish(Kind.TEXT, self.media_type, title=_TREE_TITLE)


def _read_tree(text: str) -> list[_Node]:
    """The records of a file; a line that is no record continues the one above."""
    roots: list[_Node] = []
    path: list[_Node] = []
    for line in text.split("\n"):
        match = _GEDCOM_LINE.fullmatch(line.rstrip())
        if match is None:
            if path and line.strip():
                path[-1].children.append(_Node("CONT", line.strip()))
            continue
        level = min(int(match[1]), len(path))
        node = _Node(match[3].upper(), (match[4] or "").replace("@@", "@"), match[2] or "")
        (path[level - 1].children if level else roots).append(node)
        path = [*path[:level], node]
    return roots


def _get_name(node: _Node) -> str:
    names = node.list_values("NAME")
    return " ".join(names[0].replace("/", " ").split()) if names else "(no name)"


def _iter_person_lines(node: _Node, nodes_by_id: dict[str, _Node], families: dict[str, _Family]) -> Iterator[str]:
    for name in node.list_values("NAME")[1:]:
        yield f"Also called: {' '.join(name.replace('/', ' ').split())}"
    yield from _iter_events(node, nodes_by_id)
    for link in node.children:
        family = families.get(link.value.strip("@"))
        if family is None or link.tag not in ("FAMS", "FAMC"):
            continue
        names = " and ".join(_get_name(person) for person in family.couple if person is not node)
        if link.tag == "FAMC":
            yield f"Parents: {names}" if names else ""
        elif any(person is node for person in family.couple):
            yield f"Spouse: {names}" if names else ""
            yield from family.lines


@dataclass(frozen=True, slots=True)
class _Family:
    """The couple, and the lines that both share: the events of the family and its children."""

    couple: list[_Node]
    lines: list[str]


def _read_family(node: _Node, nodes_by_id: dict[str, _Node]) -> _Family:
    people = {
        tag: [nodes_by_id[key] for value in node.list_values(tag) if (key := value.strip("@")) in nodes_by_id]
        for tag in ("HUSB", "WIFE", "CHIL")
    }
    children = ", ".join(map(_get_name, people["CHIL"]))
    lines = [*_iter_events(node, nodes_by_id), *([f"Children: {children}"] if children else ())]
    return _Family([*people["HUSB"][:1], *people["WIFE"][:1]], lines)


def _iter_events(node: _Node, nodes_by_id: dict[str, _Node]) -> Iterator[str]:
    """The events and notes of a record, each with its day and place."""
    for event in node.children:
        if event.tag not in _EVENTS:
            continue
        note = nodes_by_id.get(event.value.strip("@"))
        text = note.text if note is not None else "" if event.text == "Y" else event.text
        kind = event.list_values("TYPE")
        days = [_format_days(value) for value in event.list_values("DATE")]
        notes = [
            nodes_by_id[value.strip("@")].text if value.strip("@") in nodes_by_id else value
            for value in event.list_values("NOTE")
        ]
        details = ", ".join(filter(None, (text, *kind, *days, *event.list_values("PLAC", "ADDR", "CAUS"), *notes)))
        yield f"{_EVENTS[event.tag]}: {details}" if details else _EVENTS[event.tag]


def _format_days(value: str) -> str:
    """A date of a family tree in words: "BET 1875 AND 1878" is "between 1875 and 1878"."""
    words = (_DATE_WORDS.get(word, word.capitalize() if word.isalpha() else word) for word in value.split())
    return " ".join(filter(None, words))


members: dict[str, Parser] = {"vcard": VCard(), "ofx": Ofx(), "qif": Qif(), "gedcom": Gedcom()}
