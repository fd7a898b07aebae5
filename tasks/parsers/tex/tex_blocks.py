"""The blocks of a LaTeX source: title, sections, paragraphs, lists, tables with their captions, footnotes.

Formulas are kept as written, and citations and references are shown as their keys. Nothing is run: macros of the author
are expanded with their arguments, within bounds, and no other file is read.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence

from tasks.parsers.assembly import Assembly
from tasks.parsers.table_form import lay_out
from tasks.parsers.tex import tex_words
from tasks.parsers.tex.tex_tables import TexRows
from tasks.parsers.tex.tex_tokens import TexKind, TexMacros, TexSource, TexSpan, TexToken
from tasks.parsers.tex.tex_words import LINE_END, TexFront
from warehouse.records import BlockKind

_MAX_DEPTH = 12  # Arguments inside each other that are read.
_NOTE_MARK = re.compile(r"\[\d{1,3}\]")
AUTHOR_SEPARATOR = "\x03"  # Between the authors: the text has no control characters.
_COMMAND_TEXTS = tex_words.SIGNS | dict.fromkeys(("and", "And", "AND"), AUTHOR_SEPARATOR)


def add_latex(assembly: Assembly, text: str) -> TexFront:
    """Adds the blocks of a source and returns its front matter."""
    walk = _TexWalk(assembly, TexSource(text))
    walk.add_document()
    return walk.front


class _TexWalk:
    """Adds the tokens of a source; `_words` is the paragraph so far."""

    def __init__(self, assembly: Assembly, source: TexSource) -> None:
        self.front = TexFront()
        self._assembly = assembly
        self._source = source
        self._tokens, self._ends = source.tokens, source.ends
        self._words: list[str] = []
        self._notes: list[str] = []
        self._note_count = 0
        self._items: list[str] = []
        self._open_lists: list[tuple[str, int]] = []  # The kinds of the open lists, and how many items they have.
        self._mark = self._caption = ""
        self._macros = TexMacros(source)
        self._argument_gaps: set[int] = set()  # The braces between arguments of unknown commands.
        self._depth = 0
        commands = [
            (place, token.text.rstrip("*")) for place, token in enumerate(self._tokens) if token.kind is TexKind.COMMAND
        ]
        names = {name for _, name in commands}
        self._level_shift = (0 if {"part", "chapter"} & names else 1) - ("title" in names)
        self._captions = [place for place, name in commands if name == "caption"]
        begins = (place for place, token in enumerate(self._tokens) if token == TexToken(TexKind.BEGIN, "document"))
        self._body = next(begins, -1)
        self._has_title_command = "maketitle" in names  # Whether a command places the title.
        self._shown_texts: set[str] = set()

    def add_document(self) -> None:
        """Adds the text: of a document with a preamble, its body."""
        place = 0
        while place < self._body:  # of the preamble only title fields and definitions
            token = self._tokens[place]
            name = token.text.rstrip("*") if token.kind is TexKind.COMMAND else ""
            place = self._read_command(place) if name in tex_words.PREAMBLE_COMMANDS else place + 1
        if not self._has_title_command:
            self._add_title_fields()
        self._walk_span(self._body + 1, self._ends.get(self._body, len(self._tokens)))
        self._flush()
        self._end_list()
        self._add_title_fields()
        if self._body < 0:
            spans = self._macros.list_unused()
            unused = [f"{name}: {self._macros.names.get(name) or self._read_span(*span)}" for name, span in spans]
            self._assembly.add(BlockKind.LIST, "\n".join(unused))

    def _add_title_fields(self) -> None:
        """Adds the title, authors, date and other fields of the title page that are not added yet."""
        fields = {name: words for name, words in self.front.fields.items() if words not in self._shown_texts}
        self._shown_texts.update(fields.values())
        self._assembly.add_heading(fields.get("title", ""), 1)
        for name in tex_words.TITLE_FIELDS[1:]:
            lines = re.split(rf"\s*[\n{AUTHOR_SEPARATOR}]\s*", fields.get(name, ""))
            self._assembly.add(BlockKind.PARAGRAPH, "\n".join(filter(None, lines)))
        self._flush_notes()

    def _walk_span(self, place: int, end: int) -> None:
        while place < end:
            place = self._read_token(place)

    def _read_token(self, place: int) -> int:
        """Reads a token with its arguments; returns the place after them."""
        token = self._tokens[place]
        match token.kind:
            case TexKind.TEXT:
                self._add_text(token.text)
            case TexKind.VERB:
                self._words.append(token.text)
            case TexKind.BREAK:
                self._flush()
            case TexKind.MATH if token.is_display and not self._depth:
                self._flush()
                self._words.append(self._macros.substitute(token.text))
                self._flush(keeps_lines=True)
            case TexKind.MATH:
                self._words.append(" ".join(self._macros.substitute(token.text).split()))
            case TexKind.CODE:
                self._add_code(token.text)
            case TexKind.SIGN:
                return self._read_sign(place)
            case TexKind.COMMAND:
                return self._read_command(place)
            case TexKind.BEGIN:
                return self._begin_environment(place)
            case TexKind.END:
                self._end_environment(token.text)
            case TexKind.MARK:
                gap = " " * (place in self._argument_gaps)
                self._words.append({"{": gap, "}": gap, "~": " "}.get(token.text, token.text))
        return place + 1

    def _add_text(self, text: str) -> None:
        """Adds words, and the arguments of the macro that contains them at their parameters."""
        for piece in self._macros.iter_pieces(text):
            if isinstance(piece, str):
                self._words.append(tex_words.typeset(piece))
            else:
                frame = self._macros.frames.pop()
                self._expand(piece)
                self._macros.frames.append(frame)

    def _expand(self, span: TexSpan, arguments: Sequence[TexSpan] | None = None) -> None:
        """Reads the span of a macro; `arguments` are those of the macro."""
        if self._macros.use_budget(span):
            self._macros.frames += () if arguments is None else (arguments,)
            self._walk_span(*span)
            del self._macros.frames[len(self._macros.frames) - (arguments is not None) :]

    def _add_code(self, text: str) -> None:
        if self._depth:
            self._words.append(text)
            return
        self._flush()
        self._flush_items()
        self._assembly.add(BlockKind.CODE, text)

    def _flush(self, *, keeps_lines: bool = False) -> None:
        """Ends a paragraph, or one of an item; inside an argument only the line ends."""
        if self._depth:
            self._words.append("\n")
            return
        text = "".join(self._words)
        self._words.clear()
        words = text.strip() if keeps_lines else tex_words.join_lines(text)
        if self._open_lists:
            indent = "  " * min(len(self._open_lists) - 1, _MAX_DEPTH)
            if self._mark or words:
                self._items.append(f"{indent}{self._mark or '  '}{words}".rstrip())
            self._mark = ""
        elif words:
            self._assembly.add(BlockKind.PARAGRAPH, words)
            self._flush_notes()

    def _flush_notes(self) -> None:
        for note in self._notes:
            self._assembly.add(BlockKind.PARAGRAPH, note)
        self._notes.clear()

    def _flush_items(self) -> None:
        self._assembly.add(BlockKind.LIST, "\n".join(self._items))
        self._items.clear()
        self._flush_notes()

    def _end_list(self) -> None:
        self._open_lists.clear()
        self._flush_items()

    def _read_span(self, start: int, end: int) -> str:
        """The words of a span of tokens, on one line except for explicit line ends."""
        if self._depth >= _MAX_DEPTH:
            return " ".join("".join(token.text for token in self._tokens[start:end]).split())
        outer_words, self._words = self._words, []
        self._depth += 1
        self._walk_span(start, end)
        self._depth -= 1
        words, self._words = "".join(self._words), outer_words
        return tex_words.join_lines(words)

    def _read_argument(self, place: int) -> tuple[str, int]:
        """The words of the argument at a place, and the place after it; nothing where there is none."""
        argument = self._source.find_argument(place)
        return (self._read_span(*argument[:2]), argument[2]) if argument else ("", place)

    def _read_sign(self, place: int) -> int:
        sign, place = self._tokens[place].text, place + 1
        if sign == "\\":
            self._words.append(LINE_END)
            if self._source.is_mark(place, "*"):
                place += 1
            option = self._source.find_option(place)
            return option[2] if option else place
        if sign in tex_words.ACCENTS:
            return self._read_accent(sign, place)
        self._words.append(tex_words.SPACES.get(sign, sign))
        return place

    def _read_accent(self, accent: str, place: int) -> int:
        """A letter with an accent: in braces, a command such as the i without its dot, or the first of a text."""
        if argument := self._source.find_argument(place):
            self._words.append(tex_words.with_accent(accent, self._read_span(*argument[:2])))
            return argument[2]
        token = self._tokens[place] if place < len(self._tokens) else None
        if token and token.kind is TexKind.TEXT:
            self._words.append(tex_words.with_accent(accent, token.text[:1]) + tex_words.typeset(token.text[1:]))
            return place + 1
        if token and token.kind is TexKind.COMMAND and token.text in ("i", "j"):
            self._words.append(tex_words.with_accent(accent, token.text))
            return place + 1
        return place

    def _read_command(self, place: int) -> int:
        """Reads a command; the arguments of an unknown command are read as text."""
        name, place = self._tokens[place].text.rstrip("*"), place + 1
        if name in tex_words.SECTIONS:
            return self._add_section(name, place)
        if name in self._macros.macros:
            return self._use_macro(name, place)
        if name in tex_words.TITLE_FIELDS and (argument := self._source.find_argument_after_options(place)):
            words, next_place = self._read_span(*argument[:2]), argument[2]
            while self._source.is_mark(next_place, "{") and (further := self._source.find_argument(next_place)):
                words, next_place = f"{words} {self._read_span(*further[:2])}".strip(), further[2]
            joint = AUTHOR_SEPARATOR if name == "author" else "\n"
            value = _NOTE_MARK.sub("", words) if name == "title" else words
            earlier_words = self.front.fields.get(name, "") if name not in ("title", "date") else ""
            self.front.fields[name] = joint.join(filter(None, (earlier_words, value)))
            return next_place
        if name in tex_words.NOTE_COMMANDS and (argument := self._source.find_argument_after_options(place)):
            self._note_count += 1
            number = self._note_count
            self._words.append(f"[{number}]")
            self._notes.append(f"[{number}] {self._read_span(*argument[:2])}")
            return argument[2]
        if name in tex_words.DEFINITIONS:
            return self._read_definition(name, place)
        for matches, read in self._list_readers():
            if matches(name):
                return read(name, place)
        if len(name) == 1 and name in tex_words.ACCENTS and self._source.find_argument(place):
            return self._read_accent(name, place)
        self._macros.used.add(name)
        if (sign := self._macros.names.get(name, _COMMAND_TEXTS.get(name))) is not None:
            self._words.append(LINE_END if sign == "\n" else sign)
            argument = self._source.find_argument(place)
            return argument[2] if argument and argument[0] == argument[1] else place
        if name not in tex_words.WORD_COMMANDS:
            self._argument_gaps.update(self._source.iter_further_arguments(place))
        return place

    def _list_readers(self) -> tuple[tuple[Callable[[str], object], Callable[[str, int], int]], ...]:
        return (
            (lambda name: name == "item", self._begin_item),
            (lambda name: name in ("caption", "captionof", "subcaption"), self._add_caption),
            (lambda name: name in ("url", "href", "path", "nolinkurl"), self._read_link),
            (lambda name: name in tex_words.QUANTITY_ARGUMENTS and name not in self._macros.names, self._read_quantity),
            (lambda name: name in tex_words.REFERENCES or name in tex_words.FILE_COMMANDS, self._read_reference),
            (tex_words.CITATION.fullmatch, self._read_citation),
            (lambda name: name == "bibitem", self._read_bibitem),
            (lambda name: name in tex_words.PARAGRAPH_STARTS, self._break_paragraph),
            (tex_words.COMMAND_SETTINGS.__contains__, self._skip_command),
        )

    def _skip_command(self, name: str, place: int) -> int:
        is_end = name in tex_words.WITHOUT_LAST_OPTION
        return self._source.skip_arguments(place, tex_words.COMMAND_SETTINGS[name], ends=is_end)

    def _add_section(self, name: str, place: int) -> int:
        argument = self._source.find_argument_after_options(place)
        if argument is None or self._depth:
            return place
        self._flush()
        self._end_list()
        self._assembly.add_heading(self._read_span(*argument[:2]), max(tex_words.SECTIONS[name] - self._level_shift, 1))
        self._flush_notes()
        return argument[2]

    def _read_definition(self, name: str, place: int) -> int:
        """Reads the definition of a macro, with or without arguments."""
        target, macro, place = self._source.read_definition(name, place)
        if macro:
            self._macros.define(target, macro, "" if macro.kinds or macro.ending else self._read_span(*macro.span))
        return place

    def _use_macro(self, name: str, place: int) -> int:
        """Expands a macro with arguments, or the beginning of an environment."""
        macro = self._macros.macros[name]
        spans, next_place = self._source.read_arguments(macro, place)
        self._macros.used.add(name)
        if macro.ending:
            self._flush()
            self._macros.environments.append((name, spans))
        self._expand(macro.span, spans)
        return next_place

    def _read_quantity(self, name: str, place: int) -> int:
        """A number with its unit; where its arguments are not those of siunitx, their text."""
        option = self._source.find_option(place)
        number = self._source.get_text(*option[:2]) if option and name == "unit" else ""
        spans, next_place = self._source.list_arguments(place, len(tex_words.QUANTITY_ARGUMENTS[name].replace("-", "")))
        if not spans:
            return place
        sources = [self._macros.substitute(self._source.get_text(*span)) for span in spans]
        if number[:1].isdigit():
            name, sources = "qty", [number, *sources]
        self._words.append(tex_words.typeset_quantity(name, sources, self._macros.names))
        return next_place

    def _begin_item(self, _: str, place: int) -> int:
        """An item with its number or name."""
        if not self._open_lists or self._depth:
            return place
        self._flush()
        kind, count = self._open_lists[-1]
        self._open_lists[-1] = kind, count + 1
        option = self._source.find_option(place)
        label = self._read_span(*option[:2]) if option else ""
        self._mark = f"{label} " if label else f"{count + 1}. " if "enum" in kind else "- "
        return option[2] if option else place

    def _add_caption(self, name: str, place: int) -> int:
        """Adds a caption as a paragraph next to the table or picture."""
        words, next_place = self._read_argument(self._source.skip_arguments(place, int(name == "captionof")))
        self._flush()
        self._words.append(words)
        self._flush()
        return next_place

    def _read_link(self, name: str, place: int) -> int:
        argument = self._source.find_argument_after_options(place)
        if argument is None:
            return place
        address = "".join(
            self._macros.substitute(token.text) for token in self._tokens[argument[0] : argument[1]]
        ).strip()
        if address.startswith(("http:", "https:")):
            self.front.links.append(address)
        if name != "href":
            self._words.append(address)
        return argument[2]

    def _read_reference(self, name: str, place: int) -> int:
        """Adds the key of a reference or the name of another file, which is not read."""
        words, next_place = self._read_argument(self._source.skip_arguments(place, 0))
        self._words.append(f"\\{name}{{{words}}}" if words and name in tex_words.FILE_COMMANDS else words)
        return next_place

    def _read_citation(self, _: str, place: int) -> int:
        notes = []
        while option := self._source.find_option(place):
            notes.append(self._read_span(*option[:2]))
            place = option[2]
        words, next_place = self._read_argument(place)
        if next_place > place:
            self._words.append(f"[{', '.join(filter(None, (words, *notes)))}]")
        return next_place

    def _read_bibitem(self, _: str, place: int) -> int:
        self._flush()
        option = self._source.find_option(place)
        label = self._read_span(*option[:2]) if option else ""
        words, next_place = self._read_argument(option[2] if option else place)
        self._words.append(f"[{label or words}] ")
        return next_place

    def _break_paragraph(self, name: str, place: int) -> int:
        self._flush()
        if name == "maketitle":
            self._add_title_fields()
        self._argument_gaps.update(self._source.iter_further_arguments(place))
        return place

    def _begin_environment(self, place: int) -> int:
        name, end, next_place = self._tokens[place].text, self._ends.get(place), place + 1
        if name in self._macros.macros:
            return self._use_macro(name, next_place)
        if name in tex_words.ENVIRONMENT_SETTINGS or name in tex_words.FLOATS:
            next_place = self._source.skip_arguments(next_place, tex_words.ENVIRONMENT_SETTINGS.get(name, 0))
        if name in tex_words.TABLES and end is not None:
            return self._add_table(name, place, end)
        self._flush()
        if self._depth or name == "document":
            return next_place
        if name in tex_words.FLOATS and end is not None:
            self._caption = self._find_caption(next_place, end)
        if name in tex_words.LISTS:
            self._open_lists.append((name, 0))
            return self._source.skip_arguments(next_place, 0)
        if name in tex_words.SECTION_HEADINGS:
            self.front.has_abstract |= name == "abstract"
            self._assembly.add_heading(tex_words.SECTION_HEADINGS[name], max(2 - self._level_shift, 1))
        elif tex_words.STATEMENTS.fullmatch(name):
            self._words.append(f"{name.rstrip('*').capitalize()}. ")
        elif argument := self._source.find_argument(next_place):
            self._argument_gaps.add(argument[1])
        return next_place

    def _end_environment(self, name: str) -> None:
        if self._macros.environments and self._macros.environments[-1][0] == name:
            self._expand(self._macros.macros[name].ending or (0, 0), self._macros.environments.pop()[1])
        self._flush()
        if self._depth:
            return
        if name in tex_words.LISTS and self._open_lists:
            self._open_lists.pop()
            if not self._open_lists:
                self._end_list()
        elif name in tex_words.FLOATS:
            self._caption = ""

    def _find_caption(self, start: int, end: int) -> str:
        """The words of the first caption in a span."""
        index = bisect_left(self._captions, start)
        if index == len(self._captions) or self._captions[index] >= end:
            return ""
        count, notes = self._note_count, list(self._notes)
        words = self._read_argument(self._source.skip_arguments(self._captions[index] + 1, 0))[0]
        self._note_count, self._notes = count, notes  # Its notes are counted where the caption is read as text.
        return words

    def _add_table(self, name: str, begin: int, end: int) -> int:
        """Adds a table, with its header above the first rule below a row; inside an argument, its cells on one line."""
        place = self._source.skip_arguments(begin + 1, tex_words.TABLES[name])
        if not self._depth:
            self._flush()
            self._flush_items()
        if name == "longtable":
            self._caption = self._find_caption(place, end)
            self._assembly.add(BlockKind.PARAGRAPH, self._caption)
        tex_rows = TexRows(self._source, place, end, self._read_span)
        if self._depth:
            self._words.append(" ".join(cell.text for row in tex_rows.rows for cell in row))
            return end + 1
        layout = lay_out(tex_rows.rows)
        header = tex_rows.header_rows if (tex_rows.header_rows or 0) < len(tex_rows.rows) else None
        self._assembly.add_table(layout.rows, header_rows=header, merges=layout.merges, caption=self._caption)
        self._flush_notes()
        return end + 1
