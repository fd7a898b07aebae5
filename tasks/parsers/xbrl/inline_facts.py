"""The tags of a page of inline XBRL 1.1 as facts: values, scales and signs, continuations, fractions, tuples.

Unreadable parts of a tag (a missing context, an unknown format) are reported, and the fact is kept
without them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Context, Decimal
from typing import TYPE_CHECKING, TypeVar, cast

from tasks.faults import UNREADABLE_TAGS
from tasks.parsers.trees import collapse_spaces, expand_entity, get_tag
from tasks.parsers.xbrl.contexts import FactContext, FactUnit, read_context, read_unit
from tasks.parsers.xbrl.transformations import PLAIN_NUMBER, UnknownFormat, transform_value
from tasks.parsers.xbrl.xhtml_tree import NIL, get_attribute, normalize_name, read_prefixes
from warehouse.printable_text import format_first
from warehouse.records import Fact, Finding

if TYPE_CHECKING:
    from lxml.etree import _Element

_Value = TypeVar("_Value")
_FACT_TAGS = ("ix-nonfraction", "ix-nonnumeric", "ix-fraction")
PIECE = "data-kalends-piece"  # The attribute with the number of the piece of a fact that an element shows.
_HIDDEN_REFERENCE = re.compile(r"-(?:sec|esef)-ix-hidden:\s*([^;\s]+)")
_MAX_LENGTH, _MAX_HIDDEN_LENGTH = 2_000, 20_000  # Characters of a fact's words; shown ones are in the text.
_MAX_DIGITS = 200
_MAX_POWER = 30  # The largest power of ten of a scale, and of decimals; larger ones are errors.
_EXACT_CONTEXT = Context(prec=_MAX_DIGITS + 4 * _MAX_POWER)
_MAX_NAMED_EXAMPLES = 5  # Examples that a finding names.
_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")


@dataclass(slots=True)
class Problems:
    """The problems of tags that cannot be read, by their description, with examples."""

    examples: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def add_case(self, problem: str, example: str) -> None:
        """Note a case; `problem` is the text after the number of cases."""
        self.examples[problem].append(example)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """One finding a problem."""
        findings = []
        for problem, cases in self.examples.items():
            names = format_first([f"'{case[:60]}'" for case in dict.fromkeys(cases)], _MAX_NAMED_EXAMPLES)
            findings.append(UNREADABLE_TAGS.make_finding(f"{len(cases)} × {problem}: {names}"))
        return tuple(findings)


@dataclass(frozen=True, slots=True)
class InlineFacts:
    """The facts of a page, without spans, and the number of the fact that each piece shows; pieces count from 0."""

    facts: tuple[Fact, ...]
    fact_of_piece: tuple[int, ...]
    findings: tuple[Finding, ...]

    def with_spans(self, spans: Mapping[int, tuple[int, int]]) -> tuple[Fact, ...]:
        """The facts with the spans of their pieces, by the pieces' numbers."""
        spans_by_fact: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        for piece, number in enumerate(self.fact_of_piece):
            if piece in spans:
                spans_by_fact[number].append(spans[piece])
        return tuple(
            replace(fact, start=fact_spans[0][0], end=fact_spans[0][1], continued=tuple(fact_spans[1:]))
            if (fact_spans := spans_by_fact.get(fact.number))
            else fact
            for fact in self.facts
        )


def read_inline_facts(root: _Element) -> InlineFacts | None:
    """The facts of a page with plain tags, whose elements get the numbers of the pieces that they show.

    None for a page without any tag of inline XBRL.
    """
    if next(root.iter(*_FACT_TAGS, "ix-header"), None) is None:
        return None
    return TagReader(root, read_prefixes(root)).read()


class TagReader:
    """Reads the tags of one page."""

    def __init__(self, root: _Element, prefixes: dict[str, str]) -> None:
        self._root, self._prefixes, self._problems = root, prefixes, Problems()
        self._contexts: dict[str, FactContext] = {}
        self._units: dict[str, FactUnit] = {}
        for node in self._iter_first_by_id("xbrli-context"):
            context = read_context(node, prefixes)
            if context.broken:
                self._problems.add_case("a period of a context that is none", node.get("id") or "")
            self._contexts[node.get("id") or ""] = context
        for node in self._iter_first_by_id("xbrli-unit"):
            self._units[node.get("id") or ""] = read_unit(node, prefixes)
        self._continuations = {node.get("id") or "": node for node in self._iter_first_by_id("ix-continuation")}
        self._tuples = {node: number for number, node in enumerate(root.iter("ix-tuple"), start=1)}
        self._tuple_ids = {get_attribute(node, "tupleID"): node for node in self._tuples}
        self._pieces: list[int] = []

    def _iter_first_by_id(self, tag: str) -> Iterator[_Element]:
        seen_ids: set[str] = set()
        for node in self._root.iter(tag):
            name = node.get("id") or ""
            if name in seen_ids:
                self._problems.add_case(
                    f"an id that several {tag.partition('-')[2]}s have, of which the first counts", name
                )
            else:
                seen_ids.add(name)
                yield node

    def read(self) -> InlineFacts:
        """All facts in the order of the page."""
        facts, ids = [], dict[str, int]()
        for number, node in enumerate(self._root.iter(*_FACT_TAGS), start=1):
            facts.append(self._read_fact(number, node))
            ids.setdefault(node.get("id") or "", number)
        # An element that shows a hidden fact names it in its style.
        for node in cast("list[_Element]", self._root.xpath("//*[contains(@style, '-ix-hidden:')]")):
            reference = _HIDDEN_REFERENCE.search(node.get("style") or "")
            if reference and reference[1] in ids and node.get(PIECE) is None:
                self._number_piece(node, ids[reference[1]])
        return InlineFacts(tuple(facts), tuple(self._pieces), self._problems.findings)

    def _number_piece(self, node: _Element, number: int) -> None:
        node.set(PIECE, str(len(self._pieces)))
        self._pieces.append(number)

    def _read_fact(self, number: int, node: _Element) -> Fact:
        concept = normalize_name(get_attribute(node, "name"), self._prefixes)
        context = self._find_by_reference("contextRef", "context", node, concept, self._contexts, FactContext())
        parts = [node, *self._iter_continuations(node, concept)]
        for part in parts:
            self._number_piece(part, number)
        fact = Fact(
            number,
            concept,
            format_concept(concept),
            "",
            period_start=context.start,
            period_end=context.end,
            entity=context.entity,
            dimensions=context.dimensions,
            group=self._find_group(node),
        )
        is_nil = (node.get(NIL) or node.get("xsi:nil") or "").strip().lower() in ("true", "1")
        if get_tag(node) == "ix-nonnumeric":
            return replace(fact, nil=is_nil, content="" if is_nil else self._read_words(node, parts, concept))
        unit = self._find_by_reference("unitRef", "unit", node, concept, self._units, FactUnit("pure"))
        fact = replace(fact, unit=unit.name, currency=unit.currency, nil=is_nil)
        if is_nil:
            return fact
        return self._read_fraction(fact, node) if get_tag(node) == "ix-fraction" else self._read_figure(fact, node)

    def _find_by_reference(
        self,
        attribute_name: str,
        noun: str,
        node: _Element,
        concept: str,
        values_by_id: Mapping[str, _Value],
        default: _Value,
    ) -> _Value:
        name = get_attribute(node, attribute_name)
        if name not in values_by_id:
            self._problems.add_case(f"a fact of a {noun} that is not there, kept without it", name or concept)
        return values_by_id.get(name, default)

    def _find_group(self, node: _Element) -> str:
        """The tuple that a fact belongs to, by its ancestor or by reference: its concept and its number."""
        if not self._tuples:
            return ""
        reference = get_attribute(node, "tupleRef")
        tuple_node = self._tuple_ids.get(reference) if reference else next(node.iterancestors("ix-tuple"), None)
        if tuple_node is None:
            return ""
        return f"{normalize_name(get_attribute(tuple_node, 'name'), self._prefixes)} {self._tuples[tuple_node]}"

    def _iter_continuations(self, node: _Element, concept: str) -> Iterator[_Element]:
        """The continuations of a fact in order; each belongs to one fact, so that a chain ends at one of another."""
        name = get_attribute(node, "continuedAt")
        while name:
            continuation = self._continuations.get(name)
            if continuation is None or continuation.get(PIECE) is not None:
                problem = "a continuation that is not there" if continuation is None else "a continuation of two facts"
                self._problems.add_case(problem, name)
                return
            # Marked as used before the next one, so that a cycle ends.
            continuation.set(PIECE, "")
            yield continuation
            name = get_attribute(continuation, "continuedAt")

    def _read_words(self, node: _Element, parts: Sequence[_Element], concept: str) -> str:
        """The value of a fact in words, by its format where it has one."""
        max_length = _MAX_HIDDEN_LENGTH if next(node.iterancestors("ix-hidden"), None) is not None else _MAX_LENGTH
        pieces, length = list[str](), 0
        for part in parts:
            for piece in _iter_texts(part, max_length - length):
                pieces.append(piece)
                length += len(piece)
        text = collapse_spaces("".join(pieces))
        if length > max_length:
            return f"{text[:max_length]}…"
        return self._transform_value(node, text, concept) or "" if get_attribute(node, "format") else text

    def _transform_value(self, node: _Element, text: str, concept: str) -> str | None:
        """The value by the tag's format. If it cannot be read, the text for words, and None for a figure."""
        name = get_attribute(node, "format").rpartition(":")[2]
        try:
            return transform_value(name, text)
        except UnknownFormat:
            self._problems.add_case("a format that is not known", name)
        except (ValueError, OverflowError):
            self._problems.add_case("a value that is not written as its format says", f"{concept}: {text[:30]}")
        return None if get_tag(node) != "ix-nonnumeric" else text

    def _read_figure(self, fact: Fact, node: _Element) -> Fact:
        text = collapse_spaces("".join(_iter_texts(node, _MAX_LENGTH)))
        digits = self._transform_value(node, text, fact.concept) if get_attribute(node, "format") else text
        scale = _parse_integer(get_attribute(node, "scale")) if get_attribute(node, "scale") else 0
        if digits is not None and (scale is None or not PLAIN_NUMBER.fullmatch(digits) or len(digits) > _MAX_DIGITS):
            self._problems.add_case("a figure that is no number", f"{fact.concept}: {text[:30]}")
            digits = None
        if digits is None or scale is None:
            return replace(fact, content=text)
        value = Decimal(digits).scaleb(scale, _EXACT_CONTEXT)
        value = -value if get_attribute(node, "sign") == "-" else value
        return replace(
            fact,
            content=_format_exact(value),
            value=float(value),
            scale=10.0**scale,
            decimals=_count_decimals(node, value),
        )

    def _read_fraction(self, fact: Fact, node: _Element) -> Fact:
        """A fraction of two numbers, such as 1/3."""
        parts = (next(node.iter(tag), None) for tag in ("ix-numerator", "ix-denominator"))
        numerator, denominator = (fact if part is None else self._read_figure(fact, part) for part in parts)
        if numerator.value is None or not denominator.value:
            self._problems.add_case("a figure that is no number", f"{fact.concept}: a fraction")
            return fact
        content = f"{numerator.content}/{denominator.content}"
        return replace(fact, content=content, value=numerator.value / denominator.value)


def _parse_integer(text: str) -> int | None:
    """A small whole number; None where the text is none."""
    digits = text.removeprefix("+")
    is_integer = re.fullmatch(r"-?\d{1,3}", digits) is not None and digits.isascii()
    return int(digits) if is_integer and abs(int(digits)) <= _MAX_POWER else None


def _format_exact(value: Decimal) -> str:
    """The digits of a number, without trailing zeros after the point."""
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _count_decimals(node: _Element, value: Decimal) -> int | None:
    """How many digits after the point are exact, by `decimals` or `precision`; None where all are."""
    decimals = _parse_integer(get_attribute(node, "decimals"))
    if decimals is not None:
        return decimals
    precision = _parse_integer(get_attribute(node, "precision"))
    return None if precision is None or not value else precision - value.adjusted() - 1


def _iter_texts(node: _Element, max_length: int) -> Iterator[str]:
    """The text inside an element without `ix:exclude`, up to about `max_length` characters.

    Blocks and cells are separated by a blank.
    """
    remaining_length = max_length
    pending: list[_Element | str] = [node.text or "", *_iter_inside(node)]
    pending.reverse()
    while pending and remaining_length >= 0:
        item = pending.pop()
        if not isinstance(item, str):
            if get_tag(item) == "&":
                pending.append(expand_entity(item))
            elif get_tag(item) not in _IGNORED_TAGS:
                pending += reversed([item.text or "", *_iter_inside(item)])
            continue
        remaining_length -= len(item)
        yield item


_IGNORED_TAGS = frozenset(["ix-exclude", "script", "style", "ix-header", "template"])
_INLINE_TAG = re.compile(r"ix-|xbrl|span$|font$|sup$|sub$|[abiu]$|em$|strong$|small$|big$|ins$|del$|s$|tt$|code$")


def _iter_inside(node: _Element) -> Iterator[_Element | str]:
    for child in node:
        is_separate = not _INLINE_TAG.match(get_tag(child) or "span")
        if is_separate:
            yield " "
        yield child
        yield f" {child.tail or ''}" if is_separate else child.tail or ""


def format_concept(concept: str) -> str:
    """A concept's name in words: "us-gaap:NetIncomeLoss" is "Net income loss"; abbreviations keep their capitals."""
    names = _WORD.findall(concept.rpartition(":")[2])
    words = [name if len(name) > 1 and name.isupper() else name.lower() for name in names]
    return " ".join([words[0][:1].upper() + words[0][1:], *words[1:]]) if words else concept
