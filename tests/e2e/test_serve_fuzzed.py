"""The API fuzzed from its own description: no answer that it does not describe, and no failure inside."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from deref.settings import settings_of
from e2e.serving import Running, indexed, running

LEASE = b"# Lease\n\n## 1 Rent\n\nThe rent is 40 a month, see Section 2 and Exhibit A.\n\n## 2 Dates\n\nIt is due on the first.\n"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    small = settings_of({"models": {"embedder": "none", "background": False}, "read": {"max_file_mb": 1}})
    with running(tmp_path_factory.mktemp("fuzzed") / "team", settings=small) as one:
        with one.client() as client:
            client.put("/libraries/team/collections/c/files/lease.md", content=LEASE)
            indexed(client, "team")
            client.post("/libraries/team/sessions", json={"title": "One"})
            client.post("/libraries/team/ask", json={"question": "When is the rent due?"})
        yield one


def _described(served: Running) -> schemathesis.BaseSchema:
    """Return the description with the ids that are there as the choice for the parameters: else all would be 404."""
    with served.client() as client:
        spec = client.get("/openapi.json").json()
        there = {"library": "team"}
        for name, path in (
            ("document", "documents"),
            ("session", "sessions"),
            ("question", "questions"),
            ("job", "jobs"),
        ):
            there[name] = client.get(f"/libraries/team/{path}").json()["items"][0][name]
    del spec["paths"]["/api/v1/libraries/{library}/jobs"]["post"]  # Each would start a process.
    for methods in spec["paths"].values():
        for method, operation in methods.items():
            for parameter in operation.get("parameters", ()):
                if parameter["name"] in there:
                    given = there[parameter["name"]]
                    # What is there is not removed: the cases after it would find nothing.
                    choice = ["A" * len(given)] if method == "delete" else [given] * 5 + ["A" * len(given)]
                    parameter["schema"] = {
                        "type": "string",
                        "enum": choice if parameter["name"] != "library" else [given, "none"],
                    }
                if (method, parameter["name"]) == ("put", "index"):
                    parameter["schema"], parameter["required"] = {"type": "boolean", "enum": [False]}, True
    return schemathesis.openapi.from_dict(spec)


def test_what_is_answered_is_what_is_described(served: Running) -> None:
    checks = [
        not_a_server_error,
        status_code_conformance,
        content_type_conformance,
        response_schema_conformance,
    ]
    tried: list[str] = []
    for found in _described(served).get_all_operations():
        operation = found.ok()

        @given(
            case=st.sampled_from(list(GenerationMode)).flatmap(
                lambda mode, of=operation: of.as_strategy(generation_mode=mode)
            )
        )
        @settings(
            max_examples=6, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck), database=None,
            derandomize=True,
        )  # fmt: skip
        def answers_as_described(case: schemathesis.Case) -> None:
            case.call_and_validate(base_url=served.address, checks=checks, timeout=60)

        answers_as_described()
        tried.append(operation.label)
    assert len(tried) >= 27
