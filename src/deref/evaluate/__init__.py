"""Evaluation: is the answer reachable, is it retrieved, is it given? Rows without a result count as zero."""
