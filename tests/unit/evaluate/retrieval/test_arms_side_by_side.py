"""Arms over a small shelf: what each stage finds, equal budget, flips, the funnel of the hop, and what is kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from deref.engine import Engine, open_engine
from deref.errors import ModelError, UsageError
from deref.evaluate.gold import read_gold
from deref.evaluate.results import read_result
from deref.evaluate.retrieval.arms import arm, read_arm
from deref.evaluate.retrieval.comparison import compare_arms
from deref.evaluate.retrieval.hops import COLUMNS, hopped
from deref.evaluate.retrieval.needs import Passages
from deref.evaluate.retrieval.outcome import Asker, Wanted, kept_order
from deref.evaluate.retrieval.result import as_json, written
from deref.evaluate.retrieval.run import CONVERSATION, Run
from deref.models.hashing import HashingEmbedder
from deref.ports import Vectors
from deref.trace.events import StageRan
from deref.values import (
    Arrival,
    Candidate,
    Chunk,
    Point,
    Reference,
    ReferenceKind,
    Resolution,
    Span,
    Status,
    Target,
    Tier,
)
from unit.evaluate.retrieval import toll_road as road


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return road.ran(tmp_path_factory.mktemp("road"), road.overlaid("nohop", "retrieve", hop=False))


def of(run: Run, arm: str, key: str):
    return next(o for o in run.outcomes[arm] if o.wanted.key == key)


def result(run: Run):
    nohop = compare_arms("nohop", run.outcomes["nohop"], "base", run.outcomes["base"])
    return as_json(run, [nohop], [], k=None, half=None, lazy=False)


def test_what_stands_only_where_the_clause_points_is_found_by_following_it(done: Run):
    assert of(done, "base", "cart").final.ranked.rank == 2
    assert of(done, "nohop", "cart").final.ranked.rank is None
    assert of(done, "base", "horse").final.ranked.rank == of(done, "nohop", "horse").final.ranked.rank == 1


def test_an_arm_that_appends_is_set_beside_as_many_passages_and_as_many_tokens(done: Run):
    assert list(done.outcomes) == ["base", "base = slots", "base = tokens", "nohop"]
    for key in ("cart", "horse", "bed"):
        arm, slots, tokens = (of(done, name, key) for name in ("base", "base = slots", "base = tokens"))
        assert slots.final.size == arm.final.size
        assert tokens.final.tokens >= arm.final.tokens or tokens.final.size == 2 * arm.final.size
        assert tokens.final.tokens - (tokens.costs[-1] if tokens.costs else 0) < arm.final.tokens
        assert slots.appended == tokens.appended == 0
    assert of(done, "base = slots", "cart").final.ranked.rank is None


def test_an_arm_that_appends_nothing_needs_no_control(done: Run):
    assert "nohop = slots" not in done.outcomes


def test_flips_are_told_in_both_directions_with_their_chance(done: Run):
    found = compare_arms("nohop", done.outcomes["nohop"], "base", done.outcomes["base"])
    back = compare_arms("base", done.outcomes["base"], "nohop", done.outcomes["nohop"])
    assert (found.flips["@5"].gained, found.flips["@5"].lost) == ((), ("cart",))
    assert (back.flips["@5"].gained, back.flips["@5"].lost) == (("cart",), ())
    assert (found.flips["context"].lost, found.flips["context"].p) == (("cart",), 1.0)
    assert found.differences["recall@5"].mean == pytest.approx(-1 / 3)
    assert found.differences["recall@5"].rows == 3
    assert found.differences["recall@5"].low <= -1 / 3 <= found.differences["recall@5"].high


def test_the_funnel_of_the_hop_goes_from_a_pointer_to_the_text(done: Run):
    hop = result(done)["arms"]["base"]["hop"]
    assert hop == {"edge": 1, "gold": 1, "fired": 1, "landed": 1, "hit": 1, "appended": 1}
    assert result(done)["arms"]["nohop"]["hop"] == {**hop, "fired": 0, "landed": 0, "hit": 0, "appended": 0}


def test_each_stage_is_measured_and_the_list_grows_only_at_the_hop(done: Run):
    stages = result(done)["arms"]["base"]["stages"]
    assert next(iter(stages)) == "legs"
    assert result(done)["arms"]["nohop"]["stages"]["cut"]["passages"] == 1
    assert stages["cut"]["passages"] == pytest.approx(4 / 3, abs=1e-3)
    assert stages["cut"]["recall@5"] > result(done)["arms"]["nohop"]["stages"]["cut"]["recall@5"]
    assert stages["hop"]["ms"] <= stages["cut"]["ms"] <= result(done)["arms"]["base"]["final"]["ms"]


def test_rows_whose_answer_is_off_the_shelf_are_counted_and_not_measured(done: Run):
    assert done.refusals == 1
    assert [o.wanted.key for o in done.outcomes["base"]] == ["cart", "horse", "bed"]


def test_parts_are_told_by_dimension_and_flag(done: Run):
    slices = result(done)["arms"]["base"]["slices"]
    assert {label: part["rows"] for label, part in slices.items()} == {
        "kind=plain": 2, "kind=pointer": 1, "requires_crossref=false": 2, "requires_crossref=true": 1,
    }  # fmt: skip
    assert slices["kind=pointer"]["recall@5"] == 1.0
    assert slices["kind=pointer"]["nDCG@10"] == pytest.approx(0.6309, abs=1e-4)


def test_where_nothing_may_reorder_the_final_list_is_the_head_of_the_first_stage(done: Run):
    arms = result(done)["arms"]
    assert arms["nohop"]["final equals first stage"] == {"asked": 3, "held": 3}
    # The hop brought something in for one row: of that row nothing is claimed.
    assert arms["base"]["final equals first stage"] == {"asked": 2, "held": 2}


def test_wrong_documents_are_told_where_gold_names_the_right_one(done: Run):
    base = result(done)["arms"]["base"]["final"]
    assert base["mismatch@1"] == 0.0
    (bed,) = [o for o in done.outcomes["base"] if o.wanted.key == "bed"]
    assert bed.final.ranked.of_source is None


def test_a_result_is_small_and_holds_no_text(done: Run, tmp_path: Path):
    path = tmp_path / "now.json"
    path.write_text(written(result(done)), "utf-8")
    assert read_result(path) == json.loads(json.dumps(result(done)))
    said = path.read_text("utf-8").casefold()
    for word in ("northern", "shilling", "pence", "window", "gate?"):
        assert word not in said


def test_two_runs_say_the_same_but_for_times(tmp_path: Path, done: Run):
    again = road.ran(tmp_path, road.overlaid("nohop", "retrieve", hop=False))
    assert timeless(result(again)) == timeless(result(done))


def timeless(value: object) -> object:
    if isinstance(value, dict):
        return {key: timeless(v) for key, v in value.items() if key != "ms"}
    return [timeless(v) for v in value] if isinstance(value, list) else value


def test_lazy_arms_do_not_live_on_the_vectors_of_each_other(tmp_path: Path):
    one = road.ran(tmp_path / "a", road.overlaid("nohop", "retrieve", hop=False), lazy=True)
    twin = road.ran(tmp_path / "b", lazy=True)
    assert {f.vectors["base"] for f in one.corpora} == {(0, one.corpora[0].passages)}
    assert one.corpora[0].vectors["nohop"] == one.corpora[0].vectors["base"]
    same = [(o.final.ranked, o.costs) for o in one.outcomes["base"]]
    assert same == [(o.final.ranked, o.costs) for o in twin.outcomes["base"]]


def test_an_arm_that_changes_what_is_stored_has_a_library_of_its_own(tmp_path: Path):
    done = road.ran(tmp_path, road.overlaid("large", "index", chunk_tokens=400))
    assert of(done, "large", "cart").final.ranked.possible == 1
    vectors = done.corpora[0].vectors
    assert vectors["base"] == (9, 9)
    assert vectors["large"][1] < 9


def test_more_passages_may_be_asked_for_than_the_settings_say(tmp_path: Path):
    done = road.ran(tmp_path, k=3)
    assert {o.final.size - o.appended for o in done.outcomes["base"]} == {3}


def test_rows_that_are_not_fit_are_left_out_and_kept_by_force(tmp_path: Path):
    rows = (road.row("gone", "Where is the well?", "a deep well"), *road.ROWS)
    left = road.ran(tmp_path / "a", rows=rows)
    assert [(one.row.id, one.row.line) for one in left.left_out] == [("gone", 1)]
    assert left.unreachable == []
    kept = road.ran(tmp_path / "b", rows=rows, force=True)
    assert kept.unreachable == ["gone"]
    assert of(kept, "base", "gone").final.ranked.rank is None
    assert result_of_base(kept)["recall@20"] == pytest.approx(3 / 4)


def result_of_base(run: Run):
    return as_json(run, [], [], k=None, half=None, lazy=False)["arms"]["base"]["final"]


def test_a_question_that_goes_on_from_others_is_left_out_for_a_search_knows_none(tmp_path: Path):
    talk = {
        "id": "talk",
        "corpus": "road",
        "turns": ["What does a bed cost?", "And by the window?"],
        "expected": ["a crown"],
    }
    told = road.ran(tmp_path, rows=(road.ROWS[1], talk), force=True)
    assert [(one.row.id, one.reason) for one in told.left_out] == [("talk", CONVERSATION)]
    assert [o.wanted.key for o in told.outcomes["base"]] == ["horse"]


def test_a_run_without_a_row_to_measure_with_is_refused(tmp_path: Path):
    with pytest.raises(UsageError, match="no gold row is left"):
        road.ran(tmp_path, rows=(road.row("gone", "Where is the well?", "a deep well"),))


def test_an_arm_that_cannot_work_is_told_before_any_question_is_asked(tmp_path: Path):
    unfit = arm("unfit", {"retrieve": {"overviews": "boost"}, "models": {"embedder": "none"}}, road.base().settings)  # fmt: skip
    steps: list[str] = []
    with pytest.raises(UsageError, match="needs an embedder"):
        road.ran(tmp_path, unfit, step=lambda words, *_: steps.append(words))
    assert steps and not [words for words in steps if words.startswith("Asking")]


def test_two_rows_of_one_id_are_told_apart(tmp_path: Path):
    done = road.ran(tmp_path, rows=(road.ROWS[1], {**road.ROWS[2], "id": "horse"}))
    assert [o.wanted.key for o in done.outcomes["base"]] == ["gold:1:horse", "gold:2:horse"]


@pytest.mark.parametrize(
    ("said", "text", "complaint"),
    [
        ("nohop", None, "write NAME=FILE"),
        ("=x.toml", None, "write NAME=FILE"),
        ("base={}", "", "choose another name"),
        ("a={}", None, "cannot be read"),
        ("a={}", "[retrieve]\nhopp = 1\n", r"retrieve\.hopp: there is no such setting"),
        ("a={}", "[retrieve]\nk = 0\n", "it takes a whole number from 1"),
        ("a={}", "retrieve", "write it as TOML"),
    ],
)
def test_an_arm_that_cannot_be_read_is_refused_by_name(
    tmp_path: Path, said: str, text: str | None, complaint: str
):
    path = tmp_path / "arm.toml"
    if text is not None:
        path.write_text(text, "utf-8")
    with pytest.raises(UsageError, match=complaint):
        read_arm(said.format(path), road.base().settings)


def test_an_arm_keeps_what_it_does_not_name(tmp_path: Path):
    path = tmp_path / "arm.toml"
    path.write_text("[retrieve]\nhop = false\n", "utf-8")
    one = read_arm(f"nohop={path}", road.base().settings)
    assert (one.name, one.settings.retrieve.hop, one.settings.retrieve.k) == ("nohop", False, 1)
    assert one.overlay == {"retrieve": {"hop": False}}


def test_a_question_for_which_nothing_was_found_counts_as_zero_and_is_told(tmp_path: Path):
    rows = (road.ROWS[1], road.row("odd", "Zyzzyva?", "two pence and a half"))
    done = road.ran(tmp_path, road.overlaid("bm25", "models", embedder="none"), rows=rows)
    told = as_json(done, [], [], k=None, half=None, lazy=False)["arms"]["bm25"]
    assert told["without a passage"] == 1
    assert told["final"]["recall@20"] == 0.5
    assert told["final"]["mismatch@1"] == 0.0


class Unwell(HashingEmbedder):
    """An embedder that embeds no question."""

    def query(self, text: str) -> Vectors:
        raise ModelError("the model is unwell; install it again")


def test_a_leg_that_failed_is_told_and_the_other_is_measured(tmp_path: Path):
    settings = road.base().settings
    with open_engine(tmp_path / "library", settings=settings) as well:
        well.index(road.shelf(tmp_path / "data"))
        unwell = Engine(store=well.store, settings=settings, embedder=Unwell)
        passages = Passages(well, {})
        (row,) = read_gold(
            road.gold(tmp_path / "gold", road.row("horse", "What does a horse cost?", "one shilling"))
        )
        needs = passages.needs_of(row)
        wanted = Wanted(
            row=row, key="horse", needs=needs, holding=tuple(map(passages.holding, needs)), documents=frozenset()
        )  # fmt: skip
        outcome = Asker(unwell, passages)(wanted, k=3)
    assert outcome.final.ranked.rank is not None
    (problem,) = outcome.degraded
    assert "the dense leg failed and was left out: the model is unwell" in problem


def ran(stage: str, *after: str, note: str = "") -> StageRan:
    return StageRan(stage=stage, before=(), after=after, seconds=0.0, note=note)


@pytest.mark.parametrize(
    ("final", "stages", "kept"),
    [
        ("ab", [ran("legs", *"abc"), ran("cut", *"ab"), ran("expand", *"ab")], True),
        ("ba", [ran("legs", *"abc"), ran("cut", *"ba")], False),
        ("ac", [ran("legs", *"abc"), ran("cut", *"ac")], False),
        ("ab", [ran("legs", *"abc"), ran("promote", *"abc", note="did not apply"), ran("cut", *"ab")], True),
        ("ba", [ran("legs", *"abc"), ran("promote", *"bac", note="order changed"), ran("cut", *"ba")], None),
        ("", [], None),
    ],
)
def test_the_final_list_is_held_to_the_first_stage_where_nothing_may_reorder(
    final: str, stages: list[StageRan], kept: bool | None
):
    assert kept_order(list(final), stages) is kept


def span(start: int, end: int) -> Span:
    return Span(doc="d", start=start, end=end)


def passage(start: int, end: int) -> Chunk:
    return Chunk(id=f"{start}", lines=span(start, end), section=None, text="", tokens=0)


def found(chunk: Chunk, *, by: Span | None = None) -> Candidate:
    if by is None:
        return Candidate(chunk=chunk, arrivals=(Arrival(by="lexical", rank=0),))
    at = Point(doc="d", line=0, char_start=0, char_end=1)
    reference = Reference(text="Section 2", kind=ReferenceKind.SECTION, labels=("2",), at=at)
    target = Target(kind="section", label="2", title="", lines=by)
    resolution = Resolution(
        reference=reference, status=Status.RESOLVED, targets=(target,), tier=Tier.LABEL, why=""
    )
    return Candidate(chunk=chunk, arrivals=(Arrival(by="hop", rank=0, reference=resolution),))


@pytest.mark.parametrize(
    ("edges", "came", "funnel"),
    [
        ((), None, (False, False, False, False, False)),
        ((span(10, 12),), None, (True, False, False, False, False)),
        ((span(4, 8),), None, (True, True, False, False, False)),
        ((span(4, 8),), (passage(10, 12), span(10, 12)), (True, True, True, False, False)),
        ((span(4, 8),), (passage(4, 6), span(4, 8)), (True, True, True, True, False)),
        ((span(4, 8),), (passage(6, 8), span(4, 8)), (True, True, True, True, True)),
    ],
)
def test_the_funnel_narrows_from_an_edge_to_the_very_passage(
    edges: tuple[Span, ...], came: tuple[Chunk, Span] | None, funnel: tuple[bool, ...]
):
    listed = [found(passage(0, 2)), *([] if came is None else [found(came[0], by=came[1])])]
    told = hopped(listed, lambda _chunk: edges, {"6": span(6, 8)})
    assert tuple(getattr(told, column) for column in COLUMNS) == funnel
