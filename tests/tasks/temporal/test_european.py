"""German, French, Spanish, Italian, Portuguese and Dutch temporal expressions: what each means, and what is none."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parsers.language import EUROPEAN
from tasks.temporal import european
from tasks.temporal.european.lexicon import EuropeanLexicon
from tasks.temporal.holidays import parse_holiday
from tasks.temporal.tagger import tag
from warehouse.records import Mention, Modifier, TimexType

ANCHOR = date(2021, 6, 16)


def read(text: str, code: str) -> tuple[Mention, ...]:
    return tag(text, ANCHOR, code)


CASES = [line.split("\t") for line in Path(__file__).with_name("european.tsv").read_text(encoding="utf-8").splitlines()]
"""Language, text, and what is found in it: `text = value | text = value`."""
PROSE = {
    "de": [
        "Der Präsident der Gesellschaft hat die Vorschläge geprüft und am Ende alle angenommen.",
        "Die Patienten erhielten 2000 mg; 1950 Personen wurden untersucht, siehe Seite 2010 und Artikel 1998.",
        "Seiten 1990 bis 2005, Drehzahl 2000 U/min, Getriebe 1907; Frau Montag und Familie Freitag kamen.",
        "Das Programm liest die Datei und gibt für jede Zeile die Zahl der Wörter aus, sofern sie nicht leer ist.",
    ],
    "fr": [
        "Le président de la société a été entendu par la commission, à la demande de ses membres.",
        "Les 1950 patients ont reçu 2000 mg du produit; voir l'article 1998 et la page 2010 du rapport.",
        "Elle habite rue du 11 Novembre, place du 8 Mai et avenue du 4 Septembre, porte 1904.",
        "Mise en veille du système: à présent le programme lit un fichier et compte les mots d'une ligne.",
    ],
    "es": [
        "El presidente de la sociedad fue a la sala de juntas a las órdenes de su jefe, y hubo un segundo intento.",
        "Los 1950 pacientes recibieron 2000 mg del producto; véase el artículo 1998 y la página 2010 del informe.",
        "El amarre 1998 y la taquilla 2020, calle 19 de Julio.",
        "Julio Cortázar y Plácido Domingo llegaron a Santo Domingo; este ejercicio de fuerza es de los primeros.",
    ],
    "it": [
        "Il presidente della società sei tu: prima di partire, dopo la riunione, ha vinto il primo set per sei a due.",
        "I 1950 pazienti hanno ricevuto 2000 mg del prodotto; si veda l'articolo 1998 e la pagina 2010.",
        "Ernesto Sabato legge il quotidiano; questo esercizio è il secondo della serie, e i secondi contano.",
        "Una mezza verità sul Mezzogiorno d'Italia: tre e mezzo per cento.",
    ],
    "pt": [
        "O presidente da sociedade foi a segunda pessoa a chegar à quinta edição, e a sexta a sair de casa.",
        "Os 1950 doentes receberam 2000 mg do produto; ver o artigo 1998 e a página 2010 do relatório.",
        "Um marco na história do diário; este exercício é de força e o set terminou com a bola fora.",
        "Meio dia de trabalho e meia verdade valem as duas e meia horas.",
    ],
    "nl": [
        "De voorzitter van de vennootschap heeft de voorstellen van de leden bekeken en aan het einde alle aangenomen.",
        "De 1950 patiënten kregen 2000 mg van het middel; zie artikel 1998 en pagina 2010 van het rapport.",
        "Het programma leest het bestand en telt voor alle regels het aantal woorden, om en nabij de helft ervan.",
        "Half een mens, half een machine; een kwart van de leden at tussen de middag.",
    ],
}


@pytest.mark.parametrize(("code", "text", "expected"), CASES)
def test_expressions(code: str, text: str, expected: str) -> None:
    assert " | ".join(f"{found.text} = {found.value}" for found in read(text, code)) == expected


INTERVALS = [
    ("de", "seit 2015", date(2015, 1, 1), None, Modifier.ON_OR_AFTER),
    ("de", "vor etwa 10 Tagen", date(2021, 6, 6), date(2021, 6, 7), Modifier.APPROX),
    ("fr", "jusqu'à fin 2023", None, date(2024, 1, 1), Modifier.ON_OR_BEFORE),
    ("fr", "avant le 3 mai 2020", None, date(2020, 5, 3), Modifier.BEFORE),
    ("fr", "cinq dernières années", date(2016, 6, 16), date(2021, 6, 17), None),
    ("es", "después de 1945", date(1946, 1, 1), None, Modifier.AFTER),
    ("es", "a mediados de marzo de 2020", date(2020, 3, 11), date(2020, 3, 21), Modifier.MID),
    ("es", "los primeros nueve meses de 2021", date(2021, 1, 1), date(2021, 10, 1), None),
    ("it", "dal 2015", date(2015, 1, 1), None, Modifier.ON_OR_AFTER),
    ("it", "dal 3 al 5 maggio 2021", date(2021, 5, 3), date(2021, 5, 6), None),
    ("pt", "até ao final de 2023", None, date(2024, 1, 1), Modifier.ON_OR_BEFORE),
    ("pt", "no início de 2021", date(2021, 1, 1), date(2021, 5, 2), Modifier.START),
    ("nl", "boekjaar 2022/23", date(2023, 1, 1), date(2024, 1, 1), None),
    ("nl", "eind 2020", date(2020, 9, 1), date(2021, 1, 1), Modifier.END),
]


@pytest.mark.parametrize(("code", "text", "start", "end", "modifier"), INTERVALS)
def test_intervals(code: str, text: str, start: date | None, end: date | None, modifier: Modifier | None) -> None:
    (found,) = read(text, code)
    assert (found.start_date, found.end_date, found.modifier) == (start, end, modifier)


@pytest.mark.parametrize(("code", "text"), [(code, text) for code, texts in PROSE.items() for text in texts])
def test_prose_without_times(code: str, text: str) -> None:
    assert read(text, code) == ()


WRITTEN = {
    "de": ("am {weekday} {day}. {month} {year}", "{month} {year}", "{ordinal} Quartal {year}", "im Jahr {year}"),
    "fr": ("le {weekday} {day} {month} {year}", "{month} {year}", "{ordinal} trimestre {year}", "en {year}"),
    "es": (
        "el {weekday} {day} de {month} de {year}",
        "{month} de {year}",
        "{ordinal} trimestre de {year}",
        "en {year}",
    ),
    "it": ("il {weekday} {day} {month} {year}", "{month} {year}", "{ordinal} trimestre del {year}", "nel {year}"),
    "pt": (
        "em {weekday} {day} de {month} de {year}",
        "{month} de {year}",
        "{ordinal} trimestre de {year}",
        "em {year}",
    ),
    "nl": ("op {weekday} {day} {month} {year}", "{month} {year}", "{ordinal} kwartaal van {year}", "in {year}"),
}
CODES = st.sampled_from(EUROPEAN)


def names(line: str) -> list[str]:
    return [each.strip() for each in line.split(",")]


@given(CODES, st.dates(date(1500, 1, 1), date(2199, 12, 31)), st.data())
def test_every_date_in_words(code: str, day: date, data: st.DataObject) -> None:
    lexicon = EuropeanLexicon.read(code)
    month = data.draw(st.sampled_from(names(lexicon.months[day.month - 1])))
    weekday = data.draw(st.sampled_from(["", names(lexicon.weekdays[day.weekday()])[0]]))
    written, by_month, _, _ = WRITTEN[code]
    for template, value in ((written, day.isoformat()), (by_month, day.isoformat()[:7])):
        text = template.format(weekday=weekday, day=day.day, month=month, year=day.year)
        (found,) = read(text, code)
        assert found.value == value


@given(CODES, st.integers(1, 4), st.integers(1800, 2100), st.data())
def test_every_quarter_and_year(code: str, quarter: int, year: int, data: st.DataObject) -> None:
    lexicon = EuropeanLexicon.read(code)
    ordinal = data.draw(st.sampled_from(names(lexicon.ordinals[quarter - 1])))
    _, _, by_quarter, by_year = WRITTEN[code]
    (found,) = read(by_quarter.format(ordinal=ordinal, year=year), code)
    assert found.value == f"{year}-Q{quarter}"
    (found,) = read(by_year.format(year=year), code)
    assert found.value == f"{year}"


@given(CODES, st.integers(1, 100), st.data())
def test_every_length_in_every_language(code: str, count: int, data: st.DataObject) -> None:
    lexicon = EuropeanLexicon.read(code)
    numbers = [each for each in lexicon.number_words.items() if not each[0].endswith("'")]
    word, number = data.draw(st.sampled_from([(str(count), count), *numbers]))
    unit = data.draw(st.sampled_from([name for name in names(lexicon.units["month"]) if "-" not in name]))
    (found,) = read(f"{word} {unit}", code)
    assert found.value == f"P{number}M"


@given(CODES, st.dates(date(1970, 1, 1), date(2068, 12, 31)))
def test_every_date_in_short_numbers(code: str, day: date) -> None:
    (found,) = read(f"{day:%d.%m.%y}", code)
    assert found.value == day.isoformat()


@given(CODES, st.dates(date(1970, 1, 1), date(2068, 12, 31)), st.integers(1, 60))
def test_every_range_of_days_in_numbers(code: str, first: date, length: int) -> None:
    last = first + timedelta(days=length)
    (found,) = read(f"{first.day}.{first.month}. - {last.day}.{last.month}.{last.year}", code)
    assert (found.start_date, found.end_date) == (first, last + timedelta(days=1))


@given(CODES, st.integers(1900, 2100), st.data())
def test_every_holiday_of_every_year(code: str, year: int, data: st.DataObject) -> None:
    lexicon = EuropeanLexicon.read(code)
    day, line = data.draw(st.sampled_from(list(lexicon.holidays.items())))
    (found,) = read(f"{data.draw(st.sampled_from(names(line)))} {year}", code)
    assert found.value == parse_holiday(day)[0](year).isoformat()


@given(CODES, st.integers(1950, 2050), st.integers(1, 52), st.data())
def test_every_week_by_number(code: str, year: int, week: int, data: st.DataObject) -> None:
    lexicon = EuropeanLexicon.read(code)
    name = data.draw(st.sampled_from(names(f"{lexicon.week_names}, {lexicon.week_names_of_year}".strip(", "))))
    (found,) = read(f"{name} {week}/{year}", code)
    assert found.value == f"{year}-W{week:02}"


@given(CODES, st.integers(2, 12), st.data())
def test_every_hour_in_words(code: str, hour: int, data: st.DataObject) -> None:
    lexicon = EuropeanLexicon.read(code)
    word = data.draw(st.sampled_from([word for word, number in lexicon.number_words.items() if number == hour]))
    minutes, templates = data.draw(st.sampled_from(list(lexicon.spoken_clocks.items())))
    lead = names(lexicon.spoken_at)[0] or names(lexicon.at)[0]
    (found,) = read(f"{lead} {data.draw(st.sampled_from(templates)).format(hour=word)}.", code)
    clock = (60 * hour + int(minutes)) % (12 * 60)
    assert (found.value, found.type) in [
        (f"{ANCHOR}T{clock // 60 + half:02}:{clock % 60:02}", TimexType.TIME) for half in (0, 12)
    ]


@pytest.mark.parametrize(
    ("code", "past", "ahead"),
    [
        ("de", "Im November stieg der Umsatz.", "Im November wird der Umsatz steigen."),
        ("fr", "En novembre, les ventes ont augmenté.", "En novembre, les ventes vont augmenter."),
        ("es", "En noviembre aumentaron las ventas.", "En noviembre aumentarán las ventas."),
        ("it", "A novembre le vendite aumentarono.", "A novembre le vendite aumenteranno."),
        ("pt", "Em novembro as vendas cresceram.", "Em novembro as vendas vão crescer."),
        ("nl", "In november steeg de omzet.", "In november zal de omzet stijgen."),
    ],
)
def test_the_tense_tells_which_november(code: str, past: str, ahead: str) -> None:
    assert [found.value for text in (past, ahead) for found in read(text, code)] == ["2020-11", "2021-11"]


@pytest.mark.parametrize("code", EUROPEAN)
def test_tables_are_whole(code: str) -> None:
    lexicon = EuropeanLexicon.read(code)
    assert [len(each) for each in (lexicon.months, lexicon.weekdays, lexicon.weekday_short)] == [12, 7, 7]
    assert (len(lexicon.seasons), len(lexicon.ordinals)) == (4, 31 if code in ("de", "nl") else 4)
    assert sorted(set(lexicon.month_numbers.values())) == list(range(1, 13))
    for each in european.build_rules(code):
        assert each.heads
        assert each.pattern
