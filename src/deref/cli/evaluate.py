"""`deref evaluate`: scores, and what changed between two of them."""

from __future__ import annotations

import typer

from deref.cli.evaluate_answers import answers
from deref.cli.evaluate_compare import compare
from deref.cli.evaluate_references import references
from deref.cli.evaluate_retrieval import retrieval

evaluate = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Score answers, retrieval or references against known right ones, and compare two scores.\n\n"
    "Example: deref evaluate references --data labelled/ --out now.json",
)
for command in (answers, retrieval, references, compare):
    evaluate.command()(command)
