"""`deref evaluate compare`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deref.cli.options import JsonOption
from deref.cli.streams import say, say_json
from deref.cli.tell import styled

if TYPE_CHECKING:
    from collections.abc import Mapping

    from deref.evaluate.references.result import Flip


def compare(
    before: Annotated[Path, typer.Argument(metavar="BEFORE", help="A result that --out wrote.")],
    after: Annotated[Path, typer.Argument(metavar="AFTER", help="A later one of the same kind.")],
    data: Annotated[
        Path | None,
        typer.Option("--data", metavar="DIR", help="The labelled sets: tells the words of what changed."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Tell what changed between two results: figures, and each reference that came out differently, in both directions.

    Exit code 1 when something that was right is not right any more.

    Example: deref evaluate compare then.json now.json --data labelled/
    """
    from deref.evaluate.references import compare as compared
    from deref.evaluate.references import read_result

    result = compared(read_result(before), read_result(after))
    if as_json:
        values = {**asdict(result), "flips": [asdict(f) for f in result.flips]}
        say_json(values)
    else:
        words = _words(data, result.flips) if data is not None else {}
        for note in result.notes:
            say(f"{note}\n")
        for name, part, measure, one, two in result.changed:
            say(f"{name}: {part}, {measure} {_told(one)} → {_told(two)}\n")
        _tell("Right now, and not before", [f for f in result.flips if f.gained], words)
        _tell("Right before, and not now", [f for f in result.flips if f.lost], words)
        _tell("Wrong in another way", [f for f in result.flips if not (f.lost or f.gained)], words)
        if not (result.notes or result.changed or result.flips):
            say("Nothing changed.\n")
    if any(flip.lost for flip in result.flips):
        raise typer.Exit(1)


def _tell(head: str, flips: list[Flip], words: Mapping[tuple[str, int], str]) -> None:
    if flips:
        say(styled(f"{head}: {len(flips)}", "bold") + "\n")
    for flip in flips:
        said = words.get((flip.set, flip.number), "")
        say(f"  {flip.set} {flip.number}, {flip.slice}: {flip.before} → {flip.after}  {said}".rstrip() + "\n")


def _told(value: float | None) -> str:
    return "–" if value is None else str(value)


def _words(data: Path, flips: tuple[Flip, ...]) -> dict[tuple[str, int], str]:
    from deref.evaluate.references import folders, read_sets

    wanted = {(flip.set, flip.number) for flip in flips}
    names = {name for name, _ in wanted}
    found = {}
    for folder in folders(data, ()):
        if not any(name == folder.name or name.startswith(f"{folder.name} ") for name in names):
            continue
        for labelled in read_sets(folder):
            for mention in labelled.mentions:
                if (labelled.name, mention.number) in wanted:
                    around = f"…{mention.before[-50:]} «{mention.text}» {mention.after[:30]}"
                    found[labelled.name, mention.number] = f"{mention.doc}: {around}"
    return found
