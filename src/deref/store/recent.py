"""What was read last, up to a number: what a question comes back to stays, whatever else it reads on the way."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Generic, TypeVar

V = TypeVar("V")


class Recent(Generic[V]):
    """Values by key; the one that was not asked for longest goes when there are too many. Safe to share by threads."""

    def __init__(self, most: int) -> None:
        """Take how many are kept."""
        self._most = most
        self._lock = threading.Lock()
        self._values: OrderedDict[str, V] = OrderedDict()

    def get(self, key: str) -> V | None:
        """Return a value, or None when it is not kept."""
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
            return value

    def keep(self, key: str, value: V) -> V:
        """Keep a value, which is no None, and return it."""
        with self._lock:
            self._values[key] = value
            if len(self._values) > self._most:
                self._values.popitem(last=False)
            return value

    def clear(self) -> None:
        """Let go of all."""
        with self._lock:
            self._values.clear()
