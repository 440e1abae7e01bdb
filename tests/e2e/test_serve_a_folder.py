"""The deal room over HTTP: every route, its lists by pages, its problems, its headers."""

from __future__ import annotations

import io
import json
import threading
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from PIL import Image

from deref.engine import Engine
from deref.errors import LibraryBusy
from deref.serve.access import LOCAL
from deref.serve.engines import Lane
from deref.trace.explain import explain
from deref.trace.read import read_trace
from e2e.serving import DEAL_ROOM, Running, frames, indexed, running

QUESTION = "What does the Customer pay for night and weekend support?"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("served"), DEAL_ROOM) as one:
        with one.client() as client:
            assert indexed(client, "deal-room")["outcomes"] == {"added": 12}
        yield one


@pytest.fixture(scope="module")
def client(served: Running) -> Iterator[httpx.Client]:
    with served.client() as one:
        one.base_url = one.base_url.join("libraries/deal-room")
        yield one


def _document(client: httpx.Client, name: str) -> dict[str, Any]:
    (found,) = [d for d in client.get("/documents").json()["items"] if d["source"].startswith(name)]
    return dict(found)


def _is_problem(response: httpx.Response, status: int, kind: str) -> dict[str, Any]:
    assert (response.status_code, response.headers["content-type"]) == (status, "application/problem+json")
    told: dict[str, Any] = response.json()
    assert (told["status"], told["type"]) == (status, f"urn:deref:problem:{kind}")
    assert told["detail"] and told["title"]
    return told


# The shelf


def test_the_library_is_listed_with_its_counts(served: Running) -> None:
    with served.client() as client:
        listed = client.get("/libraries").json()
        assert listed["role"] == "admin"
        (library,) = listed["items"]
        assert (library["library"], library["documents"], library["uploads"]) == ("deal-room", 12, False)
        assert library["passages"] > 50
        assert client.get("/libraries/deal-room").json() == library


def test_the_job_tells_each_file(client: httpx.Client) -> None:
    (job,) = client.get("/jobs").json()["items"]
    assert (job["state"], job["attempts"], job["files_done"], job["files_total"]) == ("done", 1, 12, 12)
    assert client.get(f"/jobs/{job['job']}").json() == job
    files = client.get(f"/jobs/{job['job']}/files").json()["items"]
    assert [f["path"] for f in files] == sorted(p.name for p in DEAL_ROOM.iterdir())
    assert all(f["outcome"] == "added" and f["chunks"] for f in files)


def test_lists_come_in_pages_that_lead_on(client: httpx.Client) -> None:
    whole = client.get("/documents").json()
    assert (len(whole["items"]), whole["next"], whole["total"]) == (12, None, 12)
    collected: list[Any] = []
    response = client.get("/documents", params={"limit": 5})
    sizes = []
    while True:
        page = response.json()
        sizes.append(len(page["items"]))
        collected += page["items"]
        if page["next"] is None:
            break
        assert response.headers["link"] == f'<{page["next"]}>; rel="next"'
        response = client.get(httpx.URL(client.base_url).join(page["next"]))
    assert (sizes, collected) == ([5, 5, 2], whole["items"])


def test_a_document_with_outline_lines_and_page(client: httpx.Client) -> None:
    exhibit = _document(client, "02")
    place = f"/documents/{exhibit['document']}"
    assert client.get(place).json()["picture_pages"] == 2
    outline = client.get(f"{place}/outline").json()
    (table,) = [i for i in outline["items"] if (i["kind"], i["label"]) == ("table", "B-1")]
    start, end = table["lines"]
    given = client.get(f"{place}/lines", params={"start": start, "end": end}).json()
    assert [line["line"] for line in given["lines"]] == list(range(start, end))
    assert given["path"] == ["1 Charges"]
    row = next(line for line in given["lines"] if line["text"].startswith("(E)"))
    page = client.get(f"{place}/pages/{row['page']}").json()
    assert row in page["lines"]
    assert 0 <= row["box"]["x0"] < row["box"]["x1"] <= page["width"]
    assert 0 <= row["box"]["top"] < row["box"]["bottom"] <= page["height"]
    assert page["picture"] == f"/api/v1/libraries/deal-room{place}/pages/1/picture"


def test_a_page_is_a_picture_that_is_sent_once(client: httpx.Client) -> None:
    place = f"/documents/{_document(client, '02')['document']}/pages/1"
    response = client.get(f"{place}/picture")
    assert response.headers["content-type"] == "image/png"
    picture, page = Image.open(io.BytesIO(response.content)), client.get(place).json()
    assert picture.width / picture.height == pytest.approx(page["width"] / page["height"], rel=0.01)
    again = client.get(f"{place}/picture", headers={"If-None-Match": response.headers["etag"]})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", response.headers["etag"])
    other = client.get(f"{place}/picture", headers={"If-None-Match": '"other"'})
    assert (other.status_code, other.content) == (200, response.content)


def test_a_page_that_is_asked_for_twice_at_once_is_drawn_once(served: Running, client: httpx.Client) -> None:
    agreement = _document(client, "01")["document"]
    (library,) = served.server.libraries(LOCAL)
    both_there = threading.Barrier(2)

    def work(engine: Engine) -> int:
        both_there.wait(60)
        return id(served.server.pictures.picture(library.served, engine, agreement, 8, LOCAL.scope))

    drawn = [library.engines.do(Lane.LOOKS, work) for _ in range(2)]
    assert len({future.result() for future in drawn}) == 1


def test_what_has_no_picture_says_so(client: httpx.Client) -> None:
    letter, exhibit = _document(client, "Side Letter"), _document(client, "02")
    assert client.get(f"/documents/{letter['document']}/pages/1").json()["picture"] is None
    told = _is_problem(client.get(f"/documents/{letter['document']}/pages/1/picture"), 404, "not-there")
    assert "only pages of a PDF" in told["detail"]
    told = _is_problem(client.get(f"/documents/{exhibit['document']}/pages/3/picture"), 404, "not-there")
    assert "pages 1 to 2" in told["detail"]


def test_references_name_both_ends(client: httpx.Client) -> None:
    agreement, exhibit = _document(client, "01"), _document(client, "02")
    place = f"/documents/{agreement['document']}/references"
    every = client.get(place, params={"limit": 500}).json()["items"]
    (row,) = [r for r in every if r["text"] == "row (E) of Table B-1 in Exhibit B"]
    assert (row["document"], row["status"]) == (agreement["document"], "resolved")
    assert [t["document"] for t in row["targets"]] == [exhibit["document"]]
    dangling = client.get(place, params={"status": "dangling"}).json()["items"]
    assert dangling == [r for r in every if r["status"] == "dangling"] != []


def test_findings_are_those_of_the_checker(client: httpx.Client) -> None:
    every = client.get("/findings", params={"limit": 500}).json()["items"]
    errors = client.get("/findings", params={"limit": 500, "severity": "error"}).json()["items"]
    assert errors == [f for f in every if f["severity"] == "error"]
    one = every[0]
    only = client.get("/findings", params={"rule": one["rule"], "document": one["document"]}).json()["items"]
    assert one in only
    assert {(f["rule"], f["document"]) for f in only} == {(one["rule"], one["document"])}
    _is_problem(client.get("/findings", params={"rule": "no-such"}), 400, "not-understood")


def test_the_graph_has_documents_or_places(client: httpx.Client) -> None:
    documents, places = (
        client.get("/graph", params={"level": one}).json() for one in ("document", "section")
    )
    assert sum(n["kind"] == "document" for n in documents["nodes"]) == 12
    assert len(places["nodes"]) > len(documents["nodes"])
    assert client.get("/graph").json() == documents


# Questions


def test_search_finds_and_follows(client: httpx.Client) -> None:
    found = client.post("/search", json={"question": "night and weekend support", "k": 3}).json()
    assert found["passages"][0]["source"] == "01 Master Services Agreement.pdf"
    followed = [a["reference"] for p in found["passages"] for a in p["arrivals"] if a["reference"]]
    assert all(r["document"] and all(t["document"] for t in r["targets"]) for r in followed)
    assert followed
    narrow = {"question": "monthly charges", "where": 'document:"02 Exhibit B*"'}
    assert {p["source"] for p in client.post("/search", json=narrow).json()["passages"]} == {
        "02 Exhibit B - Fee Schedule.pdf"
    }


def test_an_answer_cites_the_row_that_is_pointed_at(client: httpx.Client) -> None:
    asked = client.post("/ask", json={"question": QUESTION}).json()
    assert (asked["state"], asked["answer"]["completeness"]) == ("done", "complete")
    row = next(c for c in asked["answer"]["citations"] if c["arrived"] == "reference" and "(E)" in c["quote"])
    assert row["document"] == _document(client, "02")["document"]
    assert row["boxes"][0]["page"] == row["page"] == 1
    followed = row["followed"]
    assert (followed["text"], followed["tier"]) == (row["reference"], "container")
    assert (followed["document"], followed["row"]) == (
        row["referenced_from"]["document"],
        row["referenced_from"]["row"],
    )
    assert [t["document"] for t in followed["targets"]] == [row["document"]]
    followed = row["followed"]
    assert (followed["text"], followed["tier"]) == ("row (E) of Table B-1 in Exhibit B", "container")
    assert "table B-1" in followed["why"]
    assert (followed["document"], followed["line"]) == (
        row["referenced_from"]["document"],
        row["referenced_from"]["line"],
    )
    (target,) = followed["targets"]
    assert (target["document"], target["focus"]) == (row["document"], [row["lines"]])
    primary = asked["answer"]["citations"][0]
    assert (primary["arrived"], primary["followed"]) == ("primary", None)
    documents = {d["source"]: d["document"] for d in client.get("/documents").json()["items"]}
    assert [c["document"] for c in asked["answer"]["conditions"]] == [
        documents[c["source"]] for c in asked["answer"]["conditions"]
    ]
    assert client.get(f"/questions/{asked['question']}").json() == asked
    listed = client.get("/questions").json()["items"]
    assert asked in listed
    kept = client.get(f"/questions/{asked['question']}/trace")
    events = read_trace(kept.text.splitlines(), name="trace")
    assert (events[0]["kind"], events[1]["library"]) == ("header", "deal-room")
    assert any(QUESTION in told for told in explain(events))
    assert client.delete(f"/questions/{asked['question']}").status_code == 204
    for path in ("", "/trace", "/events"):
        _is_problem(client.get(f"/questions/{asked['question']}{path}"), 404, "not-there")


def test_a_stream_is_the_trace_line_by_line_and_can_be_taken_up(client: httpx.Client) -> None:
    with client.stream("POST", "/ask/stream", json={"question": QUESTION}) as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        question = response.headers["deref-question"]
        live = [f for f in frames(response) if f.event != "piece"]
    assert [f.id for f in live] == list(range(1, len(live) + 1))
    assert [f.event for f in live[:-1]] == [f.data["kind"] for f in live[:-1]]
    assert (live[0].event, live[-2].event, live[-1].event) == ("run_started", "run_finished", "answer")
    kept = client.get(f"/questions/{question}/trace").text.splitlines()
    assert [f.text for f in live[:-1]] == kept[1:-1], "the last line is what a replay answers from"
    assert live[-1].data == client.get(f"/questions/{question}").json()["answer"]
    for after in (0, 3, len(live) - 1, len(live)):
        with client.stream(
            "GET", f"/questions/{question}/events", headers={"Last-Event-ID": str(after)}
        ) as again:
            assert [(f.id, f.text) for f in frames(again)] == [(f.id, f.text) for f in live[after:]]


def test_in_a_session_the_questions_before_are_the_history(client: httpx.Client) -> None:
    session = client.post("/sessions", json={"title": "Fees"}).json()["session"]
    for text in (QUESTION, "And under Section 7.4?"):
        assert client.post("/ask", json={"question": text, "session": session}).status_code == 200
    told = client.get(f"/sessions/{session}").json()
    assert (told["title"], [t["text"] for t in told["turns"]]) == (
        "Fees",
        [QUESTION, "And under Section 7.4?"],
    )
    cited = told["turns"][0]["answer"]["citations"]
    assert cited[0]["boxes"]
    assert {(c["standing"], c["now"]) for c in cited} == {("here", c["source"]) for c in cited}
    trace = client.get(f"/questions/{told['turns'][1]['question']}/trace").text.splitlines()
    assert json.loads(trace[1])["query"]["history"] == [QUESTION]
    assert session in [s["session"] for s in client.get("/sessions").json()["items"]]
    assert client.delete(f"/sessions/{session}").status_code == 204
    _is_problem(client.get(f"/sessions/{session}"), 404, "not-there")
    _is_problem(client.get(f"/questions/{told['turns'][0]['question']}"), 404, "not-there")
    _is_problem(client.post("/ask", json={"question": QUESTION, "session": session}), 404, "not-there")


# Problems, headers, and who may call


@pytest.mark.parametrize(
    ("method", "path", "sent", "status", "kind"),
    [
        ("GET", "/documents/none", None, 404, "not-there"),
        ("GET", "/nothing", None, 404, "not-there"),
        ("DELETE", "/documents", None, 405, "no-such-method"),
        ("GET", "/documents?limit=0", None, 422, "not-understood"),
        ("POST", "/ask", {"question": "  "}, 422, "not-understood"),
        ("POST", "/ask", {"question": "Fees?", "other": 1}, 422, "not-understood"),
        ("POST", "/search", {"question": "fees", "where": "colour:red"}, 400, "not-understood"),
        ("POST", "/ask", {"question": "fees", "where": "document:nowhere"}, 400, "not-understood"),
        ("PUT", "/collections/hr/files/pay.pdf", None, 400, "not-understood"),
        ("GET", "/ask", None, 405, "no-such-method"),
        ("PUT", "/collections/hr/files/a/b.pdf", None, 404, "not-there"),
    ],
)
def test_every_error_is_a_problem(
    client: httpx.Client, method: str, path: str, sent: Any, status: int, kind: str
) -> None:
    _is_problem(client.request(method, path, json=sent), status, kind)


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [("GET", "/ask", "POST"), ("PUT", "/ask/stream", "POST"), ("HEAD", "/documents", "GET")],
)
def test_a_method_that_an_address_has_not_is_refused_with_those_that_it_has(
    client: httpx.Client, method: str, path: str, allowed: str
) -> None:
    response = client.request(method, path)
    assert (response.status_code, response.headers["allow"]) == (405, allowed)


def test_a_link_on_another_site_leads_to_the_page_and_to_nothing_else(served: Running) -> None:
    followed = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    page = httpx.get(f"{served.address}/", headers=followed, timeout=60)
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    known = {"If-None-Match": page.headers["etag"]}
    assert (
        page.headers["cache-control"],
        httpx.get(f"{served.address}/", headers=known, timeout=60).status_code,
    ) == (
        "no-cache",
        304,
    )
    for path in ("/api/v1/libraries", "/api/v1/openapi.json", "/mcp"):
        _is_problem(httpx.get(f"{served.address}{path}", headers=followed, timeout=60), 403, "wrong-origin")


def test_methods_that_a_client_makes_up_are_counted_as_one(served: Running, client: httpx.Client) -> None:
    for n in range(5):
        assert client.request(f"MADEUP{n}", "/documents").status_code == 405
    with served.client() as other:
        assert "MADEUP" not in other.get("/metrics").text


def test_a_body_that_cannot_be_read_is_told_what_to_send(client: httpx.Client) -> None:
    response = client.post(
        "/ask", content=b'{"question": "\xff"}', headers={"Content-Type": "application/json"}
    )
    assert "send JSON in UTF-8" in response.json()["detail"]


def test_a_filter_that_is_wrong_is_a_problem_in_a_stream_too(client: httpx.Client) -> None:
    with client.stream("POST", "/ask/stream", json={"question": "fees", "where": "colour:red"}) as response:
        (frame,) = frames(response)
    assert (frame.event, frame.data["status"], frame.id) == ("problem", 400, 1)


def test_headers_close_what_a_browser_might_open(client: httpx.Client) -> None:
    for response in (client.get("/documents"), client.get("/nothing")):
        assert "default-src 'none'" in response.headers["content-security-policy"]
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.headers["cache-control"] == "no-store"
        assert not [name for name in response.headers if name.startswith("access-control-")]


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", ""])
def test_a_name_that_was_made_to_lead_here_is_refused(client: httpx.Client, host: str) -> None:
    _is_problem(client.get("/documents", headers={"Host": host}), 421, "wrong-host")


@pytest.mark.parametrize("headers", [{"Host": "["}, {"Origin": "http://[::1"}])
def test_what_is_no_address_is_no_failure_of_the_server(
    client: httpx.Client, headers: dict[str, str]
) -> None:
    _is_problem(client.get("/documents", headers=headers), 400, "not-understood")


def test_pages_of_other_sites_may_not_call(client: httpx.Client) -> None:
    for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"}):
        _is_problem(client.post("/search", json={"question": "fees"}, headers=headers), 403, "wrong-origin")
    own = f"http://{client.base_url.netloc.decode()}"
    assert client.post("/search", json={"question": "fees"}, headers={"Origin": own}).status_code == 200


def test_a_body_is_bounded(client: httpx.Client) -> None:
    _is_problem(client.post("/ask", content=b" " * (2**20 + 1)), 413, "too-large")
    _is_problem(client.post("/ask", content=iter([b"{}"])), 411, "no-length")


def test_metrics_count_by_route_and_tell_nothing_of_what_was_asked(served: Running) -> None:
    with served.client() as client:
        client.get("/libraries/deal-room/documents/secret-name")
        text = client.get("/metrics").text
        assert (
            'deref_requests_total{method="GET",route="/libraries/{library}/documents/{document}",status="404"}'
            in text
        )
        assert "secret-name" not in text
        assert client.get("/health").json() == {"status": "ok"}


def test_the_description_has_an_example_for_what_comes_in(served: Running) -> None:
    with served.client() as client:
        spec = client.get("/openapi.json").json()
    assert spec["components"]["schemas"]["QuestionAsked"]["properties"]["question"]["examples"]
    for path, methods in spec["paths"].items():
        for method, operation in methods.items():
            assert operation["description"], f"{method} {path} says nothing"
            problems = operation["responses"]["404"]["content"]
            assert list(problems) == ["application/problem+json"], path


def test_a_library_is_served_once(served: Running) -> None:
    (library,) = served.server.libraries(LOCAL)
    with pytest.raises(LibraryBusy, match="another `deref serve` serves this library"), library.served.held():
        pass
