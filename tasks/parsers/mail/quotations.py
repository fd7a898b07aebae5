"""A body split into the sender's text, quotations of other messages, and the signature.

A short quotation with an answer below it stays in its place, its lines behind ">". Every other quotation is separated
from the sender's text, with its author and time as far as they are stated.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import groupby

from tasks.parsers.assembly import Assembly, BlockContent
from tasks.parsers.mail.attributions import (
    MAX_LINES,
    Attribution,
    may_begin_headers,
    read_attribution,
    read_header_block,
)
from tasks.parsers.text import add_text
from warehouse.records import BlockKind

_MAX_INLINE_LENGTH = 600  # Characters of a quotation that is read with the answer below it.
_MAX_HEADER_LINES = 30  # Lines below one another in which the headers of a forwarded message stand.
_MAX_DEPTH = 40  # Headers of messages below each other, each of which quotes the next.
_DASHES = re.compile(r"--[ \t]?")
_SENT_FROM = re.compile(
    r"(?:sent (?:from|via|using) (?:my |the |yahoo |outlook |mail|proton|samsung).{0,60}"
    r"|get outlook for (?:ios|android).{0,40}"
    r"|(?:von|gesendet) (?:von )?meine[mr] .{0,40}(?:gesendet)?|envoyé de mon .{0,40}|enviado desde mi .{0,40}"
    r"|inviato da(?:l mio)? .{0,40}|发自我的.{0,30}|發自我的.{0,30}|從我的.{0,20}傳送)",
    re.IGNORECASE,
)
_LIST_FOOTER = re.compile(r"_{20,}|-{40,}")
_LIST_FOOTER_WORD = re.compile(r"mailing list|unsubscribe|to post to this|list-?info|邮件列表", re.IGNORECASE)


_NOTICE_TOPICS = """
confiden[ct]i privileged vertraulich geschützte riservat vertrouwelijk 保密 机密 機密
intended.recipient named.recipient intended.for addressee adressat empfänger destinat[aá]ri destinataire bestemd 收件
in.error mistake irrtümlich versehentlich par.erreur por.error por.engano por.erro per.errore ten.onrechte 误收 誤收
(?:notify|inform|contact).the.sender absender expéditeur remitente remetente mittente afzender
delete destroy vernichte lösch détrui supprim elimin borr apag destru distrugg cancell verwijder vernietig 删除 刪除
unauthori[sz]ed prohibited forbidden unbefugt nicht.gestattet interdit prohibid proibid vietat verboden 禁止
"""
"""The topics of the notice below a business's mails: secrecy, addressee, errors, sender, deletion, prohibitions."""
_NOTICE_WORDS = tuple(
    re.compile("|".join(words.split()), re.IGNORECASE) for words in _NOTICE_TOPICS.strip().splitlines()
)
_MIN_NOTICE_TOPICS = 3  # Of these in one paragraph: who writes about such a notice rarely speaks of more.
_MAIL_FORMULA = re.compile(
    r"\W*(?:(?:caution|warning|attention|external|achtung|extern)\b.{0,80}(?:outside|external|extern).{0,250}"
    r"|.{0,40}(?:consider the environment|think of the environment|denken sie an die umwelt|l[’']environnement avant"
    r"|tenga en cuenta el medio ?ambiente|rispett\w+ l[’']ambiente|denk aan het milieu).{0,120})",
    re.IGNORECASE | re.DOTALL,
)
"""The warning that a server puts above mails from elsewhere, and the plea not to print them."""


@dataclass(frozen=True, slots=True)
class BodyLine:
    """A line of a body, or a `block` of a page that is no paragraph; `depth` is how often it is quoted.

    `paragraph` numbers the paragraphs of pages; it is -1 in plain texts, whose paragraphs are yet to be found.
    """

    depth: int
    text: str
    block: BlockContent | None = None
    paragraph: int = -1
    is_signature: bool = False


@dataclass(slots=True)
class Quotation:
    """Some lines of another message, with its sender and time as far as they are stated."""

    attribution: Attribution
    lines: list[BodyLine] = field(default_factory=list)

    def split_source(self) -> tuple[Attribution, tuple[BlockContent, ...]]:
        """Its source and its blocks; where it has no words, those that state the source are its block."""
        blocks = tuple(to_blocks(self.lines))
        if blocks or not self.attribution.words:
            return self.attribution, blocks
        return replace(self.attribution, words=""), (BlockContent(BlockKind.PARAGRAPH, self.attribution.words),)


@dataclass(frozen=True, slots=True)
class SplitBody:
    """The sender's own words, the quotations in order, the signature and the legal notices, which may be empty."""

    own: tuple[BlockContent, ...]
    quotations: tuple[tuple[Attribution, tuple[BlockContent, ...]], ...]
    signature: str
    notice: str = ""


def split_body(lines: Sequence[BodyLine], day: date | None) -> SplitBody:
    """A body in its parts. `day` is the day of its message, if known."""
    runs = [list(group) for _, group in groupby(_iter_below_headers(lines, day), key=lambda pair: pair[0].depth > 0)]
    stretches = [
        OwnStretch.from_lines([line for line, _ in run], day, leads=place + 1 < len(runs))
        for place, run in enumerate(runs)
        if not run[0][0].depth
    ]
    last = max((place for place, stretch in enumerate(stretches) if stretch.says_anything), default=-1)
    own: list[BodyLine] = []
    quotations: list[Quotation] = []
    stretch_index = -1
    for run in runs:
        previous = stretches[stretch_index] if stretch_index >= 0 else None
        if not run[0][0].depth:
            stretch_index += 1
            own += stretches[stretch_index].own
        elif stretch_index < last and _is_short(run):
            own += previous.lead if previous else ()
            own += _as_context(line for line, _ in run)
        else:
            quotations += _collect_quotations(run, previous.attribution if previous else None, day)
    signature = "\n\n".join(filter(None, (stretch.signature for stretch in stretches)))
    words, notice = _split_notices(own)
    parts = tuple(part for quotation in quotations if (part := quotation.split_source())[1])
    return SplitBody(tuple(to_blocks(words)), parts, signature, notice)


def _split_notices(lines: Sequence[BodyLine]) -> tuple[list[BodyLine], str]:
    """Own lines without the paragraphs that are notices in every mail of a business, and these; all if no other is."""
    paragraphs = [
        list(group)
        for _, group in groupby(lines, key=lambda line: (line.paragraph, bool(line.text.strip()), line.block is None))
    ]
    flags = [_is_notice(paragraph) for paragraph in paragraphs]
    own = [line for paragraph, flag in zip(paragraphs, flags, strict=True) if not flag for line in paragraph]
    if not any(line.text.strip() or line.block for line in own):
        return list(lines), ""
    notices = (
        "\n".join(line.text for line in paragraph) for paragraph, flag in zip(paragraphs, flags, strict=True) if flag
    )
    return own, "\n\n".join(notices)


def _is_notice(lines: Sequence[BodyLine]) -> bool:
    if lines[0].block is not None:
        return False
    text = " ".join(line.text for line in lines)
    topics = sum(words.search(text) is not None for words in _NOTICE_WORDS)
    return topics >= _MIN_NOTICE_TOPICS or _MAIL_FORMULA.fullmatch(text.strip()) is not None


@dataclass(frozen=True, slots=True)
class OwnStretch:
    """Own lines between quotations: without the signature and without the `lead` to the quotation that follows."""

    own: tuple[BodyLine, ...]
    signature: str
    lead: tuple[BodyLine, ...]
    attribution: Attribution | None

    @classmethod
    def from_lines(cls, lines: list[BodyLine], day: date | None, *, leads: bool) -> OwnStretch:
        """The parts of some own lines; `leads` says that a quotation follows."""
        all_lines = tuple(lines)
        attribution = _remove_attribution(lines, day) if leads else None
        signature_flags = [_is_signature(lines, place) for place in range(len(lines))]
        begins = next(
            (place for place, is_rule in enumerate(signature_flags) if is_rule and _is_rule(lines, place)), len(lines)
        )
        own = tuple(line for place, line in enumerate(lines[:begins]) if not signature_flags[place])
        signature_texts = (line.text for place, line in enumerate(lines) if place >= begins or signature_flags[place])
        signature = "\n".join(text for text in signature_texts if not _DASHES.fullmatch(text.rstrip())).strip()
        return cls(own, signature, all_lines[len(lines) :], attribution)

    @property
    def says_anything(self) -> bool:
        """Whether there are own words in it."""
        return any(line.text.strip() or line.block for line in self.own)


def _is_rule(lines: Sequence[BodyLine], place: int) -> bool:
    """Whether all lines from here on are a signature: two dashes, or the rule above the footer of a mailing list."""
    if lines[place].block is not None:
        return False
    text = lines[place].text.strip()
    if _DASHES.fullmatch(text):
        return True
    below = lines[place + 1 : place + MAX_LINES]
    return _LIST_FOOTER.fullmatch(text) is not None and any(_LIST_FOOTER_WORD.search(line.text) for line in below)


def _is_signature(lines: Sequence[BodyLine], place: int) -> bool:
    line = lines[place]
    return line.is_signature or _is_rule(lines, place) or _SENT_FROM.fullmatch(line.text.strip()) is not None


def _iter_below_headers(lines: Sequence[BodyLine], day: date | None) -> Iterator[tuple[BodyLine, Attribution | None]]:
    """The lines, those below the headers of another message a depth deeper, the first of them with what they say.

    Headers with no line below them come with an empty line.
    """
    lifts: list[int] = []
    place = 0
    headers: tuple[BodyLine, Attribution] | None = None  # Those whose first line is still to come.
    while place < len(lines):
        line = lines[place]
        while lifts and line.depth < lifts[-1] and line.text.strip():
            lifts.pop()
        if line.block is None and may_begin_headers(line.text):
            end = place + 1
            while end < min(len(lines), place + _MAX_HEADER_LINES) and (lines[end].depth, lines[end].block) == (
                line.depth,
                None,
            ):
                end += 1
            texts = [header_line.text for header_line in lines[place:end]]
            if (header_block := read_header_block(texts, day)) is not None:
                count, attribution = header_block
                if line.depth not in lifts and len(lifts) < _MAX_DEPTH:
                    lifts.append(line.depth)
                if headers is not None:
                    yield headers
                headers = replace(line, depth=_compute_depth(line.depth, lifts), text=""), attribution
                place += count
                continue
        deeper_line = replace(line, depth=_compute_depth(line.depth, lifts))
        if headers is not None and deeper_line.depth >= headers[0].depth:
            yield deeper_line, headers[1]
            headers = None
        else:
            if headers is not None and (line.text.strip() or line.block):
                yield headers
                headers = None
            yield deeper_line, None
        place += 1
    if headers is not None:
        yield headers


def _compute_depth(depth: int, lifts: Sequence[int]) -> int:
    return depth + sum(lift <= depth for lift in lifts)


def _is_short(run: Sequence[tuple[BodyLine, Attribution | None]]) -> bool:
    has_no_tables = all(line.block is None or line.block.table is None for line, _ in run)
    return (
        has_no_tables
        and not any(attribution for _, attribution in run)
        and sum(len(line.text) for line, _ in run) <= _MAX_INLINE_LENGTH
    )


def _as_context(lines: Iterable[BodyLine]) -> Iterator[BodyLine]:
    """Quoted lines to be read with the answer below them."""
    quoted_lines = [f"{'>' * line.depth} {line.text}" for line in lines if line.text.strip()]
    if quoted_lines:
        yield BodyLine(0, "\n".join(quoted_lines), BlockContent(BlockKind.PARAGRAPH, "\n".join(quoted_lines)))


def _remove_attribution(lines: list[BodyLine], day: date | None) -> Attribution | None:
    """Removes the attribution of a quotation from the end of the lines before it and returns it, or None."""
    end = len(lines)
    while end and not lines[end - 1].text.strip() and lines[end - 1].block is None:
        end -= 1
    lead: tuple[int, Attribution] | None = None
    for start in range(end - 1, max(end - 1 - MAX_LINES, -1), -1):
        if lines[start].block is not None or not lines[start].text.strip():
            break
        attribution = read_attribution(" ".join(line.text for line in lines[start:end]), day)
        # More lines may have more: "On Monday, 10 March 2025" above "Anna wrote:".
        if attribution and (lead is None or attribution.day):
            lead = start, attribution
            if attribution.day:
                break
    if lead is None:
        return None
    del lines[lead[0] :]
    return lead[1]


def _collect_quotations(
    run: Sequence[tuple[BodyLine, Attribution | None]], first: Attribution | None, day: date | None
) -> list[Quotation]:
    """The messages that neighbouring quoted lines are of, one for each depth and each attribution."""
    quotations: list[Quotation] = []
    current: dict[int, Quotation] = {}
    last_depth = 0
    if first is not None and run[0][1] is not None:  # A line that names the source, above headers that name another.
        quotations.append(Quotation(first))
    for line, line_attribution in run:
        depth = line.depth
        attribution = line_attribution
        if line_attribution is None and depth > last_depth:
            attribution = first if last_depth == 0 else _remove_attribution(current[last_depth].lines, day)
        if attribution is not None or depth not in current:
            current = {quoted_depth: quotation for quoted_depth, quotation in current.items() if quoted_depth < depth}
            current[depth] = Quotation(attribution or Attribution())
            quotations.append(current[depth])
        current[depth].lines.append(line)
        last_depth = depth
    return quotations


def to_blocks(lines: Sequence[BodyLine]) -> Iterator[BlockContent]:
    """The blocks of some lines: paragraphs of pages as they were, those of plain text by its blank lines."""
    for (paragraph, _), group in groupby(lines, key=lambda line: (line.paragraph, id(line.block) if line.block else 0)):
        run = list(group)
        text = "\n".join(line.text for line in run)
        if run[0].block is not None:
            yield run[0].block
        elif paragraph >= 0:
            if text.strip():
                yield BlockContent(BlockKind.PARAGRAPH, text.strip())
        else:
            assembly = Assembly()
            add_text(assembly, text)
            yield from assembly.contents
