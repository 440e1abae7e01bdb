"""The page over two libraries, whose documents have numbers in brackets of their own: what is a citation, and what room there is."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from deref.serve.access import Role
from deref.serve.tokens import TokenFile
from e2e.browsing import opened, stand_still
from e2e.serving import Running, indexed, running, until

pytestmark = pytest.mark.browser

WINGS = (
    "# Gliders\n\n## 1 Wings\n\nThe wing span of a glider is 18 metres [2], as Lind told first [1]\n\n"
    "## 2 Tails\n\nThe tail of a glider is short [1].\n\n## Works\n\n[1] Lind, Long Wings, 1931.\n\n[2] Ode, Air, 1950.\n"
)
TOLLS = (
    "<h1>Tolls</h1><h2>1 Tolls of the lock</h2><p>The toll of a boat is that of Table 1.</p><p>Table 1. Tolls</p><table>"
    "<tr><th>Row</th><th>Boat</th><th>Toll</th><th>Downstream</th><th>Nights</th><th>Sundays</th></tr><tr><td>(A)</td><td>punt</td><td>900</td><td>800</td><td>1,000,000</td><td>1,100</td></tr>"
    "<tr><td>(B)</td><td>barge</td><td>4,000</td><td>3,000</td><td>5,000,000</td><td>6,000</td></tr></table>"
)
LEVIES = (
    "# Levies\n\n## 1 Levies of the quay\n\nThe levy of a raft is in the table.\n\n"
    "| Row | Craft | Levy |\n|---|---|--:|\n| (R) | raft | 70 |\n| (S) | skiff | 80 |\n"
)
LONG = "a name that is so long that it would be wider than the screen of any phone there is today"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    papers = tmp_path_factory.mktemp("shelves") / "papers-of-a-long-name"
    rules = papers.with_name("rules")
    papers.mkdir()
    rules.mkdir()
    (papers / "gliders.md").write_text(WINGS)
    (rules / f"{LONG} A.md").write_text(
        "# Rule A\n\n## 1 Boats\n\nBoats pay a fee, see Section 9.\n\n## 2 Ships\n\nSo do ships.\n"
    )
    (rules / "tolls.html").write_text(TOLLS)
    (rules / "levies.md").write_text(LEVIES)
    (rules / "works.md").write_text("# Works\n\n" + "".join(f"See RFC {2000 + n}.\n\n" for n in range(60)))
    (rules / f"{LONG} B.md").write_text(f"# Rule B\n\nSee [Rule A](<{LONG} A.md>).\n")
    with running(None, papers, rules) as one, one.client() as client:
        for library in ("papers-of-a-long-name", "rules"):
            indexed(client, library)
        yield one


@pytest.fixture
def page(browser: Browser, served: Running) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    one, wrong = opened(context, served.address)
    yield one
    assert wrong == []
    context.close()


def test_a_number_that_the_document_has_itself_is_no_citation(page: Page, shots: Path) -> None:
    page.get_by_label("Question", exact=True).fill("What is the wing span of a glider, and what of its tail?")
    page.keyboard.press("Enter")
    answer = page.locator(".turn .answer")
    claim = answer.locator(".claim", has_text="18 metres [2], as Lind told first [1]")
    expect(claim).to_be_visible()
    # One chip, its own, which opens the line; what the paper cites stays words.
    expect(claim.locator(".chip")).to_have_count(1)
    expect(claim.locator(".cited")).to_have_count(1)
    claims = answer.locator(".claim")
    assert [c.locator(".chip").all_inner_texts() for c in claims.all()] == [
        [str(n + 1)] for n in range(claims.count())
    ]
    assert claims.count() > 1
    page.screenshot(path=shots / "phone-several-libraries.png")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    stand_still(page)  # The button says so for two seconds.
    answer.locator("..").get_by_role("button", name="Copy with sources").click()
    expect(answer.locator("..").get_by_role("button", name="Copied")).to_be_visible()
    page.clock.resume()
    copied = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert copied[-1].startswith("A [1] or [2] inside a quote is the document's own number")
    claim.locator(".chip").tap()
    expect(page.locator(".row.lit").last).to_have_text(
        "5The wing span of a glider is 18 metres [2], as Lind told first [1]"
    )


def test_nothing_is_wider_than_a_phone_where_there_are_several_libraries(page: Page) -> None:
    page.get_by_label("Library", exact=True).select_option("rules")
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 700})
        for view, shown in (
            ("ask", "form"),
            ("library", ".rows"),
            ("map", ".map svg"),
            ("check", ".finding"),
        ):
            page.evaluate(f"location.hash = '#/{view}'")
            expect(page.locator(shown).first).to_be_visible()
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (width, view)
            assert page.evaluate("document.querySelector('main').scrollWidth <= innerWidth"), (width, view)
            for name in ("Ask", "Check"):
                box = page.get_by_role("link", name=name, exact=True).bounding_box()
                assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= width, (width, name)


def test_names_that_begin_alike_are_told_apart_on_the_map(page: Page) -> None:
    page.get_by_label("Library", exact=True).select_option("rules")
    page.evaluate("location.hash = '#/map'")
    names = page.locator(".map .node text")
    expect(names).to_have_count(5)
    assert {name[-3:] for name in names.all_text_contents()} == {"y A", "y B", "rks", "ies", "lls"}


def test_no_name_stands_on_another_on_a_full_map(page: Page) -> None:
    page.set_viewport_size({"width": 1300, "height": 1000})
    page.get_by_label("Library", exact=True).select_option("rules")
    page.evaluate("location.hash = '#/map'")
    page.get_by_role("button", name="Works off the shelf").click()
    names = page.locator(".map .node text")
    expect(names).to_have_count(40)
    boxes = [box for name in names.all() if (box := name.bounding_box())]
    assert len(boxes) == 40
    for one, other in itertools.combinations(boxes, 2):
        beside = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
        below = one["y"] + one["height"] <= other["y"] + 3 or other["y"] + other["height"] <= one["y"] + 3
        assert beside or below, (one, other)


def test_where_no_document_points_at_another_no_empty_table_stands(page: Page) -> None:
    page.evaluate("location.hash = '#/map'")
    expect(page.get_by_role("heading", name="No document points at another")).to_be_visible()
    expect(page.locator("table")).to_have_count(0)


def test_what_is_not_taken_says_why_and_a_long_name_does_not_stretch_it(
    browser: Browser, tmp_path: Path
) -> None:
    (tmp_path / "empty.md").write_text("")
    (tmp_path / f"{LONG}.xyz").write_text("x")
    tokens = TokenFile(tmp_path / "tokens.json")
    with running(tmp_path / "team", tokens=tokens) as one:
        context = browser.new_context(viewport={"width": 390, "height": 844})
        held: list[Route] = []
        context.route("**/collections", lambda route: held.append(route))
        page, _ = opened(context, f"{one.address}/#/library")
        page.get_by_role("textbox", name="Token").fill(one.token("hr", role=Role.WRITE))
        page.keyboard.press("Enter")
        # Files that are dropped before it is known which collections there are wait for that.
        page.set_input_files("#files", [tmp_path / "empty.md", tmp_path / f"{LONG}.xyz"])
        assert page.get_by_label("Collection").input_value() == "default"
        until(lambda: page.wait_for_timeout(20) or held)
        held[0].continue_()
        expect(page.get_by_label("Collection")).to_have_value("hr")
        told = page.locator(".uploads .told")
        expect(told).to_have_count(2)
        expect(told.first).to_contain_text("the file is empty; send one that has something in it")
        page.get_by_label("Collection").fill("legal")
        page.set_input_files("#files", tmp_path / "empty.md")
        expect(told.last).to_have_text(
            "Your token may not add to the collection “legal”. Choose another one."
        )
        badges = [badge.bounding_box() for badge in page.locator(".uploads .badge").all()]
        assert len({round(badge["height"]) for badge in badges if badge}) == 1
        context.close()


def test_a_job_that_cannot_be_begun_is_told_and_begun_again(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("# Note\n\nThe fee is 40.\n")
    with running(tmp_path / "team") as one:
        context = browser.new_context()
        page, wrong = opened(context, f"{one.address}/#/library")
        page.route("**/jobs", lambda route: route.abort())
        page.set_input_files("#files", tmp_path / "note.md")
        expect(page.locator(".uploads .badge.done")).to_have_text("received")
        expect(page.get_by_role("alert")).to_contain_text("The server does not answer")
        page.unroute("**/jobs")
        page.get_by_role("button", name="Try again").click()
        expect(page.locator("#counts")).to_contain_text("1 document")
        assert page.get_by_role("alert").count() == 0 and wrong == []
        context.close()


def test_rows_of_tables_are_rows_with_cells_in_what_is_quoted_and_in_the_document(page: Page) -> None:
    page.get_by_label("Library", exact=True).select_option("rules")
    expect(page.locator(".welcome")).to_contain_text("5 documents on this shelf")
    for question, cells in (
        ("What is the toll of a barge?", ["(B)", "barge", "4,000", "3,000", "5,000,000", "6,000"]),
        ("What is the levy of a raft?", ["(R)", "raft", "70"]),
    ):
        page.get_by_label("Question", exact=True).fill(question)
        page.keyboard.press("Enter")
        turn = page.locator(".turn", has=page.get_by_role("heading", name=question))
        row = turn.locator(".claim tr", has_text=cells[0]).first
        expect(row).to_be_visible()
        expect(row.locator("td")).to_have_text(cells)
        # What is wider than the phone moves sideways inside, and no word is broken.
        assert page.evaluate("document.querySelector('.turns').scrollWidth <= innerWidth")
        turn.locator(".claim", has=page.locator("tr", has_text=cells[0])).first.locator(".chip").last.tap()
        lit = page.locator("tr.lit", has_text=cells[0])
        expect(lit.locator("td")).to_have_text(cells)
        page.get_by_role("button", name="Close the document").tap()
