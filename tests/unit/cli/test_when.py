"""Times as people give them."""

from __future__ import annotations

import time
from datetime import datetime

import pytest

from deref.cli.when import read_when
from deref.errors import UsageError
from deref.ports import History

HISTORY = History(begins_ns=5, changed_ns=1000)


@pytest.mark.parametrize(
    ("said", "seconds"),
    [("90s", 90), ("45m", 2700), ("2h", 7200), ("3d", 259_200), ("1W", 604_800), (" 2 h ", 7200)],
)
def test_how_long_ago(said: str, seconds: int) -> None:
    before = time.time_ns()
    at_ns = read_when(said, HISTORY)
    assert before <= at_ns + seconds * 10**9 <= time.time_ns()


def test_last_is_just_before_the_last_run_that_changed_something() -> None:
    assert read_when("last", HISTORY) == read_when("LAST", HISTORY) == 999


def test_a_date_is_its_first_moment_here_and_a_time_without_offset_is_local() -> None:
    day = int(datetime(2024, 2, 3).astimezone().timestamp()) * 10**9
    assert read_when("2024-02-03", HISTORY) == day
    assert read_when("2024-02-03T10:30", HISTORY) == day + 37_800 * 10**9
    assert read_when("2024-02-03T10:30:00+02:00", HISTORY) == 1_706_949_000 * 10**9


@pytest.mark.parametrize("said", ["", "yesterday", "2h3m", "-2h", "2024-13-01", "2y", "9999999999d", "2024"])
def test_anything_else_is_refused_with_what_may_be_given(said: str) -> None:
    with pytest.raises(UsageError, match=r"--changed-since .*: give a date .*, how long ago .*, or last"):
        read_when(said, HISTORY)


def test_a_time_to_come_is_refused() -> None:
    with pytest.raises(UsageError, match="still to come"):
        read_when("2999-01-01", HISTORY)
