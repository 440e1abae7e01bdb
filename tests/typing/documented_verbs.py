"""Documented usage of the verbs and of the doubles behind the ports, checked by mypy --strict and never run."""

from collections.abc import Sequence

import deref
from deref.models.hashing import HashingEmbedder
from deref.models.overlap import OverlapReranker
from deref.models.scripted import ScriptedEnricher, ScriptedWriter
from deref.ports import Embedder, Enricher, Reranker, Store, Writer
from deref.store.memory import MemoryStore

with deref.open_library("contracts/") as library:
    answer: deref.Answer = library.ask("What is the monthly fee?")

text: str = answer.text
quotes: list[str] = [citation.quote for citation in answer.citations]
complete: bool = answer.completeness is deref.Completeness.COMPLETE
found: deref.Candidates = deref.search("contracts/", "monthly fee", k=3)
pointers: Sequence[deref.Resolution] = deref.references("contracts/")
hubs: list[str] = sorted(deref.graph("contracts/", level="document"))
faults: list[str] = [f.message for f in deref.check("contracts/") if f.severity is deref.Severity.ERROR]
dangling: list[str] = [r.reference.text for r in pointers if r.status is deref.Status.DANGLING]

asked: list[str] = [turn.question for session in deref.sessions("contracts/") for turn in session.turns]
again: bool = deref.replay("trace.jsonl").same

store: Store = MemoryStore()
embedder: Embedder = HashingEmbedder()
writer: Writer = ScriptedWriter([answer])
reranker: Reranker = OverlapReranker()
enricher: Enricher = ScriptedEnricher(["from the lease of the mill"])
