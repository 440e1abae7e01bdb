"""Documented usage of the nouns, checked by mypy --strict and never run."""

from deref.values import Candidates, Span

span: Span = Span(doc="d", start=0, end=2)
length: int = len(span)
best: Candidates = Candidates().top(3)
