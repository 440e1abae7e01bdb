"""Retrieval against labels: `python -m benchmarks.retrieval` measures the hop; results of `deref evaluate retrieval` beside it."""
