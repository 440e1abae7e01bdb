"""What was read last, whoever asks."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable

from deref.store.recent import Recent


def test_the_one_that_was_not_asked_for_longest_goes() -> None:
    kept: Recent[int] = Recent(2)
    kept.keep("a", 1)
    kept.keep("b", 2)
    assert kept.get("a") == 1
    kept.keep("c", 3)
    assert (kept.get("a"), kept.get("b"), kept.get("c")) == (1, None, 3)
    kept.clear()
    assert kept.get("a") is None


def test_threads_may_read_keep_and_let_go_at_once() -> None:
    kept: Recent[int] = Recent(4)
    failed: list[Exception] = []
    end = time.monotonic() + 1.0

    def again_and_again(action: Callable[[str], object]) -> None:
        try:
            while time.monotonic() < end and not failed:
                for key in "abcdefgh":
                    action(key)
        except KeyError as error:
            failed.append(error)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        actions = [kept.get, kept.get, lambda key: kept.keep(key, 1), lambda key: kept.keep(key, 1)]
        threads = [threading.Thread(target=again_and_again, args=(action,)) for action in actions]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    assert failed == []
