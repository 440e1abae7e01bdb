"""Answers scored on gold questions: facts, citations, refusals, pointers said to lead nowhere; with and without the loop."""

from deref.evaluate.answers.judge import Judgement, judge

__all__ = ["Judgement", "judge"]
