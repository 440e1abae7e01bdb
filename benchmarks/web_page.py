"""What the page holds to, in a real browser: the first paint, and a page picture with its lines lit, cold and warm.

python -m benchmarks.web_page examples/deal-room "What does the Customer pay for night and weekend support?"

A server of its own is started for it, as a user would. A place is opened as a user does, by a click, and the time is from the
click until the frame is painted in which the picture is there and its boxes lie on it. Cold: neither the server nor the browser
has seen the page of the document; each page is cold once, so each is opened once in a fresh server. Warm: the same place,
opened again after the document was closed. A pointer that comes to rest on what opens a place has it got ahead; every other
server is asked so. All is told in milliseconds of the wall, the least and the median: on a machine that
does other work the least is what the page itself takes.
"""

from __future__ import annotations

import statistics
import tempfile
import time

import httpx
from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.command_line import command_line, run, some, there
from benchmarks.serving import serving

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-sync",
]
OPENED = """
(at) => new Promise((resolve) => {
  const button = document.querySelectorAll("main .claim .chip")[at];
  const start = performance.now();
  const look = () => {
    const image = document.querySelector("#viewer .pages[aria-busy=false] .sheet img");
    const lit = document.querySelector("#viewer .pages[aria-busy=false] rect.lit");
    if (image?.complete && image.naturalWidth && lit) requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
    else setTimeout(look);
  };
  button.click();
  look();
})
"""
CLOSED = "() => document.querySelector('#viewer .close').click()"
PAINTED = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime"


def first_paints(browser: Browser, address: str, times: int) -> list[float]:
    """Return the times of the first paint, each in a profile that has seen nothing, in ms."""
    found = []
    for _ in range(times):
        with browser.new_context() as context:
            page = context.new_page()
            page.goto(address)
            page.wait_for_selector("#question")
            found.append(float(page.evaluate(PAINTED)))
    return found


def opened(page: Page, times: int, *, rest: bool) -> tuple[list[float], list[float]]:
    """Open each place whose page was not opened before, then again; return the cold and the warm times in ms.

    With `rest` the pointer comes to rest on what is clicked for half a second before.
    """
    cold, warm = [], []
    seen: set[str] = set()
    for at, chip in enumerate(page.locator("main .claim .chip").all()):
        title = (chip.get_attribute("title") or "").partition(", l.")[0]
        if title in seen or ".pdf" not in title:
            continue
        seen.add(title)
        if rest:
            chip.hover()
            page.wait_for_timeout(500)
        cold.append(float(page.evaluate(OPENED, at)))
        for _ in range(times):
            page.evaluate(CLOSED)
            warm.append(float(page.evaluate(OPENED, at)))
        page.evaluate(CLOSED)
    return cold, warm


def told(name: str, times: list[float]) -> None:
    print(
        f"{name:<38} least {min(times):6.1f} ms   median {statistics.median(times):6.1f} ms   of {len(times)}"
    )


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("folder", type=there)
    parser.add_argument("question")
    parser.add_argument("--browser", default="/usr/bin/chromium")
    parser.add_argument("--times", type=some, default=5)
    given = parser.parse_args()
    paints: list[float] = []
    cold: list[float] = []
    rested: list[float] = []
    warm: list[float] = []
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as kept:
        browser = playwright.chromium.launch(executable_path=given.browser, args=FLAGS)
        for turn in range(2 * given.times):
            with serving(str(given.folder), "--library", f"{kept}/library") as (_process, address):
                root = address.partition("/api/")[0]
                while httpx.get(f"{root}/api/v1/libraries").json()["items"][0]["documents"] == 0:
                    time.sleep(0.2)
                paints += first_paints(browser, root, 2)
                with browser.new_context(viewport={"width": 1440, "height": 900}) as context:
                    page = context.new_page()
                    page.goto(root)
                    page.fill("#question", given.question)
                    page.keyboard.press("Enter")
                    page.wait_for_selector("main .claim .chip", timeout=120_000)
                    page.wait_for_selector(".turn[aria-busy=false]")
                    some_cold, some_warm = opened(page, given.times, rest=turn % 2 == 1)
                    (rested if turn % 2 else cold).extend(some_cold)
                    warm += some_warm
        browser.close()
    told("first paint", paints)
    told("page picture with lit lines, cold", cold)
    told("the same, the pointer rested before", rested)
    told("page picture with lit lines, warm", warm)


if __name__ == "__main__":
    run(main)
