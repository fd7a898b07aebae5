"""Grids that TAT-QA does not have: statistics by country and year, lists in words, statements of many rows."""

from random import Random

from benchmarks.rendering.grid import Grid

_PLACES = (
    "Belgium", "Bulgaria", "Czech Republic", "Denmark", "Germany", "Estonia", "Ireland", "Greece", "Spain", "France",
    "Italy", "Cyprus", "Latvia", "Lithuania", "Luxembourg", "Hungary", "Malta", "Netherlands", "Austria", "Poland",
    "Portugal", "Romania", "Slovenia", "Slovakia", "Finland", "Sweden", "United Kingdom", "Norway", "Switzerland",
    "Former Yugoslav Republic of Macedonia", "Bosnia and Herzegovina", "European Union (27 countries)",
)  # fmt: skip
_MEASURES = (
    "Population at 1 January (thousand)", "Unemployment rate (%)", "Final energy consumption", "Livestock units",
    "Persons at risk of poverty", "Electricity generated (GWh)", "Road fatalities", "Tertiary education attainment",
)  # fmt: skip
_PARTS = (("Total", "Men", "Women"), ("Urban", "Rural"), ("Public", "Private"), ("Under 25", "25-64", "65 and over"))
_HEADINGS = (
    ("Exhibit No.", "Description of Exhibit"),
    ("Name", "Age", "Position with the Company"),
    ("Location", "Principal use", "Approximate square feet", "Owned or leased"),
    ("Reference", "Title of measure", "Responsible authority", "Status"),
    ("Term", "Meaning in this report"),
)
_NAMES = ("Alice Moreau", "Robert T. Singh", "Wei Zhang", "Karen O'Neill", "Luis Ortega", "Ingrid Holm", "P. Adeyemi")
_TOWNS = ("Austin, Texas", "Shannon, Ireland", "Penang, Malaysia", "Toulouse, France", "Boise, Idaho", "Graz, Austria")
_USES = ("Manufacturing and warehouse", "Research and development", "Corporate headquarters, sales, support", "Sales")
_BODIES = ("Ministry of Finance", "Directorate-General for Energy", "National Audit Office", "Central Bank")


def statistics(random: Random) -> Grid:
    """Make a table of countries by year, under one or two rows of headings, some figures missing."""
    measure, first = random.choice(_MEASURES), random.randint(1995, 2012)
    years = [str(first + i) for i in range(random.randint(3, 8))]
    parts = random.choice(((), (), *_PARTS))
    years = years[: random.randint(2, 3)] if parts else years
    spans: dict[tuple[int, int], int] = {}
    header = [["", *years]]
    if parts:
        blank = [""] * (len(parts) - 1)
        header = [["", *(text for year in years for text in (year, *blank))], ["", *parts * len(years)]]
        spans = {(0, 1 + i * len(parts)): (i + 1) * len(parts) for i in range(len(years))}
    if random.random() < 0.4:
        header[-1][0] = random.choice(("Country", "Member State", "Region"))
    width = len(header[0]) - 1
    places = sorted(random.sample(range(len(_PLACES)), random.randint(5, 30)))
    scale, decimals = random.choice(((90, 1), (2000, 0), (900000, 0), (12, 2), (40, 1)))
    rows = [[_PLACES[place], *_series(random, width, scale, decimals)] for place in places]
    return Grid(tuple(map(tuple, header + rows)), len(header), spans, measure)


def _series(random: Random, count: int, scale: float, decimals: int) -> list[str]:
    level = random.uniform(0.02, 1) * scale
    separator = "," if scale < 1e5 else random.choice((",", " "))
    values = [level * random.uniform(0.8, 1.25) for _ in range(count)]
    texts = [f"{value:,.{decimals}f}".replace(",", separator) for value in values]
    return [random.choice((":", "-", "n/a")) if random.random() < 0.04 else text for text in texts]


def list_in_words(random: Random, sentences: list[str]) -> Grid:
    """Make a table whose cells are words, some of several lines, from sentences of real reports."""
    heading = random.choice(_HEADINGS)
    rows = [_entry(random, heading[0], number, sentences) for number in range(random.randint(4, 9))]
    return Grid((heading, *rows), 1, title="")


def _entry(random: Random, first: str, number: int, sentences: list[str]) -> tuple[str, ...]:
    sentence = random.choice(sentences)
    if first == "Exhibit No.":
        return (f"{10 + number // 4}.{number % 4 + 1}", sentence)
    if first == "Name":
        return (_NAMES[number % len(_NAMES)], str(random.randint(38, 74)), sentence[:60].rsplit(" ", 1)[0])
    if first == "Location":
        feet = f"{random.randint(9, 900)},000"
        return (random.choice(_TOWNS), random.choice(_USES), feet, random.choice(("Owned", "Leased")))
    if first == "Reference":
        return (f"M{number + 1:02d}", sentence, random.choice(_BODIES), random.choice(("Open", "Done", "Under way")))
    return (" ".join(sentence.split()[:2]).strip(",."), sentence)


def long_statement(random: Random, grids: list[Grid], least: int) -> Grid:
    """Stack the bodies of tables with equally many columns of figures under one heading until `least` rows."""
    first = random.choice([grid for grid in grids if 3 <= grid.width <= 6 and grid.spans])
    alike = [g for g in grids if g.width == first.width and all(g.holds_figures(c) for c in range(1, g.width))]
    rows = list(first.rows)
    for grid in random.sample(alike, len(alike)):
        if len(rows) >= least:
            break
        label = grid.title.rstrip(":") or "Supplementary information"
        rows += [(f"{label}:", *[""] * (first.width - 1)), *grid.body]
    return Grid(tuple(rows), first.header_rows, first.spans, first.title, first.topics)
