"""Tokens: who may call, with which role, and what they may see. A file holds their hashes, never the tokens.

A token is 256 random bits, so that a plain SHA-256 of it cannot be turned back; a slow hash would only cost time at each
request. The file is read again when it changes: a token that is removed is refused from the next request on.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import secrets
import shlex
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from deref.errors import LibraryError, UsageError
from deref.serve.access import Caller, Role
from deref.settings import data_folder
from deref.values import Scope

_PREFIX = "deref_"
_SCHEMA = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A token as it is kept. `id` names it, `digest` is the SHA-256 of the secret in hex; None in the lists is "all"."""

    id: str
    label: str
    digest: str
    role: Role
    collections: tuple[str, ...] | None
    libraries: tuple[str, ...] | None
    created: str

    def caller(self) -> Caller:
        """Return the caller that the token stands for."""
        return Caller(
            name=self.id,
            role=self.role,
            libraries=None if self.libraries is None else frozenset(self.libraries),
            scope=Scope(collections=None if self.collections is None else frozenset(self.collections)),
        )


def default_token_file() -> Path:
    """Return where tokens are kept unless a file is named: in the user's data folder."""
    return data_folder() / "tokens.json"


class TokenFile:
    """The tokens in a file. Safe to share by threads; several processes may change it."""

    def __init__(self, path: Path) -> None:
        """Take the path; the file need not be there."""
        self.path = path
        self._seen: tuple[int, int, int] | None = None
        self._by_digest: dict[str, Token] = {}

    def tokens(self) -> Sequence[Token]:
        """Return the tokens, oldest first. Raises UsageError for a file that holds none of this form."""
        self._look()
        return sorted(self._by_digest.values(), key=lambda token: (token.created, token.id))

    def caller(self, secret: str) -> Caller | None:
        """Return who calls with this token, None when there is no such token.

        Raises LibraryError when the file cannot be read: whoever calls can do nothing about it, and is told of no file.
        """
        try:
            self._look()
        except (UsageError, OSError) as error:
            raise LibraryError(f"nobody can be let in: {error}") from error
        token = self._by_digest.get(_digest(secret))
        return None if token is None else token.caller()

    def add(
        self,
        label: str,
        role: Role,
        *,
        collections: Sequence[str] | None = None,
        libraries: Sequence[str] | None = None,
    ) -> tuple[Token, str]:
        """Make a token; return it with its secret, which is kept nowhere.

        Raises UsageError for a label that is blank, breaks a line or is another token's, for it names the token in lists; OSError.
        """
        if not label.strip() or not label.isprintable():
            raise UsageError(f"the label {label!r} names nobody; give words on one line, e.g. 'Ada, HR'")
        secret = _PREFIX + secrets.token_urlsafe(32)
        token = Token(
            id=secrets.token_hex(4),
            label=label,
            digest=_digest(secret),
            role=role,
            collections=None if collections is None else tuple(sorted(set(collections))),
            libraries=None if libraries is None else tuple(sorted(set(libraries))),
            created=datetime.now(UTC).isoformat(timespec="seconds"),
        )
        with self._changing():
            every = self.tokens()
            if any(t.label == label for t in every):
                raise UsageError(
                    f"{label}: a token has that label already; give another one, or remove that token first"
                )
            self._write([*every, token])
        return token, secret

    def remove(self, name: str) -> Token:
        """Remove the token with this id, or the only one with this label, and return it. Raises UsageError, OSError."""
        with self._changing():
            every = self.tokens()
            fits = [t for t in every if t.id == name] or [t for t in every if t.label == name]
            if len(fits) != 1:
                what = "several tokens have that label" if fits else "there is no such token"
                raise UsageError(f"{name}: {what}; give an id that `deref tokens list` shows")
            self._write([t for t in every if t is not fits[0]])
        return fits[0]

    @contextmanager
    def _changing(self) -> Iterator[None]:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _look(self) -> None:
        try:
            state = self.path.stat()
        except FileNotFoundError:
            self._seen, self._by_digest = None, {}
            return
        seen = (state.st_mtime_ns, state.st_size, state.st_ino)
        if seen != self._seen:
            self._by_digest = {token.digest: token for token in self._read()}
            self._seen = seen

    def _read(self) -> list[Token]:
        try:
            values = json.loads(self.path.read_text("utf-8"))
            if values["schema"] != _SCHEMA:
                raise ValueError(f"schema {values['schema']}")
            return [_token(one) for one in values["tokens"]]
        except (ValueError, LookupError, TypeError) as error:
            raise UsageError(
                f"{self.path}: no tokens can be read from it ({error}); mend it, or remove it and add the tokens anew"
            ) from error

    def _write(self, tokens: Sequence[Token]) -> None:
        text = json.dumps({"schema": _SCHEMA, "tokens": [asdict(t) for t in tokens]}, indent=1)
        number, name = tempfile.mkstemp(dir=self.path.parent, prefix=".tokens-")
        with os.fdopen(number, "w", encoding="utf-8") as out:  # Made for the user alone.
            out.write(text + "\n")
        Path(name).replace(self.path)


def tokens_for(file: Path | None, *, loopback: bool) -> TokenFile | None:
    """Return the tokens that callers must have; None on loopback without a `file`: there the user of this machine calls.

    Anywhere else the default file stands in for one that is not named. Raises UsageError when no token is in it.
    """
    if loopback and file is None:
        return None
    tokens = TokenFile(file or default_token_file())
    if not tokens.tokens():
        into = "" if file is None else f" --token-file {shlex.quote(str(file))}"
        raise UsageError(
            f"{tokens.path}: there is no token in it, so nobody could call; add one with `deref tokens add LABEL{into}`, or listen "
            "on 127.0.0.1 without --token-file"
        )
    return tokens


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _token(values: dict[str, Any]) -> Token:
    def names(of: list[str] | None) -> tuple[str, ...] | None:
        return None if of is None else tuple(map(str, of))

    return Token(
        id=str(values["id"]),
        label=str(values["label"]),
        digest=str(values["digest"]),
        role=Role(values["role"]),
        collections=names(values["collections"]),
        libraries=names(values["libraries"]),
        created=str(values["created"]),
    )
