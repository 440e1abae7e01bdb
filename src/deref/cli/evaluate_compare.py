"""`deref evaluate compare`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from deref.cli.options import JsonOption
from deref.cli.streams import say, say_json
from deref.cli.tell import styled
from deref.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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
    """Tell what changed between two results: figures, and each reference or question that came out differently, both ways.

    Exit code 1 when something that was right is not right any more.

    Example: deref evaluate compare then.json now.json --data labelled/
    """
    from deref.evaluate.results import kind_of, read_result

    one, two = read_result(before), read_result(after)
    kind = kind_of(one, two)
    if data is not None and (as_json or kind != "references"):
        raise UsageError("--data is for people and results of references: it tells the words of each")
    if kind == "references":
        lost = _references(one, two, data, as_json=as_json)
    else:
        lost = _by_arm(kind, one, two, as_json=as_json)
    if lost:
        raise typer.Exit(1)


def _references(
    before: Mapping[str, Any], after: Mapping[str, Any], data: Path | None, *, as_json: bool
) -> bool:
    """Tell the difference, and return whether something was lost."""
    from deref.evaluate.references import compare as compared

    result = compared(before, after)
    if as_json:
        say_json(asdict(result))
    else:
        words = _words(data, result.flips) if data is not None else {}
        for note in result.notes:
            say(f"{note}\n")
        for name, part, measure, one, two in result.changed:
            say(f"{name}: {part}, {measure} {_told(one)} → {_told(two)}\n")
        _tell("Right now, and not before", [f for f in result.flips if f.gained], words)
        _tell("Right before, and not now", [f for f in result.flips if f.lost], words)
        _tell("Wrong in another way", [f for f in result.flips if not (f.lost or f.gained)], words)
        _tell_nothing(result.notes, result.changed, result.flips)
    return any(flip.lost for flip in result.flips)


def _by_arm(kind: str, before: Mapping[str, Any], after: Mapping[str, Any], *, as_json: bool) -> bool:
    """Tell the difference, and return whether something was lost."""
    from deref.evaluate.answers.result import changes
    from deref.evaluate.retrieval.stored import compare as compared

    result = changes(before, after) if kind == "answers" else compared(before, after)
    if as_json:
        told = [{**asdict(f), "p": f.flips.p} for f in result.flips]
        say_json({"notes": result.notes, "changed": result.changed, "flips": told})
    else:
        for note in result.notes:
            say(f"{note}\n")
        for arm, metric, one, two in result.changed:
            say(f"{arm}: {metric} {_told(one)} → {_told(two)}\n")
        for found in result.flips:
            flips = found.flips
            head = f"{found.arm}, {found.depth}: gained {len(flips.gained)}, lost {len(flips.lost)}"
            say(styled(head, "bold") + f"; p = {flips.p:.4g}\n")
            for sign, keys in (("+", flips.gained), ("-", flips.lost)):
                say(f"  {sign} {' '.join(keys)}\n" if keys else "")
        _tell_nothing(result.notes, result.changed, result.flips)
    return result.lost


def _tell_nothing(*found: Sequence[object]) -> None:
    if not any(found):
        say("Nothing changed.\n")


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
