"""What the commands of `deref evaluate` share: their options, the arms and rows that these name, and the place of the libraries."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deref.cli.streams import complain
from deref.errors import UsageError

if TYPE_CHECKING:
    from deref.evaluate.gold import GoldRow
    from deref.evaluate.libraries import CorpusFacts
    from deref.evaluate.retrieval.arms import Arm
    from deref.settings import Settings


class Half(StrEnum):
    """The halves of the questions."""

    DEV = "dev"
    REST = "rest"


GoldOption = Annotated[
    list[Path],
    typer.Option("--gold", metavar="FILE", help="Gold questions, JSON lines; may be given again."),
]
DocumentsOption = Annotated[
    Path,
    typer.Option(
        "--data", metavar="DIR", help="The folder that holds the sets of documents, or the documents."
    ),
]
ArmOption = Annotated[
    list[str] | None,
    typer.Option(
        "--arm",
        metavar="NAME=FILE",
        help="Settings laid over yours, TOML, measured beside them; may be given again.",
    ),
]
HalfOption = Annotated[
    Half | None,
    typer.Option("--half", help="Only this half of the questions: fix settings on dev, report them on rest."),
]
ForceOption = Annotated[
    bool, typer.Option("--force", help="Keep gold rows that are not fit to measure with.")
]
LazyOption = Annotated[
    bool,
    typer.Option("--lazy", help="Compute no vectors first: the dense leg embeds what it needs."),
]
KeptOption = Annotated[
    Path | None,
    typer.Option(
        "--library",
        metavar="DIR",
        help="Keep the libraries here, for the next run. Default: they are thrown away.",
    ),
]
ByOption = Annotated[
    list[str] | None,
    typer.Option(
        "--by",
        metavar="KEY",
        help="Tell figures apart by this key of the gold's dimensions; may be given again. Default: its flags.",
    ),
]
OutOption = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", help="Write the result here, without any text of the documents."),
]


def arms_of(said: Sequence[str], mine: Settings) -> list[Arm]:
    """Return the arms: first that of the user's own settings, then those that `NAME=FILE` name. Raises UsageError.

    One that lays nothing over them is measured all the same, and told: most likely a slip.
    """
    from deref.evaluate.retrieval.arms import BASE, Arm, read_arm

    arms = [read_arm(one, mine) for one in said]
    for one in arms:
        if one.settings == mine:
            complain(f"--arm {one.name}: its settings are those of the base, so nothing will differ")
    return [Arm(name=BASE, settings=mine), *arms]


def apart(arms: Sequence[Arm], *, options: str) -> None:
    """Raise UsageError when two arms have one name."""
    if len({a.name for a in arms}) < len(arms):
        raise UsageError(f"{options}: two arms have one name; give each its own")


def beside(arms: Sequence[str], controls: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield which arm is compared with what: each with the first, and each with what `controls` name, "{} = tokens"."""
    yield from ((name, arms[0]) for name in arms[1:])
    yield from ((name, control.format(name)) for name in arms for control in controls)


def rows_of(gold: Sequence[Path], half: Half | None) -> list[GoldRow]:
    """Return the rows of gold files, or those of one half of them. Raises UsageError for a half that has none, and what reading gold raises."""
    from deref.evaluate.gold import read_gold

    rows = [row for file in gold for row in read_gold(file)]
    if half is not None:
        rows = [row for row in rows if row.half == half.value]
        if not rows:
            raise UsageError(f"--half {half.value}: none of the questions is of this half; leave it out")
    return rows


def known_keys(by: Sequence[str], rows: Sequence[GoldRow]) -> None:
    """Raise UsageError for a key of --by that no row has."""
    known = sorted({key for row in rows for key in row.dimensions})
    for key in by:
        if key not in known:
            raise UsageError(
                f"--by {key}: no question of the gold has it; there are {', '.join(known) or 'none'}"
            )


def writable(option: str, file: Path | None) -> None:
    """Raise UsageError when the folder of a file that is to be written is not there."""
    if file is not None and not file.parent.is_dir():
        raise UsageError(f"{option} {file}: no such folder; make it first")


def tell_failed(corpora: Sequence[CorpusFacts], *, asked: str) -> None:
    """Tell on stderr which files could not be read and so are not `asked`, in a word."""
    for facts in corpora:
        for file in facts.failed:
            complain(f"{facts.name}: {file} could not be read and is not {asked}")


@contextmanager
def libraries_in(kept: Path | None) -> Iterator[Path]:
    """Yield the folder that the libraries are kept in; one that is thrown away when none is named."""
    if kept is not None:
        yield kept
        return
    with tempfile.TemporaryDirectory(prefix="deref-evaluate-") as thrown_away:
        yield Path(thrown_away)
