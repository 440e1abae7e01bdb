"""The command line. One file a command; `main` puts them together; heavy libraries load when a command needs them.

Only a process of the command line imports this package, and it sets how that process collects garbage before anything
else is loaded: a question from the shell is over in a third of a second, and collecting meanwhile is a tenth of it.
"""

import gc

gc.set_threshold(200_000, 20, 20)
