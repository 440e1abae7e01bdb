"""One frozen, closed settings object, from defaults, a TOML file and the environment, in that order.

The file is `deref.toml` where `DEREF_CONFIG` says, else in the user's configuration directory. In the environment
`DEREF_<GROUP>_<NAME>` sets one field: `DEREF_LOOP_BUDGET=2`. Unknown keys are errors: a setting that is misspelt
must not silently keep its default.

Two fingerprints: `stored_fingerprint` covers what changes stored bytes (a library built with another one is refused
or rebuilt), `asked_fingerprint` the rest (two answers under one are comparable).
"""

from __future__ import annotations

import hashlib
import json
import os
import tomllib
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal

from platformdirs import user_config_path, user_data_path
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from deref.errors import UsageError

SCHEMA = 1
"""The version of what is stored. It grows when parsing, structure or chunking change what they write."""


class _Group(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class IndexSettings(_Group):
    """What is stored. `chunk_tokens`: words in a chunk at the most."""

    chunk_tokens: int = Field(default=220, ge=40, le=2000)


class ReadSettings(_Group):
    """How files are read. `jobs`: processes for a large batch; `max_file_mb`: a larger file is refused;
    `max_unpacked_mb`: what an archive (DOCX) may unpack to. None of it changes what is stored.
    """

    jobs: int = Field(default=2, ge=1, le=64)
    max_file_mb: int = Field(default=512, ge=1, le=10_000)
    max_unpacked_mb: int = Field(default=512, ge=1, le=10_000)


class ModelSettings(_Group):
    """Which models serve. `embedder`: the bundled one, none (BM25 alone), or hashing (tests).

    `background`: after a command, a process at low priority computes the vectors that are missing.
    """

    embedder: Literal["bundled", "none", "hashing"] = "bundled"
    threads: int = Field(default=2, ge=1, le=64)
    background: bool = True


class RetrieveSettings(_Group):
    """The recipe. `pool`: candidates of each leg; `lazy`: BM25 hits embedded on demand; `k`: passages kept.

    `hop`: a search also brings in what its best passages point at, `max_hops` places at the most.
    """

    pool: int = Field(default=60, ge=5, le=1000)
    lazy: int = Field(default=24, ge=1, le=200)
    k: int = Field(default=8, ge=1, le=100)
    hop: bool = True
    max_hops: int = Field(default=2, ge=0, le=10)


class LoopSettings(_Group):
    """The loop. `budget`: passes after the first; `passages`: passages given to the writer at first."""

    budget: int = Field(default=1, ge=0, le=3)
    passages: int = Field(default=4, ge=1, le=50)


class Settings(_Group):
    """All settings. Each is documented in its group."""

    index: IndexSettings = IndexSettings()
    read: ReadSettings = ReadSettings()
    models: ModelSettings = ModelSettings()
    retrieve: RetrieveSettings = RetrieveSettings()
    loop: LoopSettings = LoopSettings()

    @property
    def stored_fingerprint(self) -> str:
        """Hash of what changes stored bytes: the schema and the index group. Twelve hex digits."""
        return _digest({"schema": SCHEMA, "index": self.index.model_dump()})

    @property
    def asked_fingerprint(self) -> str:
        """Hash of everything else. Twelve hex digits."""
        return _digest(self.model_dump(exclude={"index"}))


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:12]


def load_settings(
    toml: str = "", *, environment: Mapping[str, str] | None = None, where: str = "deref.toml"
) -> Settings:
    """Return the settings from TOML text and an environment. `where` names the file in messages.

    Raises UsageError that names the key and what it takes.
    """
    try:
        values: dict[str, Any] = tomllib.loads(toml)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{where}: {error}; write it as TOML, e.g. [loop] budget = 1") from error
    named: dict[str, str] = {}
    for variable, group, name, value in _from_environment(environment or {}):
        here = values.setdefault(group, {})
        if isinstance(here, dict):
            here[name] = value
            named[f"{group}.{name}"] = variable
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise UsageError(
            f"{named.get(key, f'{where}: {key}')}: {first['msg']} (got {first.get('input')!r}); see docs/settings.md"
        ) from error


def _from_environment(environment: Mapping[str, str]) -> Iterator[tuple[str, str, str, str]]:
    """Yield (variable, group, name, value) of each variable that sets a field.

    Raises UsageError for a group that is misspelt; variables that resemble no group are someone else's.
    """
    groups = list(Settings.model_fields)
    for variable, value in environment.items():
        if not variable.startswith("DEREF_"):
            continue
        group, _, name = variable.removeprefix("DEREF_").lower().partition("_")
        if name and group in groups:
            yield variable, group, name, value
        elif name and (close := get_close_matches(group, groups, n=1)):
            raise UsageError(
                f"{variable}: there is no group {group!r}; did you mean DEREF_{close[0].upper()}_{name.upper()}?"
            )


def data_folder() -> Path:
    """Return the folder of the user in which libraries are kept."""
    return user_data_path("deref", appauthor=False)


def library_folder(root: Path, library: Path | None = None) -> Path:
    """Return where the library of a folder or file is: `library`, else DEREF_LIBRARY, else in the user's data folder."""
    if library is not None:
        return library
    named = os.environ.get("DEREF_LIBRARY")
    if named:
        return Path(named)
    real = root.resolve()
    digest = hashlib.sha256(os.fsencode(real)).hexdigest()[:12]
    plain = (
        "".join(c if c.isascii() and (c.isalnum() or c in "-_") else "-" for c in real.name)[:40] or "root"
    )
    return data_folder() / "libraries" / f"{plain}-{digest}"


def user_settings() -> Settings:
    """Return the settings of the user: defaults, the configuration file, the environment.

    Raises UsageError that names the key that is wrong.
    """
    named = os.environ.get("DEREF_CONFIG")
    path = Path(named) if named else user_config_path("deref", appauthor=False) / "deref.toml"
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        if named:
            raise UsageError(f"{path}: DEREF_CONFIG names a file that is not there") from None
        text = ""
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"{path}: the settings cannot be read ({error}); write them as UTF-8 TOML"
        ) from error
    return load_settings(text, environment=dict(os.environ), where=str(path))
