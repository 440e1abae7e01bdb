"""One frozen, closed settings object, from defaults, a TOML file and the environment, in that order.

The file is `deref.toml` where `DEREF_CONFIG` says, else in the user's configuration directory. In the environment
`DEREF_<GROUP>_<NAME>` sets one field: `DEREF_LOOP_BUDGET=2`. Unknown keys are errors: a setting that is misspelt
must not silently keep its default.

Two fingerprints: `stored_fingerprint` covers what changes stored bytes (a library built with another one is refused
or rebuilt), `asked_fingerprint` the rest (two answers under one are comparable).

The groups are plain dataclasses, each field checked by what its default and its bounds say: every command loads this
module, and a library for validation takes longer to load than these checks are worth.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import Field, asdict, field, fields
from pathlib import Path
from typing import Any, ClassVar, Literal

from platformdirs import user_config_path, user_data_path

from deref.errors import UsageError
from deref.quick_dataclass import dataclass
from deref.text.databases import DATABASE, TAKES

SCHEMA = 5
"""The version of what is stored. It grows when parsing, structure or chunking change what they write."""

_ON, _OFF = frozenset(["1", "true", "yes", "on"]), frozenset(["0", "false", "no", "off"])

_ADDRESS = r"https?://[^\s/@?#]+(/[^\s@?#]*)?"
_AN_ADDRESS = "an address without a key or a query, as in http://localhost:8000/v1"
_VARIABLE = r"[A-Za-z_][A-Za-z0-9_]*"
_MODEL = r"[a-z][a-z0-9-]*/[^\s,]+"
_RECIPE = r"[a-z][a-z0-9-]*(=[^,]*[^,\s])?"


def _whole(default: int, *, low: int, high: int) -> Any:
    return field(default=default, metadata={"low": low, "high": high})


def _one_of(default: str, *others: str) -> Any:
    return field(default=default, metadata={"choices": (default, *others)})


def _text(pattern: str, takes: str, default: str = "") -> Any:
    """A line of text, "" for none. What was given is not repeated in messages: it may be a key in the wrong place."""
    return field(default=default, metadata={"pattern": pattern, "takes": takes})


class _Wrong(ValueError):
    """A setting that is not one, or cannot have its value: its key, and what is wrong."""

    def __init__(self, key: str, what: str) -> None:
        super().__init__(f"{key}: {what}")
        self.key, self.what = key, what


def _checked(setting: Field[Any], value: Any) -> Any:
    """Return the value of a setting, read from text where it is one. Raises ValueError that says what it takes."""
    text = value.strip().lower() if isinstance(value, str) else None
    if isinstance(setting.default, bool):
        if value is True or value is False:
            return value
        if text in _ON or text in _OFF:
            return text in _ON
        raise ValueError("it takes true or false")
    if isinstance(setting.default, int):
        low, high = setting.metadata["low"], setting.metadata["high"]
        number = int(text) if text is not None and re.fullmatch(r"[+-]?\d+", text) else value
        if not isinstance(number, int) or isinstance(number, bool) or not low <= number <= high:
            raise ValueError(f"it takes a whole number from {low} to {high}")
        return number
    if "pattern" in setting.metadata:
        if not isinstance(value, str) or (value and not re.fullmatch(setting.metadata["pattern"], value)):
            raise ValueError(f"it takes {setting.metadata['takes']}")
        return value
    if value not in setting.metadata["choices"]:
        raise ValueError(f"it takes one of: {', '.join(setting.metadata['choices'])}")
    return value


class _Group:
    """Checks the fields of the dataclass that is made of it."""

    __slots__ = ()
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def __post_init__(self) -> None:
        """Check every field. Raises ValueError that names it."""
        for setting in fields(self):
            value = getattr(self, setting.name)
            try:
                object.__setattr__(self, setting.name, _checked(setting, value))
            except ValueError as error:
                got = "" if "pattern" in setting.metadata else f" (got {value!r})"
                raise _Wrong(setting.name, f"{error}{got}") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexSettings(_Group):
    """What is stored. `chunk_tokens`: words in a chunk at the most. `collections`: one for all documents, or folders: each folder right
    below the path is a collection of its own. `enrich`: what is searched of a passage, and embedded, begins
    with a preamble, which is never shown: where is title and section path, model adds a sentence of the language model, one call a passage.
    """

    chunk_tokens: int = _whole(220, low=40, high=2000)
    collections: Literal["one", "folders"] = _one_of("one", "folders")
    enrich: Literal["off", "where", "model"] = _one_of("off", "where", "model")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadSettings(_Group):
    """How files are read. `jobs`: processes for a large batch; `max_file_mb`: a larger file is refused;
    `max_unpacked_mb`: what an archive (DOCX) may unpack to. None of it changes what is stored.
    """

    jobs: int = _whole(2, low=1, high=64)
    max_file_mb: int = _whole(512, low=1, high=10_000)
    max_unpacked_mb: int = _whole(512, low=1, high=10_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class HistorySettings(_Group):
    """What is kept of documents that left the shelf or were renamed, for `deref refs --changed-since`.

    `days`: for how long, from the run in which they left; `max_mb`: how much of them, the newest first. 0 keeps nothing.
    What is over is dropped by the next run that changes something.
    """

    days: int = _whole(30, low=0, high=3650)
    max_mb: int = _whole(200, low=0, high=100_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class LibrarySettings(_Group):
    """Where a library is kept. `catalogue`: the PostgreSQL database in which a new one has its catalogue, a file in its folder when empty."""

    catalogue: str = _text(DATABASE, TAKES)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings(_Group):
    """Which models serve. `embedder`: the bundled one, none (BM25 alone), onnx (a model in a folder), server (one that a server has),
    or hashing (tests). `threads`: threads of one call of a local model. `background`: after a command, a process at low priority computes the vectors that are missing.

    `embedder_folder`: the folder of the ONNX model. `embedder_model`: the name that the server knows it by; `embedder_url`: the address of the server; `embedder_key_env`: the variable in the environment that holds its key; `embedder_key_file`: the file that does. `query_prefix`: what is put before a question that is embedded, what the folder says when empty.

    `reranker_model`: the name of the reranker that a server has; `reranker_url`: the address of that server; `reranker_key_env`: the variable in the environment that holds its key; `reranker_key_file`: the file that does.

    `writer`: extractive (it quotes, by rules) or model (the language model writes, and what it writes is held to the evidence). `language_model`: provider and name of the language model. `base_url`: where it is served, when that is not where the provider is. `key_env`: the variable in the environment that holds its key, which is never a setting itself; `key_file`: the file that does. `timeout_s`: seconds that one request may take. `retries`: how often a request that failed is tried again; `repairs`: how often a reply that is not of the shape is asked for again. `window`: tokens that fit, prompt and reply together.
    """

    embedder: Literal["bundled", "none", "hashing", "onnx", "server"] = _one_of(
        "bundled", "none", "hashing", "onnx", "server"
    )
    threads: int = _whole(2, low=1, high=64)
    background: bool = True
    embedder_folder: str = _text(r"\S(.*\S)?", "the path of a folder")
    embedder_model: str = _text(r"\S+", "the name of a model")
    embedder_url: str = _text(_ADDRESS, _AN_ADDRESS)
    embedder_key_env: str = _text(_VARIABLE, "the name of an environment variable")
    embedder_key_file: str = _text(r"\S(.*\S)?", "the path of a file")
    query_prefix: str = _text(r".*", "a line of text")
    reranker_model: str = _text(r"\S+", "the name of a model")
    reranker_url: str = _text(_ADDRESS, _AN_ADDRESS)
    reranker_key_env: str = _text(_VARIABLE, "the name of an environment variable")
    reranker_key_file: str = _text(r"\S(.*\S)?", "the path of a file")
    writer: Literal["extractive", "model"] = _one_of("extractive", "model")
    language_model: str = _text(r"[a-z][a-z0-9-]*/\S+", "a provider and a name, as in ollama/qwen3:4b")
    base_url: str = _text(_ADDRESS, _AN_ADDRESS)
    key_env: str = _text(_VARIABLE, "the name of an environment variable")
    key_file: str = _text(r"\S(.*\S)?", "the path of a file")
    timeout_s: int = _whole(180, low=1, high=3600)
    retries: int = _whole(2, low=0, high=10)
    repairs: int = _whole(2, low=0, high=5)
    window: int = _whole(4096, low=1024, high=2_000_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrieveSettings(_Group):
    """The recipe. `pool`: candidates of each leg; `lazy`: BM25 hits embedded on demand; `k`: passages kept.

    `titles`: a question that names a document is answered from it first. `places`: a question that names a section or item ("Article 17(1)") is answered from that place first. `hop`: a search also brings in what its best passages point at, and what points at them: `max_hops` places at the most, `per_hop` passages of each. `hop_mode`: `replace` sets them right behind the passage that they belong to, and the weakest at the end make room; `append` sets them behind all others. `pack`: the words that the passages would grow by go to more of what they point at. `status`: documents that answer without being asked for, `active` ones or `all`.

    `overviews`: documents that a question is about, by one short text of each: `boost` puts their passages forward, `restrict` searches no others. `overview_text`: what the text is made of, structure (title, headings, first definitions) or what the language model says, one call a document. `overview_documents`: how many, at the most. `overview_margin`: by how many hundredths of a cosine they must lie above the next one to be put forward.

    `rerank`: a model reads question and passage together: bundled, server (one that a server has), or overlap (tests). `rerank_per_leg`: first candidates of each leg that it reads; `rerank_min_score`: passages below this many hundredths go; `rerank_min_keep`: but this many stay; `rerank_top_k`: passages that stay at the most, 0 for all.

    `retry`: a question whose evidence is too thin is asked once more in other words. `reformulate`: whose words, the rarest words of the question, or a question of the language model. `per_document`: passages of one document among the first, 0 for any number.
    """

    pool: int = _whole(60, low=5, high=1000)
    lazy: int = _whole(24, low=1, high=200)
    k: int = _whole(8, low=1, high=100)
    titles: bool = True
    places: bool = True
    hop: bool = True
    hop_mode: Literal["replace", "append"] = _one_of("replace", "append")
    max_hops: int = _whole(3, low=0, high=10)
    per_hop: int = _whole(1, low=1, high=10)
    pack: bool = True
    status: Literal["active", "all"] = _one_of("active", "all")
    overviews: Literal["off", "boost", "restrict"] = _one_of("off", "boost", "restrict")
    overview_text: Literal["structure", "model"] = _one_of("structure", "model")
    overview_documents: int = _whole(5, low=1, high=100)
    overview_margin: int = _whole(12, low=0, high=100)
    rerank: Literal["off", "bundled", "server", "overlap"] = _one_of("off", "bundled", "server", "overlap")
    rerank_per_leg: int = _whole(10, low=1, high=100)
    rerank_min_score: int = _whole(0, low=0, high=100)
    rerank_min_keep: int = _whole(3, low=0, high=100)
    rerank_top_k: int = _whole(0, low=0, high=100)
    retry: bool = False
    reformulate: Literal["words", "model"] = _one_of("words", "model")
    per_document: int = _whole(0, low=0, high=100)

    @property
    def asks_for_more(self) -> bool:
        """Whether a stage is on that is off by default."""
        return self.retry or self.per_document > 0 or self.overviews != "off" or self.rerank != "off"


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopSettings(_Group):
    """The loop. `budget`: passes after the first; `passages`: passages given to the writer at first, twice as many for a list or a comparison."""

    budget: int = _whole(1, low=0, high=3)
    passages: int = _whole(4, low=1, high=50)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeSettings(_Group):
    """What a question to `deref serve` may choose for itself, and what is kept of it.

    `offer_models`: language models that may write, commas between. `offer_recipes`: recipes that may search, commas between: again, spread and reranked, or NAME=FILE, where the file lays settings of `retrieve` and `loop` over those of the server. `most_budget`: passes after the first that may be asked for.
    `processes`: processes that answer the questions to one library, 0 for threads of the server; `traces`: replayable ones hold the text that a question touched, for `deref replay`; events alone cost less.
    """

    offer_models: str = _text(rf"{_MODEL}(\s*,\s*{_MODEL})*", "models as in ollama/qwen3:4b, commas between")
    offer_recipes: str = _text(
        rf"{_RECIPE}(\s*,\s*{_RECIPE})*", "names, or NAME=FILE, commas between", "again, spread, reranked"
    )
    most_budget: int = _whole(3, low=0, high=3)
    processes: int = _whole(2, low=0, high=64)
    traces: Literal["replayable", "events"] = _one_of("replayable", "events")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings. Each is documented in its group."""

    index: IndexSettings = IndexSettings()
    read: ReadSettings = ReadSettings()
    history: HistorySettings = HistorySettings()
    library: LibrarySettings = LibrarySettings()
    models: ModelSettings = ModelSettings()
    retrieve: RetrieveSettings = RetrieveSettings()
    loop: LoopSettings = LoopSettings()
    serve: ServeSettings = ServeSettings()

    @property
    def stored_fingerprint(self) -> str:
        """Hash of what changes stored bytes: the schema and the index group. Twelve hex digits.

        What is off or as it ever was counts as if there were none: libraries from before it stay what they are.
        """
        before = (("enrich", "off"), ("collections", "one"))
        index = {name: value for name, value in asdict(self.index).items() if (name, value) not in before}
        if self.index.enrich == "model":
            index["enrich"] = f"model {self.models.language_model}"
        return _digest({"schema": SCHEMA, "index": index})

    @property
    def asked_fingerprint(self) -> str:
        """Hash of everything else that an answer may depend on. Twelve hex digits."""
        others = ("index", "library", "serve")
        return _digest({name: group for name, group in asdict(self).items() if name not in others})


_DEFAULTS = Settings()
GROUPS: Mapping[str, type[_Group]] = {f.name: type(getattr(_DEFAULTS, f.name)) for f in fields(Settings)}
"""The groups by name, in order; `dataclasses.fields` of each gives defaults, and bounds or choices as metadata."""


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:12]


def settings_of(values: Mapping[str, Any]) -> Settings:
    """Return the settings that these values by group and name make; what is not named has its default.

    Raises ValueError that names the key and what it takes.
    """
    made: dict[str, Any] = {}
    for group, given in values.items():
        if group not in GROUPS:
            raise _Wrong(group, f"there is no such group; {_instead(group, GROUPS)}")
        if not isinstance(given, Mapping):
            raise _Wrong(group, "a group is a table of settings")
        known = [f.name for f in fields(GROUPS[group])]
        if wrong := [name for name in given if name not in known]:
            raise _Wrong(f"{group}.{wrong[0]}", f"there is no such setting; {_instead(wrong[0], known)}")
        try:
            made[group] = GROUPS[group](**given)
        except _Wrong as error:
            raise _Wrong(f"{group}.{error.key}", error.what) from None
    return Settings(**made)


def laid_over(settings: Settings, overlay: Mapping[str, Any]) -> Settings:
    """Return settings with these values, by group and name, in the place of theirs. Raises ValueError that names the key."""
    values = asdict(settings)
    for group, given in overlay.items():
        known = values.get(group)
        values[group] = (
            {**known, **given} if isinstance(known, dict) and isinstance(given, Mapping) else given
        )
    return settings_of(values)


def load_settings(
    toml: str = "", *, environment: Mapping[str, str] | None = None, where: str = "deref.toml"
) -> Settings:
    """Return the settings from TOML text and an environment. `where` names the file in messages.

    Raises UsageError that names the key and what it takes.
    """
    values = _from_toml(toml, where) if toml else {}
    named: dict[str, str] = {}
    for variable, group, name, value in _from_environment(environment or {}):
        here = values.setdefault(group, {})
        if isinstance(here, dict):
            here[name] = value
            named[f"{group}.{name}"] = variable
    try:
        return settings_of(values)
    except _Wrong as error:
        key = named.get(error.key, f"{where}: {error.key}")
        raise UsageError(f"{key}: {error.what}; see docs/settings.md") from error


def _from_toml(toml: str, where: str) -> dict[str, Any]:
    import tomllib  # noqa: PLC0415 - most people have no file

    try:
        return tomllib.loads(toml)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{where}: {error}; write it as TOML, e.g. [loop] budget = 1") from error


def _from_environment(environment: Mapping[str, str]) -> Iterator[tuple[str, str, str, str]]:
    """Yield (variable, group, name, value) of each variable that sets a field.

    Raises UsageError for a group that is misspelt; variables that resemble no group are someone else's.
    """
    for variable, value in environment.items():
        if not variable.startswith("DEREF_"):
            continue
        group, _, name = variable.removeprefix("DEREF_").lower().partition("_")
        if name and group in GROUPS:
            yield variable, group, name, value
        elif name and (close := _nearest(group, GROUPS)):
            raise UsageError(
                f"{variable}: there is no group {group!r}; did you mean DEREF_{close.upper()}_{name.upper()}?"
            )


def _instead(name: str, known: Collection[str]) -> str:
    """Return what to write in the place of an unknown name, in words."""
    close = _nearest(name, known)
    return f"did you mean {close}?" if close else f"there are {', '.join(known)}"


def _nearest(name: str, known: Collection[str]) -> str | None:
    from difflib import get_close_matches  # noqa: PLC0415 - for a message

    return next(iter(get_close_matches(name, known, n=1)), None)


def data_folder() -> Path:
    """Return the folder of the user in which libraries are kept."""
    return user_data_path("deref", appauthor=False)


def library_folder(root: Path, library: Path | None = None) -> Path:
    """Return where the library of a folder or file is: `library`, else DEREF_LIBRARY, else in the user's data folder.

    Raises UsageError for the folder in which the documents lie.
    """
    named, real = library or os.environ.get("DEREF_LIBRARY"), root.resolve()
    if named and Path(named).resolve() == (real.parent if real.is_file() else real):
        raise UsageError(f"{named}: a library is kept apart from its documents; name another folder with --library (or DEREF_LIBRARY)")  # fmt: skip
    digest = hashlib.sha256(os.fsencode(real)).hexdigest()[:12]
    plain = re.sub(r"[^\w-]", "-", real.name, flags=re.ASCII)[:40] or "root"
    return Path(named) if named else data_folder() / "libraries" / f"{plain}-{digest}"


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
