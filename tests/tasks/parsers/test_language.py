"""The language of a document is that of most of its text, whatever stands beside it."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parsers.language import (
    ask_for_events,
    detect_document_language,
    detect_language,
    detect_question_language,
    without_interrogatives,
)
from tasks.temporal.tagger import tag
from tests.tasks.documents import Draft
from warehouse.records import BlockKind

ENGLISH = "We walked along the river in the evening, and she told me about the bridge that they have built there."
CHINESE = "今天上午在办公室开会，讨论了水泵项目的进度和预算，大家都觉得时间有点紧张。"


def language(draft: Draft) -> str:
    return detect_document_language(draft.text, draft.blocks)


def diary(kinds: list[str]) -> Draft:
    """A paragraph of each language named, below a heading without words."""
    draft = Draft()
    for number, kind in enumerate(kinds, 1):
        draft.heading(f"2026-05-{number:02}").paragraph({"en": ENGLISH, "zh": CHINESE}[kind])
    return draft


@given(st.permutations(["en", "en", "en", "zh"]))
def test_a_chinese_paragraph_leaves_an_english_diary_english(kinds: list[str]) -> None:
    assert language(diary(kinds)) == "en"


@given(st.permutations(["zh", "zh", "zh", "en"]))
def test_an_english_remark_leaves_a_chinese_diary_chinese(kinds: list[str]) -> None:
    assert language(diary(kinds)) == "zh"


@pytest.mark.parametrize("text", [ENGLISH, CHINESE])
def test_code_and_tables_decide_nothing_beside_prose(text: str) -> None:
    other = CHINESE if text == ENGLISH else ENGLISH
    draft = Draft().paragraph(text).add(BlockKind.CODE, f"{other}\n" * 9).table([[other, other]] * 5)
    assert language(draft) == detect_language(text)


def test_a_document_of_one_table_is_in_the_language_of_the_table() -> None:
    assert language(Draft().table([["营业收入", "净利润"], ["1200", "300"]])) == "zh"


@given(st.integers(1, 30))
def test_the_marks_of_shown_tables_are_no_english(tables: int) -> None:
    draft = Draft().paragraph("Im abgelaufenen Quartal stieg der Umsatz um 12 %, im Jahr 2022 war er gesunken.")
    for _ in range(tables):
        draft.table([["Umsatz", "EBIT"], ["1200", "300"]])
    assert language(draft) == "de"


def test_headings_and_items_count_as_what_they_are() -> None:
    draft = (
        Draft().heading("工作").add(BlockKind.LIST, "- Met Ingrid at the pump house\n- The valve is fine, by the way")
    )
    assert language(draft) == "en"
    assert language(Draft().heading("Notes").add(BlockKind.LIST, "- 和张伟开会\n- 写报告，发给李娜")) == "zh"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Lunch with 李明 and 王芳 at the Bund", "en"),
        ("今天和 Priya Nair 讨论测试的结果", "zh"),
        ("用 Kubernetes 部署 PostgreSQL", "zh"),
        ("张伟", "zh"),
    ],
)
def test_a_line_of_both_is_in_the_language_of_its_small_words(text: str, expected: str) -> None:
    assert detect_language(text) == expected


def test_chinese_days_in_an_english_document_are_read() -> None:
    found = tag(f"{ENGLISH}\n\n2026年5月12日和张伟开会。", None, "en")
    assert [mention.start_date for mention in found if mention.start_date] == [date(2026, 5, 12)]


EXPORTS = {
    "de": "Buchungstag;Valuta;Empfänger;Verwendungszweck;Betrag",
    "fr": "Date;Libellé;Débit;Crédit;Solde",
    "es": "Fecha;Concepto;Categoría;Importe;Saldo",
    "it": "Data;Descrizione;Causale;Importo;Saldo",
    "pt": "Data;Descrição;Categoria;Valor;Saldo",
    "nl": "Datum;Omschrijving;Tegenpartij;Bedrag;Saldo",
    "en": "Date;Description;Category;Amount;Balance",
}


@pytest.mark.parametrize("language", EXPORTS)
@pytest.mark.parametrize("headings", [0, 1])
def test_tables_alone_are_in_the_language_of_their_headers(language: str, headings: int) -> None:
    rows = [[f"0{day}/03/2024", "TESCO PARIS 11", "POS", f"{day}3,50", "1.204,00"] for day in range(1, 9)]
    draft = Draft()
    for _ in range(headings):
        draft.heading("Export 1")
    draft.table([EXPORTS[language].split(";"), *rows])
    assert detect_document_language(draft.text, draft.blocks) == language


def test_headers_of_a_table_leave_prose_its_language() -> None:
    draft = Draft().paragraph(ENGLISH)
    draft.table([EXPORTS["de"].split(";"), ["01.03.2024", "", "REWE", "Einkauf", "3,50"]])
    assert language(draft) == "en"


@pytest.mark.parametrize(
    "text",
    [
        "Toplantı yarın saat onda yapılacaktır.",
        "Közgyűlést tartunk, a közgyűlés időpontja később dől el.",
        "Příští schůze proběhne zítra, přijďte všichni.",
        "Zgoda, to możemy zacząć w maju.",
    ],
)
def test_letters_of_a_language_whose_times_are_not_read_decide(text: str) -> None:
    assert detect_language(text) == "und"


def test_names_in_letters_of_other_languages_leave_a_text_english() -> None:
    assert detect_language("Present: Őze, Gülşen, Novák, Dvořák. The lease was signed by all of them.") == "en"


def test_furniture_has_no_part_in_the_language() -> None:
    draft = Draft().paragraph("Хорошо, подпишем в пятницу.")
    draft.furniture("From: Olga <olga@x.example>\nTo: Ivan <ivan@x.example>, the office of the port")
    assert language(draft) == "und"


@pytest.mark.parametrize(
    ("question", "bare"),
    [
        ("Welcher Umsatz wurde 2021 erzielt?", "Umsatz wurde 2021 erzielt?"),
        ("Wann und wie viel hat Nordwind verdient?", "und hat Nordwind verdient?"),
        ("Was kostet der Umbau?", "kostet der Umbau?"),
        ("Wieviel Umsatz?", "Umsatz?"),
        ("Quelle est la marge ? Combien de salariés ?", "est la marge ? de salariés ?"),
        ("Qu’est-ce que la TVA ?", "la TVA ?"),
        ("Qué beneficio tuvo Inditex?", "beneficio tuvo Inditex?"),
        ("Cosa ha detto il ministro?", "ha detto il ministro?"),
        ("O que disse o presidente?", "disse o presidente?"),
        ("Wanneer en hoeveel?", "en ?"),
        # Words of other languages, and nothing else.
        ("Quelle AG Umsatz 2005", "Quelle AG Umsatz 2005"),
        ("Was Cosa Nostra in Como?", "Was Cosa Nostra in Como?"),
        ("Come Together", "Come Together"),
        ("What did Quanta comment on?", "What did Quanta comment on?"),
        ("Wann?", "Wann?"),
    ],
)
def test_words_that_ask_are_left_out_in_their_language(question: str, bare: str) -> None:
    assert without_interrogatives(question, detect_question_language(question)) == bare


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("Was passierte letzte Woche?", "de"),
        ("Was war letzten Montag?", "de"),
        ("Wat gebeurde er vorige week?", "nl"),
        ("¿Qué pasó la semana pasada?", "es"),
        ("Che cosa è successo la settimana scorsa?", "it"),
        ("Avant quelle date le loyer est-il payable ?", "fr"),
        ("Bis wann habe ich Zeit?", "de"),
        ("Was the museum closed last week?", "en"),
        ("Is Como on the lake?", "en"),
        ("Was revenue higher?", "en"),
    ],
)
def test_the_language_of_a_question_is_known_by_what_questions_about_times_say(question: str, code: str) -> None:
    assert detect_question_language(question) == code


def test_only_words_that_ask_what_happened_ask_for_events() -> None:
    assert ask_for_events(["Was", "habe", "ich", "gemacht"], "de")
    assert ask_for_events([], "en")
    assert not ask_for_events(["Was", "hat", "Lore", "gemacht"], "de")
    assert not ask_for_events(["Was", "habe", "ich", "gemacht"], "en")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Zahnarzt am 3. Mai 2024 um 9 Uhr.", "de"),
        ("Treffen mit Herrn Kurz wegen Angebot.", "de"),
        ("Rechnung vom Klempner bezahlt", "de"),
        ("Fait: facture payée, devis en attente.", "fr"),
        ("Los Angeles Lakers schedule", "en"),
        ("Tour de France stage 4", "en"),
        ("I am Tom", "en"),
        ("MIT lab meeting", "en"),
    ],
)
def test_one_sure_word_shows_the_language_of_a_short_text(text: str, code: str) -> None:
    assert detect_language(text) == code


BUSINESS = {
    "de": (["Filiale", "Umsatz", "Mitarbeiter"], ["Umsatz", "Kosten", "Gewinn"]),
    "fr": (["Région", "Chiffre d'affaires", "Salariés"], ["Chiffre d'affaires", "Charges", "Effectif"]),
    "es": (["Tienda", "Ventas", "Empleados"], ["Ingresos", "Gastos", "Beneficio"]),
    "it": (["Negozio", "Vendite", "Dipendenti"], ["Ricavi", "Costi", "Utile"]),
    "pt": (["Loja", "Vendas", "Funcionários"], ["Receita", "Despesas", "Lucro"]),
    "nl": (["Winkel", "Omzet", "Medewerkers"], ["Omzet", "Uitgaven", "Winst"]),
    "en": (["Store", "Sales", "Staff"], ["Revenue", "Costs", "Profit"]),
}
SHORT_MONTHS = {
    "de": "Jan Feb Mär Apr Mai Jun",
    "fr": "janv. févr. mars avr. mai juin",
    "es": "ene feb mar abr may jun",
    "it": "gen feb mar apr mag giu",
    "pt": "jan fev mar abr mai jun",
    "nl": "jan feb mrt apr mei jun",
    "en": "Jan Feb Mar Apr May Jun",
}


@pytest.mark.parametrize("language", BUSINESS)
@pytest.mark.parametrize("title", ["", "2023"])
def test_short_tables_are_in_the_language_of_their_headers_labels_and_months(language: str, title: str) -> None:
    headers, labels = BUSINESS[language]
    months = SHORT_MONTHS[language].split()
    for rows in (
        [headers, ["X", "120", "12"], ["Y", "231", "18"]],
        [["", "2022", "2023"], *([label, "12", "13"] for label in labels)],
        [["", *months], *([name, *"123456"] for name in "XY")],
        [["", "A"], *([month, "4"] for month in months)],
    ):
        draft = Draft().paragraph(title) if title else Draft()
        draft.table(rows)
        assert detect_document_language(draft.text, draft.blocks) == language


@pytest.mark.parametrize(
    "rows",
    [
        [["Item", "Menge", "Note"], ["Bolt", "120", "ok"]],
        [["Name", "Amount"], ["Marco", "12"], ["Juni", "3"], ["Jan", "4"]],
        [["Quarter", "Units"], ["Q1", "12"], ["Q2", "13"]],
        [["City", "Sales"], ["Los Angeles", "12"], ["El Paso", "13"], ["San Antonio", "5"]],
        [["Name", "Amount"], ["Maria de la Cruz", "12"], ["Jose del Rio", "13"]],
        [["Site", "Revenue", "Staff"], ["Des Moines", "10", "3"], ["Du Bois", "20", "4"]],
        [["Station", "Jan", "Feb", "Mar"], ["El Centro", "1", "2", "3"], ["Del Mar", "4", "5", "6"]],
    ],
)
def test_names_in_tables_leave_them_english(rows: list[list[str]]) -> None:
    draft = Draft().table(rows)
    assert detect_document_language(draft.text, draft.blocks) == "en"


def test_sentences_in_the_cells_of_a_table_with_english_headers_are_in_their_own_language() -> None:
    text = "El equipo no pudo entregar el informe porque se retrasó la revisión y faltaban datos"
    draft = Draft().table([["Date", "Name", "Comment"], ["2024-01-03", "Ana", text]])
    assert detect_document_language(draft.text, draft.blocks) == "es"
