"""What takes no longer than it is worth, on whatever machine: processor time of this thread, and more of it where the machine is slow."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager

_SPENT_THERE = 0.1
"""Seconds that the work by which machines are compared takes on the one that the limits were set on."""


@contextmanager
def no_longer_than(seconds: float) -> Iterator[None]:
    """Hold that the block takes no more than so many seconds of the processor, of a machine that is as fast as that one."""
    begun = time.thread_time()
    yield
    spent = time.thread_time() - begun
    assert spent < seconds or spent < seconds * _slowness(), f"it took {spent:.1f} s of the processor"


def _slowness() -> float:
    """Return how many times as long this machine takes, as it is now: others may use its processors too."""
    begun = time.thread_time()
    text = "word section 3 " * 10_000
    for _ in range(4):
        assert len({found.start() for found in re.finditer(r"\b[a-z]+ (\d)", text)}) == 10_000
        assert sum(len(word) for word in text.split(" ")) == 120_000
    return (time.thread_time() - begun) / _SPENT_THERE
