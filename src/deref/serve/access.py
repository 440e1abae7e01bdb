"""Who calls: a role, the libraries, and the scope that goes into each call of an engine."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from deref.values import EVERYTHING, Scope


class Role(StrEnum):
    """What a caller may do. READ asks and looks, WRITE also uploads and indexes, ADMIN also sees what the server does."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"

    def includes(self, other: Role) -> bool:
        """Tell whether who has this role may do what the other one may."""
        order = list(Role)
        return order.index(self) >= order.index(other)


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """One who calls. `name` tells callers apart; `libraries` are ids, None for all of them."""

    name: str
    role: Role
    libraries: frozenset[str] | None = None
    scope: Scope = EVERYTHING

    @property
    def sees_all(self) -> bool:
        """Whether no document of the libraries is hidden from the caller."""
        return self.scope == EVERYTHING

    def sees_library(self, library: str) -> bool:
        """Tell whether a library is there for the caller."""
        return self.libraries is None or library in self.libraries

    def sees_collection(self, collection: str) -> bool:
        """Tell whether a collection is there for the caller, whether or not a document is in it."""
        return self.scope.collections is None or collection in self.scope.collections

    def owns(self, owner: str) -> bool:
        """Tell whether what `owner` left (a question, a session) is there for the caller: its own, or all for an unlimited admin."""
        return self.only_owner in (None, owner)

    @property
    def only_owner(self) -> str | None:
        """The one whose questions and sessions are there for the caller, None for an unlimited admin: those of all."""
        return None if self.sees_all and self.role is Role.ADMIN else self.name


LOCAL = Caller(name="local", role=Role.ADMIN)
"""Whoever calls on loopback where no tokens are in use."""
