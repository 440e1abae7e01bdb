"""What may name a token in the lists of `deref tokens`."""

from __future__ import annotations

from pathlib import Path

import pytest

from deref.errors import UsageError
from deref.serve.access import Role
from deref.serve.tokens import TokenFile


@pytest.mark.parametrize("label", ["", "  ", "Ada\nHR", "Ada\x1b[2J"])
def test_a_label_that_cannot_be_listed_is_refused(tmp_path: Path, label: str) -> None:
    tokens = TokenFile(tmp_path / "tokens.json")
    with pytest.raises(UsageError, match="names nobody; give words on one line"):
        tokens.add(label, Role.READ)
    assert list(tokens.tokens()) == []
