"""What a question over HTTP may choose: recipes and models that the settings of the server offer, and no others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from deref.errors import UsageError
from deref.serve.offered import Choice, Offered
from deref.settings import Settings, settings_of
from e2e.model_that_reads import reads
from e2e.serving import DEAL_ROOM, indexed, running
from unit.models.chat_server import ChatServer, serving

QUESTION = "What does the Customer pay for night and weekend support?"


@pytest.fixture(scope="module")
def model() -> Iterator[ChatServer]:
    with serving(reads) as one:
        yield one


@pytest.fixture(scope="module")
def client(model: ChatServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    folder = tmp_path_factory.mktemp("chosen")
    (folder / "still.toml").write_text("[retrieve]\nhop = false\n[loop]\nbudget = 0\n")
    settings = settings_of(
        {
            "models": {"embedder": "none", "background": False, "base_url": model.url, "language_model": "openai/large"},
            "serve": {
                "offer_models": "openai/small, openai/large",
                "offer_recipes": f"spread, still={folder / 'still.toml'}",
                "most_budget": 2,
            },
        }
    )  # fmt: skip
    with running(folder / "library", DEAL_ROOM, settings=settings) as one, one.client() as client:
        assert indexed(client, "deal-room")["state"] == "done"
        client.base_url = client.base_url.join("libraries/deal-room")
        yield client


def _ask(client: httpx.Client, **how: Any) -> dict[str, Any]:
    response = client.post("/ask", json={"question": QUESTION, **how})
    assert response.status_code == 200, response.text
    return dict(response.json())


def test_what_is_offered_is_told(client: httpx.Client) -> None:
    offered = client.get(str(client.base_url).rstrip("/")).json()["offered"]
    assert [one["name"] for one in offered["recipes"]] == ["spread", "still"]
    assert offered["recipes"][1]["told"] == "retrieve.hop = False, loop.budget = 0"
    assert offered["models"] == ["none", "openai/small", "openai/large"]
    assert offered["most_budget"] == 2
    assert offered["unless_chosen"] == {"model": "none", "budget": 1}


def test_a_model_writes_where_it_is_chosen_and_nowhere_else(client: httpx.Client, model: ChatServer) -> None:
    before = len(model.requests)
    quoted = _ask(client)
    assert len(model.requests) == before and quoted["model"] is None
    written = _ask(client, model="openai/small")
    assert written["answer"]["text"].startswith("Extended cover, tier 2 is 28,640 per month")
    assert [body["model"] for body in model.bodies()[before:]] == ["small", "small"]
    again = client.get(f"/questions/{written['question']}").json()
    assert (again["model"], again["recipe"], again["budget"]) == ("openai/small", None, None)
    assert _ask(client, model="none")["answer"]["text"] == quoted["answer"]["text"]
    assert len(model.requests) == before + 2


def test_a_recipe_changes_how_is_searched_and_followed(client: httpx.Client) -> None:
    def followed(passages: list[Any]) -> int:
        return sum(any(a["reference"] for a in row["arrivals"]) for row in passages)

    search = {"question": QUESTION, "k": 4}
    assert followed(client.post("/search", json=search).json()["passages"]) > 0
    assert followed(client.post("/search", json={**search, "recipe": "still"}).json()["passages"]) == 0
    assert any(c["followed"] for c in _ask(client)["answer"]["citations"])
    still = _ask(client, recipe="still")
    assert (still["recipe"], still["answer"]["completeness"]) == ("still", "partial")
    assert not any(c["followed"] for c in still["answer"]["citations"])
    # What is chosen by itself goes before what the recipe says.
    assert any(c["followed"] for c in _ask(client, recipe="still", budget=2)["answer"]["citations"])


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ({"model": "openai/other"}, "there is none, openai/small, openai/large"),
        ({"model": "http://127.0.0.1:1/v1"}, "there is none, openai/small, openai/large"),
        ({"model": ""}, "there is none, openai/small, openai/large"),
        ({"recipe": "reranked"}, "there is spread, still"),
        ({"recipe": "still=/etc/hostname"}, "there is spread, still"),
        ({"budget": 3}, "there is 0 to 2"),
    ],
)
@pytest.mark.parametrize("route", ["/ask", "/ask/stream"])
def test_what_is_not_offered_is_refused_and_nothing_is_asked(
    client: httpx.Client, model: ChatServer, how: dict[str, Any], told: str, route: str
) -> None:
    before, kept = len(model.requests), client.get("/questions").json()["items"]
    response = client.post(route, json={"question": QUESTION, **how})
    problem = response.json()
    assert (response.status_code, problem["type"]) == (400, "urn:deref:problem:not-offered")
    assert response.headers["content-type"] == "application/problem+json"
    assert told in problem["detail"]
    assert len(model.requests) == before and client.get("/questions").json()["items"] == kept


def test_a_search_takes_only_a_recipe_that_is_offered(client: httpx.Client) -> None:
    refused = client.post("/search", json={"question": QUESTION, "recipe": "none"})
    assert (refused.status_code, refused.json()["type"]) == (400, "urn:deref:problem:not-offered")


@pytest.mark.parametrize("name", ["base_url", "key_env", "key_file", "settings", "traces"])
def test_no_setting_of_the_server_is_taken_from_a_question(client: httpx.Client, name: str) -> None:
    assert client.post("/ask", json={"question": QUESTION, name: "http://127.0.0.1:1/v1"}).status_code == 422


def test_a_server_that_offers_nothing_says_so() -> None:
    offered = Offered(settings_of({"serve": {"offer_recipes": "", "most_budget": 0}}))
    assert (offered.models, dict(offered.recipes), offered.values()["models"]) == ((), {}, [])
    for choice in (Choice(model="ollama/x"), Choice(recipe="spread"), Choice(budget=1)):
        with pytest.raises(UsageError, match="is not offered here"):
            offered.settings(choice)
    assert offered.settings(Choice()) == offered.settings(Choice(model="none"))
    assert offered.budget(Choice()) == 0, "no more passes than are offered, whatever the settings say"


def test_an_offered_model_of_another_provider_gets_neither_address_nor_key() -> None:
    mine = {
        "language_model": "openai/a",
        "base_url": "http://localhost:9/v1",
        "key_env": "MINE",
        "key_file": "/k",
    }
    offered = Offered(settings_of({"models": mine, "serve": {"offer_models": "openai/b, ollama/c"}}))
    same, other = (offered.settings(Choice(model=name)).models for name in offered.models)
    assert (same.base_url, same.key_env, same.key_file) == ("http://localhost:9/v1", "MINE", "/k")
    assert (other.base_url, other.key_env, other.key_file) == ("", "", "")


@pytest.mark.parametrize(
    ("said", "text", "told"),
    [
        ("best", "", "there is no recipe 'best'"),
        ("mine={file}.gone", "", "the file cannot be read"),
        ("mine={file}", "[models]\nwriter = 'model'\n", "take models out"),
        ("mine={file}", "[index]\nchunk_tokens = 99\n", "take index out"),
        ("mine={file}", "[retrieve]\nhopp = true\n", "there is no such setting"),
    ],
)
def test_a_recipe_that_is_none_is_told_when_the_server_starts(
    tmp_path: Path, said: str, text: str, told: str
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text)
    settings = settings_of({"serve": {"offer_recipes": said.format(file=file)}})
    with pytest.raises(UsageError, match=told):
        Offered(settings)


def test_every_recipe_that_is_built_in_is_one() -> None:
    offered = Offered(Settings())
    assert list(offered.recipes) == ["again", "spread", "reranked"]
    assert offered.settings(Choice(recipe="again")).retrieve.retry
    assert offered.settings(Choice(recipe="spread")).retrieve.per_document == 2
    assert offered.settings(Choice(recipe="reranked")).retrieve.rerank == "bundled"
    assert offered.settings(Choice()) == Settings()


def test_whom_a_choice_may_send_texts_to_is_known_before(tmp_path: Path) -> None:
    (tmp_path / "far.toml").write_text("[retrieve]\nrerank = 'server'\n")
    offered = Offered(
        settings_of(
            {
                "models": {"reranker_url": "https://rank.example/v1", "reranker_model": "r"},
                "serve": {
                    "offer_models": "ollama/a, anthropic/b",
                    "offer_recipes": f"far={tmp_path / 'far.toml'}",
                },
            }
        )
    )
    assert set(offered.sent_to) == {"anthropic", "rank.example"}
    assert Offered(Settings()).sent_to == ()
