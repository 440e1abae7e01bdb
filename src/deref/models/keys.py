"""A key: read from the environment or a file when it is needed, shown nowhere.

It is kept out of `repr`, `str` and formatting by its type, and taken out of what a server says by `without`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from deref.errors import ModelError

_HIDDEN = "(key)"
_SHORTEST = 6
"""Shorter ones are not looked for in texts: they would be found in words."""


class Key:
    """A secret. `reveal` is the only way to it."""

    __slots__ = ("_secret",)

    def __init__(self, secret: str) -> None:
        self._secret = secret

    def __repr__(self) -> str:
        return _HIDDEN

    def __reduce__(self) -> str:
        raise TypeError("a key is not written down")

    def reveal(self) -> str:
        """Return the secret, for the header of a request."""
        return self._secret

    def without(self, text: str) -> str:
        """Return a text in which the secret does not stand: servers like to repeat the key that they refuse."""
        return text.replace(self._secret, _HIDDEN) if len(self._secret) >= _SHORTEST else text


def read_key(
    variable: str, file: str, environment: Mapping[str, str], *, group: str = "models.key"
) -> Key | None:
    """Return the key in an environment variable, else in a file; None when neither is named.

    `group` is how the settings begin that name them, for messages. Raises ModelError when what they name holds no key.
    """
    if variable:
        found = environment.get(variable, "").strip()
        if not found:
            raise ModelError(
                f"{group}_env names the environment variable {variable}, which is not set; set it"
            )
        return _checked(found, f"the environment variable {variable}")
    if not file:
        return None
    path = Path(file).expanduser()
    try:
        found = path.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ModelError(f"{path}: {group}_file names it, and it cannot be read ({error})") from error
    if not found:
        raise ModelError(f"{path}: {group}_file names it, and it is empty; put the key there")
    return _checked(found, str(path))


def _checked(found: str, where: str) -> Key:
    if not found.isascii() or not found.isprintable() or " " in found:
        raise ModelError(f"{where} does not hold a key: a key is one word of plain characters")
    return Key(found)
