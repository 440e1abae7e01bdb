"""`deref evaluate answers`."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deref.cli.options import JsonOption, LibraryOption, PasswordOption, PathArgument, WaitOption
from deref.cli.shelf import opened
from deref.cli.streams import say, say_json
from deref.cli.tell import styled

if TYPE_CHECKING:
    from deref.evaluate.answers import AnswerVerdict


def answers(
    path: PathArgument,
    gold: Annotated[
        list[Path],
        typer.Option("--gold", metavar="FILE", help="Gold questions, JSON lines; may be given again."),
    ],
    budget: Annotated[
        int | None,
        typer.Option(
            "--budget", min=0, max=3, help="Passes that follow references; 0 is the arm without the loop."
        ),
    ] = None,
    corpus: Annotated[str | None, typer.Option("--corpus", help="Only the rows of this corpus.")] = None,
    library: LibraryOption = None,
    wait: WaitOption = False,
    password: PasswordOption = None,
    as_json: JsonOption = False,
) -> None:
    """Score answers on gold questions: is the fact in a quote, is "not found" said where nothing is to be found.

    Example: deref evaluate answers examples/deal-room --gold examples/deal-room.gold.jsonl --wait
    """
    from deref.evaluate.answers import evaluate_answers
    from deref.evaluate.gold import read_gold

    with opened(path, library, password=password, wait=wait) as engine:
        for file in gold:
            rows = [r for r in read_gold(file) if corpus is None or r.corpus == corpus]
            verdicts = evaluate_answers(lambda q: engine.ask(q, budget=budget), rows)
            if as_json:
                say_json({"gold": file.name, "answers": [asdict(v) for v in verdicts]})
            else:
                _tell(file, verdicts)


def _tell(file: Path, verdicts: list[AnswerVerdict]) -> None:
    say(f"{styled(file.name, 'bold')}: {len(verdicts)} questions\n")
    by_kind: dict[str, list[AnswerVerdict]] = defaultdict(list)
    for verdict in verdicts:
        by_kind[verdict.kind].append(verdict)
    for kind, some in sorted(by_kind.items()):
        right = sum(v.right for v in some)
        wrong = " ".join(f"{v.id}:{v.outcome}" for v in some if not v.right)
        say(f"  answers, {kind or 'all':<22} {right}/{len(some)}   {wrong}\n")
    say(f"  answers in all             {sum(v.right for v in verdicts)}/{len(verdicts)}\n")
