"""Sessions of the server taken along: the very forms of `deref sessions export`, for the one whose session it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from deref.conversations import Conversations
from deref.engine import open_engine
from deref.serve.access import Role
from deref.serve.tokens import TokenFile
from deref.session_text import session_values
from e2e.serving import SETTINGS, Running, indexed, running

LEASE = "# Lease\n\n## 1 Rent\n\nThe *rent* is 40 a month, see Section 2.\n\n## 2 Dates\n\nThe rent is due on the first.\n"
QUESTION = "What is the rent?"


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Running]:
    with running(tmp_path / "team", tokens=TokenFile(tmp_path / "tokens.json")) as one:
        yield one


@pytest.fixture
def client(served: Running) -> Iterator[httpx.Client]:
    with served.client(served.token(role=Role.WRITE)) as one:
        one.base_url = one.base_url.join("libraries/team")
        _put(one, "lease.md", LEASE)
        yield one


def _put(client: httpx.Client, name: str, text: str) -> None:
    assert client.put(f"/collections/default/files/{name}", content=text.encode()).status_code in (200, 201)
    assert indexed_here(client)


def indexed_here(client: httpx.Client) -> bool:
    with httpx.Client(
        base_url=str(client.base_url).split("/libraries")[0], headers=client.headers, timeout=60
    ) as whole:
        return indexed(whole, "team")["state"] == "done"


def _asked(client: httpx.Client, title: str = "Fees _and_ dates") -> str:
    session = str(client.post("/sessions", json={"title": title}).json()["session"])
    for question in (QUESTION, "And when is it due?"):
        assert client.post("/ask", json={"question": question, "session": session}).status_code == 200
    assert (
        client.post("/ask", json={"question": "x", "where": "colour:red", "session": session}).status_code
        == 400
    )
    return session


def test_it_is_taken_along_as_markdown(client: httpx.Client) -> None:
    session = _asked(client)
    file = client.get(f"/sessions/{session}/export")
    assert file.headers["content-type"] == "text/markdown; charset=utf-8"
    assert file.headers["content-disposition"] == f'attachment; filename="{session}.md"'
    text = file.text
    assert text.startswith("# Fees \\_and\\_ dates\n")
    assert "## 1. What is the rent?" in text and "## 2. And when is it due?" in text
    assert "1. **lease.md, p. 1, l. " in text and "### Sources" in text
    assert "colour" not in text, "what was not answered is left out, as the command does"


def test_as_json_it_has_the_fields_of_the_command(client: httpx.Client, tmp_path: Path) -> None:
    """Field by field what `deref sessions` keeps of the same questions, but for the times."""
    session = _asked(client)
    values = client.get(f"/sessions/{session}/export", params={"format": "json"}).json()
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    (shelf / "lease.md").write_text(LEASE)
    with open_engine(tmp_path / "own", settings=SETTINGS) as engine:
        engine.index(shelf)
        talk = Conversations(engine)
        for question in (QUESTION, "And when is it due?"):
            talk.ask("fees", question)
        mine = session_values(talk.read("fees"), [talk.positions(turn) for turn in talk.read("fees").turns])
    assert values["session"] == "Fees _and_ dates"
    for theirs, own in zip(values["turns"], mine["turns"], strict=True):
        assert theirs.keys() == own.keys()
        assert [theirs[name] for name in ("question", "read_as", "where")] == [
            own[name] for name in ("question", "read_as", "where")
        ]
        assert theirs["answer"]["text"] == own["answer"]["text"]
        for cited, known in zip(theirs["answer"]["citations"], own["answer"]["citations"], strict=True):
            assert known.keys() <= cited.keys()
            assert (cited["standing"], cited["now"]) == ("here", "lease.md")


def test_what_became_of_a_document_since_is_said(client: httpx.Client) -> None:
    session = _asked(client)
    _put(client, "lease.md", LEASE.replace("40", "50"))
    assert "(the document has changed since)" in client.get(f"/sessions/{session}/export").text
    turns = client.get(f"/sessions/{session}/export?format=json").json()["turns"]
    assert turns[0]["answer"]["citations"][0]["standing"] == "changed"


def test_it_is_for_its_owner_alone(client: httpx.Client, served: Running) -> None:
    session = _asked(client)
    with served.client(served.token(role=Role.WRITE)) as other:
        other.base_url = other.base_url.join("libraries/team")
        there, gone = (other.get(f"/sessions/{name}/export") for name in (session, "A" * len(session)))
        assert (there.status_code, there.text) == (gone.status_code, gone.text) == (404, gone.text)
    assert client.get(f"/sessions/{session}/export", params={"format": "html"}).status_code == 422


def test_a_session_without_a_question_is_an_empty_file(client: httpx.Client) -> None:
    session = client.post("/sessions", json={}).json()["session"]
    assert client.get(f"/sessions/{session}/export").text == "# Untitled\n"
    assert client.get(f"/sessions/{session}/export?format=json").json() == {
        "session": "Untitled",
        "turns": [],
    }


def test_a_session_without_a_title_is_called_by_its_first_question(client: httpx.Client) -> None:
    session = client.post("/sessions", json={"title": "  "}).json()["session"]
    long = f"What is\n the rent, {'and ' * 100}when is it due?"
    for question in (long, QUESTION):
        client.post("/ask", json={"question": question, "session": session})
    told = client.get(f"/sessions/{session}").json()
    assert told["title"].startswith("What is the rent, and and")
    assert len(told["title"]) == 120
    assert told["questions"] == 2
    assert client.get("/sessions?limit=1").json()["items"][0]["title"] == told["title"]
    assert client.get(f"/sessions/{session}/export").text.startswith(f"# {told['title']}")


def test_lists_of_questions_and_sessions_come_in_parts_and_are_the_callers_own(
    client: httpx.Client, served: Running
) -> None:
    mine = [_asked(client, f"talk {n}") for n in range(3)]
    with served.client(served.token(role=Role.WRITE)) as other:
        other.base_url = other.base_url.join("libraries/team")
        theirs = _asked(other, "theirs")
        for path, name in (("/sessions", "session"), ("/questions", "question")):
            found, place = [], f"{path}?limit=2"
            while place:
                part = client.get(place.removeprefix("/api/v1/libraries/team")).json()
                assert 1 <= len(part["items"]) <= 2
                found += [row[name] for row in part["items"]]
                place = part["next"]
            assert len(found) == len(set(found))
            assert theirs not in found
            if name == "session":
                assert found[:3] == mine[::-1]
        assert [row["session"] for row in other.get("/sessions").json()["items"]] == [theirs]
