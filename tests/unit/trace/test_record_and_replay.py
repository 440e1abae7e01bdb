"""Every port, recorded and replayed: what it answered comes again, and nothing alive is asked."""

from __future__ import annotations

import io
import itertools
import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

import numpy as np
import pytest

from conformance.small_shelf import LEASE, MANUAL, POINTER, entry
from deref.errors import DamagedFile, DerefError, ModelError, ReplayMismatch, UsageError
from deref.models.hashing import HashingEmbedder
from deref.models.overlap import OverlapReranker
from deref.models.scripted import ScriptedWriter
from deref.ports import Clock, Embedder, LanguageModel, OverviewReader, Overviews, Reranker, Store, Writer
from deref.store.memory import MemoryStore
from deref.trace.calls import DOORS, Call
from deref.trace.read import read_trace, recording_of
from deref.trace.record import Recorder
from deref.trace.replay import Replayer, as_it_failed
from deref.trace.secrets import Hiding
from deref.trace.sinks import JsonLinesSink
from deref.trace.tape import packed, unpacked
from deref.values import EVERYTHING, Passage, Query, Scope, Span
from deref.values.filters import InDocument
from deref.values.messages import Message, Reply
from unit.trace.small_run import ANSWER


def replayer_of(recorder: Recorder) -> Replayer:
    line = packed(recorder, asked={}, settings={}, doors=(), home=None, ended=None)
    recording = unpacked(json.loads(json.dumps(line)), name="t")
    return Replayer(recording.answers, recording.kept)


def filled() -> MemoryStore:
    store = MemoryStore(model=HashingEmbedder().identity)
    store.put_all([entry(LEASE), entry(MANUAL, POINTER)])
    store.fold()
    store.claim("the mill")
    return store


def ask_the_store(store: Store) -> list[Any]:
    embedder = HashingEmbedder()
    chunks = store.chunks(LEASE.id, EVERYTHING)
    shelf = store.shelf(EVERYTHING)
    only = InDocument(pattern="lease*")
    return [
        store.lexical("rent", 5, EVERYTHING), store.lexical("rent", 5, EVERYTHING, only), store.lexical("zzz", 5, EVERYTHING),
        store.titles("lease", 5, EVERYTHING), store.titles("lease", k=5, scope=EVERYTHING, where=None), chunks,
        store.chunks(LEASE.id, Scope(documents=frozenset())), store.references(MANUAL.id, EVERYTHING), shelf.cards(),
        shelf.document(LEASE.id), shelf.document("none"), shelf.labelled("4"), shelf.defined("tenant"), store.passes(only, EVERYTHING),
        store.progress(EVERYTHING), store.vectors(chunks, embedder).tolist(), store.progress(EVERYTHING),
        store.dense(embedder.query("rent"), 3, EVERYTHING), store.rank_lexical("rent", 5, EVERYTHING),
        store.rank_dense(embedder.query("rent"), 3, EVERYTHING), store.passages([c.id for c in chunks], EVERYTHING), store.describe(), store.home(), store.standings(EVERYTHING),
        store.shelf(Scope(documents=frozenset([MANUAL.id]))).document(LEASE.id),
    ]  # fmt: skip


def test_every_read_of_a_store_comes_back_the_same_and_of_its_type() -> None:
    recorder = Recorder()
    before = ask_the_store(recorder.port("Store", filled()))
    again = ask_the_store(cast(Store, replayer_of(recorder).port("Store")))
    assert again == before
    assert [type(a) for a in again] == [type(b) for b in before]
    assert before[14] != before[16], "the two states of the progress are the same, and tell nothing"


def test_a_call_that_was_not_recorded_is_an_error_in_words_and_remembered() -> None:
    recorder = Recorder()
    recorder.port("Store", filled()).lexical("rent", 5, EVERYTHING)
    replayer = replayer_of(recorder)
    store = cast(Store, replayer.port("Store"))
    with pytest.raises(ReplayMismatch, match=r"no answer to Store\.lexical\('rent', 6, "):
        store.lexical("rent", 6, EVERYTHING)
    with pytest.raises(ReplayMismatch, match=r"Store\.shelf"):
        store.shelf(EVERYTHING)
    with pytest.raises(ReplayMismatch, match=r"Embedder\.identity"):
        _ = replayer.port("Embedder").identity
    assert replayer.missing is not None and replayer.missing.startswith("Store.lexical('rent', 6")


def test_answers_that_change_come_in_their_order_and_the_last_one_stays() -> None:
    ticks = itertools.chain([1.0, 1.0, 2.0], itertools.repeat(1.0))
    recorder = Recorder()
    clock = recorder.port("Clock", cast(Clock, lambda: next(ticks)))
    before = [clock() for _ in range(5)]
    again = cast(Clock, replayer_of(recorder).port("Clock"))
    assert [again() for _ in range(5)] == before == [1.0, 1.0, 2.0, 1.0, 1.0]
    assert again() == 1.0
    assert [one.times for one in recorder.answers["Clock" + next(iter(recorder.answers))[5:]]] == [2, 1, 2]


def test_models_come_back_bit_by_bit() -> None:
    recorder = Recorder()
    live = HashingEmbedder()
    embedder = recorder.port("Embedder", cast(Embedder, live))
    reranker = recorder.port("Reranker", cast(Reranker, OverlapReranker()))
    before = (
        embedder.query("rent"),
        embedder.passages(["a", "rent"]),
        embedder.identity,
        embedder.dimensions,
    )
    reranker.load()
    scores = list(reranker.scores("rent", ["the rent", "no"]))
    replayer = replayer_of(recorder)
    again = cast(Embedder, replayer.port("Embedder"))
    assert np.array_equal(again.query("rent"), before[0]) and np.array_equal(
        again.passages(["a", "rent"]), before[1]
    )
    assert (again.identity, again.dimensions) == before[2:]
    ranked = cast(Reranker, replayer.port("Reranker"))
    assert ranked.load() is None  # type: ignore[func-returns-value]
    assert list(ranked.scores("rent", ["the rent", "no"])) == scores


class Unwell:
    """An embedder that cannot work."""

    identity, dimensions = "unwell", 3

    def query(self, text: str) -> Any:
        raise ModelError(f"no model for {text} at http://ann:pa55word@models.example")

    passages = query


def test_an_error_comes_again_with_its_kind_and_without_its_secret() -> None:
    recorder = Recorder()
    with pytest.raises(ModelError, match="pa55word"):
        recorder.port("Embedder", cast(Embedder, Unwell())).query("rent")
    replayer = replayer_of(recorder)
    with pytest.raises(ModelError, match=r"^no model for rent at \[address\]$"):
        replayer.port("Embedder").query("rent")
    assert replayer.missing is None


class Talker:
    """A language model that says a word after the other and counts how often it was asked."""

    identity, window = "talker", 100
    asked = 0

    def count(self, text: str) -> int:
        return len(text.split())

    def reply(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any],
        name: str,
        most_tokens: int,
        heard: Callable[[str], None],
        cancelled: Callable[[], bool],
    ) -> Reply:
        self.asked += 1
        for piece in ('{"a"', ": 1}"):
            assert not cancelled()
            heard(piece)
        return Reply(value={"a": 1}, text='{"a": 1}', reply_tokens=4)


def test_a_language_model_is_heard_again_piece_by_piece_and_not_asked() -> None:
    live = Talker()
    recorder = Recorder()

    def talk(model: LanguageModel) -> tuple[list[str], Reply, int]:
        pieces: list[str] = []
        said = [Message("system", "be short"), Message("user", "how much?")]
        reply = model.reply(
            said,
            schema={"type": "object"},
            name="x",
            most_tokens=9,
            heard=pieces.append,
            cancelled=lambda: False,
        )
        return pieces, reply, model.count("a b")

    before = talk(recorder.port("LanguageModel", cast(LanguageModel, live)))
    again = talk(cast(LanguageModel, replayer_of(recorder).port("LanguageModel")))
    assert again == before and before[0] == ['{"a"', ": 1}"]
    assert live.asked == 1


def test_what_is_given_one_by_one_comes_one_by_one_also_up_to_an_error() -> None:
    class Streaming:
        def __call__(self) -> Iterator[float]:
            yield 1.0
            yield 2.0
            raise ModelError("cut")

    recorder = Recorder()
    with pytest.raises(ModelError, match="cut"):
        list(cast(Any, recorder.port("Clock", Streaming()))())
    again = replayer_of(recorder).port("Clock")()
    assert [next(again), next(again)] == [1.0, 2.0]
    with pytest.raises(ModelError, match="cut"):
        next(again)


def test_what_a_port_asks_of_another_is_its_own_business() -> None:
    recorder = Recorder()
    embedder = recorder.port("Embedder", cast(Embedder, HashingEmbedder()))
    store = recorder.port("Store", cast(Store, filled()))
    store.vectors(store.chunks(LEASE.id, EVERYTHING), embedder)
    assert not any(key.startswith("Embedder.passages") for key in recorder.answers)
    assert any(key.startswith("Store.vectors") for key in recorder.answers)


def test_a_writer_that_was_given_is_recorded_and_what_it_reads_is_not() -> None:
    recorder = Recorder()
    writer = recorder.port("Writer", cast(Writer, ScriptedWriter([ANSWER])))
    passages = [Passage(lines=Span(doc="d", start=0, end=1))]
    query = Query(text="q")
    before = writer.write(query, passages, lambda _doc: LEASE)
    assert writer.identity == "scripted-1"
    again = cast(Writer, replayer_of(recorder).port("Writer"))
    assert again.write(query, passages, lambda _doc: LEASE) == before == ANSWER
    assert again.identity == "scripted-1"


def test_the_overviews_are_a_port_too() -> None:
    kept = Overviews(documents=("a",), vectors=np.eye(1, 3, dtype=np.float32))
    recorder = Recorder()
    recorder.port("OverviewReader", cast(OverviewReader, lambda: kept))()
    again = cast(OverviewReader, replayer_of(recorder).port("OverviewReader"))()
    assert again.documents == ("a",) and np.array_equal(again.vectors, kept.vectors)


@pytest.mark.parametrize("door", DOORS)
def test_a_recorded_port_has_every_method_of_its_protocol_and_no_other(door: str) -> None:
    recorder = Recorder()
    port = cast(Any, recorder.port(door, object()))
    names = [n for n, m in vars(DOORS[door]).items() if not n.startswith("_") and not isinstance(m, property)]
    assert all(callable(getattr(port, name)) for name in names)
    with pytest.raises(AttributeError):
        _ = port.no_such_method


def test_a_call_with_other_arguments_than_its_protocol_takes_is_a_mistake_as_it_is_without_a_trace() -> None:
    store = cast(Any, Recorder().port("Store", filled()))
    with pytest.raises(TypeError, match="missing a required argument"):
        store.lexical("rent")


def test_an_error_that_is_none_of_ours_is_not_raised_from_a_file() -> None:
    recorder = Recorder()
    recorder.keep("Clock(x)", "failed", ("SystemExit", "0"))
    replayer = replayer_of(recorder)
    with pytest.raises(DamagedFile, match="no error SystemExit"):
        as_it_failed(("SystemExit", "0"))
    assert isinstance(as_it_failed(("UsageError", "w")), UsageError) and isinstance(
        as_it_failed(("DerefError", "w")), DerefError
    )
    assert replayer.missing is None


def trace_with(recorder: Recorder) -> list[str]:
    out = io.StringIO()
    JsonLinesSink(out, lambda: 0.0).close(
        packed(recorder, asked={"text": "q"}, settings={}, doors=(), home="h", ended=ANSWER)
    )
    return out.getvalue().splitlines()


def test_a_recording_is_read_back_from_its_trace() -> None:
    recording = recording_of(read_trace(trace_with(Recorder()), name="t"), name="t")
    assert (recording.asked, recording.home, recording.ended) == ({"text": "q"}, "h", ANSWER)


@pytest.mark.parametrize(
    ("name", "value"),
    [("data", "!!"), ("data", "eJw="), ("data", None), ("asked", 3), ("settings", 3), ("ended", {"~": "os.x"}), ("data", "eJxLBAAAYgBi")],
)  # fmt: skip
def test_a_damaged_recording_is_told_with_its_file(name: str, value: Any) -> None:
    events = read_trace(trace_with(Recorder()), name="t.jsonl")
    events[-1][name] = value
    with pytest.raises(DamagedFile, match=r"^t\.jsonl: the recording at its end cannot be read"):
        recording_of(events, name="t.jsonl")


def test_a_trace_that_was_broken_off_can_be_explained_and_says_why_it_cannot_be_replayed() -> None:
    events = read_trace(trace_with(Recorder())[:-1], name="t.jsonl")
    with pytest.raises(DamagedFile, match=r"^t\.jsonl: the trace ends before its recording.*explained"):
        recording_of(events, name="t.jsonl")


def test_a_secret_stands_nowhere_in_a_recording_and_the_rest_is_replayed() -> None:
    secret = "hunter2-" + "0123456789"
    recorder = Recorder(Hiding([secret]))
    recorder.port("Store", cast(Store, filled())).titles(secret, 1, EVERYTHING)
    recorder.keep("Clock()", "gave", f"a {secret} b")
    texts = "".join(recorder.pool.texts.values()) + json.dumps(recorder.answers)
    assert secret not in texts and "[secret]" in texts
    replayer = replayer_of(recorder)
    assert replayer.answer(Call("Clock()", ""))[1] == "a [secret] b"


def test_what_two_threads_ask_at_once_is_all_recorded() -> None:
    class Waiting(HashingEmbedder):
        def query(self, text: str) -> Any:
            both.wait(timeout=60)
            return super().query(text)

    both, recorder = threading.Barrier(2), Recorder()
    embedder = cast(Embedder, recorder.port("Embedder", Waiting()))
    asked = [threading.Thread(target=embedder.query, args=(text,)) for text in ("rent", "deposit")]
    for thread in asked:
        thread.start()
    for thread in asked:
        thread.join()
    replayed = cast(Embedder, replayer_of(recorder).port("Embedder"))
    for text in ("rent", "deposit"):
        assert replayed.query(text).tolist() == HashingEmbedder().query(text).tolist()
