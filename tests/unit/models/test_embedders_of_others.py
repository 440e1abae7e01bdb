"""Embedders that are not in the install: a folder with ONNX, and a server; what they are is told, and what is wrong with them."""

from __future__ import annotations

import json
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deref.embedders import chosen_embedder
from deref.errors import ModelError, UsageError
from deref.models.bundled import BundledEmbedder
from deref.models.http_json import JsonServer
from deref.models.keys import Key
from deref.models.onnx_folder import OnnxFolderEmbedder
from deref.models.server_embedder import BATCH, ServerEmbedder
from deref.settings import settings_of
from unit.models.json_server import Answer, as_json, embeds, json_server, refuses, says
from unit.models.small_onnx import bundled_files, lay_out

SECRET = "sk-very-secret-0123456789"
TEXTS = ["The rent is due.", "Barley is sown in March.", ""]


@pytest.mark.bundled
def test_a_folder_gives_the_vectors_of_the_model_that_is_in_it(tmp_path: Path) -> None:
    own = OnnxFolderEmbedder(lay_out(tmp_path / "bge", graph="onnx/model.onnx"))
    bundled = BundledEmbedder(cache=tmp_path / "cache")
    assert own.dimensions == 384
    assert np.min(np.sum(own.passages(TEXTS) * bundled.passages(TEXTS), axis=1)) > 0.999
    assert own.query("When is rent due?") @ bundled.query("When is rent due?") > 0.999


@pytest.mark.bundled
def test_pooling_and_prompts_are_those_of_the_folder(tmp_path: Path) -> None:
    first = OnnxFolderEmbedder(lay_out(tmp_path / "a" / "bge"))
    mean = OnnxFolderEmbedder(lay_out(tmp_path / "b" / "bge", pooling="pooling_mode_mean_tokens"))
    last = OnnxFolderEmbedder(lay_out(tmp_path / "c" / "bge", pooling="pooling_mode_lasttoken"))
    vectors = [e.passages(TEXTS[:1])[0] for e in (first, mean, last)]
    assert all(float(v @ vectors[0]) < 0.99995 for v in vectors[1:])
    assert len({e.identity for e in (first, mean, last)}) == 3
    plain = OnnxFolderEmbedder(lay_out(tmp_path / "d" / "bge"), query_prefix="question: ")
    assert float(plain.query("rent") @ first.query("rent")) < 0.999
    assert np.allclose(plain.query("rent"), first.passages(["question: rent"])[0], atol=1e-5)
    assert plain.identity == first.identity, "vectors of passages are the same ones"


@pytest.mark.bundled
def test_a_way_of_pooling_that_nobody_names_is_not_guessed(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"nothing says which of them.*1_Pooling/config\.json"):
        OnnxFolderEmbedder(lay_out(tmp_path / "bge", pooling=None)).query("rent")


def _without(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def _with(name: str, content: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        (folder / name).unlink(missing_ok=True)
        (folder / name).write_text(content)

    return change


def _two_graphs(folder: Path) -> None:
    (folder / "model.onnx").rename(folder / "model_a.onnx")
    (folder / "model_b.onnx").write_bytes(b"")


@pytest.mark.bundled
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_without("model.onnx"), r"there is no \.onnx file"),
        (_without("tokenizer.json"), r"there is no tokenizer\.json"),
        (_two_graphs, r"several models are there \(model_a\.onnx, model_b\.onnx\)"),
        (_with("model.onnx", "no graph"), r"model\.onnx: the model cannot be loaded"),
        (_with("tokenizer.json", "{}"), r"tokenizer\.json: no tokenizer that can be read"),
        (_with("config.json", "{"), r"config\.json: cannot be read"),
        (
            _with("1_Pooling/config.json", '{"pooling_mode_max_tokens": true}'),
            "no way of pooling that is known",
        ),
    ],
)
def test_a_folder_that_holds_no_embedder_says_so(
    tmp_path: Path, change: Callable[[Path], None], said: str
) -> None:
    folder = lay_out(tmp_path / "bge")
    change(folder)
    with pytest.raises(ModelError, match=said):
        OnnxFolderEmbedder(folder).query("rent")


@pytest.mark.bundled
def test_the_longest_text_is_what_the_folder_names(tmp_path: Path) -> None:
    folder = lay_out(tmp_path / "bge")
    (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 8}))
    short = OnnxFolderEmbedder(folder)
    one, other = short.passages(
        ["one two three four five six seven eight nine", "one two three four five six no"]
    )
    assert np.allclose(one, other, atol=1e-5)


def test_a_server_is_asked_in_batches_and_its_vectors_are_made_units() -> None:
    texts = [f"field {n}" for n in range(BATCH + 3)]
    with json_server(embeds(scale=7)) as server:
        embedder = ServerEmbedder(server.url, "small", query_prefix="query: ")
        vectors = embedder.passages(texts)
        embedder.query("rent")
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert [len(body["input"]) for _, _, body in server.requests] == [BATCH, 3, 1]
    assert server.requests[2][2]["input"] == ["query: rent"]
    assert {path for path, _, _ in server.requests} == {"/v1/embeddings"}


def _other_model() -> tuple[Answer, Answer]:
    return embeds(model="small"), embeds(model="large")


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        (_other_model(), "was 'small' of 64 dimensions and is now 'large' of 64"),
        ((embeds(64), embeds(32)), "of 64 dimensions and is now 'small' of 32"),
    ],
)
def test_a_server_that_changes_its_model_is_found_out(answers: tuple[Answer, ...], said: str) -> None:
    with json_server(*answers) as server:
        embedder = ServerEmbedder(server.url, "small")
        embedder.query("rent")
        with pytest.raises(ModelError, match=said):
            embedder.query("rent")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (says({"data": []}), "was given 1 texts and gave 0 vectors"),
        (says({"data": [{"index": 1, "embedding": [1.0]}]}), "was given 1 texts"),
        (says({"data": [{"index": 0, "embedding": [0.0, 0.0]}]}), "a vector without length"),
        (says({"data": [{"index": 0, "embedding": "AAAA"}]}), "did not answer with embeddings"),
        (says({"object": "error"}), "did not answer with embeddings"),
        (says({"data": [{"index": float("inf"), "embedding": [1.0]}]}), "did not answer with embeddings"),
        (says([1]), "that is no JSON object"),
        (lambda _: (200, {"Content-Type": "text/html"}, b"<html>Log in"), "answered with text/html.*Log in"),
        (refuses(404, "model not found"), "answered 404: model not found"),
        (refuses(307, Location="http://192.0.2.1/v1/embeddings"), "answered 307"),
    ],
)
def test_a_server_that_answers_with_something_else_is_an_error(answer: Answer, said: str) -> None:
    with json_server(answer) as server, pytest.raises(ModelError, match=said):
        ServerEmbedder(server.url, "small", retries=0).query("rent")


def test_a_server_that_stumbles_is_asked_again_when_it_says() -> None:
    waits: list[float] = []
    begun = time.time()
    later = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(begun + 20))
    with json_server(
        refuses(429, Retry_After="3"), refuses(503, Retry_After=later), refuses(500), says({"a": 1})
    ) as s:
        assert JsonServer(s.url, what="it", retries=3, sleep=waits.append).post("x", {}) == {"a": 1}
    assert waits[0] == 3
    assert 19 - (time.time() - begun) < waits[1] <= 20
    assert waits[2] == 2.0
    waits.clear()
    with json_server(refuses(429, Retry_After="3600")) as s, pytest.raises(ModelError, match="answered 429"):
        JsonServer(s.url, what="it", retries=3, sleep=waits.append).post("x", {})
    assert not waits


def test_a_server_that_is_not_there_or_does_not_answer_is_an_error() -> None:
    def slow(_asked: dict[str, Any]) -> tuple[int, dict[str, str], bytes]:
        time.sleep(1)
        return as_json({})

    with json_server(slow) as server:
        url = server.url
        with pytest.raises(ModelError, match=r"it cannot be reached: .*timed out"):
            JsonServer(url, what="it", timeout_s=0.2, retries=0).post("x", {})
    with pytest.raises(ModelError, match=r"it cannot be reached \(2 attempts\).*is it running"):
        JsonServer(url, what="it", retries=1, sleep=lambda _: None).post("x", {})


def test_a_key_is_sent_and_stands_in_no_error() -> None:
    with json_server(refuses(401, f"bad key {SECRET}")) as server:
        embedder = ServerEmbedder(server.url, "small", key=Key(SECRET))
        with pytest.raises(ModelError, match="answered 401") as caught:
            embedder.query("rent")
    assert server.requests[0][1]["authorization"] == f"Bearer {SECRET}"
    assert SECRET not in "".join(traceback.format_exception(caught.value)) + repr(vars(embedder))


def test_no_part_of_a_key_stands_where_a_long_error_is_cut() -> None:
    for before in (180, 190, 195):
        with json_server(refuses(401, "x" * before + SECRET)) as server, pytest.raises(ModelError) as caught:
            ServerEmbedder(server.url, "small", key=Key(SECRET)).query("q")
        assert "sk-" not in str(caught.value)


def test_the_settings_name_the_embedder(tmp_path: Path) -> None:
    with json_server(embeds()) as server:
        opener, identity = chosen_embedder(
            settings_of(
                {"models": {"embedder": "server", "embedder_url": server.url, "embedder_model": "small"}}
            )
        )
        assert opener is not None
        assert opener().dimensions == 64
        assert identity == opener().identity
    for missing, named in (
        ({"embedder": "server"}, "embedder_url"),
        ({"embedder": "server", "embedder_url": "http://127.0.0.1:1/v1"}, "embedder_model"),
        ({"embedder": "onnx"}, "embedder_folder"),
    ):
        with pytest.raises(UsageError, match=rf"set models\.{named}"):
            chosen_embedder(settings_of({"models": missing}))
    with pytest.raises(ModelError, match=r"no such folder; models\.embedder_folder"):
        chosen_embedder(
            settings_of({"models": {"embedder": "onnx", "embedder_folder": str(tmp_path / "no")}})
        )


@pytest.mark.bundled
def test_a_folder_of_the_settings_is_opened(tmp_path: Path) -> None:
    folder = lay_out(tmp_path / "bge")
    opener, identity = chosen_embedder(
        settings_of({"models": {"embedder": "onnx", "embedder_folder": str(folder)}})
    )
    assert opener is not None
    assert identity.startswith("bge@")
    assert opener().passages(["x"]).shape == (1, 384)
    assert (bundled_files() / "model.onnx").is_file()
