"""The trace: what happened, as a closed union of events. One mechanism for progress, logs, `explain` and replay."""
