"""Reading the files of a labelled set: JSON lines, plain or gzipped. What is wrong is told with file and line."""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from deref.errors import DamagedFile, NoSuchSource


class Row(dict[str, Any]):
    """One JSON object of a file, which remembers where it stands. `number` is its line, 1-based."""

    def __init__(self, value: Mapping[str, Any], path: Path, number: int) -> None:
        """Take the object and its place."""
        super().__init__(value)
        self.path = path
        self.number = number

    def word(self, key: str) -> str:
        """Return a string; "" where it is missing or null. Raises DamagedFile when it is something else."""
        return self._of(key, str) or ""

    def count(self, key: str) -> int | None:
        """Return a whole number or None. Raises DamagedFile when it is something else."""
        value: int | None = self._of(key, int)
        return value

    def measure(self, key: str) -> float | None:
        """Return a number or None. Raises DamagedFile when it is something else."""
        value: float | None = self._of(key, (int, float))
        return value

    def needed(self, key: str) -> str:
        """Return a string that must be there. Raises DamagedFile."""
        value = self.word(key)
        if not value:
            raise DamagedFile(f"{self.path}, line {self.number}: the row has no {key!r}; add it")
        return value

    def _of(self, key: str, kind: type | tuple[type, ...]) -> Any:
        value = self.get(key)
        if value is None or (isinstance(value, kind) and not isinstance(value, bool)):
            return value
        names = kind.__name__ if isinstance(kind, type) else "number"
        raise DamagedFile(f"{self.path}, line {self.number}: {key!r} is {value!r}; it must be a {names}")


def table(folder: Path, name: str) -> Path | None:
    """Return the file of this name in a folder, plain or gzipped, or None."""
    for path in (folder / name, folder / f"{name}.gz"):
        if path.is_file():
            return path
    return None


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a file, unpacked when it is gzipped. Raises NoSuchSource, DamagedFile."""
    try:
        data = path.read_bytes()
        return gzip.decompress(data) if path.suffix == ".gz" else data
    except (gzip.BadGzipFile, zlib.error) as error:
        raise DamagedFile(f"{path}: not a gzipped file ({error}); pack it again") from error
    except (OSError, EOFError) as error:
        raise NoSuchSource(f"{path}: cannot be read ({error}); check the set") from error


def read_rows(path: Path) -> list[Row]:
    """Return the objects of a file of JSON lines. Raises DamagedFile that names the line."""
    try:
        lines = read_bytes(path).decode("utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise DamagedFile(f"{path}: not UTF-8 ({error}); save it so") from error
    rows = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except ValueError as error:
            raise DamagedFile(f"{path}, line {number}: not JSON ({error}); correct the line") from error
        if not isinstance(value, dict):
            raise DamagedFile(f"{path}, line {number}: not a JSON object; correct the line")
        rows.append(Row(value, path, number))
    return rows


def read_json(path: Path) -> Any:
    """Return the value of a JSON file. Raises DamagedFile."""
    try:
        return json.loads(read_bytes(path).decode("utf-8"))
    except ValueError as error:
        raise DamagedFile(f"{path}: not JSON ({error}); correct the file") from error


def digest(*paths: Path) -> str:
    """Return 16 hex digits that change when the content of one of the files does."""
    hashed = hashlib.sha256()
    for path in paths:
        hashed.update(read_bytes(path))
    return hashed.hexdigest()[:16]
