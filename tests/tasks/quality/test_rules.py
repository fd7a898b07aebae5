"""Every rule has a page, fires on its fault and is silent beside it; nothing is listed twice."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from tasks.quality.rule import FAMILIES, RULES, list_rules, parse_page
from tasks.quality.rules.vault_notes import VAULT_RULES
from tasks.quality.scoring import check_document
from tests.tasks.quality.cases import FILES, SUBJECTS
from tests.tasks.quality.checking import LIMITS, checked, codes_in, write
from tests.tasks.quality.readings import READINGS, UNTRIED, Reading

CODES = sorted(list_rules())
FAULTS_INJECTED = ("DOC022",)
"""Fired by no file, but by a stage that fails: `tests/flows/test_isolation.py` makes each of them fail."""


def test_every_rule_is_tried() -> None:
    assert sorted([*FILES, *SUBJECTS, *READINGS, *FAULTS_INJECTED]) == CODES
    assert len(CODES) == len(RULES)
    assert len(RULES) - len(VAULT_RULES) >= 40


@pytest.mark.parametrize("code", CODES)
def test_every_rule_has_a_page(code: str) -> None:
    rule = list_rules()[code]
    page = parse_page(rule)
    assert all((page.title, page.what, page.why, page.example, page.cure))
    assert rule.page.startswith(f"{code} {rule.name}: ")
    assert code[:3] in FAMILIES
    assert 0 <= rule.penalty <= 1


@pytest.mark.parametrize("name", sorted(RULES))
def test_a_rule_is_known_by_its_name(name: str) -> None:
    assert RULES[name].name == name.replace("_", "-")


@pytest.mark.parametrize("code", sorted(FILES))
def test_files_fire_their_rule_and_sound_ones_do_not(code: str, tmp_path: Path) -> None:
    firing, silent = FILES[code]
    assert code in codes_in(write(tmp_path / "firing", firing))
    assert code not in codes_in(write(tmp_path / "silent", silent))


@pytest.mark.parametrize("code", sorted(SUBJECTS))
def test_documents_fire_their_rule_and_sound_ones_do_not(code: str) -> None:
    firing, silent = SUBJECTS[code]
    named = [found.finding for found in check_document(firing()) if found.finding.code == code]
    assert named
    assert named[0].name == list_rules()[code].name
    assert code not in [found.finding.code for found in check_document(silent())]


@pytest.fixture(scope="module")
def codes_of_readings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """The codes of each folder; files under ordinary limits are read together."""
    folder = tmp_path_factory.mktemp("readings")
    for code, reading in READINGS.items():
        write(folder / "sound" / code, reading.sound)
        if not is_apart(reading):
            write(folder / "firing" / code, reading.firing)
    found = defaultdict(set)
    for place in (folder / "sound", folder / "firing"):
        for entry in checked(place, limits=LIMITS.model_copy(update={"processes": 1})).report.entries:
            found[Path(entry.path).parent.relative_to(folder).as_posix()].add(entry.source_finding.finding.code)
    return found


def is_apart(reading: Reading) -> bool:
    return reading.limits is not LIMITS


@pytest.mark.parametrize("code", sorted(READINGS))
def test_readers_report_faults_and_sound_files_have_none(
    code: str, codes_of_readings: dict[str, set[str]], tmp_path: Path
) -> None:
    if code in UNTRIED:
        pytest.skip(UNTRIED[code])
    reading = READINGS[code]
    if is_apart(reading):
        with reading.meanwhile():
            assert code in codes_in(write(tmp_path, reading.firing), limits=reading.limits)
    else:
        assert code in codes_of_readings[f"firing/{code}"]
    assert code not in codes_of_readings[f"sound/{code}"]
