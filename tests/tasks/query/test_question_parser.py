"""The names in a question, and what of the catalogue it is about."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.query.question_parser import (
    asks_for_outlook,
    build_subject_query,
    find_lesson,
    find_names,
    find_places,
    get_answer_words,
)
from tasks.query.subjects import find_subjects
from tasks.temporal.question import parse_times
from warehouse.records import Kind, Subject
from warehouse.search.catalogue import Catalogue, NamedDocument, find_name_in_stem

COMPANIES = {
    "3M_2018_10K": ("3M COMPANY", "MMM"),
    "AMERICANWATERWORKS_2020_10K": ("American Water Works Company, Inc.", "AWK"),
    "AMERICANEXPRESS_2022_10K": ("AMERICAN EXPRESS COMPANY", "AXP"),
    "AMD_2022_10K": ("ADVANCED MICRO DEVICES, INC.", "AMD"),
    "BESTBUY_2024Q2_10Q": ("BEST BUY CO., INC.", "BBY"),
    "BLOCK_2020_10K": ("Block, Inc.", "SQ"),
    "COCACOLA_2022_10K": ("COCA COLA CO", "KO"),
    "CORNING_2021_10K": ("CORNING INCORPORATED", "GLW"),
    "JOHNSON_JOHNSON_2022_10K": ("JOHNSON & JOHNSON", "JNJ"),
    "JPMORGAN_2022_10K": ("JPMorgan Chase & Co.", "JPM"),
    "LOCKHEEDMARTIN_2021_10K": ("", ""),
    "SG_2021": ("Société Générale S.A.", ""),
    "MUV_2021": ("Münchener Rück AG", ""),
    "MGMRESORTS_2022Q4_EARNINGS": ("MGM Resorts International", "MGM"),
}
TITLES = {"notes/Ideas": "Ideas", "films/1": "Christopher Nolan", "zh/1": "馬祖列島", "zh/2": "都市"}
NO_VECTORS: dict[str, float] = {}
YEAR = (date(2022, 1, 1), date(2023, 1, 1))


def subjects_of(question: str, catalogue: Catalogue) -> tuple[Subject, ...]:
    return find_subjects(question, catalogue, lambda said: NO_VECTORS)


def called(
    name: str, title: str, company: str = "", symbol: str = "", passages: int = 1, kind: Kind = Kind.REPORT
) -> NamedDocument:
    symbols = (symbol,) if symbol else ()
    return NamedDocument(name, kind, title, company, symbols, (), name, YEAR if company else None, passages)


CATALOGUE = Catalogue(
    [
        *(called(stem, stem.replace("_", " "), *known, passages=500) for stem, known in COMPANIES.items()),
        *(called(source, title) for source, title in TITLES.items()),
    ]
)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What is J.P. Morgan's net income?", ("J.P. Morgan",)),
        ("Which of Johnson & Johnson, Best Buy and 3M grew?", ("Johnson & Johnson", "Best Buy", "3M")),
        ('Who reviewed "a quiet place" for Variety?', ("a quiet place", "Variety")),
        ("Who wrote 《红楼梦》?", ("红楼梦",)),
        ("What was FY2018 revenue in Q2 of May 2019?", ()),
        ("Revenue of all companies", ()),
        ("Wie hoch war der Umsatz der Nordwind AG im Jahr 2021?", ("Nordwind AG",)),
        ("Wie hoch war der Umsatz von Crane Tools im Jahr 2021?", ("Crane Tools",)),
        ("Wie hoch war das Ergebnis von Nordwind im Jahr 2021?", ()),
        ("Wann wurde Ludwig von Mises geboren?", ("Ludwig von Mises",)),
        ("Welchen Umsatz erwartet der Vorstand für 2022?", ()),
        ("Combien de salariés a Société Générale à Évry ?", ("Société Générale", "Évry")),
        ("Wie viele Autos hat BMW im März verkauft?", ("BMW",)),
    ],
)
def test_names_are_quotations_and_whole_runs(question: str, names: tuple[str, ...]) -> None:
    assert find_names(question) == names


@pytest.mark.parametrize(
    ("question", "document"),
    [
        ("What is the FY2018 capital expenditure of 3M?", "3M_2018_10K"),
        ("Does American Water Works have positive working capital?", "AMERICANWATERWORKS_2020_10K"),
        ("american water works revenue 2020", "AMERICANWATERWORKS_2020_10K"),
        ("Does AMD have a healthy quick ratio for FY22?", "AMD_2022_10K"),
        ("What did Advanced Micro Devices spend?", "AMD_2022_10K"),
        ("Was there a change in Best Buy's stores?", "BESTBUY_2024Q2_10Q"),
        ("What is the COGS of Block (formerly Square)?", "BLOCK_2020_10K"),
        ("What is Coca-Cola's payout ratio?", "COCACOLA_2022_10K"),
        ("Did JnJ's net earnings increase?", "JOHNSON_JOHNSON_2022_10K"),
        ("Did Johnson and Johnson report a spin-off?", "JOHNSON_JOHNSON_2022_10K"),
        ("Who runs J.P. Morgan?", "JPMORGAN_2022_10K"),
        ("Which of JPM's segments grew?", "JPMORGAN_2022_10K"),
        ("What is Lockheed Martin's asset turnover?", "LOCKHEEDMARTIN_2021_10K"),
        ("What is Lockheeed Martin's asset turnover?", "LOCKHEEDMARTIN_2021_10K"),
        ("What was MGM's interest coverage?", "MGMRESORTS_2022Q4_EARNINGS"),
        ("3M capital expenditure in FY2018", "3M_2018_10K"),
        ("AMD: what is its quick ratio?", "AMD_2022_10K"),
        ("Which films did Christopher Nolan direct?", "films/1"),
        ("馬祖列島由哪些島嶼組成？", "zh/1"),
        ("Quel est le résultat de Société Générale en 2021 ?", "SG_2021"),
        ("What did Societe Generale earn in 2021?", "SG_2021"),
        ("Wie hoch war die Prämie der Münchener Rück?", "MUV_2021"),
    ],
)
def test_what_a_question_names_is_found(question: str, document: str) -> None:
    assert [each.documents for each in subjects_of(question, CATALOGUE)] == [(document,)]


@pytest.mark.parametrize(
    ("question", "stem"),
    [
        ("What is JPM's net income?", "JPMORGAN_2022_10K"),
        ("Did JnJ report a spin-off?", "JOHNSON_JOHNSON_2022_10K"),
        ("What was MGM's interest coverage?", "MGMRESORTS_2022Q4_EARNINGS"),
    ],
)
def test_a_file_name_alone_tells_the_abbreviation(question: str, stem: str) -> None:
    bare = Catalogue(called(each, each, passages=500) for each in COMPANIES)
    assert [each.documents for each in subjects_of(question, bare)] == [(stem,)]


@pytest.mark.parametrize(
    ("question", "documents"),
    [
        ("what did lockheed earn in 2021", ("LOCKHEEDMARTIN_2021_10K",)),
        ("how much does jpmorgan owe", ("JPMORGAN_2022_10K",)),
        ("how much does american owe", ()),
        ("what are the advanced steps", ()),
        ("how does the locking work", ()),
    ],
)
def test_a_beginning_in_small_letters_counts_unless_it_is_a_word(question: str, documents: tuple[str, ...]) -> None:
    filed = [called(stem, stem, company or "Lockheed Martin Corp", "") for stem, (company, _) in COMPANIES.items()]
    catalogue = Catalogue(filed, is_ordinary={"advanced", "american"}.__contains__)
    assert tuple(each for subject in subjects_of(question, catalogue) for each in subject.documents) == documents


@pytest.mark.parametrize(
    "question", ["how much tax does amazon owe", "Amazon Prime fees 2025", "What is Amazon.com's debt?"]
)
@pytest.mark.parametrize(("stem", "company"), [("000417", "AMAZON.COM, INC."), ("Amazon_10-K_2025", "")])
def test_a_company_of_an_address_is_known_without_its_domain(question: str, stem: str, company: str) -> None:
    catalogue = Catalogue([called(stem, stem, company, "")], is_ordinary={"amazon"}.__contains__)
    assert [each.documents for each in subjects_of(question, catalogue)] == [(stem,)]


@pytest.mark.parametrize(
    ("stem", "name"),
    [
        ("Amazon_10-K_2025", "Amazon"),
        ("BHP_20-F-2023", "BHP"),
        ("ADOBE_2022_10K", "ADOBE"),
        ("Nvidia 10-Q", "Nvidia"),
        ("a 10-kilo", ""),
    ],
)
def test_the_name_of_a_file_ends_before_its_form(stem: str, name: str) -> None:
    assert find_name_in_stem(stem) == name


@pytest.mark.parametrize(
    ("question", "documents"),
    [
        ("AXP UTB YE FY22", ("AMERICANEXPRESS_2022_10K",)),
        ("BBY US SSS 2Q24", ("BESTBUY_2024Q2_10Q",)),
        ("GLW D&A 1H23", ("CORNING_2021_10K",)),
        ("MMM RED TAPE", ()),
        ("WHAT IS THE MMM OF IT?", ()),
    ],
)
def test_a_symbol_counts_among_capitals_only_in_key_words(question: str, documents: tuple[str, ...]) -> None:
    catalogue = Catalogue(CATALOGUE.documents.values(), is_ordinary={"mmm", "red", "tape"}.__contains__)
    assert tuple(each for subject in subjects_of(question, catalogue) for each in subject.documents) == documents


@pytest.mark.parametrize(
    "question",
    [
        "What do American companies earn?",
        "How do general purpose entities block best practice?",
        "What did Owens Corning report?",
        "What did Morgan Stanley and Johnson Controls earn?",
        "Ideas for the next meeting",
        "都市計畫是什麼？",
        "WHAT IS THE MGM OF ALL?",
        "",
    ],
)
def test_nothing_is_assumed_where_nothing_is_named(question: str) -> None:
    assert subjects_of(question, CATALOGUE) == ()


def test_the_name_and_the_year_are_not_looked_for_inside_the_report_of_that_year() -> None:
    question = "What is Best Buy's gross profit for FY2022?"
    subjects = subjects_of(question, CATALOGUE)
    assert (
        build_subject_query(question, parse_times(question, date(2024, 1, 1), "en"), subjects)
        == "What is gross profit?"
    )
    other = "What is Best Buy's gross profit for FY2019?"
    assert "FY2019" in build_subject_query(other, parse_times(other, date(2024, 1, 1), "en"), subjects)


LIBRARY = Catalogue(
    called(title, title, kind=kind)
    for title, kind in (
        ("MCP: Build Rich-Context AI Apps with Anthropic", Kind.COURSE),
        ("Advanced Retrieval for AI with Chroma", Kind.COURSE),
        ("Slow drift of nitrate sensors in the deep ocean", Kind.PAPER),
        ("A retrospective look at window coatings", Kind.PAPER),
    )
)


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("What does lesson 3 of the MCP course say?", "MCP: Build Rich-Context AI Apps with Anthropic"),
        ("What does the course on retrieval with Chroma cover?", "Advanced Retrieval for AI with Chroma"),
        (
            "What are the results of the paper on nitrate sensor drift?",
            "Slow drift of nitrate sensors in the deep ocean",
        ),
    ],
)
def test_a_title_said_in_other_words_is_found(question: str, title: str) -> None:
    assert [each.documents for each in subjects_of(question, LIBRARY)] == [(title,)]


@pytest.mark.parametrize(
    "question",
    ["the paper on glacier melt", "What did the retrospective study find?", "the course on AI", "the course"],
)
def test_a_description_that_fits_no_title_or_several_finds_none(question: str) -> None:
    assert subjects_of(question, LIBRARY) == ()


def test_a_name_that_its_passages_repeat_is_looked_for() -> None:
    question = "Which films did Christopher Nolan direct?"
    times = parse_times(question, date(2024, 1, 1), "en")
    assert build_subject_query(question, times, subjects_of(question, CATALOGUE)) == ""


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("What does lesson 3 of the MCP course say?", 3),
        ("in the second lecture", 2),
        ("lesson ten", 10),
        ("第三课讲了什么？", 3),
        ("lessons learned in 3 years", None),
    ],
)
def test_a_lesson_is_known_by_its_number(question: str, number: int | None) -> None:
    assert find_lesson(question) == number


@given(st.text(max_size=80))
def test_any_question_is_safe_and_quotes_itself(question: str) -> None:
    assert all(name in question for name in find_names(question))
    assert all(each.text in question for each in subjects_of(question, CATALOGUE))


def test_answers_need_no_word_that_asks() -> None:
    assert get_answer_words("Welche Dividende zahlt Nordwind?") == {"dividend", "zahlt", "nordwind"}
    assert find_names("Combien Danone a-t-il vendu ?") == ("Danone",)


@pytest.mark.parametrize(
    ("question", "future"),
    [
        ("What profit per share does Amcor expect for 2024?", True),
        ("how much will they give back to the owners", True),
        ("planned distributions", True),
        ("capital expenditure guidance FY24", True),
        ("What did Amcor earn per share in 2023?", False),
        ("What is the target of the acquisition plan called?", False),
    ],
)
def test_a_question_for_what_is_to_come_asks_for_an_outlook(question: str, future: bool) -> None:
    assert asks_for_outlook(question) is future


@pytest.mark.parametrize(
    ("question", "places"),
    [
        ("European revenue", ("europe",)),
        ("how many Canadian, Mexican and chinese shops", ("canada", "mexico", "china")),
        ("the German, Italian, Korean and Australian plants", ("germany", "italy", "korea", "australia")),
        ("the median of human costs than before", ()),
        ("shops in Canada", ()),
    ],
)
def test_an_adjective_of_a_place_names_the_place(question: str, places: tuple[str, ...]) -> None:
    named = {"europe", "canada", "mexico", "china", "germany", "italy", "korea", "australia"}
    assert find_places(question, named.__contains__) == places
