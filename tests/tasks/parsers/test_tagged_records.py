"""Contacts, accounts and family trees: every record, its tags in words."""

from __future__ import annotations

import pytest

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import choose_parser, read
from tests.call_counts import count_calls
from tests.tasks.parsers.promises import keeps_its_promises
from warehouse.records import Document

CARDS = """BEGIN:VCARD
VERSION:3.0
N:Weber;Anna;;Dr.;
FN:Dr. Anna Weber
ORG:Northlight GmbH;Research
EMAIL;type=INTERNET;type=WORK;type=pref:anna@northlight.example
item1.TEL;type=pref:+49 30 1234
item1.X-ABLabel:_$!<Mobile>!$_
ADR;type=HOME:;;Hafenstr. 5;Hamburg;;20457;Germany
BDAY:1980-01-02
NOTE:Met in 2023\\, likes sailing.\\nSister is
  Tuva.
PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQSkZJRgABAQAAAQAB
 DAsLDBkSEw8UHRofHh0aHBwg
END:VCARD
BEGIN:VCARD
VERSION:2.1
N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=B6rg;;;
TEL;CELL:0170 555
END:VCARD
"""
STATEMENT = """OFXHEADER:100
DATA:OFXSGML

<OFX>
<SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS><DTSERVER>20240312</SONRS></SIGNONMSGSRSV1>
<BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>111<ACCTID>222</BANKACCTFROM>
<BANKTRANLIST><DTSTART>20240301<DTEND>20240312
<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20240312120000[0:GMT]<TRNAMT>-5.75<FITID>1<NAME>COFFEE<MEMO>A &amp; CO</STMTTRN>
<STMTTRN>
<TRNTYPE>CREDIT
<DTPOSTED>20240311
<TRNAMT>2500.00
<CHECKNUM>
<NAME>PAYROLL
</STMTTRN>
</BANKTRANLIST><LEDGERBAL><BALAMT>1203.11<DTASOF>20240312</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>
"""
REGISTER = """!Type:Bank
D3/12'24
T-5.75
PCoffee
LDining
^
D03/11/2024
U2,500.00
T2,500.00
PPayroll
SSalary
$2,500.00
^
"""
TREE = """0 HEAD
1 SOUR Gramps
1 GEDC
2 VERS 5.5.1
0 @I1@ INDI
1 NAME Anna /Weber/
1 BIRT
2 DATE 2 JAN 1880
2 PLAC Bergen, Norway
1 NOTE Came to Ham
2 CONC burg with her brother
2 CONT in 1901.
1 FAMS @F1@
0 @I2@ INDI
1 NAME Karl /Meier/
1 BIRT
2 DATE BET 1875 AND 1878
1 FAMS @F1@
0 @I3@ INDI
1 NAME Ida /Meier/
1 FAMC @F1@
0 @F1@ FAM
1 HUSB @I2@
1 WIFE @I1@
1 CHIL @I3@
1 MARR
2 DATE ABT 1905
0 TRLR
"""
FILES = {"vcard": CARDS, "ofx": STATEMENT, "qif": REGISTER, "gedcom": TREE}


def parsed(text: str, parser: str) -> Document:
    raw = Raw("export.txt", text.encode())
    assert choose_parser(raw) == parser
    found = read(raw)
    keeps_its_promises(found)
    return found


def test_a_contact_is_its_name_with_what_the_card_says() -> None:
    found = parsed(CARDS, "vcard")
    assert found.text == (
        "Dr. Anna Weber\n\nOrganisation: Northlight GmbH, Research\nEmail (work): anna@northlight.example\n"
        "Telephone (Mobile): +49 30 1234\nAddress (home): Hafenstr. 5, Hamburg, 20457, Germany\nBirthday: 1980-01-02\n"
        "Note: Met in 2023, likes sailing. Sister is Tuva.\n\nJörg Müller\n\nTelephone (cell): 0170 555"
    )


def test_transactions_of_an_account_are_a_table() -> None:
    found = parsed(STATEMENT, "ofx")
    assert found.tables[0].rows == (
        ("Type", "Date", "Amount", "Name", "Memo"),
        ("DEBIT", "2024-03-12", "-5.75", "COFFEE", "A & CO"),
        ("CREDIT", "2024-03-11", "2500.00", "PAYROLL", ""),
    )
    assert "Account: 222\nFrom: 2024-03-01\nUntil: 2024-03-12\nBalance: 1203.11\nAs of: 2024-03-12" in found.text
    closed = STATEMENT.replace("<TRNTYPE>CREDIT\n", "<TRNTYPE>CREDIT</TRNTYPE>\n").replace(
        "<CHECKNUM>\n", "<CHECKNUM/>"
    )
    assert parsed(
        f'<?xml version="1.0"?><?OFX OFXHEADER="200"?>{closed[closed.index("<OFX>") :]}', "ofx"
    ).tables == tuple(found.tables)


def test_a_register_is_a_table_with_whole_years() -> None:
    assert parsed(REGISTER, "qif").tables[0].rows == (
        ("Date", "Amount", "Payee", "Category", "Split"),
        ("3/12/2024", "-5.75", "Coffee", "Dining", ""),
        ("03/11/2024", "2,500.00", "Payroll", "", "Salary, 2,500.00"),
    )


def test_a_person_of_a_tree_has_events_and_family_in_words() -> None:
    assert parsed(TREE, "gedcom").text.split("\n\n") == [
        "Anna Weber",
        (
            "Born: 2 Jan 1880, Bergen, Norway\nNote: Came to Hamburg with her brother in 1901.\nSpouse: Karl Meier\n"
            "Married: about 1905\nChildren: Ida Meier"
        ),
        "Karl Meier",
        "Born: between 1875 and 1878\nSpouse: Anna Weber\nMarried: about 1905\nChildren: Ida Meier",
        "Ida Meier",
        "Parents: Karl Meier and Anna Weber",
    ]


@pytest.mark.parametrize("parser", FILES)
def test_files_that_are_cut_are_read_as_far_as_they_go(parser: str) -> None:
    text = FILES[parser]
    for end in range(40, len(text), 37):
        keeps_its_promises(read(Raw("export.txt", text[:end].encode())))


@pytest.mark.parametrize(
    "piece", ["<STMTTRN><TRNAMT>1\n", "<STMTRS><BANKTRANLIST><STMTTRN><NAME>x", "<BANKTRANLIST>\n", "<A{0}>", "</OFX>"]
)
def test_elements_that_are_not_closed_cost_no_more_than_others(piece: str) -> None:
    def parse(count: int) -> None:
        body = "".join(piece.replace("{0}", str(number)) for number in range(count))
        parsed(f"OFXHEADER:100\n<OFX><STMTRS><BANKTRANLIST>{body}", "ofx")

    parse(10)
    small, large = (count_calls(lambda count=count: parse(count)) for count in (200, 800))
    assert large < 6 * small + 2_000
