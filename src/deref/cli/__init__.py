"""The command line. One file a command; `main` puts them together; heavy libraries load when a command needs them.

Only a process of the command line imports this package, and it sets two things of that process before anything else is
loaded: how it collects garbage, for a question from the shell is over in a third of a second, and collecting meanwhile
is a tenth of it; and that Ctrl-C while modules are still being loaded is one line, as it is later (`main`).
"""

import gc
import sys
from types import TracebackType

gc.set_threshold(200_000, 20, 20)

INTERRUPTED = "interrupted; what was stored is kept"
INTERRUPTED_CODE = 130


def _tell(kind: type[BaseException], error: BaseException, at: TracebackType | None) -> None:
    # Python wraps what is raised while it makes a class.
    if any(isinstance(e, KeyboardInterrupt) for e in (error, error.__cause__)):
        sys.stderr.write(f"deref: {INTERRUPTED}\n")
        sys.exit(INTERRUPTED_CODE)
    sys.__excepthook__(kind, error, at)


sys.excepthook = _tell
