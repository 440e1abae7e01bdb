"""The recording as it stands in a trace: its last line, behind the events.

    {"kind": "recording", "asked": …, "settings": …, "doors": …, "home": …, "ended": …, "calls": 210, "data": "eJzt…"}

`asked` is the question with all that it was asked with, `settings` those under which, `doors` the ports that were there of
those that need not be, `home` the folder or file that the library is of, `ended` how the question ended: its answer, or the error. `data` is text, compressed with zlib, in base64: a
line of JSON with the answers by call, then a line for each value that they name: its key, a space, and JSON.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deref.errors import DamagedFile
from deref.trace.codec import Kept, decode, encode
from deref.trace.record import Came, Recorder

RECORDING = "recording"
LARGEST = 1 << 30
"""Bytes that a recording may unpack to."""
_FIX = "write the trace anew with `deref ask … --trace FILE`"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """A recording, read back. `asked` are the arguments of `Engine.ask`; `settings` are by group and name.

    `ended` is the answer, or the kind and the words of the error.
    """

    asked: Mapping[str, Any]
    settings: Mapping[str, Any]
    doors: tuple[str, ...]
    home: str | None
    ended: Any
    answers: Mapping[str, Sequence[Came]]
    kept: Kept


def packed(
    recorder: Recorder,
    *,
    asked: Mapping[str, Any],
    settings: Mapping[str, Any],
    doors: Sequence[str],
    home: str | None,
    ended: Any,
) -> dict[str, Any]:
    """Return the last line of a trace as JSON-ready values."""
    lines = [json.dumps(recorder.answers, separators=(",", ":"))]
    lines += [f"{key} {text}" for key, text in recorder.pool.texts.items()]
    data = zlib.compress("\n".join(lines).encode("ascii"), level=1)
    return {
        "kind": RECORDING,
        "asked": {name: encode(value) for name, value in asked.items()},
        "settings": settings,
        "doors": list(doors),
        "home": home,
        "ended": encode(ended),
        "calls": sum(one.times for came in recorder.answers.values() for one in came),
        "data": base64.b64encode(data).decode("ascii"),
    }


def unpacked(line: Mapping[str, Any], *, name: str) -> Recording:
    """Return the recording in the last line of a trace. `name` is the file, for messages. Raises DamagedFile."""
    try:
        unpacker = zlib.decompressobj()
        text = unpacker.decompress(base64.b64decode(line["data"], validate=True), LARGEST).decode("ascii")
        if not unpacker.eof:
            raise ValueError("it is cut short, or unpacks to more than 1 GiB")
        first, *rest = text.split("\n")
        answers = {call: [Came(*one) for one in came] for call, came in json.loads(first).items()}
        texts = {key: kept for key, _, kept in (one.partition(" ") for one in rest)}
        return Recording(
            asked={key: decode(value) for key, value in line["asked"].items()},
            settings=dict(line["settings"]),
            doors=tuple(line["doors"]),
            home=line["home"],
            ended=decode(line["ended"]),
            answers=answers,
            kept=Kept(texts),
        )
    except (
        DamagedFile,
        LookupError,
        TypeError,
        ValueError,
        AttributeError,
        RecursionError,
        zlib.error,
    ) as error:
        raise DamagedFile(f"{name}: the recording at its end cannot be read ({error}); {_FIX}") from error
