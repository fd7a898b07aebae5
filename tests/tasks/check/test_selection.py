"""Which findings count: selection, settings of folders, suppression, baselines, scores."""

from __future__ import annotations

from pathlib import Path

import pytest

from tasks.check.report import write_baseline
from tasks.check.selection import Selection, find_suppressions
from tests.tasks.quality.cases import DATED, PROSE
from tests.tasks.quality.checking import checked, codes_in, write
from warehouse.errors import BadInput, BadSettings

BROKEN = f"{DATED}# One\n\n{PROSE}It was signed on February 30, 2023.\n\n# Two\n\n{PROSE}See [[Nowhere]].\n"


@pytest.mark.parametrize(
    ("select", "ignore", "code", "counts"),
    [
        (("ALL",), (), "CHK003", True),
        (("CHK",), (), "TAB001", False),
        (("CHK",), ("CHK003",), "CHK003", False),
        (("CHK003",), ("CHK",), "CHK003", True),
        (("ALL",), ("ends-mid-sentence",), "CHK003", False),
        (("chk",), (), "CHK003", True),
        (("ALL",), ("ALL",), "CHK003", False),
    ],
)
def test_the_longer_selector_counts(select: tuple[str, ...], ignore: tuple[str, ...], code: str, counts: bool) -> None:
    assert Selection(select, ignore).has_rule(code) is counts


def test_what_names_no_rule_is_refused() -> None:
    with pytest.raises(BadInput, match="did you mean CHK003"):
        Selection(("CHK0003",))


def test_the_nearest_settings_file_counts(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": BROKEN, "inner/b.md": BROKEN, "inner/c.md": BROKEN})
    write(tmp_path, {"pyproject.toml": '[tool.kalends.check]\nselect = ["VLT001"]\n'})
    write(tmp_path, {"inner/kalends.toml": '[check]\nselect = ["TMP"]\nper-file-ignores = {"c.md" = ["TMP003"]}\n'})
    found = [(Path(e.path).name, e.source_finding.finding.code) for e in checked(tmp_path).report.entries]
    assert found == [("a.md", "VLT001"), ("b.md", "TMP003")]
    assert codes_in(tmp_path, select=("TAB",)) == []


@pytest.mark.parametrize(("given", "said"), [("choose = ['CHK']", "check.choose"), ("select = ['QQQ']", "'QQQ'")])
def test_bad_settings_are_refused_by_name(given: str, said: str, tmp_path: Path) -> None:
    write(tmp_path, {"a.md": BROKEN, "kalends.toml": f"[check]\n{given}\n"})
    with pytest.raises(BadSettings, match=rf"{said}.*kalends.toml"):
        checked(tmp_path)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (BROKEN, {"TMP003", "VLT001"}),
        (BROKEN.replace("# One", "<!-- kalends: ignore=TMP003,VLT -->\n# One"), set()),
        (BROKEN.replace("# One", "<!-- kalends: ignore -->\n\n# One"), set()),
        (BROKEN.replace("# Two", "<!-- kalends: ignore=VLT001 -->\n\n# Two"), {"TMP003", "VLT001"}),
        (BROKEN.replace("See [[", "<!-- kalends: ignore=broken-link --> See [["), {"TMP003"}),
        (BROKEN.replace(f"{PROSE}See", f"<!-- kalends: ignore=VLT -->\n\n{PROSE}See"), {"TMP003"}),
        (BROKEN.replace("# One", "```\n<!-- kalends: ignore -->\n```\n# One"), {"TMP003", "VLT001"}),
    ],
)
def test_comments_silence_rules(text: str, left: set[str], tmp_path: Path) -> None:
    assert set(codes_in(write(tmp_path, {"a.md": text}), select=("TMP", "VLT001"))) == left


def test_comments_of_web_pages_count(tmp_path: Path) -> None:
    page = f"<html><body><p>{PROSE}</p>\n<p>Signed on February 30, 2023.</p></body></html>"
    assert codes_in(write(tmp_path, {"a.html": page}), select=("TMP003",)) == ["TMP003"]
    silent = page.replace("<html>", "<html><!-- kalends: ignore=TMP -->")
    assert codes_in(write(tmp_path, {"a.html": silent}), select=("TMP003",)) == []


def test_many_comments_are_read_in_linear_time() -> None:
    assert len(find_suppressions("text\n" + "<!-- kalends: ignore=CHK -->\n" * 2000)) == 2000


def test_a_baseline_hides_what_was_there_and_survives_moved_lines(tmp_path: Path) -> None:
    folder, baseline = tmp_path / "notes", tmp_path / "baseline.json"
    write(folder, {"a.md": BROKEN})
    write_baseline(baseline, {entry.fingerprint: [entry.path] for entry in checked(folder).report.entries})
    assert not checked(folder, baseline=baseline).report.fails
    write(
        folder,
        {"a.md": BROKEN.replace("# One", "# Zero\n\nIt begins here, with a new first section of its own.\n\n# One")},
    )
    assert codes_in(folder, baseline=baseline) == []
    write(folder, {"a.md": BROKEN + "\nSee [[Nobody]].\n"})
    assert codes_in(folder, baseline=baseline) == ["VLT001"]


def test_what_is_no_baseline_is_refused(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": BROKEN, "baseline.json": "[]"})
    with pytest.raises(BadInput, match="not a baseline"):
        checked(tmp_path / "a.md", baseline=tmp_path / "baseline.json")


def test_a_score_is_explained_by_the_findings_that_count(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": BROKEN})
    (file,) = checked(tmp_path).report.files
    (free,) = checked(tmp_path, ignore=("TMP",)).report.files
    assert file.score is not None
    assert file.score < 1.0
    assert free.score == 1.0
    assert checked(tmp_path, select=("TMP",), min_score=0.99).report.files[0].is_below
    assert not checked(tmp_path, select=("TAB",), min_score=0.99).report.fails
