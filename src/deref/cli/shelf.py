"""Open the library of a path, bring it up to date, and leave the vectors to a process in the background."""

from __future__ import annotations

import os
import sys
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from deref.cli.streams import complain, counted
from deref.embedders import chosen_embedder
from deref.errors import NoSuchSource
from deref.language_models import sent_to, with_language_model
from deref.settings import library_folder, user_settings
from deref.values import EVERYTHING

if TYPE_CHECKING:
    from deref.engine import Engine
    from deref.trace.events import FileRead


@contextmanager
def opened(
    path: Path,
    library: Path | None,
    *,
    password: str | None = None,
    wait: bool = False,
    rebuild: bool = False,
    force: bool = False,
    warm: bool = False,
    model: str | None = None,
    reports: list[FileRead] | None = None,
    lists: bool = False,
) -> Iterator[Engine]:
    """Yield the engine over the up-to-date library of a path.

    Files that could not be read are told on stderr, each with its reason by the command that meets it first and counted by
    those after it, and, when files came to the shelf, how many were passed over. `reports` takes the row of each file, and
    then each reason is told; without it, raises NoSuchSource when nothing on the path could be read. `lists` is for a
    command that lists all that itself. `rebuild` and `force` as in `engine`; `warm` loads the model at once, beside the
    rest, for a question is going to be asked. To whom beyond this machine texts go is told on stderr. `model`
    is the language model that is to write, in the place of what the settings say.
    """
    try:
        there = path.exists()
    except OSError as error:
        raise NoSuchSource(f"{path}: cannot be reached ({error.strerror}); check its permissions") from error
    if not there:
        raise NoSuchSource(f"{path}: no such file or folder; name one that is there")
    folder = library_folder(path, library)
    settings = user_settings() if model is None else with_language_model(user_settings(), model)
    told = "the question and passages" if warm else "passages"
    for host in sent_to(settings, question=warm):
        complain(f"{told} of the documents are sent to {host}, as the settings say")
    embedder = chosen_embedder(settings, warm=warm)
    from deref.cli.progress import ProgressSink
    from deref.engine import open_engine

    with open_engine(folder, settings=settings, rebuild=rebuild, embedder=embedder) as engine:
        with ProgressSink() as progress:
            known = {(f.path, f.error) for f in engine.store.files(EVERYTHING) if f.error is not None}
            rows = engine.index(path, emit=progress, password=password, force=force)
            empty = not engine.shelf().cards()
            if not lists:
                _tell_problems(rows, () if reports is not None or empty else known)
                if any(row.outcome == "added" for row in rows) and (told := _passed_over_in_words(path)):
                    complain(f"{told}; `deref status` lists them")
            if reports is not None:
                reports.extend(rows)
            elif empty and not lists:
                told = _passed_over_in_words(path)
                raise NoSuchSource(
                    f"{path}: nothing there that could be read{told and f' ({told})'}; put PDF, DOCX, HTML, Markdown or text "
                    "files there"
                )
            if wait:
                engine.embed(emit=progress)
        yield engine
        if not wait:
            follow_with_vectors(engine, folder)


def _tell_problems(rows: Sequence[FileRead], known: Container[tuple[str, str | None]]) -> None:
    """Tell what could not be read and why; of the files that are known to have failed so before, how many they are."""
    before = 0
    for row in rows:
        if row.outcome == "failed" and (row.path, row.error) in known:
            before += 1
        elif row.outcome == "failed" and row.error is not None:
            complain(row.error)
        for problem in row.problems if row.outcome in ("added", "changed") else ():
            complain(f"{row.path}: {problem}")
    if before:
        complain(f"{counted(before, 'file')} could not be read; `deref status` tells why")


def passed_over(path: Path) -> Mapping[str, Sequence[str]]:
    """Return the files of a folder that are passed over for their ending, by that ending: the most frequent first."""
    from deref.ingest.walk import walk
    from deref.parse import SUFFIXES

    kinds: dict[str, list[str]] = {}
    for file in walk(path, suffixes=SUFFIXES).skipped:
        kinds.setdefault(PurePath(file).suffix.lower(), []).append(file)
    return dict(sorted(kinds.items(), key=lambda kind: (-len(kind[1]), kind[0])))


def _passed_over_in_words(path: Path) -> str:
    kinds = passed_over(path)
    told = ", ".join(f"{len(files)} {ending or 'without an ending'}" for ending, files in kinds.items())
    return told and f"passed over for their ending: {told}"


def follow_with_vectors(engine: Engine, folder: Path) -> None:
    """Start a process that computes the missing vectors at low priority, unless that is switched off or none is missing."""
    if not engine.settings.models.background or engine.settings.models.embedder == "none":
        return
    if not engine.is_behind():
        return
    import subprocess

    subprocess.Popen(
        [sys.executable, "-P", "-m", "deref.cli.vectors", str(folder)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env=dict(os.environ),
    )
