"""`deref check`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from deref.cli.options import JsonOption, LibraryOption, PasswordOption, PathArgument, each
from deref.cli.progress import ProgressSink
from deref.cli.shelf import opened
from deref.cli.streams import json_text, say, say_to, shows_colours
from deref.errors import UsageError
from deref.values import Finding, Severity


class Format(StrEnum):
    """What is written."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    HTML = "html"


def _list_rules(wanted: bool) -> None:
    if not wanted:
        return
    from deref.references.check_rules import RULES

    wide = max(len(r.name) for r in RULES)
    for rule in RULES:
        say(f"{rule.name:{wide}}  {rule.severity:7}  {rule.says}\n")
    raise typer.Exit


def check(
    path: PathArgument,
    source: Annotated[
        list[str] | None, typer.Option("--source", help="Only this document; may be given again.")
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="RULE", help="Only this rule, or these: a,b.")
    ] = None,
    leave_out: Annotated[
        list[str] | None, typer.Option("--except", metavar="RULE", help="Not this rule, or not these: a,b.")
    ] = None,
    threshold: Annotated[
        Severity,
        typer.Option("--threshold", help="Findings of this severity or a higher one make the exit code 1."),
    ] = Severity.WARNING,
    show: Annotated[
        Severity | None,
        typer.Option("--show", help="List findings from this severity on. Default: the threshold."),
    ] = None,
    form: Annotated[
        Format | None,
        typer.Option("--format", help="text for people, json, sarif for code hosts, or html, a page."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write to this file instead of the terminal.")
    ] = None,
    baseline: Annotated[
        Path | None,
        typer.Option("--baseline", metavar="FILE", help="Leave out the findings that this file accepts."),
    ] = None,
    write_baseline: Annotated[
        Path | None,
        typer.Option(
            "--write-baseline",
            metavar="FILE",
            help="Accept all findings of this run: keep them in this file.",
        ),
    ] = None,
    rules: Annotated[
        bool, typer.Option("--rules", callback=_list_rules, is_eager=True, help="List the rules and leave.")
    ] = False,
    library: LibraryOption = None,
    password: PasswordOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check the cross-references, numbers and defined terms of a folder or file. No model is asked.

    Exit code: 0 nothing at or above the threshold, 1 something, 2 the arguments or files are at fault.
    docs/check.md tells the rules.

    Example: deref check contracts/ --format sarif --out deref.sarif
    """
    if as_json and form not in (None, Format.JSON):
        raise UsageError(f"--json and --format {form}: give one of the two")
    written = form or (Format.JSON if as_json else Format.TEXT)
    from deref.cli.check_baseline import read_baseline, save_baseline

    known = read_baseline(baseline) if baseline is not None else {}
    wanted = _rules(each(only), each(leave_out))
    with opened(path, library, password=password) as engine:
        names = {card.id: card.name for card in engine.shelf().cards()}
        with ProgressSink() as progress:
            found = list(engine.check(source or (), rules=wanted, step=partial(progress.show, "Checking")))
    if write_baseline is not None:
        save_baseline(write_baseline, found)
        known = {f.fingerprint: f.rule for f in found}
    new = [f for f in found if f.fingerprint not in known]
    least = show or threshold
    listed = [f for f in new if f.severity.weight >= least.weight]
    text = _written(
        written,
        listed,
        Tally(len(source or names), len(found) - len(new), len(new) - len(listed)),
        path,
        names,
    )
    say_to(out, text)
    if any(f.severity.weight >= threshold.weight for f in new):
        raise typer.Exit(1)


class Tally(NamedTuple):
    """Counts for the last line: documents checked, findings that the baseline accepts, findings below `--show`."""

    documents: int
    accepted: int
    below: int


def _rules(only: Sequence[str], leave_out: Collection[str]) -> list[str]:
    from deref.references.check import rules_named

    rules_named(list(leave_out))
    names = [r.name for r in rules_named(only) if r.name not in leave_out]
    if not names:
        raise UsageError("--only and --except leave no rule; `deref check --rules` lists them")
    return names


def _written(
    form: Format, findings: Sequence[Finding], tally: Tally, path: Path, names: Mapping[str, str]
) -> str:
    match form:
        case Format.TEXT:
            from deref.cli.check_text import as_text

            return as_text(findings, tally, colours=shows_colours())
        case Format.JSON:
            from deref.references.rows import finding_row

            return "".join(json_text(finding_row(f, names)) for f in findings)
        case Format.SARIF:
            from deref.cli.check_sarif import as_sarif

            return json_text(as_sarif(findings, path))
        case Format.HTML:
            from deref.cli.check_page import as_page

            return as_page(findings, tally, path)
