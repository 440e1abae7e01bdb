"""Two tokens that see different collections: nothing of the one's comes to the other, by any route that there is.

The routes are those that the server itself describes, so one that is added is tried too: a route with a parameter for
which there is nothing to try is a failure of the test.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from deref.serve.access import Role
from deref.serve.tokens import TokenFile
from deref.settings import LibrarySettings
from e2e.serving import SETTINGS, Running, frames, indexed, running

OPEN = {
    "terms.md": "# Terms\n\n## 1 Fees\n\nThe fee is on the day that is set out in the raven payment policy.\n",
    "wharf.md": "# Wharf Rules\n\n## 1 Boats\n\nBoats pay a fee, see Section 9.\n",
}
# What only the others may see, in names and in text: "raven" is in the open text as well.
MARKS = ("quicksilver", "Belladonna", "hidden-shelf", "Zephyr")
SECRET = {
    "Raven Payment Policy.md": "# Raven Payment Policy\n\n## 1 Belladonna\n\nThe quicksilver fee is due on Mondays, see Section 8 and Zephyr.\n",
    "Zephyr Deed.md": "# Zephyr Deed\n\n## 2 Quicksilver\n\nThe quicksilver fee is 900, see Section 7.\n",
}
ASKED = "On which day is the fee due, and what is on Mondays?"
QUESTION = "On which day is the quicksilver fee due, and what does the Zephyr Deed say?"


@dataclass(frozen=True, slots=True)
class Shelf:
    """A server with an open and a hidden collection, and what there is of the hidden one to be tried."""

    served: Running
    outsider: str
    insider: str
    ids: dict[str, str]


def _put(client: httpx.Client, collection: str, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = f"/libraries/team/collections/{collection}/files/{name}?index=false"
        assert client.put(path, content=text.encode()).status_code == 201


@pytest.fixture(scope="module", params=["in a file", "in postgresql"])
def shelf(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelf]:
    folder, settings = tmp_path_factory.mktemp("permissions"), SETTINGS
    if request.param == "in postgresql":
        kept = LibrarySettings(catalogue=request.getfixturevalue("postgresql").address())
        settings = replace(SETTINGS, library=kept)
    with running(folder / "team", tokens=TokenFile(folder / "tokens.json"), settings=settings) as served:
        insider = served.token("hidden-shelf", role=Role.WRITE)
        outsider = served.token("open", role=Role.WRITE)
        with served.client(insider) as client, served.client(outsider) as other:
            _put(other, "open", OPEN)
            _put(client, "hidden-shelf", SECRET)
            client.post("/libraries/team/jobs")
            assert indexed(client, "team")["outcomes"] == {"added": 2}
            document = client.get("/libraries/team/documents").json()["items"][0]["document"]
            session = client.post("/libraries/team/sessions", json={"title": "Zephyr"}).json()["session"]
            asked = client.post("/libraries/team/ask", json={"question": QUESTION, "session": session}).json()
            assert "quicksilver" in json.dumps(asked["answer"])
            job = client.get("/libraries/team/jobs").json()["items"][0]["job"]
        ids = {
            "library": "team", "document": document, "session": session, "question": asked["question"], "job": job,
            "collection": "hidden-shelf", "name": "new.md", "page": "1",
        }  # fmt: skip
        yield Shelf(served, outsider, insider, ids)


def _routes(served: Running) -> list[tuple[str, str, dict[str, Any]]]:
    """Return method, path and description of every route that is described."""
    spec = served.app.openapi()
    return [
        (method.upper(), path.removeprefix("/api/v1"), operation)
        for path, methods in spec["paths"].items()
        for method, operation in methods.items()
    ]


def _body(path: str, session: str | None = None) -> dict[str, Any] | None:
    if path.endswith("/sessions"):
        return {"title": "mine"}
    if path.endswith("/search"):
        return {"question": ASKED}
    return {"question": ASKED, **({"session": session} if session else {})} if "/ask" in path else None


def _filled(path: str, ids: dict[str, str]) -> str:
    wanted = re.findall(r"{(\w+)}", path)
    assert set(wanted) <= ids.keys(), f"{path}: say here what there is to try for its parameters"
    return path.format(**ids)


def _told(response: httpx.Response) -> str:
    """Return all that a response tells, its headers and streamed events too, but for what changes from call to call."""
    changing = ("date", "content-length", "deref-question", "etag", "location")
    headers = {k: v for k, v in response.headers.items() if k not in changing}
    return json.dumps([response.status_code, headers, response.text])


def test_what_is_hidden_is_told_by_no_route(shelf: Shelf) -> None:
    tried = 0
    with shelf.served.client(shelf.outsider) as client:
        for method, path, _ in _routes(shelf.served):
            query = "?start=0&end=99" if path.endswith("/lines") else ""
            for session in (None, shelf.ids["session"]) if "/ask" in path else (None,):
                address = _filled(path, shelf.ids) + query
                response = client.request(method, address, json=_body(path, session))
                told = _told(response).replace(address, "")
                assert not [m for m in MARKS if m.casefold() in told.casefold()], (method, address, told)
                assert shelf.ids["document"] not in told, (method, address, told)
                tried += 1
    assert tried >= 28


@pytest.mark.parametrize("name", ["document", "session", "question", "job", "collection", "library"])
def test_what_is_hidden_answers_as_what_is_not_there(shelf: Shelf, name: str) -> None:
    """For each route with such a parameter, and for a token of each kind: the same status, headers and body."""
    tokens = [shelf.outsider]
    if name == "library":
        tokens = [shelf.served.token("hidden-shelf", role=Role.WRITE, libraries=["other"])]
    missing = "A" * len(shelf.ids[name])
    tried = 0
    for token in tokens:
        with shelf.served.client(token) as client:
            for method, path, _ in _routes(shelf.served):
                if f"{{{name}}}" not in path or (name == "collection" and method == "GET"):
                    continue
                query = "?start=0&end=99" if path.endswith("/lines") else ""
                there, gone = (
                    client.request(method, _filled(path, {**shelf.ids, name: one}) + query, json=_body(path))
                    for one in (shelf.ids[name], missing)
                )
                assert _told(there).replace(shelf.ids[name], missing) == _told(gone), (method, path)
                assert there.status_code == 404, (method, path, there.text)
                tried += 1
    assert tried


def test_queries_do_not_tell_of_what_is_hidden(shelf: Shelf) -> None:
    with shelf.served.client(shelf.outsider) as client:
        for path in ("/libraries/team/findings?document={}", "/libraries/team/documents/{}?x=1"):
            there, gone = (client.get(path.format(one)) for one in (shelf.ids["document"], "A" * 32))
            assert _told(there).replace(shelf.ids["document"], "A" * 32) == _told(gone)
        for where in ("collection:hidden-shelf", "collection:nothing-here", "document:zephyr*"):
            response = client.post("/libraries/team/search", json={"question": "fee", "where": where})
            assert response.status_code == 400
            assert "called so; there " in response.json()["detail"]
            assert not [m for m in MARKS if m in response.text.replace(where.partition(":")[2], "")]


def test_counts_jobs_and_streams_are_of_what_the_caller_sees(shelf: Shelf) -> None:
    with shelf.served.client(shelf.outsider) as client:
        assert client.get("/libraries").json()["items"][0]["documents"] == 2
        collections = client.get("/libraries/team/collections").json()["items"]
        assert collections == [{"name": "open", "documents": 2}]
        # Jobs that others began for all: not to be seen; one of one's own counts the files that one may see.
        own = client.post("/libraries/team/jobs").json()["job"]
        job = indexed(client, "team")
        assert (job["job"], job["files_total"], job["outcomes"]) == (own, 2, {"unchanged": 2})
        files = client.get(f"/libraries/team/jobs/{own}/files").json()["items"]
        assert [f["path"] for f in files] == ["open/terms.md", "open/wharf.md"]
        with client.stream(
            "POST", "/libraries/team/ask/stream", json={"question": "When is the fee due?"}
        ) as response:
            told = [f.text for f in frames(response)]
        assert len(told) > 3
        assert not [m for m in MARKS for line in told if m in line]


def test_collections_of_a_token_are_listed_before_they_are_made(shelf: Shelf) -> None:
    with shelf.served.client(shelf.served.token("open", "new one", "R:D", role=Role.WRITE)) as client:
        listed = client.get("/libraries/team/collections").json()["items"]
    assert listed == [{"name": "new one", "documents": 0}, {"name": "open", "documents": 2}]


def test_the_same_file_in_both_is_new_to_each(shelf: Shelf) -> None:
    """Neither the answer to the upload nor the outcome of the job tells that others have the very same bytes."""
    text = SECRET["Zephyr Deed.md"].encode()
    with shelf.served.client(shelf.outsider) as client:
        sent = client.put("/libraries/team/collections/open/files/found.md", content=text)
        assert (sent.status_code, sent.json()["new"]) == (201, True)
        job = indexed(client, "team")
        assert job["outcomes"].get("added") == 1
        (mine,) = [
            d
            for d in client.get("/libraries/team/documents").json()["items"]
            if d["source"] == "open/found.md"
        ]
        client.delete(f"/libraries/team/documents/{mine['document']}")
        assert indexed(client, "team")["outcomes"].get("removed") == 1
    with shelf.served.client(shelf.insider) as client:
        assert len(client.get("/libraries/team/documents").json()["items"]) == 2


# Tokens and roles


def test_every_route_but_health_asks_for_a_token(shelf: Shelf) -> None:
    for token in (None, "deref_wrong"):
        with shelf.served.client(token) as client:
            for method, path, _ in _routes(shelf.served):
                response = client.request(method, _filled(path, shelf.ids), json=_body(path))
                if path == "/health":
                    assert response.status_code == 200
                else:
                    assert (response.status_code, response.headers["www-authenticate"]) == (401, "Bearer"), (
                        path
                    )
                    assert response.json()["type"] == "urn:deref:problem:no-token"


def test_a_role_is_asked_for_before_anything_is_looked_up(shelf: Shelf) -> None:
    reader = shelf.served.token("open", role=Role.READ)
    writes = [
        ("PUT", "/libraries/{}/collections/open/files/a.md"),
        ("POST", "/libraries/{}/jobs"),
        ("DELETE", "/libraries/{}/documents/x"),
        ("GET", "/metrics"),
    ]
    for token, refused in ((reader, writes), (shelf.outsider, writes[-1:])):
        with shelf.served.client(token) as client:
            for method, path in refused:
                for library in ("team", "nothing"):
                    response = client.request(method, path.format(library))
                    assert (response.status_code, response.json()["type"]) == (
                        403,
                        "urn:deref:problem:not-allowed",
                    )


def test_an_admin_who_sees_all_sees_the_questions_of_others(shelf: Shelf) -> None:
    admin, limited = shelf.served.token(role=Role.ADMIN), shelf.served.token("open", role=Role.ADMIN)
    path = f"/libraries/team/questions/{shelf.ids['question']}"
    with shelf.served.client(admin) as client:
        assert client.get(path).status_code == 200
        assert 'library="team"' in client.get("/metrics").text
    with shelf.served.client(shelf.served.token(role=Role.ADMIN, libraries=["other"])) as client:
        assert "deref_requests_total" in client.get("/metrics").text
        assert "team" not in client.get("/metrics").text
    with shelf.served.client(limited) as client:
        assert client.get(path).status_code == 404


def test_a_token_that_is_removed_is_refused_at_once(shelf: Shelf) -> None:
    token = shelf.served.token("open")
    assert shelf.served.tokens is not None
    with shelf.served.client(token) as client:
        assert client.get("/libraries").status_code == 200
        newest = shelf.served.tokens.tokens()
        (mine,) = [t for t in newest if shelf.served.tokens.caller(token).name == t.id]  # type: ignore[union-attr]
        TokenFile(Path(shelf.served.tokens.path)).remove(mine.id)
        assert client.get("/libraries").status_code == 401
