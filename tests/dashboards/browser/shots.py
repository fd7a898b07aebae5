"""Pictures of every page, wide and narrow, light and dark: `make shots` writes them to .screenshots."""

from __future__ import annotations

import sys
import tempfile
from itertools import product
from pathlib import Path
from urllib.parse import quote

from selenium import webdriver

from tests.building import count_findings
from tests.dashboards.browser.browsing import at_rest, browser, missing, resize, troubles
from tests.dashboards.browser.serving import ROOT, dashboard
from warehouse.reader import Warehouse

WIDTHS = (1440, 390)
TALLEST = 3400
QUESTION = "What was the revenue in the quarter ended June 30, 2025?"
_OVERFLOW = "const main = document.querySelector('.stMain'); return main.scrollWidth - main.clientWidth"
_HEIGHT = "return document.querySelector('.stMain').scrollHeight"


def addresses(warehouse: Path) -> dict[str, str]:
    """What is photographed, by name: each page as it opens, and with something chosen."""
    held = Warehouse(warehouse)
    report = next(each for each in held.list_documents() if each.file.path.endswith("fy2025-q4.pdf")).document_id
    rule = count_findings(held)[0]["code"]
    return {
        "home": "/",
        "library": "/library",
        "document": f"/library?document={report}",
        "search": f"/search?search-q={quote(QUESTION)}",
        "search-start": "/search",
        "chat": "/chat",
        "quality": "/quality",
        "quality-rule": f"/quality?rule={rule}",
        "timeline": "/timeline",
        "timeline-coverage": "/timeline?timeline-show=Coverage",
        "tables": f"/tables?document={report}&table=1",
        "tables-start": "/tables",
        "tables-figure": f"/tables?tables-part={quote('Find a figure')}&tables-item=revenue",
        "sql": f"/sql?sql-query={quote('SELECT kind, count(*) AS documents FROM documents GROUP BY kind')}",
        "experiments": "/experiments",
        "experiments-new": f"/experiments?experiments-part={quote('New experiment')}",
        "runs": "/runs",
    }


def photograph(driver: webdriver.Chrome, address: str, width: int, file: Path) -> str:
    """Take the whole page; what is wrong with it to the eye of a program, in words."""
    resize(driver, width, 1100)
    driver.get(address)
    at_rest(driver)
    resize(driver, width, min(max(int(driver.execute_script(_HEIGHT)), 900), TALLEST))
    at_rest(driver)
    driver.save_screenshot(str(file))
    beyond = int(driver.execute_script(_OVERFLOW))
    wrong = [f"{beyond} px too wide"] if beyond > 0 else []
    return "; ".join([*wrong, *troubles(driver)])


def main(warehouse: Path, folder: Path, wanted: list[str]) -> None:
    """Photograph the pages of these names, or all."""
    if missing():
        sys.exit(missing())
    folder.mkdir(parents=True, exist_ok=True)
    pages = {name: address for name, address in addresses(warehouse).items() if not wanted or name in wanted}
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch,
        dashboard(Path(scratch), {}, "--warehouse", str(warehouse.resolve())) as served,
    ):
        for width, dark in product(WIDTHS, (False, True)):
            scheme = "dark" if dark else "light"
            with browser(Path(scratch) / f"{width}-{scheme}", width, dark=dark) as driver:
                for name, address in pages.items():
                    file = folder / f"{name}-{width}-{scheme}.png"
                    print(file.name, photograph(driver, served + address, width, file) or "well")


if __name__ == "__main__":
    main(Path(sys.argv[1]), ROOT / ".screenshots", sys.argv[2:])
