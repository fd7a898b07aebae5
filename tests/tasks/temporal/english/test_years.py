from __future__ import annotations

from datetime import date

import pytest

from tasks.temporal.tagger import tag

ANCHOR = date(2024, 3, 12)


def _find_years(text: str) -> list[str]:
    return [mention.value for mention in tag(text, ANCHOR, "en")]


@pytest.mark.parametrize(
    "text",
    [
        "MATH 2010 and PHYS 1999 are required.",
        "I flew UA 1904 to Denver and LH 1998 back.",
        "Your flight BA 2027 departs from gate 1984.",
        "Do Problem 1984 and Exercise 2001.",
        "The proof of Theorem 2003 (slides 2000-2010).",
        "The infant weighed 1900 g and the jar holds 2000 mg.",
        "It took 2024 ms (n = 1998), see § 1983 and GET /2019/05.",
        "The engine turns at 2000 rpm and eats 1999 kcal.",
        "He drives a Peugeot 2008 and plays Cyberpunk 2077 on an RTX 2080.",
        'She watched "Blade Runner 2049" in the Boeing 1999.',
        "It runs on Windows 2000 and Ubuntu 2004, see RFC 2119, PEP 2026 and ticket 2033.",
        "Write to 1950 Pennsylvania Avenue, Suite 2000, or to 1999 Bryan St, PO Box 1999.",
        "IBAN DE89 3704 0044 2013 2000 00, sample 1956, lot 2020, Clause 1998, Case 1998/12, buffer 1998-B.",
        "Centrifuged at 2000 x g: 2013 counts.",
        "We take the train RE 1950 out and IC 2024 back.",
        "It asked for 2000 kEUR, got 1950 MSEK and 1900 TCHF; 1995 USD in fees, about 2000 zł, USD 2015 for each.",
        "他开标致2008，电表读数2019，住在2010房间。",
        "CT slice 2015 of 3010, pages 1989 to 1995, VLAN 2024, PIN 1906, frames 1998 and 2001, torque 1998 Nm.",
        "Call 020 7946 2018, +46 8 5250 2025 or 0711 / 1998.",
        "See Lancet 391: 2019-28, ports in the range 1900-2100, pages 2012/13, loan L-2021, ticket KAL-1999.",
        "EN 1993-1-1 and EN 1990 apply to part no. 12-06-1998/B, as do nearly 2020 others.",
    ],
)
def test_numbers_of_courses_flights_and_measures_are_no_years(text: str) -> None:
    assert _find_years(text) == []


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("CES 2024 and ACL 2023 were crowded.", ["2024", "2023"]),
        ("Le chiffre d'affaires de Crane Tools en 2022", ["2022"]),
        ("In 2019 Wall Street fell, and Agenda 2063 and Nokia 2013 were forgotten.", ["2019", "2063", "2013"]),
        ("The 2010 Supreme Court ruling, the 2019 Abbey Road reissue.", ["2010", "2019"]),
        ("The Ming dynasty (1368–1644).", ["1368/1644"]),
        ("The AA 2019 report came out in 2020.", ["2019", "2020"]),
        ("In the US 1998 was a good year.", ["1998"]),
        ("The famine of 1316 and the Treaty of 1492.", ["1316", "1492"]),
        ("He died in 1400; she was crowned in 1200.", ["1400", "1200"]),
        ("In constant 2015 US$, since 2010 €12m and in 2008 $ 5 bn.", ["2015", "2010", "2008"]),
        ("In 2010 EUR/USD fell, in 2011 EUR 5m were paid.", ["2010", "2011"]),
        ("Sales 2024 TEUR", ["2024"]),
        ("Euro 2000 in the RE 2019 report.", ["2000", "2019"]),
        ("| Plan 2024 TEUR | EUR 2023, net | 2022 £'000 |", ["2024", "2023", "2022"]),
        ("They built 1200 homes, a total of 1316 so far.", []),
        ("Spread over 2025 and 2026, or over 2023, 2024 and 2025.", ["2025", "2026", "2023", "2024", "2025"]),
        ("A profit in 2024 of 45 million; the building (1911-14), over 2019-2021.", ["2024", "1911/1914", "2019/2021"]),
        ("FY-2021, CY-2021, mid-2022 and Q4-2023.", ["FY2021", "2021", "2022", "2023-Q4"]),
        ("Notes 12 and 2023, in 2022 and 2023.", ["2023", "2022", "2023"]),
    ],
)
def test_years_beside_codes_and_events(text: str, years: list[str]) -> None:
    assert _find_years(text) == years
