"""What a notebook shows of answers, passages, references and findings: as HTML, and as Markdown.

Importing Deref where IPython runs makes it show the nouns so; `shown` does it for a list of them, and anywhere else:

    from deref.notebook import shown

    shown(deref.references("contracts/"))

The nouns know nothing of it. A reference holds ids of documents and numbers of lines; the names and pages are read, when it is shown,
from the libraries that were opened in this process.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deref.notebook.papers import Papers

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from deref.settings import Settings
    from deref.values import Answer, Candidates, Citation, Finding, Reference, Resolution

    Showable = Answer | Candidates | Citation | Resolution | Reference | Finding

_PAPERS = Papers()
_NOUNS = {
    "deref.values.answer": ("Answer", "Citation"),
    "deref.values.retrieval": ("Candidates",),
    "deref.values.reference": ("Resolution", "Reference"),
    "deref.values.finding": ("Finding",),
}


class Shown:
    """Something that a notebook shows as `html` and `markdown` say."""

    def __init__(self, value: Showable | Sequence[Showable]) -> None:
        """Take what is to be shown."""
        self._value = value

    def _repr_html_(self) -> str:
        return html(self._value)

    def _repr_markdown_(self) -> str:
        return markdown(self._value)


def shown(value: Showable | Sequence[Showable]) -> Shown:
    """Return a noun, or several, as an object that notebooks show. Raises TypeError when it is shown and is none."""
    return Shown(value)


def html(value: Showable | Sequence[Showable]) -> str:
    """Return a noun, or several, as a piece of HTML: no script, nothing from elsewhere, in the colours of what is around it.

    Raises TypeError for what is no such noun.
    """
    from deref.notebook.as_html import as_html
    from deref.notebook.views import view

    with _PAPERS.reading() as read:
        return as_html(view(value, read))


def markdown(value: Showable | Sequence[Showable]) -> str:
    """Return a noun, or several, as Markdown. Raises TypeError for what is no such noun."""
    from deref.notebook.as_markdown import as_markdown
    from deref.notebook.views import view

    with _PAPERS.reading() as read:
        return as_markdown(view(value, read))


def remember(folder: Path, settings: Settings | None) -> None:
    """Have the documents of a library named in what is shown from now on."""
    _PAPERS.add(folder, settings)


def register(shell: InteractiveShell | None = None) -> None:
    """Have IPython show the nouns; `shell` is the one that runs when None. Does nothing where none runs."""
    if shell is None:
        from IPython.core.getipython import get_ipython

        shell = get_ipython()
    if shell is None or shell.display_formatter is None:
        return
    formatters: Any = shell.display_formatter.formatters
    for module, names in _NOUNS.items():
        for name in names:
            formatters["text/html"].for_type_by_name(module, name, html)
            formatters["text/markdown"].for_type_by_name(module, name, markdown)
