"""The page in a real browser: from files that are dropped onto it to a table row that is lit, and all its views."""

from __future__ import annotations

import csv
import io
import itertools
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect

from deref.replaying import replay
from e2e.browsing import opened, stand_still
from e2e.serving import DEAL_ROOM, Running, running, until

pytestmark = pytest.mark.browser

QUESTION = "What does the Customer pay for night and weekend support?"
EXHIBIT = "02 Exhibit B - Fee Schedule.pdf"
AGREEMENT = "01 Master Services Agreement.pdf"
HOSTILE = (
    "# <img src=x onerror=\"document.title='owned'\">\n\n"
    "## 1 <script>document.title='owned'</script>\n\nThe <b>zeppelin</b> mooring fee is 7 crowns, see Table 9.\n"
)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("team")) as one:
        yield one


@pytest.fixture
def page(browser: Browser, filled: Running) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, accept_downloads=True)
    one, wrong = opened(context, filled.address)
    yield one
    assert wrong == []
    context.close()


@pytest.fixture(scope="module")
def filled(browser: Browser, served: Running, shots: Path, tmp_path_factory: pytest.TempPathFactory) -> Running:  # fmt: skip
    """The server, after the shelf was empty and the deal room was uploaded by the page, with a file that is broken."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page, wrong = opened(context, served.address)
    expect(page.get_by_role("heading", name="Nothing to ask yet")).to_be_visible()
    page.screenshot(path=shots / "empty-ask.png")
    page.get_by_role("link", name="Add documents").click()
    expect(page.get_by_role("heading", name="The shelf is empty")).to_be_visible()
    page.screenshot(path=shots / "empty-library.png")
    folder = tmp_path_factory.mktemp("broken")
    (folder / "cut short.pdf").write_bytes(b"%PDF-1.4\nnothing more")
    (folder / "wheel.xyz").write_bytes(b"what is this")
    page.set_input_files("#files", [*sorted(DEAL_ROOM.iterdir()), *sorted(folder.iterdir())])
    expect(page.locator(".uploads .badge.done")).to_have_count(13)
    _drop(page.locator(".drop"), "hostile.md", HOSTILE)
    failed = page.get_by_role("list", name="Files that could not be read")
    expect(failed).to_contain_text("the PDF is cut short")
    expect(page.locator(".job .badge.done")).to_be_visible()
    expect(page.locator("#counts")).to_contain_text("13 documents")
    expect(page.locator(".uploads .told")).to_contain_text("wheel.xyz")
    page.screenshot(path=shots / "uploaded.png", full_page=True)
    assert wrong == []
    context.close()
    return served


def _drop(zone: Locator, name: str, text: str) -> None:
    data = zone.page.evaluate_handle(
        "([name, text]) => { const d = new DataTransfer(); d.items.add(new File([text], name)); return d; }",
        [name, text],
    )
    zone.dispatch_event("dragenter", {"dataTransfer": data})
    expect(zone).to_have_class(re.compile("over"))
    zone.dispatch_event("drop", {"dataTransfer": data})


def _ask(page: Page, question: str) -> Locator:
    page.get_by_label("Question", exact=True).fill(question)
    page.keyboard.press("Enter")
    answer = page.locator(".turn", has=page.get_by_role("heading", name=question)).last.locator(".answer")
    expect(answer).to_be_visible()
    return answer


def _lit(page: Page) -> list[str]:
    """Return the texts of the lines that are lit on the pictures of pages, by the numbers of their lines."""
    boxes = page.locator("rect.lit")
    expect(boxes.first).to_be_attached()
    return [box.get_attribute("data-row") or "" for box in boxes.all()]


def test_a_question_leads_to_the_row_of_the_table_that_is_lit(page: Page, shots: Path) -> None:
    answer = _ask(page, QUESTION)
    expect(page).to_have_url(re.compile(r"#/session/[\w-]+"))
    expect(answer.locator(".badge").first).to_have_text("Complete")
    page.screenshot(path=shots / "answer.png")
    row = answer.locator(".claim", has_text="28,640")
    row.locator(".chip").click()
    viewer = page.get_by_role("complementary", name="Document")
    expect(viewer.get_by_role("heading")).to_have_text(EXHIBIT)
    assert _lit(page) == ["28"]
    # The box lies on the row of the picture, not merely somewhere: the ink under it is that of the line alone.
    box, sheet = page.locator("rect.lit").bounding_box(), page.locator(".sheet img").bounding_box()
    assert box is not None and sheet is not None
    assert sheet["width"] > 400
    assert 0.5 < (box["y"] + box["height"] / 2 - sheet["y"]) / sheet["height"] < 0.62
    assert box["height"] < sheet["height"] / 40 < box["width"] / 10
    assert "28,640" in (page.locator(".sheet img").get_attribute("alt") or "")
    page.screenshot(path=shots / "lit.png")
    viewer.get_by_role("button", name="Text").click()
    expect(page.locator("tr.lit")).to_have_text(re.compile("28.*Extended cover, tier 2"))
    page.screenshot(path=shots / "lit-text.png")
    page.keyboard.press("Escape")
    expect(viewer).to_be_hidden()
    expect(row.locator(".chip")).to_be_focused()


def test_a_trail_has_both_ends_the_tier_and_the_reason(page: Page) -> None:
    answer = _ask(page, QUESTION)
    trail = answer.locator(".trail", has_text="row (E) of Table B-1 in Exhibit B")
    expect(trail.locator(".why")).to_have_text(
        re.compile("resolved.*by container.*It is table B-1 “Charges” in Exhibit B.")
    )
    first, second = trail.get_by_role("button").all()
    assert first.inner_text() == "01 Master Services Agreement, p. 4, l. 13"
    first.click()
    assert _lit(page) == ["13"]
    expect(page.locator(".viewer h2")).to_have_text(AGREEMENT)
    second.click()
    expect(page.locator(".viewer h2")).to_have_text(EXHIBIT)
    expect(page.locator("rect.lit")).to_have_attribute("data-row", "28")
    conditions = answer.get_by_role("region", name="Holds on condition")
    expect(conditions).to_contain_text("provided that the consent in Section 7.4 has been obtained")
    conditions.get_by_role("button").first.click()
    expect(page.locator(".viewer h2")).to_have_text(AGREEMENT)


def test_a_session_is_taken_along_from_its_list(page: Page, shots: Path) -> None:
    _ask(page, QUESTION)
    row = page.locator(".session-list li").first
    row.hover()
    row.get_by_role("button", name=f"Export the session “{QUESTION}”").click()
    page.screenshot(path=shots / "export.png")
    for form, ending, begins in (("Markdown", "md", f"# {QUESTION}"), ("JSON", "json", "{")):
        with page.expect_download() as kept:
            page.get_by_role("dialog").get_by_role("button", name=form).click()
        assert (
            kept.value.suggested_filename
            == f"What-does-the-Customer-pay-for-night-and-weekend-support.{ending}"
        )
        assert kept.value.path().read_text().startswith(begins)
    page.get_by_role("button", name="Close").click()


def test_the_trace_of_an_answer_is_taken_along_and_replayed(page: Page, tmp_path: Path) -> None:
    _ask(page, QUESTION)
    for where in ("as it was answered", "in its session"):
        stand_still(page)  # The button says so for two seconds.
        with page.expect_download() as kept:
            page.get_by_role("button", name="Trace").click()
        expect(page.get_by_role("button", name="Saved")).to_be_visible()
        page.clock.resume()
        file = tmp_path / f"{where}.jsonl"
        kept.value.save_as(file)
        assert replay(file).difference is None, where
        page.reload()


def test_what_stays_open_is_listed_with_why(page: Page, shots: Path) -> None:
    answer = _ask(page, "Which subcontractors are approved, and what does Schedule 5 say?")
    expect(answer.locator(".badge").first).to_have_text("Partial")
    still_open = answer.get_by_role("region", name="Still open")
    expect(still_open).to_contain_text("Schedule 5")
    expect(still_open.locator(".badge.dangling")).to_be_visible()
    assert still_open.locator(".why").first.inner_text().strip() not in ("dangling", "")
    page.screenshot(path=shots / "partial.png")
    answer = _ask(page, "What is the boiling point of mercury on Mars?")
    expect(answer).to_contain_text("Nothing here bears on the question")
    page.screenshot(path=shots / "not-found.png")
    assert page.locator(".turn").count() == 2
    # The session is on record, with its turns, and can be gone on with and forgotten.
    page.reload()
    expect(page.locator(".turn")).to_have_count(2)
    row = page.locator(".session-list li", has=page.locator("[aria-current=page]"))
    expect(row).to_contain_text("2 questions")
    row.hover()
    stand_still(page)  # It is sure for some seconds.
    row.get_by_role("button", name="Delete").click()
    row.get_by_role("button", name="Sure? Delete the session").click()
    page.clock.resume()
    expect(page.get_by_role("heading", name="Ask your documents")).to_be_visible()


def test_words_of_documents_are_never_markup(page: Page, shots: Path) -> None:
    answer = _ask(page, "What is the zeppelin mooring fee?")
    expect(answer).to_contain_text("The <b>zeppelin</b> mooring fee is 7 crowns")
    answer.locator(".chip").first.click()
    expect(page.locator(".row.lit")).to_contain_text("zeppelin")
    page.goto(page.url.partition("#")[0] + "#/library")
    expect(page.get_by_role("link", name="hostile.md")).to_be_visible()
    page.get_by_role("link", name="hostile.md").click()
    expect(page.locator(".trail")).to_contain_text("Table 9")
    page.screenshot(path=shots / "document.png")
    assert page.title() == "Library · Deref"
    assert page.locator("main img, main script, aside script").count() == 0


def test_a_place_over_two_pages_is_lit_on_both(page: Page, shots: Path) -> None:
    page.get_by_role("link", name="Library", exact=True).click()
    page.get_by_label("Find a document").fill("Master Services")
    page.get_by_role("link", name=AGREEMENT).click()
    page.get_by_text("Outline:").click()
    page.get_by_role("button", name=re.compile("^9 Ending the Agreement")).click()
    expect(page.locator("figure.page")).to_have_count(2)
    for picture in page.locator("figure.page").all():
        assert picture.locator("rect.lit").count() > 0
    page.screenshot(path=shots / "two-pages.png")
    page.keyboard.press("]")
    expect(page.locator(".page-number")).to_have_text("6 / 8")
    expect(page.locator("figure.page")).to_have_count(1)
    assert page.locator("rect.lit").count() > 0
    page.get_by_role("button", name="Back to the place").click()
    expect(page.locator("figure.page")).to_have_count(2)
    page.get_by_role("group", name="Only those that are").get_by_role("button", name="dangling").click()
    expect(page.locator("main .trail")).to_have_count(1)


def test_the_map_leads_to_the_pointers(page: Page, shots: Path) -> None:
    page.get_by_role("link", name="Map").click()
    expect(page.locator(".map .node")).to_have_count(13)
    page.screenshot(path=shots / "map.png")
    edge = page.locator(f'.map .edge[data-from$="{AGREEMENT}"][data-to$="{EXHIBIT}"]')
    weight = int(re.findall(r"(\d+) reference", edge.locator("title").text_content() or "")[0])
    edge.dispatch_event("click")
    pointers = page.get_by_role("region", name="Pointers", exact=True)
    expect(pointers.locator(".trail", has_text="row (E) of Table B-1 in Exhibit B")).to_be_visible()
    assert pointers.locator(".trail").count() == weight
    page.get_by_role("button", name="Works off the shelf").click()
    assert page.locator(".map .node.external").count() > 3
    page.locator(".map .node", has_text="02 Exhibit B").locator("circle").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(EXHIBIT)
    page.go_back()
    page.get_by_role("region", name="Who points at whom").get_by_role(
        "link", name="02 Exhibit B"
    ).first.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(EXHIBIT)
    # The link has gone with the map: who listens is told, and goes on from the new view.
    expect(page.locator("#said")).to_have_text(f"{EXHIBIT} is shown.")
    expect(page.locator("main")).to_be_focused()


def test_findings_are_filtered_opened_and_taken_along(page: Page, shots: Path) -> None:
    page.get_by_role("link", name="Check").click()
    finding = page.locator(".finding", has_text="Section 14.9 of the Master Services Agreement")
    expect(finding.locator(".badge")).to_have_text("error")
    page.screenshot(path=shots / "check.png")
    page.get_by_role("button", name=re.compile("^error")).click()
    expect(finding).to_have_count(0)
    page.get_by_role("button", name=re.compile("^error")).click()
    page.get_by_label("Words of the finding").fill("14.9")
    expect(page.locator(".finding")).to_have_count(1)
    with page.expect_download() as kept:
        page.get_by_role("button", name="Export CSV").click()
    (row,) = csv.DictReader(io.StringIO(kept.value.path().read_text()))
    assert (row["rule"], row["severity"], row["text"]) == ("dangling", "error", "Section 14.9 of the Master Services Agreement")  # fmt: skip
    with page.expect_download() as kept:
        page.get_by_role("button", name="Export JSON").click()
    assert json.loads(kept.value.path().read_text())[0]["page"] == int(row["page"])
    finding.get_by_role("button").click()
    assert _lit(page)[0] == row["row"]


def test_settings_go_with_the_question(page: Page) -> None:
    page.get_by_text("Settings for the next question").click()
    page.get_by_label("Answer only from").fill(f'document:"*{EXHIBIT}"')
    page.get_by_label("Follow references").select_option("0")
    page.get_by_label("Passages to read first").fill("3")
    page.get_by_label("Search by the recipe").select_option("spread")
    boxes = [field.bounding_box() for field in page.locator(".fields select, .fields input").all()]
    assert all(
        a["x"] + a["width"] <= b["x"] or a["y"] + a["height"] <= b["y"]
        for a, b in itertools.pairwise(b for b in boxes if b)
    )
    expect(page.get_by_text("At most two passages of one document")).to_be_visible()
    # This server offers no model, so there is none to choose.
    expect(page.get_by_label("Written by")).to_have_count(0)
    with page.expect_request("**/ask/stream") as sent:
        answer = _ask(page, "Which charges are invoiced monthly?")
    asked = sent.value.post_data_json
    assert (asked["where"], asked["budget"], asked["passages"]) == (f'document:"*{EXHIBIT}"', 0, 3)
    assert (asked["recipe"], asked["model"]) == ("spread", None)
    told = page.locator(".turn .asked-so").last
    expect(told).to_have_text(
        f'only from document:"*{EXHIBIT}" · recipe spread · references not followed · 3 passages first'
    )
    page.reload()  # The session tells it as well.
    expect(page.locator(".turn .asked-so")).to_contain_text("recipe spread")
    page.get_by_text("Settings for the next question").click()
    for source in answer.locator(".claim .source").all():
        assert source.inner_text().startswith("02 Exhibit B")
    page.get_by_label("Answer only from").fill("colour:red")
    page.get_by_label("Question", exact=True).fill("Fees?")
    page.keyboard.press("Enter")
    problem = page.locator(".turn .problem")
    expect(problem).to_contain_text("colour")
    expect(problem.get_by_role("button", name="Try again")).to_be_visible()


def test_keys_alone_lead_from_the_question_to_the_lines(page: Page) -> None:
    expect(page.get_by_label("Question", exact=True)).to_be_visible()
    page.locator("#theme").focus()
    page.keyboard.press("/")
    page.keyboard.type(QUESTION)
    page.keyboard.press("Enter")
    expect(page.locator(".answer")).to_be_visible()
    page.locator("#theme").focus()
    page.keyboard.press("j")
    expect(page.locator(".viewer h2")).to_have_text(AGREEMENT)
    page.keyboard.press("j")
    expect(page.locator(".chip[aria-current=location]")).to_have_text("2")
    page.keyboard.press("Escape")
    expect(page.locator("#viewer")).to_be_hidden()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    stand_still(page)  # The second key has to come soon.
    page.keyboard.press("g")
    page.keyboard.press("c")
    page.clock.resume()
    expect(page.get_by_role("heading", name="Check")).to_be_visible()


def test_a_broken_connection_is_taken_up_behind_the_last_event(page: Page) -> None:
    taken_up: list[Any] = []
    last: list[str] = []

    def cut(route: Any) -> None:
        whole = route.fetch()
        body = "\n\n".join(whole.text().split("\n\n")[:4]) + "\n\n"
        last.append(re.findall(r"^id: (\d+)", body, re.M)[-1])
        route.fulfill(response=whole, body=body)

    def not_at_once(route: Any) -> None:
        taken_up.append(route.request.headers)
        if len(taken_up) < 3:
            route.abort()
        else:
            route.continue_()

    page.route("**/ask/stream", cut)
    page.route("**/events", not_at_once)
    answer = _ask(page, QUESTION)
    expect(answer.locator(".claim").first).to_be_visible()
    assert [h["last-event-id"] for h in taken_up] == last * 3 != []


def test_a_question_can_be_stopped(page: Page) -> None:
    held: list[Any] = []
    page.route("**/ask/stream", lambda route: held.append(route))
    page.get_by_label("Question", exact=True).fill(QUESTION)
    page.keyboard.press("Enter")
    expect(page.locator(".working")).to_be_visible()
    until(lambda: page.wait_for_timeout(20) or held)
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".turn")).to_contain_text("Stopped")
    expect(page.get_by_role("button", name="Ask", exact=True)).to_be_visible()
    held[0].abort()


def test_what_is_written_while_a_question_is_at_work_does_not_stop_it(page: Page) -> None:
    held: list[Any] = []
    page.route("**/ask/stream", lambda route: held.append(route))
    box = page.get_by_label("Question", exact=True)
    box.fill(QUESTION)
    page.keyboard.press("Enter")
    expect(page.locator(".working")).to_be_visible()
    box.fill("And from when?")
    page.keyboard.press("Enter")
    expect(box).to_have_value("And from when?")
    until(lambda: page.wait_for_timeout(50) or held)
    held[0].continue_()
    expect(page.locator(".answer")).to_contain_text("28,640")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="And from when?")).to_be_visible()


def test_what_is_not_there_any_more_is_said_and_can_be_left(page: Page) -> None:
    root = page.url.partition("#")[0]
    page.goto(f"{root}#/document/none")
    expect(page.get_by_role("heading", name="This document is not on the shelf")).to_be_visible()
    page.goto(
        f"{root}#/constructor"
    )  # No view, though each object of JavaScript has something that is called so.
    expect(page.get_by_role("heading", name="Ask your documents")).to_be_visible()
    page.goto(f"{root}#/session/none")
    expect(page.get_by_role("alert")).to_contain_text("There is no such session")
    expect(_ask(page, QUESTION)).to_contain_text("28,640")
    assert page.get_by_role("alert").count() == 0
    expect(page).not_to_have_url(re.compile("/none$"))


def test_a_server_that_is_gone_is_said_with_what_to_do(page: Page, shots: Path) -> None:
    page.route("**/api/v1/**", lambda route: route.abort())
    page.get_by_role("link", name="Check").click()
    problem = page.get_by_role("alert")
    expect(problem).to_contain_text("The server does not answer")
    page.screenshot(path=shots / "no-server.png")
    page.unroute("**/api/v1/**")
    problem.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", name="Check")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_any_view(page: Page, scheme: Any, shots: Path) -> None:
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    root = page.url.partition("#")[0]
    views = {
        "answer": lambda: (
            _ask(page, QUESTION),
            page.locator(".claim", has_text="28,640").locator(".chip").click(),
            _lit(page),
        ),
        "library": lambda: (page.goto(f"{root}#/library"), expect(page.locator(".rows")).to_be_visible()),
        "map": lambda: (page.goto(f"{root}#/map"), expect(page.locator(".map svg")).to_be_visible()),
        "check": lambda: (
            page.goto(f"{root}#/check"),
            expect(page.locator(".finding").first).to_be_visible(),
        ),
    }
    for name, show in views.items():
        show()
        page.screenshot(path=shots / f"{name}-{scheme}.png")
        found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"], "resultTypes": ["violations"]})  # fmt: skip
        told = [(v["id"], [n["target"] for n in v["nodes"]][:3]) for v in found.response["violations"]]
        assert told == [], f"{name}, {scheme}"


def test_a_phone_shows_one_thing_at_a_time(browser: Browser, filled: Running, shots: Path) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page, wrong = opened(context, filled.address)
    answer = _ask(page, QUESTION)
    wide = "document.documentElement.scrollWidth <= innerWidth"
    assert page.evaluate(wide)
    page.screenshot(path=shots / "phone-answer.png")
    answer.locator(".claim", has_text="28,640").locator(".chip").tap()
    assert _lit(page) == ["28"]
    viewer = page.locator("#viewer").bounding_box()
    assert viewer is not None and (viewer["x"], viewer["y"], viewer["width"]) == (0, 0, 390)
    page.screenshot(path=shots / "phone-lit.png")
    page.get_by_role("button", name="Close the document").tap()
    expect(page.locator("#viewer")).to_be_hidden()
    page.wait_for_function("!history.state?.viewing")  # The way back that closes it has been gone.
    session = page.url
    answer.locator(".chip").first.tap()
    expect(page.locator(".viewer h2")).to_be_visible()
    page.go_back()  # What covers the page is closed by the way back, and the answer is still there.
    expect(page.locator("#viewer")).to_be_hidden()
    expect(page).to_have_url(session)
    expect(answer.locator(".chip").first).to_be_visible()
    for view, shown in (("library", ".rows"), ("map", ".map svg"), ("check", ".finding")):
        page.goto(f"{filled.address}/#/{view}")
        expect(page.locator(shown).first).to_be_visible()
        assert page.evaluate("document.querySelector('main').scrollWidth <= innerWidth"), view
        page.screenshot(path=shots / f"phone-{view}.png")
    assert wrong == []
    context.close()
