"""The shape of a reply: a JSON Schema, and what a small model writes instead of it.

1. Text that is JSON is taken as it stands, without what was thought aloud before it ("<think>…</think>").
2. Else the JSON is looked for: in a fence, or from the first brace on; a slip of syntax (a comma too many, single quotes, a
   bracket that is not closed) is mended by `json_repair`. A reply that was cut off is never mended: what is closed by force
   would pass for what was said.
3. What is read is checked against the schema, whatever the server promised. What is wrong is put into words that a model can
   act on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from deref.models.extra import needed

_FENCE = re.compile(r"```(?:json)?[^\S\n]*\n(.*?)```", re.DOTALL | re.IGNORECASE)
_THOUGHT = "</think>"
MOST_PROBLEMS = 5


class Misshapen(ValueError):
    """A reply that is not of the shape. `object_found` says whether it was a JSON object at all."""

    def __init__(self, what: str, *, object_found: bool) -> None:
        super().__init__(what)
        self.object_found = object_found


class Shape:
    """A JSON Schema of an object, and its name."""

    def __init__(self, name: str, schema: Mapping[str, Any]) -> None:
        """Take name and schema. Raises ModelError when what checks it is not installed, ValueError for a schema that is none."""
        jsonschema = needed("jsonschema")
        self.name = name
        self.schema = schema
        kind = jsonschema.validators.validator_for(schema, default=jsonschema.Draft202012Validator)
        try:
            kind.check_schema(schema)
        except jsonschema.exceptions.SchemaError as error:
            raise ValueError(f"{name}: no JSON Schema: {error.message}") from error
        self._validator = kind(schema)

    def read(self, text: str, *, cut: bool = False) -> Mapping[str, Any]:
        """Return the object in a reply. Raises Misshapen that says what is wrong, to the model.

        `cut`: the reply was ended before it was done.
        """
        text = text.rpartition(_THOUGHT)[2]
        value = _strict(text)
        if value is None and cut:
            raise Misshapen("it was cut off before its end; be shorter", object_found="{" in text)
        if value is None:
            value = _mended(text)
        if value is None:
            raise Misshapen("it is not a JSON object", object_found=False)
        errors = sorted(self._validator.iter_errors(value), key=lambda e: [str(p) for p in e.absolute_path])
        if errors:
            told = [_told(e) for e in errors[:MOST_PROBLEMS]]
            if len(errors) > MOST_PROBLEMS:
                told.append(f"and {len(errors) - MOST_PROBLEMS} more")
            raise Misshapen("; ".join(told), object_found=True)
        return value


def _strict(text: str) -> dict[str, Any] | None:
    for candidate in (text, *_FENCE.findall(text)):
        try:
            value = json.loads(candidate, strict=False)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            return value
    return None


def _mended(text: str) -> dict[str, Any] | None:
    fenced = _FENCE.search(text)
    inner = fenced[1] if fenced else text
    opens = inner.find("{")
    if opens < 0:
        return None
    try:
        value = needed("json_repair").loads(inner[opens:])
    except (ValueError, RecursionError):
        return None
    if isinstance(value, list):  # several objects in a row: the first is the reply, the rest is talk
        value = next((v for v in value if isinstance(v, dict)), None)
    return value if isinstance(value, dict) else None


def _told(error: Any) -> str:
    where = "/".join(str(part) for part in error.absolute_path)
    message = error.message if len(error.message) <= 200 else f"{error.message[:200]}…"
    return f"at {where}: {message}" if where else message
