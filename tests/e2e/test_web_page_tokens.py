"""The page where the server asks for a token: when it is wrong, when it is valid no more, and in the middle of a question."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from deref.serve.tokens import TokenFile
from e2e.browsing import opened
from e2e.serving import running

pytestmark = pytest.mark.browser


def test_a_token_is_asked_for_where_the_server_wants_one(browser: Browser, tmp_path: Path, shots: Path) -> None:  # fmt: skip
    with running(tmp_path / "kept", tokens=TokenFile(tmp_path / "tokens.json")) as one:
        context = browser.new_context()
        page, wrong = opened(context, one.address)
        page.get_by_role("textbox", name="Token").fill("deref_wrong")
        page.keyboard.press("Enter")
        expect(page.get_by_role("textbox", name="Token")).to_have_value("")
        expect(page.get_by_role("alert")).to_contain_text("not valid here")
        page.screenshot(path=shots / "token.png")
        page.get_by_role("textbox", name="Token").fill(one.token())
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Nothing to ask yet")).to_be_visible()
        page.get_by_role("link", name="Library", exact=True).click()
        expect(page.locator("main")).to_contain_text("Your token may not add documents")
        assert page.locator(".drop").count() == 0
        assert one.tokens is not None
        for token in one.tokens.tokens():
            one.tokens.remove(token.id)
        page.get_by_role("link", name="Ask", exact=True).click()
        page.keyboard.press("Escape")  # It is asked for again, and there is no way around it.
        page.get_by_role("textbox", name="Token").fill(one.token())
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Nothing to ask yet")).to_be_visible()
        for token in one.tokens.tokens():
            one.tokens.remove(token.id)
        page.get_by_label("Question", exact=True).fill("What is the fee?")
        page.keyboard.press("Enter")
        page.get_by_role("textbox", name="Token").fill(one.token())
        page.keyboard.press("Enter")
        expect(page.locator(".turn .answer")).to_contain_text("Nothing here bears on the question")
        assert wrong == []
        context.close()
