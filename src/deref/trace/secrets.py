"""What must not stand in a trace, and what stands there instead.

Two ways, since neither is enough. The secrets that are in use (keys, tokens, passwords) are known by their value: wherever
one stands, in whatever is written, it is replaced. And text that comes from outside the documents (settings, errors, names
of models) is searched for the form of a secret: the user and password of an address, a bearer token, `api_key=…`. Of errors the
folders and addresses go as well: a trace may be read by who is to know nothing of the machine. The text of documents is not
searched so: a quote stays verbatim.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

HIDDEN = "[secret]"
_SHORTEST = 6
"""Signs. What is shorter than that stands in ordinary text."""

_LONGEST_WORD = 16
"""Signs. Letters alone, or digits alone, are no word and no number of a text from here on."""

_NAMED_SO = re.compile(
    r"(?:^|_|^PG)(?:API_?)?(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$", re.IGNORECASE
)
_FORMS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"(?<=://)[^/\s@\"'<>]+@"), ""),
    (re.compile(r"(?i)\b(bearer|basic)\s+[\w.~+/=-]{8,}"), rf"\1 {HIDDEN}"),
    (re.compile(r"\b(?:sk|pk|rk|ghp|gho|xox[abp])[-_][\w-]{12,}"), HIDDEN),
    (
        re.compile(r"(?i)\b((?:api[-_ ]?key|access[-_]token|token|secret|password)[\"']?\s*[=:]\s*[\"']?)(?!\[secret\])[^\s\"'&,;)}\]]{4,}"),
        rf"\1{HIDDEN}",
    ),
)  # fmt: skip
_IN_A_FOLDER = r"""[^\s/:;,"'“”()<>]"""
_PLACES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\b[a-z][a-z0-9+.]*://[^\s\"'“”<>]*[^\s\"'“”<>.,:;)]"), "[address]"),
    (re.compile(rf"(?<![\w/.])~?/(?:{_IN_A_FOLDER}(?:[^/:;,\"“”\n]*{_IN_A_FOLDER})?/)+(?={_IN_A_FOLDER})"), "…/"),
)  # fmt: skip
"""A folder may have spaces in its name, so it ends where a slash stands behind a sign and before one."""


def without_forms(text: str) -> str:
    """Return a text without what has the form of a secret: an address keeps its host, a token goes."""
    for form, instead in _FORMS:
        text = form.sub(instead, text)
    return text


def without_places(text: str) -> str:
    """Return the words of an error without secrets, and without the folders and addresses of the machine; names of files stay."""
    for form, instead in _PLACES:
        text = form.sub(instead, text)
    return without_forms(text)


def without_forms_in(value: Any) -> Any:
    """Return JSON-ready values with each text in them as `without_forms` gives it."""
    if isinstance(value, str):
        return without_forms(value)
    if isinstance(value, Mapping):
        return {key: without_forms_in(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [without_forms_in(inner) for inner in value]
    return value


def secrets_in(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return the values of the variables that are named for a key, a token, a secret or a password.

    A value that is an ordinary word or number ("true", "password", "20260101") is none: it stands in many a document, and to
    hide it there would hide nothing and spoil the quote.
    """
    return tuple(v for name, v in environment.items() if _NAMED_SO.search(name) and not _ordinary(v.strip()))


def _ordinary(value: str) -> bool:
    """Tell whether a value stands in ordinary text: short, or a short run of letters alone or of digits alone.

    "Password" and "PASSWORD" are such runs, "hUnter" is not: no word has a capital behind a small letter.
    """
    if len(value) < _SHORTEST:
        return True
    word = value.isalpha() and (value.isupper() or value[1:] == value[1:].lower())
    return len(value) < _LONGEST_WORD and (word or value.isdecimal())


class Hiding:
    """Replaces the secrets that are known by their value."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        """Take the secrets; what is shorter than six signs is left in."""
        known = {secret.strip() for secret in secrets}
        # As they stand in JSON, where a quote or a sign beyond ASCII has another form; the longest first.
        forms = {
            json.dumps(secret, ensure_ascii=ascii)[1:-1]
            for secret in known
            if len(secret) >= _SHORTEST
            for ascii in (True, False)
        }
        known_forms = "|".join(map(re.escape, sorted(forms, key=len, reverse=True)))
        # An escape is taken whole where it begins no secret, so that none is found from its middle on.
        self._pattern = re.compile(rf"(?:{known_forms})|(\\(?:u[0-9a-fA-F]{{4}}|.))") if forms else None

    def __call__(self, json_text: str) -> str:
        """Return JSON text without them."""
        return json_text if self._pattern is None else self._pattern.sub(lambda m: m[1] or HIDDEN, json_text)
