"""The embedders: unit vectors in order, alike for alike texts, and one clear error without the model."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from deref.models.bundled import BundledEmbedder
from deref.models.hashing import HashingEmbedder
from deref.models.onnx_folder import OnnxFolderEmbedder
from deref.models.server_embedder import ServerEmbedder
from deref.ports import Embedder
from unit.models.json_server import embeds, json_server
from unit.models.small_onnx import lay_out


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(
    params=[
        pytest.param("bundled", marks=pytest.mark.bundled),
        pytest.param("onnx", marks=pytest.mark.bundled),
        "server",
        "hashing",
    ],
)
def embedder(request: pytest.FixtureRequest, cache: Path, tmp_path: Path) -> Iterator[Embedder]:
    if request.param == "hashing":
        yield HashingEmbedder()
    elif request.param == "server":
        with json_server(embeds()) as server:
            yield ServerEmbedder(server.url, "small")
    elif request.param == "onnx":
        yield OnnxFolderEmbedder(lay_out(tmp_path / "bge"))
    else:
        yield BundledEmbedder(cache=cache)


def test_vectors_are_units_of_the_length_that_is_told(embedder: Embedder) -> None:
    texts = ["Barley grows in the field.", "", "?", "word " * 3000, "学習", "\ud800 half"]
    vectors = embedder.passages(texts)
    assert vectors.shape == (len(texts), embedder.dimensions)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.allclose(np.linalg.norm(embedder.query("x")), 1, atol=1e-5)


def test_no_text_gives_an_empty_matrix(embedder: Embedder) -> None:
    assert embedder.passages([]).shape == (0, embedder.dimensions)


def test_the_vector_of_a_text_does_not_depend_on_its_neighbours(embedder: Embedder) -> None:
    texts = [f"Field {n} " + "of barley " * (n % 7) for n in range(40)]
    together = embedder.passages(texts)
    alone = np.stack([embedder.passages([text])[0] for text in texts])
    assert np.min(np.sum(together * alone, axis=1)) > 0.97


def test_a_question_is_nearest_to_the_text_that_answers_it(embedder: Embedder) -> None:
    texts = [
        "The ferry sails at noon.",
        "The tenant shall pay the rent on the first day.",
        "Barley is sown in March.",
    ]
    scores = embedder.passages(texts) @ embedder.query("When does the tenant pay rent?")
    assert int(np.argmax(scores)) == 1


def test_the_identity_names_model_and_version(embedder: Embedder) -> None:
    assert re.fullmatch(
        r"hashing-64|bge-small-en-v1\.5-int8@68807e3ff2ab|bge@[0-9a-f]{12}|server/small@127\.0\.0\.1:\d+",
        embedder.identity,
    )


@pytest.mark.bundled
def test_a_damaged_copy_of_the_optimised_graph_is_made_again(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    first = BundledEmbedder(cache=tmp_path).query("barley")
    (kept,) = tmp_path.glob("*.onnx")
    kept.write_bytes(b"cut short")
    assert np.allclose(BundledEmbedder(cache=tmp_path).query("barley"), first)
    assert kept.stat().st_size > 1_000_000
    assert np.allclose(BundledEmbedder(cache=tmp_path).query("barley"), first)


@pytest.mark.bundled
def test_a_cache_that_cannot_be_written_only_costs_time(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    (tmp_path / "file").write_text("in the way")
    assert BundledEmbedder(cache=tmp_path / "file" / "models").query("barley").shape == (384,)
