"""A language model of the deal room on loopback: it answers as one that reads, and finds the row only when it is given it."""

from __future__ import annotations

import json
import re
from typing import Any

from unit.models.chat_server import Handler, says

POINTER = "row (E) of Table B-1 in Exhibit B"


def reads(to: Handler) -> None:
    """Answer as a model would that reads: the row when it is there, else the sentence that points at it."""
    user = to.asked["messages"][-1]["content"]
    passages = dict(re.findall(r"^=== (P\d+) \w+$(.*?)^=== end of", user, re.DOTALL | re.MULTILINE))
    row = next((id for id, text in passages.items() if "28,640" in text), None)
    draft: dict[str, Any] = {
        "status": "answered",
        "claims": [],
        "pending_references": [],
        "conditions": [],
        "definitions": [],
        "externals": [],
    }
    if row is None:
        first = next(id for id, text in passages.items() if POINTER.split(" in ")[0] in text)
        quote = "The price of night and weekend support is that of row (E) of Table B-1 in Exhibit B"
        draft["claims"] = [{"text": f"{quote}.", "quotes": [{"evidence": first, "quote": quote}]}]
        draft["pending_references"] = [{"text": POINTER, "evidence": first}]
    else:
        quote = "Extended cover, tier 2 per month 28,640 27,500"
        quoted = [{"evidence": row, "quote": quote}]
        draft["claims"] = [
            {"text": "Extended cover, tier 2 is 28,640 per month, then 27,500.", "quotes": quoted}
        ]
    says(json.dumps(draft), pieces=9)(to)
