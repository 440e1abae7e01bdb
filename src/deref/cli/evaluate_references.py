"""`deref evaluate references`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from deref.cli.evaluate_options import OutOption, writable
from deref.cli.options import JsonOption
from deref.cli.progress import ProgressSink
from deref.cli.streams import save, say, say_json
from deref.cli.tell import styled

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

DataOption = Annotated[
    Path,
    typer.Option("--data", metavar="DIR", help="The folder that holds the labelled sets, or one of them."),
]
_OUTCOMES = ("wrong", "ambiguous", "dangling", "external", "unresolved")


def references(
    data: DataOption,
    only: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME", help="Only the set in this folder; may be given again."),
    ] = None,
    links: Annotated[
        bool, typer.Option("--links", help="Score a second time with the native links in use.")
    ] = False,
    as_json: JsonOption = False,
    out: OutOption = None,
    errors: Annotated[
        int, typer.Option("--errors", min=0, help="Tell so many misses of each class, with their context.")
    ] = 0,
) -> None:
    """Score finding and resolving against references whose target is known.

    Native links are hidden from the resolver. docs/evaluation.md tells what a labelled set is and what each column means.

    Example: deref evaluate references --data labelled/ --set manuals --errors 5; deref evaluate references --data labelled/ --out now.json
    """
    from deref.evaluate.references import as_json as result_of
    from deref.evaluate.references import build, folders, read_sets, score, written
    from deref.evaluate.references.errors import error_rows

    writable("--out", out)
    scores, missed = [], []
    with ProgressSink() as progress:
        for folder in folders(data, only or ()):
            for labelled in read_sets(folder):
                built = build(labelled, progress.show)
                for used in (False, True) if links else (False,):
                    scored = score(labelled, built, progress.show, links=used)
                    rows = list(error_rows(scored, errors))
                    if not as_json:
                        _tell(result_of([scored])["sets"][0])
                        _tell_errors(rows)
                    missed += rows
                    scored.verdicts.clear()
                    scored.stray.clear()
                    scores.append(scored)
    result = result_of(scores)
    if out is not None:
        save(out, written(result).encode())
    if as_json:
        say_json({**result, "errors": missed} if errors else result)


def _tell(scored: Mapping[str, Any]) -> None:
    speed = scored["cpu_s_per_mb"]
    say(f"{styled(scored['set'], 'bold')}, links {scored['links']}: ")
    say(f"{scored['documents']} documents, {scored['text_mb']:.1f} MB of text; CPU seconds a MB: ")
    say(f"build {speed['build']:.2f}, find {speed['find']:.3f}, resolve {speed['resolve']:.3f}; ")
    density = scored["density"]
    say(f"hits with a label {'–' if density is None else f'{density:.0%}'}\n")
    head = ("all", "located", "found", "label", "right", "exact", "section", "document", *_OUTCOMES)
    say(f"  {'':30}" + "".join(f"{h:>11}" for h in head) + f"{'precision':>11}{'recall':>8}\n")
    slices = {**scored["slices"], "all numbered": scored["all numbered"]}
    for name, part in slices.items():
        if part["all"]:
            _tell_slice(name, part)
    for name, part in scored["registry"].items():
        say(
            f"  {name:30}{part['wanted']:>11} wanted, {part['met']} met; {part['ours']} ours, {part['named']} named"
        )
        say(f"; precision {_share(part['precision'])}, recall {_share(part['recall'])}\n")
    hits = scored["hits"]
    if hits:
        told = ", ".join(
            f"{kind} {n['unlabelled']} of {n['all']}" for kind, n in hits.items() if n["unlabelled"]
        )
        say(f"  hits without a label: {told or 'none'}\n")
    if scored["left_out"]:
        say(f"  not scored: {', '.join(f'{kind} {n}' for kind, n in scored['left_out'].items())}\n")
    say("\n")


def _tell_slice(name: str, part: Mapping[str, Any]) -> None:
    outcomes = part["outcomes"]
    counts = (
        part["all"], part["located"], part["found"], part["labelled"], outcomes.get("right", 0), part["exact"],
        part["right_section"], part["right_document"], *(outcomes.get(o, 0) for o in _OUTCOMES),
    )  # fmt: skip
    say(f"  {name:30}" + "".join(f"{n:>11}" for n in counts))
    say(f"{_share(part['precision']):>11}{_share(part['recall']):>8}\n")


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def _tell_errors(rows: Sequence[Mapping[str, Any]]) -> None:
    shown: tuple[str, str] | None = None
    for row in rows:
        if (row["slice"], row["outcome"]) != shown:
            shown = (row["slice"], row["outcome"])
            say(f"{styled(f'{shown[0]}: {shown[1]}', 'bold')} ({row['of']})\n")
        where = f"{row.get('doc', '')}{f', p. {page}' if (page := row.get('page')) else ''}"
        around = f"{row.get('before', '')} «{row['text']}» {row.get('after', '')}".strip()
        goes = "; ".join(f"{g['doc']} {g['text']}" for g in row.get("goes_to", ()))
        say(f"  {row.get('number', '')} {where}: {around}{f' → {goes}' if goes else ''}\n".replace("  :", ""))
        found = row.get("reference")
        if found:
            said = f"{found['kind']} {', '.join(found['labels'])}"
            say(f"      found “{found['text']}” ({said}): {found['said']}\n")
    if rows:
        say("\n")
