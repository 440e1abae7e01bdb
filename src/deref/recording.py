"""A question asked with its trace: the same engine over ports that record, its events and the recording in one file.

The question is asked of a twin of the engine, one that remembers nothing yet: so everything that the answer rests on passes
through a port and is recorded, and a replay, which begins with nothing too, asks for the same.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import IO, Any

from deref.errors import DerefError
from deref.settings import LibrarySettings, ModelSettings, ServeSettings, Settings
from deref.trace.codec import Written
from deref.trace.record import Port, Recorder, how_it_ended
from deref.trace.secrets import Hiding, secrets_in, without_forms, without_forms_in
from deref.trace.sinks import JsonLinesSink, Sink, tee
from deref.trace.tape import packed
from deref.values import Answer

_WRITTEN = Written()
"""What this process wrote last: a server asks of the same documents again and again."""


def ask_recorded(
    ask: Callable[[Port, Sink], Answer],
    asked: Mapping[str, Any],
    *,
    out: IO[str],
    settings: Settings,
    doors: Sequence[str],
    home: str | None,
    emit: Sink,
) -> Answer:
    """Return the answer to a question, and write its trace.

    `ask` asks it of the engine over the ports as a function changes them; `asked` is what it is asked with, `doors` the
    ports that are there of those that need not be, `home` what the library is of. `emit` hears the events besides. The recording is written also when the question ends in an error, which
    goes up.
    """
    secrets = frozenset((*secrets_in(os.environ), *_keys_of(settings, os.environ)))
    hide = Hiding(secrets)
    recorder = Recorder(hide, _WRITTEN.without(secrets))
    sink = JsonLinesSink(out, time.time, hide)
    ended: Answer | DerefError | None = None
    try:
        answer = ask(recorder.port, tee([emit, sink]))
        ended = answer
        return answer
    except DerefError as error:
        ended = error
        raise
    finally:
        sink.close(
            packed(
                recorder,
                asked=asked,
                settings=without_forms_in(asdict(as_told(settings, asked["called"]))),
                doors=doors,
                home=None if home is None else without_forms(home),
                ended=how_it_ended(ended),
            )
        )


def as_told(settings: Settings, called: str | None) -> Settings:
    """Return settings as a trace tells them: to who knows the library by a name alone, nothing of this machine.

    That is what is offered, and the names of files, folders and variables; an answer is the same without them.
    """
    if called is None:
        return settings
    kept = {
        name: value
        for name, value in asdict(settings.models).items()
        if name != "embedder_folder" and not name.endswith(("key_env", "key_file"))
    }
    return replace(settings, library=LibrarySettings(), models=ModelSettings(**kept), serve=ServeSettings())


def _keys_of(settings: Settings, environment: Mapping[str, str]) -> Iterator[str]:
    """Yield the keys that the settings name, by a variable or by a file; one that cannot be read is in no use."""
    models = settings.models
    for variable, file in (
        (models.key_env, models.key_file),
        (models.embedder_key_env, models.embedder_key_file),
        (models.reranker_key_env, models.reranker_key_file),
    ):
        yield environment.get(variable, "")
        with suppress(OSError, UnicodeDecodeError):
            yield Path(file).expanduser().read_text("utf-8") if file else ""
