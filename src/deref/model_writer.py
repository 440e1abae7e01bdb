"""What the engine is given where a language model writes: the writer, and the last tier of the resolver."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from deref.answer.generate import GenerativeWriter
from deref.references.by_model import only_a_reader_could_tell, resolve_by_model

if TYPE_CHECKING:
    from deref.answer.pointers import ReferencesIn
    from deref.ports import LanguageModel, Resolve, Writer
    from deref.values import Document, Reference, Resolution


class Writing(NamedTuple):
    """Who writes, and who resolves what is pending."""

    writer: Writer
    resolve: Resolve


def written_by_model(
    model: LanguageModel,
    references_in: ReferencesIn,
    resolve: Resolve,
    read: Callable[[str], Document],
    cancelled: Callable[[], bool],
) -> Writing:
    """Return the writer with a model, and a resolver that asks it for relative phrases which `resolve` leaves open.

    `read` gives a document by id. The writer itself asks `resolve` alone: it wants to know what leaves the shelf, and that
    takes no model. A phrase is put to the model once.
    """

    @cache
    def by_model_at_last(reference: Reference) -> Resolution:
        found = resolve(reference)
        if not only_a_reader_could_tell(found):
            return found
        return resolve_by_model(reference, read(reference.at.doc), model, cancelled)

    return Writing(GenerativeWriter(model, references_in, resolve), by_model_at_last)
