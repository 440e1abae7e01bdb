"""From a question to candidates: legs, fusion, and stages that are plain functions in a list."""

from deref.retrieve.question import parse_question
from deref.retrieve.stage import Recipe, Stage, run_recipe

__all__ = ["Recipe", "Stage", "parse_question", "run_recipe"]
