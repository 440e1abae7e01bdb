"""An arm: the recipe that is measured, as settings laid over those of the user, in the keys of the settings file.

    [retrieve]
    hop = false

The arm without an overlay is the *base*. An arm that brings in passages behind its k is measured beside two controls,
the same recipe without that, given for each question

    NAME = slots     as many passages as the arm came to
    NAME = tokens    its first passages until they have no fewer tokens than those of the arm, so that what is found
                     beside it is no gift of a larger budget
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deref.errors import UsageError
from deref.settings import Settings, laid_over, load_settings

BASE = "base"
WITHOUT_APPENDING: Mapping[str, Any] = {"retrieve": {"hop": False}}
"""What switches off every stage that brings in passages behind the k."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    """A recipe by name. `overlay` is what it lays over the settings of the base."""

    name: str
    settings: Settings
    overlay: Mapping[str, Any] = field(default_factory=dict)

    def control(self) -> Arm:
        """Return the same recipe without what brings in passages behind the k."""
        return arm(self.name, WITHOUT_APPENDING, self.settings)


def arm(name: str, overlay: Mapping[str, Any], base: Settings) -> Arm:
    """Return the arm that lays these values over the settings. Raises ValueError that names the key."""
    return Arm(name=name, settings=laid_over(base, overlay), overlay=dict(overlay))


def read_arm(said: str, base: Settings) -> Arm:
    """Return the arm that the command line names: NAME=FILE. Raises UsageError."""
    name, parted, file = said.partition("=")
    if not (name and parted and file):
        raise UsageError(f"--arm {said}: write NAME=FILE, e.g. --arm nohop=nohop.toml")
    if name == BASE:
        raise UsageError(f"--arm {said}: {BASE!r} is the arm without an overlay; choose another name")
    try:
        text = Path(file).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise UsageError(f"--arm {said}: {file} cannot be read ({why}); write it as UTF-8 TOML") from error
    load_settings(text, where=file)
    return arm(name, tomllib.loads(text), base)
