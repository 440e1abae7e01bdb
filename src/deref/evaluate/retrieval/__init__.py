"""Retrieval scored on gold questions: arms side by side, what each stage does, and whether a difference is more than noise."""
