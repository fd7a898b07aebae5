"""A reader who goes over the dashboard, operates whatever can be seen, and notes what is wrong.

The address is the state: whatever way leads to an address (a link, a button, Back, Forward, reload, a copied link), the
page shows the same there. `Walk` remembers what each address has shown and notes every difference.
"""

from __future__ import annotations

import re
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote, urlsplit

from selenium import webdriver
from selenium.common.exceptions import (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    MoveTargetOutOfBoundsException,
    NoSuchElementException,
    StaleElementReferenceException,
    TimeoutException,
)
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from tests.dashboards.browser.browsing import troubles, until

WATCH = Path(__file__).with_name("watching.js").read_text("utf-8")
SETTLING = 2.0
"""Seconds for which an address may still show something else once it is at rest: browsers draw lists a moment later."""
INTERNAL = "Something went wrong"
MOST_STOPS = 80
"""Presses of Tab after which a control counts as out of reach."""
LIMIT = 30.0
"""Seconds in which a page must come to rest."""
CHANGING = re.compile(
    r"(Add to library|Add|Add files|Add folder|Import( .*)?|Remove this folder|Delete.*|Stop|Save.*|Start.*|Try .*"
    r"|Run (a|these|\d).*|Send.*|Rename.*|Log out|Upload|Dismiss|Discard|Browse files|Undo.*|Correct.*|Ask again"
    r"|Copy.*)\Z"
)
"""What changes the library or starts work: these have tests of their own."""
FILLED = {
    "Query": "SELECT kind, count(*) AS documents FROM documents GROUP BY kind ORDER BY kind",
    **dict.fromkeys(("Page", "Lesson"), "2"),
}
WORDS, PERIOD = "revenue", "2025"
"""What is written into any other field of text, and into one that asks for a time."""
_TIMES = re.compile("time|period|speaks|during", re.IGNORECASE)
_VOLATILE = re.compile(r"\d[\d,.]*\s?(ms|s|seconds?|[kMG]?B)\b|\b\d\d:\d\d\b|(?<=\d )\w+ ago")
MENU = "[data-testid=stSidebar] a"
_GONE = (
    StaleElementReferenceException,
    NoSuchElementException,
    ElementNotInteractableException,
    MoveTargetOutOfBoundsException,
)


@dataclass(frozen=True, slots=True)
class Control:
    """One that can be operated: the `number`th of its kind and name on the page, from 0; `href` of a link."""

    kind: str
    name: str
    number: int
    href: str = ""

    def __str__(self) -> str:
        """As a fault names it."""
        return f"{self.kind} {self.name!r}" + (f" no. {self.number + 1}" if self.number else "")


class Walk:
    """One window, what each address has shown in it, and the `faults` that were seen, in words."""

    def __init__(self, driver: webdriver.Chrome, served: str) -> None:
        """Watch the window from now on; `served` is the dashboard's address."""
        self.driver, self.served = driver, served
        self.views: dict[str, tuple[str, list[str]]] = {}
        self.faults: list[str] = []
        self.steps = 0
        self._chose = False
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
        driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "deny"})
        driver.set_script_timeout(LIMIT + 10)

    @property
    def address(self) -> str:
        """The path and the parameters, which may stand in any order."""
        return _address_of(self.driver.execute_script("return location.href"))

    def open(self, address: str) -> None:
        """Open an address as a copied link is opened: in a session of its own."""
        self._chose = False
        self.driver.get(self.served + address)
        self.look(f"open {address}")

    def look(self, step: str) -> None:
        """Wait until the page is at rest, and note what is wrong with it after this step.

        An address that was seen before must show what it showed then, also an error that something chosen has led to.
        """
        self.steps += 1
        if not self._rested():
            self.note(step, "the page did not come to rest")
            return
        end = time.monotonic() + SETTLING
        while (wrong := self._other_view(seen := self.driver.execute_script(_SEEN))) and time.monotonic() < end:
            self._rested()
        if wrong:
            self.note(step, wrong)
        expected = self._chose or _address_of(seen["href"]) in self.views
        for said in seen["wrong"]:
            if not expected or INTERNAL in said:
                self.note(step, f"the page says {said[:160]!r}")
        if not seen["title"].strip():
            self.note(step, "the tab has no title")
        for trouble in troubles(self.driver):
            self.note(step, f"the console says {trouble[:300]!r}")
        self._remember(seen)

    def judge(self) -> None:
        """Raise `AssertionError` with all faults, if there are any."""
        if self.faults:
            raise AssertionError("\n".join([f"{len(self.faults)} faults:", *self.faults]))

    def note(self, step: str, wrong: str) -> None:
        """Remember a fault."""
        self.faults.append(f"{step[-220:]}: {wrong}")

    def go_back(self, step: str, expected: str) -> None:
        """Press Back, which must lead to an address."""
        self.driver.back()
        self.look(f"{step}, Back")
        if self.address != expected:
            self.note(f"{step}, Back", f"leads to {self.address} in place of {expected}")

    def follow_by_keyboard(self, text: str) -> None:
        """Press Tab until a link or button of this text is reached, and then Enter. Its focus must be visible."""
        for _ in range(MOST_STOPS):
            ActionChains(self.driver).send_keys(Keys.TAB).perform()
            focus = self.driver.execute_script(_FOCUS)
            if not focus["marked"]:
                self.note(f"{self.address}, Tab", f"nothing shows that {focus['label']!r} is chosen")
            if text in focus["label"]:
                ActionChains(self.driver).send_keys(Keys.ENTER).perform()
                self.look(f"Enter on {text}")
                return
        self.note(self.address, f"{MOST_STOPS} times Tab do not lead to {text!r}")

    def touch(self) -> None:
        """Note what a finger cannot reach on the page as it is: what goes beyond its edge, what is covered."""
        for wrong in self.driver.execute_async_script("kalendsWatch.touch(arguments[0])"):
            self.note(self.address, wrong)

    def wait_refreshes(self, count: int = 1) -> None:
        """Wait until the page has looked so many times for a new generation."""
        self.driver.execute_async_script(_REFRESHED, count, LIMIT * 1000)

    @property
    def seconds(self) -> float:
        """From the last press to the end of the last run, without the time in which nothing more happened."""
        return float(self.driver.execute_script("return kalendsWatch.seconds()"))

    def visit_page(self, name: str) -> None:
        """Follow the link of the sidebar."""
        before = self.address
        until(lambda: self._follow(name), f"the link to {name}", 8)
        self.look(f"{before} → {name}")
        if urlsplit(self.address).path != f"/{name}":
            self.note(f"{before} → {name}", f"leads to {self.address}")

    def crawl(self, address: str, alike: int = 1, kinds: Collection[str] = ()) -> set[str]:
        """Operate all that can be seen at an address; the addresses that this leads to.

        Of those with one name `alike` are operated; with `kinds` those of these kinds alone.
        """
        self.open(address)
        start, done, known, reached = self.address, set[Control](), set[Control](), set[str]()
        for _ in range(200):
            found = {control: each for control, each in self.controls(alike).items() if _is_of(control, kinds)}
            known |= set(found)
            following = next((control for control in found if control not in done), None)
            if following is None:
                if self._closed():
                    continue
                if known <= done or not self._returned(start, done, known):
                    break
                continue
            done.add(following)
            if CHANGING.match(following.name):
                continue
            reached |= self._operate(following, found[following])
        return reached

    def operate(self, kind: str, name: str) -> None:
        """Operate the first control of this kind and name."""
        control = Control(kind, name, 0)
        _act(self.driver, control, self.controls(1)[control])
        self.look(f"{self.address}: {control}")

    def close(self) -> None:
        """Close what lies open over the page; raises `AssertionError` where nothing does, or where it stays open."""
        assert self._closed()

    def controls(self, alike: int) -> dict[Control, WebElement]:
        """What can be operated now."""
        counts: dict[tuple[str, str], int] = {}
        found = {}
        for kind, name, element, _ in self.driver.execute_script("return kalendsWatch.controls()"):
            number = counts.get((kind, name), 0)
            counts[kind, name] = number + 1
            if number < alike:
                found[Control(kind, name, number)] = element
        return found

    def _operate(self, control: Control, element: WebElement) -> set[str]:
        before = self.address
        step = f"{before}: {control}"
        pushes = self.driver.execute_script("return kalendsWatch.state.pushes")
        tabs = len(self.driver.window_handles)
        href = self.driver.execute_script("return arguments[0].href || ''", element) if control.kind == "link" else ""
        if href and not href.startswith(self.served):
            return set()
        self._chose |= control.kind in ("text", "number", "date", "choice", "toggle")
        try:
            _act(self.driver, control, element)
        except _GONE:
            return set()
        except ElementClickInterceptedException as error:
            self.note(step, f"is covered: {_covering(str(error.msg))}")
            return set()
        if len(self.driver.window_handles) > tabs:
            return self._other_tab(step)
        self.look(step)
        after = self.address
        if href and "#" not in href and after != _address_of(href):
            self.note(step, f"leads to {after} in place of {href.removeprefix(self.served)}")
        if after == before:
            return set()
        if self.driver.execute_script("return kalendsWatch.state.pushes") != pushes:
            self.go_back(step, before)
            if self.address != before:
                self.open(before)
        return {after}

    def _follow(self, name: str) -> bool:
        found = self.driver.find_elements(By.CSS_SELECTOR, MENU)
        link = next((each for each in found if _leads_to(each, name)), None)
        if link:
            link.click()
        return link is not None

    def _other_tab(self, step: str) -> set[str]:
        own = self.driver.current_window_handle
        self.driver.switch_to.window(self.driver.window_handles[-1])
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
        self.driver.refresh()
        self.look(f"{step}, another tab")
        reached = self.address
        self.driver.close()
        self.driver.switch_to.window(own)
        return {reached}

    def _returned(self, start: str, done: set[Control], known: set[Control]) -> bool:
        """Open the start again; whether something known is left to do there."""
        self.open(start)
        return bool((known - done) & set(self.controls(len(known))))

    def _closed(self) -> bool:
        """Close what lies open over the page; whether there was something."""
        if not self.driver.execute_script("return kalendsWatch.over()"):
            return False
        ActionChains(self.driver).send_keys(Keys.ESCAPE).perform()
        self._rested()
        return not self.driver.execute_script("return kalendsWatch.over()")

    def _other_view(self, seen: dict[str, Any]) -> str:
        """How the view differs from what its address has shown before; "" where it does not.

        The first rows of lists are compared where all lists were drawn both times: a canvas is drawn once it is seen.
        """
        address = _address_of(seen["href"])
        before, rows = self.views.get(address, (_steady(seen["view"]), seen["rows"]))
        if before != (now := _steady(seen["view"])):
            return f"{address[:200]} shows another view: {_difference(before, now)}"
        alike = all(map(_begins_alike, rows, seen["rows"])) or len(rows) != len(seen["rows"])
        return "" if alike else f"{address[:200]} shows other rows: {rows}, now {seen['rows']}"[:400]

    def _remember(self, seen: dict[str, Any]) -> None:
        address, view = _address_of(seen["href"]), _steady(seen["view"])
        before, rows = self.views.get(address, ("", []))
        self.views[address] = (view, max(rows, seen["rows"], key=len) if before == view else seen["rows"])

    def _rested(self) -> bool:
        try:
            return bool(self.driver.execute_async_script(_REST, 60, LIMIT * 1000))
        except TimeoutException:
            return False


def round_trip(pages: Sequence[str]) -> list[str]:
    """A way from the first page that goes once from every page to every other one, and ends where it began."""
    left = {page: [other for other in pages if other != page] for page in pages}
    way, stack = list[str](), [pages[0]]
    while stack:
        if left[stack[-1]]:
            stack.append(left[stack[-1]].pop(0))
        else:
            way.append(stack.pop())
    return way[::-1][1:]


def quoted(address: str) -> str:
    """An address as a link has it."""
    path, _, query = address.partition("?")
    return f"{path}?{quote(query, safe='=&')}" if query else path


def _is_of(control: Control, kinds: Collection[str]) -> bool:
    return not kinds or control.kind in kinds


def _leads_to(link: WebElement, name: str) -> bool:
    return urlsplit(str(link.get_property("href"))).path == f"/{name}"


def _act(driver: webdriver.Chrome, control: Control, element: WebElement) -> None:
    driver.execute_async_script("kalendsWatch.ready(arguments[0], arguments[1])", element)
    if control.kind == "rows":
        size = element.size
        left, top = 30 - size["width"] // 2, 52 - size["height"] // 2
        ActionChains(driver).move_to_element_with_offset(element, left, top).click().perform()
    elif control.kind in ("text", "number"):
        element.send_keys(Keys.CONTROL, "a")
        element.send_keys(_words(control), Keys.CONTROL, Keys.ENTER)
    elif control.kind == "date":
        element.find_element(By.CSS_SELECTOR, "[role=spinbutton]").click()
        ActionChains(driver).send_keys("20250101").perform()
        driver.find_element(By.TAG_NAME, "h1").click()
    elif control.kind == "choice":
        element.click()
        options = until(lambda: _offered(driver), f"the list of {control}", 8)
        single = [option for name, option in options if name not in ("Select all", "No results")]
        if single:
            next((option for option in single if option.get_attribute("aria-selected") != "true"), single[0]).click()
        elif any(name == "No results" for name, _ in options):
            # What it can be is not listed, but typed.
            element.send_keys(_words(control), Keys.ENTER)
        if driver.find_elements(By.CSS_SELECTOR, "[role=listbox]"):
            # It would lie over the next field; without a list, Escape would close what is around the field.
            ActionChains(driver).send_keys(Keys.ESCAPE).perform()
    else:
        element.click()


def _offered(driver: webdriver.Chrome) -> list[tuple[str, WebElement]]:
    """The options of the open list by name; none as long as one has not been drawn."""
    found = [(option.text.strip(), option) for option in driver.find_elements(By.CSS_SELECTOR, "[role=option]")]
    return found if all(name for name, _ in found) else []


def _covering(message: str) -> str:
    """The element that lies over another, as the driver tells it."""
    return message.rpartition("Other element would receive the click:")[2].strip()[:200] or message[:200]


def _words(control: Control) -> str:
    if control.kind == "number":
        return "3"
    return FILLED.get(control.name) or (PERIOD if _TIMES.search(control.name) else WORDS)


def _address_of(url: str) -> str:
    path, query = urlsplit(url).path, urlsplit(url).query
    parameters = sorted(parse_qsl(query, keep_blank_values=True), key=itemgetter(0))
    return path + ("?" + "&".join(f"{name}={value}" for name, value in parameters) if parameters else "")


def _steady(view: str) -> str:
    return _VOLATILE.sub("#", view)


def _begins_alike(one: str, other: str) -> bool:
    """Columns far to the right are drawn or not."""
    return one.startswith(other) or other.startswith(one)


def _difference(before: str, after: str) -> str:
    was, now = before.splitlines(), after.splitlines()
    gone, new = [line for line in was if line not in now], [line for line in now if line not in was]
    return f"gone {gone[0][:120]!r}, new {new[0][:120]!r}" if gone and new else f"gone {gone[:2]}, new {new[:2]}"[:300]


_REST = "kalendsWatch.rest(arguments[0], arguments[1], arguments[2])"
_REFRESHED = "kalendsWatch.refreshed(arguments[0], arguments[1], arguments[2])"
_FOCUS = """
    const each = document.activeElement;
    const shown = [each, each.parentElement, each.closest("[class*=Root]")];
    const marked = shown.filter(Boolean).map((one) => getComputedStyle(one)).some((style) =>
      style.outlineStyle !== "none" || style.boxShadow !== "none" || style.borderColor.includes("158, 47, 38"));
    const own = each.matches("body, main, td, input, [role=textbox]");
    return { label: kalendsWatch.label(each) || each.dataset.testid || each.tagName, marked: marked || own };
"""
_SEEN = """
    const wrong = [...document.querySelectorAll("[data-testid=stException], .k-notice[role=alert]")];
    return {
      wrong: wrong.map((each) => each.innerText),
      title: document.title,
      href: location.href,
      view: kalendsWatch.view(),
      rows: kalendsWatch.rows(),
    };
"""
