"""The company that a filing or an annual report is of, if no release announces it.

A cover has the name next to the line "(Exact name of registrant as specified in its charter)", which the forms
prescribe, or below the Commission's file number; it may come after the pages of a glossy report. Without a cover it is
read from the report's title, its running titles, the address of the auditors and the headings of the statements: such
a name counts only if the document uses it again.
"""

from __future__ import annotations

import csv
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import islice

from tasks.parsers.document_head import MAX_COVER_OFFSET, REGISTRANT_NAME_LABEL, REPORT, find_running_titles
from warehouse.search.catalogue import (
    iter_beginnings,
    iter_initials,
    iter_short_names,
    make_full_key,
    split_tokens,
    squeeze_name,
)

MAX_NAME_LENGTH = 90  # Characters of a company's name at most.
MAX_NAME_WORDS = 9
_FILE_NUMBER_REACH = 6_000  # Characters of a document in which the Commission's file number on a cover may be.
_TITLE_REACH = 1_500  # Characters of a document in which its title may be.
_MAX_LINES_ABOVE = 8  # Lines above the words that label a name, of which one is the name.
_MIN_REPETITIONS = 2  # How often a document must have a name for which only a title or a heading is evidence.
_ALIAS_REACH = 60_000  # Characters after the cover in which a company's other names are defined.
_MAX_ALIASES = 4
_INDEX_WITHOUT_FORM = 2  # The place of a name without its legal form among the short names of a company.
_MIN_SHORT_FORM_USES = 3  # How often sentences must have a short form of a name.

_MAX_ABBREVIATION = 3  # The most letters of a symbol that may well be an abbreviation of other words.

_NAME_AFTER_LABEL = re.compile(r"\s*(?:in\s+(?:its|their|the)?\s*charters?)?\)?\s*[:：]\s*(?P<name>[^\n|]{2,90})")
_FILE_NUMBER = re.compile(
    r"commission\s+file\s+n(?:umber|o)s?\b\.?:?\s*(?:\d{1,3}-\d{2,6})?[^\n\w]{0,10}", re.IGNORECASE
)
_NUMBER_BEFORE_NAME = re.compile(
    r"^.{0,40}\b(?:file\s+)?n(?:umber|o)s?\b\.?:?\s*\d{1,3}-\d{2,6}(?:-\d\d)?\s+(?=[A-Z0-9])", re.IGNORECASE
)
"""The Commission's file number on the line of the name."""
_COVER_WORDS = re.compile(
    r"commission\b|\bfile\s+n|\bform\s+\d|\bended\b|transition\s+p|\bsection\s+1\d|pursuant|securities\s+(?:and|act|exch|reg)"
    r"|washington,?\s+d|mark\s+one|\breport\b|date\s+of|\bamendment\b|employer\s+id|^not\s+applicable|^n/a|registrant"
    r"|^or$|\bact\s+of\b|identification|^page\s+\d|table\s+of|trading\s+symbol",
    re.IGNORECASE,
)
_NAME_ENDING = re.compile(
    r"(?:co(?:rp(?:oration)?|mpan(?:y|ies))?|inc(?:orporated)?|l(?:td|imited)|plc|llc|l\.?p|n\.?v|s\.?a|international"
    r"|holdings?|group|technologies|industries|enterprises|partners|trust|bancorp|(?:company,\s+)?inc)\b[.,]?",
    re.IGNORECASE,
)
"""The last words of a name whose first words are on the line above."""
_FORM = re.compile(r"(?:inc|corp|co|ltd|plc|llc|n\.v|s\.a|ag|se)\.?", re.IGNORECASE)
_ANY_FORM = r"(?:inc(?:orporated)?|corp(?:oration)?|co(?:mpany)?|l(?:td|imited)|plc|llc|nv|sa|ag|se)"
_STREET = re.compile(r"(?<=[a-z.,)])\s+(?:\d+|One|P\.\s?O\.)\s.*$|\s*[,;]?\s*\(?a\s+(?:delaware|\w+)\s+corporation.*$")
_NUMBER = re.compile(rf"({_NAME_ENDING.pattern})\s+\d+$", re.IGNORECASE)
_EMPTY_CELL = re.compile(r"^[\W_]*$")
_SYMBOL = re.compile(
    r"(?<![A-Za-z0-9])(?P<symbol>[A-Z]{1,5}(?:\.[A-Z])?)[ |]{1,5}(?:[Tt]he )?"
    r"(?:NASDAQ|Nasdaq|New York Stock|NYSE|Chicago)"
)
_NO_NAME_WORDS = (
    "the our this an a consolidated integrated full audited annual group statutory corporate sustainability interim"
    " quarterly combined condensed financial our your its form first second third fourth half unaudited transition"
    " semiannual semi-annual half-yearly monthly current preliminary special"
)
_ARTICLES = "der die das den dem des ein eine le la les un une el los las il lo i gli o os as de het"
_NON_NAME_WORDS = frozenset(
    (*_NO_NAME_WORDS.split(), *_ARTICLES.split())
)  # Words before "annual report" that name nobody.
_RESULTS = (
    r"(?:\d(?:st|nd|rd|th)|first|second|third|fourth|q[1-4]|full|half|nine|interim|preliminary|annual)\b[^.\n]{0,60}"
    r"\bresults\b"
)
_TITLE = re.compile(
    rf"(?P<name>\S.{{1,70}}?)(?:['’]s)?[\s,|:·•–—-]+(?:(?:19|20)\d\d\s+)?(?:{REPORT}|{_RESULTS})", re.IGNORECASE
)
_NAME_FIELD = re.compile(
    r"^[|*\s]*(?:company\s+name|name\s+of\s+(?:the\s+)?(?:listed\s+)?(?:company|issuer))[|*\s]*[:：|][|*\s]*"
    r"(?P<name>[^\n|]{2,90})",
    re.IGNORECASE,
)
"""A line of a form: "Company name: Vale Holdings, Inc."."""
_REPORT_TITLE = re.compile(
    rf"(?:(?:19|20)\d\d\s+)?{REPORT}(?:\s+(?:and|&)\s+accounts)?(?:\s+(?:19|20)\d\d)?", re.IGNORECASE
)
_NAME_AFTER_TITLE = re.compile(rf"(?:{_REPORT_TITLE.pattern})\s*[|:·•–—-]\s*(?P<name>[^|]{{2,70}})$", re.IGNORECASE)
_AUDIT_REPORT_ADDRESS = re.compile(
    r"^to\s+the\s+(?:(?:board\s+of\s+(?:directors|trustees)|(?:share|stock)holders|shareowners|unitholders|members|partners"
    r"|audit\s+committee)(?:,?\s+and\s+(?:the\s+)?|,\s+(?:the\s+)?)?){1,3}\s*(?:\s+of\s+|\n)(?P<name>[^\n:]{2,90}?)"
    r"(?:\s+and\s+(?:its\s+)?subsidiaries)?[:.]?\s*$",
    re.IGNORECASE | re.MULTILINE,
)
_SUBSIDIARIES = re.compile(
    r"^(?P<name>[^\n|]{2,80}?),?\s+and\s+(?:its\s+)?(?:consolidated\s+)?subsidiar(?:ies|y)(?:\s+companies)?$",
    re.IGNORECASE | re.MULTILINE,
)
_LOWER_CASE_WORD = re.compile(r"(?:of|and|the|de|da|van|von|for|plc|inc\.?|ltd\.?|[ien][A-Z]\w+)$")

_LEGAL_FORMS_AND_SUBSIDIARIES = (
    r"(?:,?\s*(?:inc\.?|corporation|corp\.?|company|co\.?|plc|ltd\.?|limited|n\.v\.|& co\.?|,?\s*an?\s+[\w ]{3,30}?"
    r"(?:corporation|company)|,?\s*(?:and|together\s+with|including|with)\s+(?:its|all\s+of\s+its)\s+"
    r"(?:consolidated\s+|direct\s+|wholly[- ]owned\s+|and\s+|indirect\s+)*subsidiaries))*,?\s*"
)
_QUOTED_NAME = re.compile(r"[“\"](?P<name>[^”\"“\n]{2,40}?)[,.]?[”\"]")
_OTHER_NAME = re.compile(
    r"[\s,(]{1,3}(?:d/b/a|doing\s+business\s+as|formerly(?:\s+known\s+as)?|also\s+known\s+as)[:,]?\s+[“\"]?"
    r"(?P<name>[A-Z][\w&.’'-]*(?:\s(?:&\s)?[A-Z][\w&.’'-]*){0,4})"
)
_ROLE_WORDS = (
    "company companies we us our ours registrant corporation group parent issuer firm bank holdings successor"
    " predecessor partnership trust they it its the or and plc subsidiaries borrower guarantor"
)
_ROLES = frozenset(_ROLE_WORDS.split())
_CHINESE_ALIAS = re.compile(r"(?:公司|证券|證券|股票)简?簡?[称稱][:：\s]*(?P<name>[\u3400-\u9fffA-Za-z]{2,12})")
_CHINESE_SYMBOL = re.compile(r"(?:公司|证券|證券|股票|股份)代[码碼号號][:：\s]*(?P<symbol>\d{4,6})")
_CHINESE_COMPANY = re.compile(
    r"^(?:公司名[称稱][:：]\s*)?(?P<name>[\u3400-\u9fff（）()]{2,30}(?:股份有限公司|有限公司))(?=\s*$|\s*(?:20\d\d|二[〇○零]|第|年))",
    re.MULTILINE,
)


def find_registrant(text: str) -> str:
    """The company that a filing's cover names; empty without one."""
    charter = REGISTRANT_NAME_LABEL.search(text, 0, MAX_COVER_OFFSET)
    if charter:
        name_match = _NAME_AFTER_LABEL.match(text, charter.end())
        name_after = _clean_name(name_match["name"]) if name_match else ""
        name_above, name_below = _find_name_above(text, charter.start()), _find_name_below(text, charter.end())
        return name_after or (
            name_below or name_above if _is_in_header_row(text, charter.start()) else name_above or name_below
        )
    number = _FILE_NUMBER.search(text, 0, _FILE_NUMBER_REACH)
    lines = (_clean_name(line) for line in text[number.end() : number.end() + 300].splitlines()) if number else ()
    first_line = next(filter(None, lines), "")
    return first_line if is_name(first_line) and _is_repeated(text, first_line) else ""


def _is_in_header_row(text: str, position: int) -> bool:
    """Whether a position is in a row of several cells, the head of a table of registrants."""
    line = text[text.rfind("\n", 0, position) + 1 :].partition("\n")[0]
    return line.startswith("|") and sum(not _EMPTY_CELL.match(cell) for cell in line.split("|")) > 1


def _find_name_above(text: str, end: int) -> str:
    """The line above `end`, with the line before it if both belong to the same name."""
    lines = [
        _clean_name(line)
        for line in text[max(0, end - _FILE_NUMBER_REACH) : end].rstrip(" (").splitlines()[-_MAX_LINES_ABOVE:]
    ]
    names = [line for line in lines if line][-2:]
    if len(names) < 2:
        return names[0] if names else ""
    line_above, name = names
    whole_name = f"{line_above} {name}"
    is_continued = _NAME_ENDING.fullmatch(name) or line_above.endswith(("&", ",")) or name.startswith("&")
    return whole_name if is_continued or (is_name(line_above) and _is_repeated(text, whole_name)) else name


def _find_name_below(text: str, start: int) -> str:
    """The name in the row below the head of its column, or on one of the lines below that have nothing else."""
    head, *lines_below = text[start : start + 600].split("\n")
    column = text[text.rfind("\n", 0, start) + 1 : start].count("|")
    for line in lines_below:
        cells = line.split("|")
        if "|" in head and not (column and line.startswith("|")):
            continue
        cell = cells[min(column, len(cells) - 1)].strip() if column else line
        name = _clean_name(_NUMBER.sub(r"\1", _STREET.sub("", cell)))
        if name and is_name(name) and (column or (_NAME_ENDING.search(name) and _is_repeated(text, name))):
            return name
    return ""


def _clean_name(line: str) -> str:
    """A line as a name, empty if it cannot be one."""
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    text = _NUMBER_BEFORE_NAME.sub("", next((cell for cell in cells if not _EMPTY_CELL.match(cell)), ""))
    name = " ".join(text.split()).strip("_*# ")
    is_other = is_cover_line(name) or name.startswith(("(", "[")) or len(name) > MAX_NAME_LENGTH
    return "" if is_other or not any(char.isalpha() for char in name) else name


def find_titled_company(text: str) -> str:
    """The company of a report without a cover, by its title, running titles, auditors and statements."""
    lines = [line for line in map(str.strip, text[:_TITLE_REACH].splitlines()) if line]
    auditors = Counter(" ".join(match["name"].split()) for match in _AUDIT_REPORT_ADDRESS.finditer(text))
    heading_names = Counter(" ".join(match["name"].split()) for match in _SUBSIDIARIES.finditer(text))
    running_names = [name for title in find_running_titles(text) for name in _iter_line_names(title)]
    choices = [
        *_iter_title_names(lines),
        *running_names,
        *(name for name, _ in (auditors + heading_names).most_common()),
    ]
    return next((name for name in map(_strip_name, choices) if is_name(name) and _is_repeated(text, name)), "")


def _iter_title_names(lines: Sequence[str]) -> Iterator[str]:
    """The names in a report's title, and those on a separate line above or below it."""
    for index, line in enumerate(lines):
        if len(line) > MAX_NAME_LENGTH + 30:
            continue
        yield from _iter_line_names(line)
        if _REPORT_TITLE.fullmatch(line):
            yield from (lines[neighbour] for neighbour in (index - 1, index + 1) if 0 <= neighbour < len(lines))


def _iter_line_names(line: str) -> Iterator[str]:
    matches = _NAME_FIELD.match(line), _TITLE.match(line), _NAME_AFTER_TITLE.search(line)
    yield from (match["name"] for match in matches if match)


def is_cover_line(line: str) -> bool:
    """Whether a line has words of a filing's cover, as "Form 10-K" or "Annual report pursuant to section 13"."""
    return bool(_COVER_WORDS.search(line))


def _strip_name(name: str) -> str:
    return " ".join(re.sub(r"\s*(?:[|·•–—]|(?<!\d)(?:19|20)\d\d)\s*$", "", name.strip(" *#_-–—|:,")).split())


def is_name(text: str) -> bool:
    """Whether a text looks like a company's name: few words, with capitals, not all of them words of any title."""
    words = text.split()
    specific_words = [word for word in words if word.lower() not in _NON_NAME_WORDS]
    is_capitalised = all(
        word[0].isupper() or word[0].isdigit() or word == "&" or _LOWER_CASE_WORD.match(word) for word in words
    )
    is_capitalised = is_capitalised or (len(words) == 2 and bool(_FORM.fullmatch(words[1])))
    has_letters = any(char.isalpha() for char in "".join(specific_words))
    is_cover_text = _NAME_ENDING.fullmatch(text) or _COVER_WORDS.search(text)
    return bool(words) and is_capitalised and has_letters and len(words) <= MAX_NAME_WORDS and not is_cover_text


def _is_repeated(text: str, name: str) -> bool:
    """Whether a text has a name more than once, also in other letters or broken across lines."""
    pattern = r"\s+".join(map(re.escape, name.split()))
    return len(list(islice(re.finditer(pattern, text, re.IGNORECASE), _MIN_REPETITIONS))) == _MIN_REPETITIONS


def find_chinese_company(text: str) -> str:
    """The company whose Chinese name is on a separate line, or before the title of its report."""
    match = _CHINESE_COMPANY.search(text[: 2 * _TITLE_REACH])
    return match["name"] if match else ""


def find_cover_symbols(cover: str) -> Iterator[str]:
    """The symbols in a cover's table of exchanges, or next to the words for a Chinese stock's code."""
    yield from (match["symbol"] for match in _SYMBOL.finditer(cover))
    yield from (match["symbol"] for match in _CHINESE_SYMBOL.finditer(cover))


def find_listed_symbols(text: str, company: str) -> tuple[str, ...]:
    """The symbols of a listed company, by its whole name with the legal form, as the list of the SEC has it.

    A name without its form gets the one that the text writes after it. A symbol that the text has as another
    word, in small letters or, if it is short, in capitals, is left out: a question for "CRM" or "IT" means no company.
    """
    symbols = _load_listed().get(make_full_key(company)) or _load_listed().get(_find_full_key(text, company), ())
    return tuple(symbol for symbol in symbols if not _has_word(text, symbol))


@cache
def _load_listed() -> Mapping[str, tuple[str, ...]]:
    """The symbols by the key of the whole name, without names that have the same key."""
    names: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    lines = files("tasks.entities").joinpath("listed_companies.csv").read_text(encoding="utf-8").splitlines()
    for row in csv.DictReader(lines):
        names[make_full_key(row["name"])][row["name"]].append(row["symbol"])
    return {key: tuple(*symbols.values()) for key, symbols in names.items() if len(symbols) == 1}


def _find_full_key(text: str, company: str) -> str:
    """The key of a name with the legal form that the text writes after it; empty if it writes none or several."""
    pattern = r"\W+".join(map(re.escape, split_tokens(company)))
    matches = re.finditer(rf"(?<!\w){pattern},?\s+{_ANY_FORM}(?!\w)", text, re.IGNORECASE) if pattern else ()
    keys = {make_full_key(match[0]) for match in matches}
    return keys.pop() if len(keys) == 1 else ""


def _has_word(text: str, symbol: str) -> bool:
    spelling = f"{symbol}|{symbol.lower()}" if len(symbol) <= _MAX_ABBREVIATION else symbol.lower()
    return bool(re.search(rf"(?<![\w./-])(?:{spelling})(?![\w/-]|\.\w)", text))


def find_other_names(text: str, company: str, symbols: Sequence[str] = (), start: int = 0) -> tuple[str, ...]:
    """Other names that a document has for its company: "(“AMD” or the “Company”)", "d/b/a …", "formerly …", later uses.

    Definitions are searched for from `start` on; `symbols` are those of its stock.
    """
    region = text[start : start + _ALIAS_REACH]
    words = split_tokens(list(iter_short_names(company))[_INDEX_WITHOUT_FORM])
    if not words:
        return ()
    name = r"\W+".join(map(re.escape, words))
    other_names: dict[str, None] = {}
    for match in re.finditer(
        rf"(?<!\w){name}{_LEGAL_FORMS_AND_SUBSIDIARIES}\((?P<inside>[^()]{{2,200}})\)", region, re.IGNORECASE
    ):
        quoted_names = [alias_match["name"] for alias_match in _QUOTED_NAME.finditer(match["inside"])]
        parts = re.split(r",\s*(?:or\s+)?|\s+or\s+", match["inside"])
        has_role = any(part.strip().lower().removeprefix("the ") in _ROLES for part in parts)
        other_names.update(dict.fromkeys(quoted_names or (map(str.strip, parts) if has_role else ())))
    for match in re.finditer(rf"(?<!\w)(?i:{name}{_LEGAL_FORMS_AND_SUBSIDIARIES}){_OTHER_NAME.pattern}", region):
        other_names[match["name"]] = None
    other_names.update(
        dict.fromkeys(alias_match["name"] for alias_match in _CHINESE_ALIAS.finditer(region[: 2 * _TITLE_REACH]))
    )
    other_names.update(dict.fromkeys(_iter_short_forms(text, company, symbols)))
    aliases = (name.strip(" ,") for name in other_names if _is_alias(name, company))
    return tuple({squeeze_name(alias): alias for alias in aliases}.values())[:_MAX_ALIASES]


def _iter_short_forms(text: str, company: str, symbols: Sequence[str]) -> Iterator[str]:
    """The first word, the initials or the symbol by which the sentences of a document call its company.

    One that the document also writes in small letters is left out, for that is a word: "Discover" and "discover".
    """
    names, codes = [*iter_short_names(company), *iter_beginnings(company)], [*iter_initials(company), *symbols]
    for name in dict.fromkeys(name for name in (*names, *codes) if len(name) > 1 and " " not in name):
        pattern = name if name not in names else rf"(?i:{re.escape(name)})"
        matches = re.finditer(rf"(?:(?<=[a-z,] )|(?<=[a-z]\n))(?P<name>{pattern})(?=['’]s\b|[ ,.]+[a-z])", text)
        counts = Counter(match["name"] for match in matches)
        spelling, count = next(iter(counts.most_common(1)), ("", 0))
        if (
            count >= _MIN_SHORT_FORM_USES
            and name.lower() not in counts
            and not re.search(rf"\b{re.escape(name.lower())}\b", text)
        ):
            yield spelling


def _is_alias(name: str, company: str) -> bool:
    words = re.findall(r"\w+", name.lower())
    is_other_name = any(word not in _ROLES for word in words) and name.casefold() != company.casefold()
    return is_other_name and 0 < len(words) <= 4 and (not name[0].islower() or name[1:2].isupper())
