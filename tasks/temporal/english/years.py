"""English years alone, and numbers of four digits that are no years: sections, counts, flights, courses."""

from __future__ import annotations

import re
from collections.abc import Set

from tasks.tables.numbers import MONEY, PREFIX
from tasks.temporal.grammar import LONG_NUMBER, make_rule
from tasks.temporal.meanings.company import Period
from tasks.temporal.readings import AND
from warehouse.records import Grain

_NOT_A_YEAR_BEFORE = (
    r"(?<![$€£¥#.@/§])(?<!§ )(?<!H\.R\. )(?<!P\.L\. )(?<!\bn = )(?<!\bn=)(?<![0-9][,:-])(?<![0-9]–)"
    r"(?:(?<!(?-i:[A-Z])-)|(?<=[ACFS]Y-))"
)
_NOT_A_YEAR_AFTER = (
    r"(?![,.:/][0-9]|\sof\s[1-9][0-9]{3}\b(?![,.][0-9])|[%°€£]|[-–][0-9]|-(?-i:[A-Z])\b|-(?:bit|mile|page|foot|meter|metre)|[円元号室房頁页条枚冊部番]|\s?[x×]\s"
    r"|\s(?:units|people|shares|employees|students|patients|stores|jobs|items|miles|km|kg|mg|ml|feet|meters|metres|g|mcg"
    r"|mm|cm|cc|lbs?|oz|kcal|calories|iu|hp|rpm|bpm|dpi|px|pixels|kw|mw|mah|[kmg]?hz|nm|ms|secs|bytes|[kmgt]b|steps|square|points|votes|copies|counts"
    r"|words|participants|million|billion|thousand|percent|per|dollars|euros|pounds|francs|years"
    r"|days|hours|men|women|children|members|samples|cells|characters|tokens|rows)\b)"
)


def _split_words(words: str) -> frozenset[str]:
    return frozenset(words.split())


NAMES_WITH_NUMBERS = _split_words(
    "peugeot boeing antonov cessna tupolev ilyushin windows autocad cyberpunk rtx gtx radeon ryzen xeon"
    " ubuntu iso rfc pep bwv ngc din ansi ieee cve russell"
)
"""Makes, standards, catalogues and indices whose members have numbers, in every language."""
_NAMED_BY_NUMBER = NAMES_WITH_NUMBERS | _split_words(
    "section sections note notes page pages form rule rules item items clause clauses paragraph paragraphs"
    " room no model office figure fig table chapter article part building annex appendix"
    " flight suite exhibit schedule version route highway interstate unit lot"
    " channel box number train type grade id port code problem problems exercise exercises question questions"
    " theorem lemma equation eq slide slides verse verses line lines gate platform bus bed mrn pid"
    " error customer ext extension docket apt apartment sku seat po invoice"
    " bug ticket ref reading serial locker floor pier hangar terminal"
    " directive decree patent asteroid locomotive hull sample samples specimen subject participant patient"
    " epoch iteration seed serves psalm hymn vlan pin slice frame frames track plot badge"
    " barcode passcode waypoint"
)
"""Words before a number that is a label: Section 2023."""
_COUNT_WORDS = _split_words("over about nearly almost exceed exceeds exceeding")
"""Words before a count: nearly 2000."""
_OVER = re.compile(r"\bover\s\Z", re.IGNORECASE)
_SECOND_YEAR = re.compile(r"(?:,\s(?:19|20)[0-9]{2}){0,2},?\s(?:and|to|through)\s(?:19|20)[0-9]{2}\b(?!,[0-9])")
_LABELS_BEFORE = re.compile(rf"(?:\b[0-9]{{3,5}}(?:[-–,]\s?|\s(?:to|through|{AND}|a|bis|tot)\s)){{1,3}}\Z")
"""Numbers with one label before the last of them: "pages 1989 to 1995"."""
_COUNT_PHRASES = ("more than ", "less than ", "fewer than ", "at least ", "up to ")
_MIN_PLAIN_YEAR = 1500
_OLD_LEAD = re.compile(
    r"\b(?:ca?\.|ca|[Cc]irca|b\.|d\.|r\.|fl\.|bapt\.|(?:[Bb]orn|[Dd]ied|reigned)(?:\sin)?|[Aa]nno|[Aa]bt\.?"
    r"|in\sthe\syear|(?:crowned|founded|built)\sin"
    r"|(?i:battle|charter|council|drought|eclipse|famine|flood|plague|siege|treaty|truce)\sof)\s?\Z"
)
"""Words before a year of the Middle Ages."""
_IN_YEAR = re.compile(r"(?<![0-9]\s)(?<!one\s)\b(?:[Ii]n|[Ss]ince|[Uu]ntil)\s\Z")
_AFTER_OLD = re.compile(
    r"\s?[.,;:)](?![0-9])|\s(?:the|an?|and|but|he|she|it|they|who|when|his|her|was|were|had|by|at|as|to|under|after)\b|\s[A-Z][a-z]|\s?\Z"
)
_CITED = re.compile(
    r"\b[0-9]{1,4}\s(?:F\.\s?(?:[23]d|4th)|F\.\s?Supp\.(?:\s?[23]d)?|S\.\s?Ct\.|U\.\s?S\.(?:\s?C\.)?|Stat\.|L\.\s?Ed\.(?:\s?2d)?"
    r"|C\.F\.R\.|J\.A\.|A\.(?:2d|3d)|[NS]\.[EW]\.(?:2d|3d)?|P\.(?:2d|3d))\s(?:§+\s)?(?:[0-9]{3,4},\s)?\Z"
)
"""Pages of law reports and sections of statutes: 45 F.3d 1999, 2003."""
_CITED_AFTER = re.compile(r"\s(?:WL|U\.\s?S\.\s?C\.|U\.S\.\s[0-9]|LEXIS|BL)\b")
_PHONE_OR_ACCOUNT = re.compile(
    r"\b(?:tel|phone|telephone|mobile|fax|iban|vat|isbn|issn|p\.?\s?o\.?\sbox|telefono|telefon|telefax|telefoon|telefone|movil)\b"
    r"(?:\.?\s?:|\.\s|\s*#|\s*\+|\s*\(?[0-9]|:?\s(?-i:[A-Z]{2})[0-9])[0-9\s().+/#–-]{0,24}\Z"
    r"|(?<![\w.,/:-])(?:\+[1-9][0-9]{0,2}(?:\s\(?[0-9]{1,4}\)?)?|\(?0[0-9]{2,4}\)?)"
    r"(?:[ -]| / )(?:[0-9]{2,5}[ -]){0,3}\Z",
    re.IGNORECASE,
)
"""A telephone number, or that of an account, after a mark or other digits; "VAT 2023" has neither.
Without a word: after the code of a country or city, "+46 8 5250 2025", "020 7946 2018".
"""
_LABEL_REACH = 40
_COURSES = (
    "CS|CSE|CIS|EECS|ECE|MATH|PHYS?|CHEM?|BIOL?|ECON|HIST|ENGL|ENGR|PSYCH?|PSY|STATS?|GEOG|GEOL|PHIL|SOCI?|LING|ASTR"
)
_AIRLINES = (
    "A[ACFISYZ]|B[AR]|C[AXZ]|D[LY]|E[IKTWY]|FR|IB|J[LQ]|K[ELM]|L[AHOXY]|M[SU]|N[HKZ]|O[SZ]|Q[FR]|S[ANQUV]|T[GKP]"
    "|U[AX]|V[SY]|W[NSY]"
)
_TRAINS = "ICE|ICN|IC|EC|RE|RB|IR|TGV|RJX|RJ"
_CODED = re.compile(rf"(?:\A|[\s(/,])(?:(?P<course>{_COURSES})|(?P<line>{_AIRLINES}|{_TRAINS}))\s\Z")
_FLIGHT = re.compile(
    r"\d\d:\d\d|\b(?:trains?|platforms?|z[uü]ge?|gleis|bahnhof|fl(?:ights?|ew|y|ies|ying|own)|airports?|airlines?|boarding|depart(?:s|ed|ing|ure)?|land(?:s|ed|ing)|layover)\b",
    re.IGNORECASE,
)
_FLIGHT_REACH = 60


def _is_coded(match: re.Match[str]) -> bool:
    """Whether it is the number of a course, as in "MATH 2010", or that of a flight or train after its code."""
    text, place = match.string, match.start()
    code = _CODED.search(text, max(0, place - YEAR_REACH), place)
    if code is None:
        return False
    text_around = text[max(0, place - _FLIGHT_REACH) : match.end() + _FLIGHT_REACH]
    return bool(code["course"] or _FLIGHT.search(text_around))


_STATUTE = re.compile(r"\b(?:[Aa]ct\sof|ACT\sOF|EN|BS|ASTM)\s\Z")
"""A law is named by its year and a standard by a number, which are not the time of the sentence."""
YEAR_REACH = 14
_LAST_WORD = re.compile(r".*[^a-z]", re.DOTALL)
"""The text before the last word."""
NEAR_YEARS = (1700, 2100)
_IN_NAME = re.compile(r"[\u30a1-\u30ff\u4e00-\u9fff](?<![在于自从至到由及和与或以截止迄约近])\Z")
_CLOSES_NAME = re.compile(
    r"[亿億万萬起呎尺馬马村路街條號∼]|(?!\s?[、，,~～—–-]\s?[12][0-9]{3}(?:年|[、，,]))(?![\u4e00-\u9fff])"
)
"""Between a letter of Chinese or Katakana and none, or a measure, a number ends a name or counts: 标致2008, 2000億."""
_COUNTED = re.compile(r"\s[a-z]{2,20}(?<![sui])s\b|\s[a-z]{3,15}\s[a-z]{3,20}(?<![sui])s\b")
OF_TIME = re.compile(
    r"(?:\b(?:in|since|by|until|till|before|after|from|of|year|between|circa|ca?\.|b\.|d\.|r\.|fl\.|bapt\.|born|died|about|around|early|late|mid|through|during"
    r"|the|[12][0-9]{3}\s(?:and|or|to))\s|[(,–-]\s?)\Z",
    re.IGNORECASE,
)


_LOGGED = re.compile(
    r"\S{1,60} \S{1,60} [^\[\n]{1,60}\[\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d [+-]\d{4}\]"
    r"|\[[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d{1,9})? \d{4}\]"
    r"|(?:<\d{1,3}>)?(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d [\w.:-]+ [^\s:\[]{1,60}(?:\[\d+\])?:\s"
    r"|\d{0,2}\s?\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9}\S{0,6}\s|(?:\S{0,6}\s)"
    r"[^\n]{0,60}\b(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL|error|warn|notice|info|debug)\b))"
)
"""How lines begin that a web server, a system or a program logs: with a moment, and what only logs write after it."""
_LINE_REACH = 2_000  # Characters before a number in which the beginning of its line is searched for.


def _is_in_log_line(match: re.Match[str]) -> bool:
    """Whether a number is in the line of a log: it is a size, a port or a process far more often than a year."""
    text, place = match.string, match.start()
    begin = text.rfind("\n", max(0, place - _LINE_REACH), place) + 1
    return (begin > 0 or place <= _LINE_REACH) and _LOGGED.match(text, begin) is not None


_STREET = re.compile(
    r"\s(?:[A-Z][\w.'’-]{1,20}\s){0,2}(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Drive|Lane|Ln|Highway|Hwy"
    r"|Parkway|Pkwy|Terrace|Broadway|Crescent)\b|,?\s(?:rue|avenue|boulevard|chemin|quai|impasse)\s",
)
_ON_STREET = re.compile(
    r"(?:(?:stra(?:ss|s|ß)e|str\.|gasse|allee|damm|straat|laan)"
    r"|\b(?:via|viale|piazza|corso|calle|avenida|avda\.|plaza|rua|rue)\s[A-Z][\w'’]{1,20}(?:\s[A-Z]\w{1,20})?),?\s\Z",
)
"""Streets before and after the number of a house."""
_BEFORE_YEAR = re.compile(
    r"\b(?:in|since|by|until|during|of|late|early|mid|en|im|nel|em|seit|depuis|desde|the|an?|this|our|his|her|its|their)\s\Z",
    re.IGNORECASE,
)


def is_address(match: re.Match[str]) -> bool:
    """Whether it is the number of a house: "1999 Bryan St", "Hauptstraße 1950"; not in "In 2019 Wall Street fell"."""
    text, place = match.string, match.start()
    text_before = text[max(0, place - _LABEL_REACH) : place]
    return bool(
        _ON_STREET.search(text_before) or (_STREET.match(text, match.end()) and not _BEFORE_YEAR.search(text_before))
    )


_MONEY_AFTER = re.compile(
    rf"\s?(?:{PREFIX})?(?:{MONEY})(?!\s?[0-9]|[/A-Za-z'’]|\s(?:thousand|million|billion|m|mn|bn)\b)(?P<last>[^\S\n]*(?:\n|\Z))?",
    re.IGNORECASE,
)
_MONEY_BEFORE = re.compile(rf"(?<![A-Za-z])(?:{PREFIX})?(?:{MONEY})\s\Z")
_CONTINUATION = re.compile(r"\s?[.,;)](?![0-9])|\s[a-z]")
_PRICES_OF = re.compile(
    r"\b(?:in|since|until|during|by|constant|real|base|im|nel|em|seit|depuis|desde)\s\Z", re.IGNORECASE
)
_MONEY_REACH = 12
_ROUND = 50  # A multiple of it next to a currency is assumed to be no year.


def is_amount(match: re.Match[str]) -> bool:
    """Whether it is an amount of money in prose: "for 2000 EUR", "1950 TEUR"; not in "constant 2015 US$", "in 2010 €".

    At the end of a line it may be the year of a heading: "Sales 2024 EUR". Rows of tables have headers like that.
    """
    text, place = match.string, match.start()
    text_before = text[max(0, place - _MONEY_REACH) : place]
    is_round = int(match["year"]) % _ROUND == 0
    money = _MONEY_AFTER.match(text, match.end())
    if money is None:
        is_in_prose = is_round or _CONTINUATION.match(text, match.end())
        is_money = bool(is_in_prose) and _MONEY_BEFORE.search(text_before) is not None
    else:
        is_money = (is_round or money["last"] is None) and _PRICES_OF.search(text_before) is None
    return is_money and not text.startswith("|", text.rfind("\n", max(0, place - _LINE_REACH), place) + 1)


def is_other_number(match: re.Match[str]) -> bool:
    """Whether a number of four digits is a telephone's, an account's or a house's, or an amount of money."""
    return is_phone_or_account(match) or is_address(match) or is_amount(match)


_MAX_NEAR_FUTURE = 2040
_PROPER_NAME = re.compile(r"(?:\A|[^.!?]\s)[A-Z][A-Za-z]{2,15}\s\Z")
_NAMED_PLAN = re.compile(r"(?:Agenda|Vision|Plan|Horizon|Horizont|Strategy|Roadmap|Programme|Program)\s\Z")


def is_title_with_year(match: re.Match[str]) -> bool:
    """Whether it is a year of the far future after a name: "Blade Runner 2049"; plans are named by their years."""
    text_before = match.string[max(0, match.start() - _LABEL_REACH) : match.start()]
    is_far_future = int(match["year"]) > _MAX_NEAR_FUTURE
    return (
        is_far_future
        and bool(_PROPER_NAME.search(text_before))
        and not (OF_TIME.search(text_before) or _NAMED_PLAN.search(text_before))
    )


def is_phone_or_account(match: re.Match[str]) -> bool:
    """Whether only digits and marks are between a number and a word for a telephone or an account."""
    return bool(_PHONE_OR_ACCOUNT.search(match.string, max(0, match.start() - _LABEL_REACH), match.start()))


def _is_counted(match: re.Match[str]) -> bool:
    """Whether a word before the number says that it is a count, as in "over 2000", but not in "over 2024 and 2025"."""
    text_before = match.string[max(0, match.start() - YEAR_REACH) : match.start()]
    is_range = _OVER.search(text_before) and _SECOND_YEAR.match(match.string, match.end())
    return _get_last_word(text_before) in _COUNT_WORDS and not is_range


def is_labelled(match: re.Match[str], labels: Set[str] = _NAMED_BY_NUMBER) -> bool:
    """Whether the word before the number, or before several of which it is the last, is among the `labels`."""
    text_before = match.string[max(0, match.start() - _LABEL_REACH) : match.start()]
    return not labels.isdisjoint((_get_last_word(text_before), _get_last_word(_LABELS_BEFORE.sub("", text_before))))


def _get_last_word(text: str) -> str:
    return _LAST_WORD.sub("", text.lower().rstrip().rstrip("([.:#"))


def _read_year(match: re.Match[str]) -> Period | None:
    """A year; None for a label. Round numbers and those far from today are years only with words that say so.

    Nor a number in a line of a log.
    """
    year, text_before = int(match["year"]), match.string[max(0, match.start() - YEAR_REACH) : match.start()]
    words = text_before.lower()
    if (
        _STATUTE.search(text_before)
        or words.endswith(_COUNT_PHRASES)
        or _is_counted(match)
        or is_labelled(match)
        or (_IN_NAME.search(text_before) and _CLOSES_NAME.match(match.string, match.end()))
        or is_other_number(match)
        or is_title_with_year(match)
        or _is_in_log_line(match)
        or _is_coded(match)
        or _CITED.search(match.string, max(0, match.start() - _LABEL_REACH), match.start())
        or _CITED_AFTER.match(match.string, match.end())
    ):
        return None
    if year < _MIN_PLAIN_YEAR:
        is_time = year % 100 and _IN_YEAR.search(text_before) and _AFTER_OLD.match(match.string, match.end())
        return Period(Grain.YEAR, year) if is_time or _OLD_LEAD.search(text_before) else None
    is_doubtful = year % 100 == 0 and _COUNTED.match(match.string, match.end())
    if (is_doubtful or not NEAR_YEARS[0] <= year <= NEAR_YEARS[1]) and not OF_TIME.search(text_before):
        return None
    return Period(Grain.YEAR, year)


BARE_YEAR = make_rule(
    {LONG_NUMBER}, rf"{_NOT_A_YEAR_BEFORE}(?P<year>1\d\d\d|2[01]\d\d)(?![0-9A-Za-z]){_NOT_A_YEAR_AFTER}", _read_year
)
"""A year alone, which the English words around it distinguish from other numbers."""
