"""Whose filing or annual report a document is, where no release announces it.

A cover has the name beside the line "(Exact name of registrant as specified in its charter)", which the forms
prescribe, or below the Commission's file number; it may come behind the pages of a glossy report. Without a cover the
report's title, its running titles, whom the auditors address and the heads of the statements say it: such a name counts
only where the document uses it again.
"""

from __future__ import annotations

import csv
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import islice

from tasks.parsers.titles import CHARTER, COVERED, REPORT, find_running_titles
from warehouse.search.catalogue import (
    iter_beginnings,
    iter_initials,
    iter_short_names,
    make_full_key,
    split_tokens,
    squeeze_name,
)

LONGEST = 90  # Characters of a company's name at most.
MOST_WORDS = 9
_NUMBERED = 6_000  # How far into a document the Commission's file number stands on a cover, in characters.
_TOP = 1_500  # How far into a document its own title stands, in characters.
_MOST_LINES = 8  # Lines above the words that say what a name is, of which one is the name.
_AGAIN = 2  # How often a document must have a name that nothing but a title or a heading says to be its company's.
_DEFINED = 60_000  # How far behind the cover a company's other names are defined, in characters.
_MOST_ALIASES = 4
_WITHOUT_FORM = 2  # The place of a name without its legal form among the short names of a company.
_OFTEN = 3  # How often sentences must have a short form of a name.

_ABBREVIATION = 3  # The most letters of a symbol that may well be an abbreviation of something else.

_AS_NAMED = re.compile(r"\s*(?:in\s+(?:its|their|the)?\s*charters?)?\)?\s*[:：]\s*(?P<name>[^\n|]{2,90})")
_FILE_NUMBER = re.compile(
    r"commission\s+file\s+n(?:umber|o)s?\b\.?:?\s*(?:\d{1,3}-\d{2,6})?[^\n\w]{0,10}", re.IGNORECASE
)
_BESIDE_NUMBER = re.compile(
    r"^.{0,40}\b(?:file\s+)?n(?:umber|o)s?\b\.?:?\s*\d{1,3}-\d{2,6}(?:-\d\d)?\s+(?=[A-Z0-9])", re.IGNORECASE
)
"""The Commission's file number on the line of the name."""
_COVER_WORDS = re.compile(
    r"commission\b|\bfile\s+n|\bform\s+\d|\bended\b|transition\s+p|\bsection\s+1\d|pursuant|securities\s+(?:and|act|exch|reg)"
    r"|washington,?\s+d|mark\s+one|\breport\b|date\s+of|\bamendment\b|employer\s+id|^not\s+applicable|^n/a|registrant"
    r"|^or$|\bact\s+of\b|identification|^page\s+\d|table\s+of|trading\s+symbol",
    re.IGNORECASE,
)
_ENDING = re.compile(
    r"(?:co(?:rp(?:oration)?|mpan(?:y|ies))?|inc(?:orporated)?|l(?:td|imited)|plc|llc|l\.?p|n\.?v|s\.?a|international"
    r"|holdings?|group|technologies|industries|enterprises|partners|trust|bancorp|(?:company,\s+)?inc)\b[.,]?",
    re.IGNORECASE,
)
"""How a name ends whose first words stand on the line above."""
_FORM = re.compile(r"(?:inc|corp|co|ltd|plc|llc|n\.v|s\.a|ag|se)\.?", re.IGNORECASE)
_ANY_FORM = r"(?:inc(?:orporated)?|corp(?:oration)?|co(?:mpany)?|l(?:td|imited)|plc|llc|nv|sa|ag|se)"
_STREET = re.compile(r"(?<=[a-z.,)])\s+(?:\d+|One|P\.\s?O\.)\s.*$|\s*[,;]?\s*\(?a\s+(?:delaware|\w+)\s+corporation.*$")
_NUMBER = re.compile(rf"({_ENDING.pattern})\s+\d+$", re.IGNORECASE)
_BARE = re.compile(r"^[\W_]*$")
_SYMBOL = re.compile(
    r"(?<![A-Za-z0-9])(?P<symbol>[A-Z]{1,5}(?:\.[A-Z])?)[ |]{1,5}(?:[Tt]he )?"
    r"(?:NASDAQ|Nasdaq|New York Stock|NYSE|Chicago)"
)
_NO_NAME_WORDS = (
    "the our this an a consolidated integrated full audited annual group statutory corporate sustainability interim"
    " quarterly combined condensed financial our your its form first second third fourth half unaudited transition"
    " semiannual semi-annual half-yearly monthly current preliminary special"
)
_NO_NAME = frozenset(_NO_NAME_WORDS.split())  # What stands before "annual report" and names nobody.
_RESULTS = (
    r"(?:\d(?:st|nd|rd|th)|first|second|third|fourth|q[1-4]|full|half|nine|interim|preliminary|annual)\b[^.\n]{0,60}"
    r"\bresults\b"
)
_TITLE = re.compile(
    rf"(?P<name>\S.{{1,70}}?)(?:['’]s)?[\s,|:·•–—-]+(?:(?:19|20)\d\d\s+)?(?:{REPORT}|{_RESULTS})", re.IGNORECASE
)
_NAMED = re.compile(
    r"^[|*\s]*(?:company\s+name|name\s+of\s+(?:the\s+)?(?:listed\s+)?(?:company|issuer))[|*\s]*[:：|][|*\s]*"
    r"(?P<name>[^\n|]{2,90})",
    re.IGNORECASE,
)
"""A line of a form: "Company name: Vale Holdings, Inc."."""
_LABEL = re.compile(rf"(?:(?:19|20)\d\d\s+)?{REPORT}(?:\s+(?:and|&)\s+accounts)?(?:\s+(?:19|20)\d\d)?", re.IGNORECASE)
_AFTER_LABEL = re.compile(rf"(?:{_LABEL.pattern})\s*[|:·•–—-]\s*(?P<name>[^|]{{2,70}})$", re.IGNORECASE)
_AUDITED = re.compile(
    r"^to\s+the\s+(?:(?:board\s+of\s+(?:directors|trustees)|(?:share|stock)holders|shareowners|unitholders|members|partners"
    r"|audit\s+committee)(?:,?\s+and\s+(?:the\s+)?|,\s+(?:the\s+)?)?){1,3}\s*(?:\s+of\s+|\n)(?P<name>[^\n:]{2,90}?)"
    r"(?:\s+and\s+(?:its\s+)?subsidiaries)?[:.]?\s*$",
    re.IGNORECASE | re.MULTILINE,
)
_SUBSIDIARIES = re.compile(
    r"^(?P<name>[^\n|]{2,80}?),?\s+and\s+(?:its\s+)?(?:consolidated\s+)?subsidiar(?:ies|y)(?:\s+companies)?$",
    re.IGNORECASE | re.MULTILINE,
)
_LOWER = re.compile(r"(?:of|and|the|de|da|van|von|for|plc|inc\.?|ltd\.?|[ien][A-Z]\w+)$")

_OF_IT = (
    r"(?:,?\s*(?:inc\.?|corporation|corp\.?|company|co\.?|plc|ltd\.?|limited|n\.v\.|& co\.?|,?\s*an?\s+[\w ]{3,30}?"
    r"(?:corporation|company)|,?\s*(?:and|together\s+with|including|with)\s+(?:its|all\s+of\s+its)\s+"
    r"(?:consolidated\s+|direct\s+|wholly[- ]owned\s+|and\s+|indirect\s+)*subsidiaries))*,?\s*"
)
_QUOTED = re.compile(r"[“\"](?P<name>[^”\"“\n]{2,40}?)[,.]?[”\"]")
_OTHERWISE = re.compile(
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
_CHINESE = re.compile(
    r"^(?:公司名[称稱][:：]\s*)?(?P<name>[\u3400-\u9fff（）()]{2,30}(?:股份有限公司|有限公司))(?=\s*$|\s*(?:20\d\d|二[〇○零]|第|年))",
    re.MULTILINE,
)


def find_registrant(text: str) -> str:
    """The company that a filing's cover names; empty where none does."""
    found = CHARTER.search(text, 0, COVERED)
    if found:
        after = _AS_NAMED.match(text, found.end())
        named = _clean_name(after["name"]) if after else ""
        above, below = _find_name_above(text, found.start()), _find_name_below(text, found.end())
        return named or (below or above if _is_head(text, found.start()) else above or below)
    numbered = _FILE_NUMBER.search(text, 0, _NUMBERED)
    lines = (_clean_name(line) for line in text[numbered.end() : numbered.end() + 300].splitlines()) if numbered else ()
    first = next(filter(None, lines), "")
    return first if is_name(first) and _is_repeated(text, first) else ""


def _is_head(text: str, place: int) -> bool:
    """Whether a place is in a row of several cells, which heads a table of registrants."""
    line = text[text.rfind("\n", 0, place) + 1 :].partition("\n")[0]
    return line.startswith("|") and sum(not _BARE.match(cell) for cell in line.split("|")) > 1


def _find_name_above(text: str, end: int) -> str:
    """The line above a place, with the one before it where they belong to the same name."""
    lines = [_clean_name(line) for line in text[max(0, end - _NUMBERED) : end].rstrip(" (").splitlines()[-_MOST_LINES:]]
    found = [line for line in lines if line][-2:]
    if len(found) < 2:
        return found[0] if found else ""
    above, name = found
    joined = f"{above} {name}"
    goes_on = _ENDING.fullmatch(name) or above.endswith(("&", ",")) or name.startswith("&")
    return joined if goes_on or (is_name(above) and _is_repeated(text, joined)) else name


def _find_name_below(text: str, start: int) -> str:
    """The name in the row below a head that says what its column has, or on the lines below that say nothing else."""
    head, *below = text[start : start + 600].split("\n")
    column = text[text.rfind("\n", 0, start) + 1 : start].count("|")
    for line in below:
        cells = line.split("|")
        if "|" in head and not (column and line.startswith("|")):
            continue
        said = cells[min(column, len(cells) - 1)].strip() if column else line
        named = _clean_name(_NUMBER.sub(r"\1", _STREET.sub("", said)))
        if named and is_name(named) and (column or (_ENDING.search(named) and _is_repeated(text, named))):
            return named
    return ""


def _clean_name(line: str) -> str:
    """A line as a name, empty where it cannot be one."""
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    text = _BESIDE_NUMBER.sub("", next((cell for cell in cells if not _BARE.match(cell)), ""))
    name = " ".join(text.split()).strip("_*# ")
    is_other = is_cover_line(name) or name.startswith(("(", "[")) or len(name) > LONGEST
    return "" if is_other or not any(char.isalpha() for char in name) else name


def find_titled_company(text: str) -> str:
    """The company that a report without a cover is of, by its title, running titles, auditors and statements."""
    lines = [line for line in map(str.strip, text[:_TOP].splitlines()) if line]
    audited = Counter(" ".join(found["name"].split()) for found in _AUDITED.finditer(text))
    heads = Counter(" ".join(found["name"].split()) for found in _SUBSIDIARIES.finditer(text))
    running = [name for each in find_running_titles(text) for name in _iter_line_names(each)]
    likely = [*_iter_title_names(lines), *running, *(name for name, _ in (audited + heads).most_common())]
    return next((name for name in map(_strip_name, likely) if is_name(name) and _is_repeated(text, name)), "")


def _iter_title_names(lines: Sequence[str]) -> Iterator[str]:
    """The names in a report's title, and those that stand on a line of their own beside it."""
    for place, line in enumerate(lines):
        if len(line) > LONGEST + 30:
            continue
        yield from _iter_line_names(line)
        if _LABEL.fullmatch(line):
            yield from (lines[near] for near in (place - 1, place + 1) if 0 <= near < len(lines))


def _iter_line_names(line: str) -> Iterator[str]:
    found = _NAMED.match(line), _TITLE.match(line), _AFTER_LABEL.search(line)
    yield from (each["name"] for each in found if each)


def is_cover_line(line: str) -> bool:
    """Whether a line has words of a filing's cover, as "Form 10-K" or "Annual report pursuant to section 13"."""
    return bool(_COVER_WORDS.search(line))


def _strip_name(name: str) -> str:
    return " ".join(re.sub(r"\s*(?:[|·•–—]|(?<!\d)(?:19|20)\d\d)\s*$", "", name.strip(" *#_-–—|:,")).split())


def is_name(text: str) -> bool:
    """Whether a text is written as a company's name: few words, with capitals, and not only such as head any report."""
    words = text.split()
    telling = [word for word in words if word.lower() not in _NO_NAME]
    written = all(word[0].isupper() or word[0].isdigit() or word == "&" or _LOWER.match(word) for word in words)
    written = written or (len(words) == 2 and bool(_FORM.fullmatch(words[1])))
    letters = any(char.isalpha() for char in "".join(telling))
    is_other = _ENDING.fullmatch(text) or _COVER_WORDS.search(text)
    return bool(words) and written and letters and len(words) <= MOST_WORDS and not is_other


def _is_repeated(text: str, name: str) -> bool:
    """Whether a text says a name more than once, be it in other letters or over the end of a line."""
    pattern = r"\s+".join(map(re.escape, name.split()))
    return len(list(islice(re.finditer(pattern, text, re.IGNORECASE), _AGAIN))) == _AGAIN


def find_chinese_company(text: str) -> str:
    """The company whose Chinese name stands on a line of its own, or before what its report is called."""
    found = _CHINESE.search(text[: 2 * _TOP])
    return found["name"] if found else ""


def find_cover_symbols(cover: str) -> Iterator[str]:
    """The symbols in a cover's table of exchanges, or beside the words for a Chinese stock's code."""
    yield from (found["symbol"] for found in _SYMBOL.finditer(cover))
    yield from (found["symbol"] for found in _CHINESE_SYMBOL.finditer(cover))


def find_listed_symbols(text: str, company: str) -> tuple[str, ...]:
    """The symbols of a listed company, by its whole name with the legal form, as the list of the SEC has it.

    A name without its form gets the one that the text writes behind it. None that the text has as a word of its own,
    in small letters or, if it is short, in capitals: a question for "CRM" or for "IT" means nobody by it.
    """
    symbols = _load_listed().get(make_full_key(company)) or _load_listed().get(_find_full_key(text, company), ())
    return tuple(each for each in symbols if not _has_word(text, each))


@cache
def _load_listed() -> Mapping[str, tuple[str, ...]]:
    """The symbols by the key of the whole name; of names that are written alike none."""
    names: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    lines = files("tasks.entities").joinpath("listed_companies.csv").read_text(encoding="utf-8").splitlines()
    for row in csv.DictReader(lines):
        names[make_full_key(row["name"])][row["name"]].append(row["symbol"])
    return {key: tuple(*each.values()) for key, each in names.items() if len(each) == 1}


def _find_full_key(text: str, company: str) -> str:
    """The key of a name with the legal form that the text writes behind it; empty where it writes none or several."""
    written = r"\W+".join(map(re.escape, split_tokens(company)))
    found = re.finditer(rf"(?<!\w){written},?\s+{_ANY_FORM}(?!\w)", text, re.IGNORECASE) if written else ()
    keys = {make_full_key(each[0]) for each in found}
    return keys.pop() if len(keys) == 1 else ""


def _has_word(text: str, symbol: str) -> bool:
    written = f"{symbol}|{symbol.lower()}" if len(symbol) <= _ABBREVIATION else symbol.lower()
    return bool(re.search(rf"(?<![\w./-])(?:{written})(?![\w/-]|\.\w)", text))


def find_other_names(text: str, company: str, symbols: Sequence[str] = (), start: int = 0) -> tuple[str, ...]:
    """What else a document calls its company: "(“AMD” or the “Company”)", "d/b/a …", "formerly …", or as it goes on.

    Definitions are looked for from `start` on; `symbols` are those of its stock.
    """
    region = text[start : start + _DEFINED]
    words = split_tokens(list(iter_short_names(company))[_WITHOUT_FORM])
    if not words:
        return ()
    name = r"\W+".join(map(re.escape, words))
    found: dict[str, None] = {}
    for match in re.finditer(rf"(?<!\w){name}{_OF_IT}\((?P<inside>[^()]{{2,200}})\)", region, re.IGNORECASE):
        quoted = [each["name"] for each in _QUOTED.finditer(match["inside"])]
        parts = re.split(r",\s*(?:or\s+)?|\s+or\s+", match["inside"])
        roles = any(part.strip().lower().removeprefix("the ") in _ROLES for part in parts)
        found.update(dict.fromkeys(quoted or (map(str.strip, parts) if roles else ())))
    for match in re.finditer(rf"(?<!\w)(?i:{name}{_OF_IT}){_OTHERWISE.pattern}", region):
        found[match["name"]] = None
    found.update(dict.fromkeys(each["name"] for each in _CHINESE_ALIAS.finditer(region[: 2 * _TOP])))
    found.update(dict.fromkeys(_iter_short_forms(text, company, symbols)))
    named = (each.strip(" ,") for each in found if _is_alias(each, company))
    return tuple({squeeze_name(each): each for each in named}.values())[:_MOST_ALIASES]


def _iter_short_forms(text: str, company: str, symbols: Sequence[str]) -> Iterator[str]:
    """The first word, the initials or the symbol of a company by which the sentences of its document call it.

    None that the document also writes in small letters, for that is a word: "Discover" and "discover".
    """
    names, codes = [*iter_short_names(company), *iter_beginnings(company)], [*iter_initials(company), *symbols]
    for name in dict.fromkeys(each for each in (*names, *codes) if len(each) > 1 and " " not in each):
        written = name if name not in names else rf"(?i:{re.escape(name)})"
        used = re.finditer(rf"(?:(?<=[a-z,] )|(?<=[a-z]\n))(?P<name>{written})(?=['’]s\b|[ ,.]+[a-z])", text)
        spelt = Counter(found["name"] for found in used)
        spelling, count = next(iter(spelt.most_common(1)), ("", 0))
        if count >= _OFTEN and name.lower() not in spelt and not re.search(rf"\b{re.escape(name.lower())}\b", text):
            yield spelling


def _is_alias(name: str, company: str) -> bool:
    words = re.findall(r"\w+", name.lower())
    telling = any(word not in _ROLES for word in words) and name.casefold() != company.casefold()
    return telling and 0 < len(words) <= 4 and (not name[0].islower() or name[1:2].isupper())
