"""The narrow doors to the world. Each has adapters in `parse/`, `models/` or `store/`, and a double that ships."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from deref.quick_dataclass import dataclass
from deref.values import (
    Answer,
    Card,
    Chunk,
    Document,
    Hit,
    Parsed,
    Passage,
    Place,
    Query,
    Reference,
    Resolution,
    Scope,
    Span,
    TitleHit,
)
from deref.values.library import Entry as Entry
from deref.values.library import FileRecord as FileRecord
from deref.values.library import History as History
from deref.values.library import Progress as Progress

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from deref.values.filters import Filter
    from deref.values.messages import Message, Reply
    from deref.values.standing import Standing, StatusMark

# A string, so that what only names the ports does not load numpy.
Vectors: TypeAlias = "NDArray[np.float32]"

Ranking: TypeAlias = Sequence[tuple[str, float]]
"""Chunks by id with their scores, best first."""


class Parser(Protocol):
    """Bytes of one file → lines and native links. Opens no path."""

    def __call__(self, data: bytes, *, doc: str, name: str, password: str | None = None) -> Parsed:
        """Parse a file. `doc` is the document id that the lines carry, `name` is for error messages.

        Raises EncryptedFile, DamagedFile, OversizedFile.
        """
        ...


class Embedder(Protocol):
    """Texts → unit vectors. `identity` names model and version; vectors of two identities never meet."""

    @property
    def identity(self) -> str:
        """Name and hash of the model."""
        ...

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        ...

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return (len(texts), dimensions) float32 unit vectors, in order. Raises ModelError."""
        ...

    def query(self, text: str) -> Vectors:
        """Return one (dimensions,) float32 unit vector, with the query-side instruction. Raises ModelError."""
        ...


class Reranker(Protocol):
    """A question and passages → how well each answers it, read together: a cross-encoder."""

    @property
    def identity(self) -> str:
        """Name and hash of the model."""
        ...

    def load(self) -> None:
        """Make ready now. Raises ModelError when the model is missing or is not the one it should be."""
        ...

    def scores(self, question: str, passages: Sequence[str]) -> Sequence[float]:
        """Return a score from 0 (says nothing on it) to 1 for each passage, in order. Raises ModelError."""
        ...


class Enricher(Protocol):
    """A passage in its document → a preamble that says where it stands, for searching only: it is never shown or cited."""

    @property
    def identity(self) -> str:
        """Name and version: preambles of two identities never meet in one library."""
        ...

    def preamble(self, document: Document, chunk: Chunk) -> str:
        """Return the preamble, a sentence or two; "" for none. Raises ModelError."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Overviews:
    """The overviews of a library: ids of documents, and a (len(documents), dimensions) matrix of unit vectors."""

    documents: tuple[str, ...]
    vectors: Vectors


class OverviewReader(Protocol):
    """Reads the overviews of a library."""

    def __call__(self) -> Overviews:
        """Return the overviews. Raises LibraryDamaged, LibraryMismatch."""
        ...


def unheard_piece(_piece: str) -> None:
    """Hear a piece of a reply without a word."""


def never() -> bool:
    """Tell that a call is not called off."""
    return False


class Writer(Protocol):
    """A question and its evidence → a typed answer, in one pass."""

    @property
    def identity(self) -> str:
        """Name of the writer, for traces."""
        ...

    def write(
        self,
        query: Query,
        passages: Sequence[Passage],
        read: Callable[[str], Document],
        *,
        heard: Callable[[str], None] = unheard_piece,
        cancelled: Callable[[], bool] = never,
    ) -> Answer:
        """Answer from the passages alone, in their order of rank; `read` gives a document by id.

        `Answer.completeness` is REFERENCES_UNRESOLVED exactly when `Answer.pending` names what would change the
        answer; the pending resolutions carry status UNRESOLVED and no targets. The quote of each citation stands in its
        lines.

        `heard` gets the text of the answer in pieces, as far as it stands, while it is written; "" says that it begins
        anew. `cancelled` is asked while waiting. Raises ModelError, Cancelled.
        """
        ...


class LanguageModel(Protocol):
    """Messages and the shape of a reply → a reply that has that shape, or an error.

    How the shape is had (a schema that binds the decoder, a tool call, asking for it) is the adapter's business; that the reply
    has it is checked in each.
    """

    @property
    def identity(self) -> str:
        """Provider and model, for traces; never a key, and never an address that holds one."""
        ...

    @property
    def window(self) -> int:
        """Tokens that fit, messages and reply together."""
        ...

    def count(self, text: str) -> int:
        """Return the tokens of a text; where the tokenizer is not known, an estimate that is rather too high."""
        ...

    def reply(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any],
        name: str,
        most_tokens: int,
        heard: Callable[[str], None] = unheard_piece,
        cancelled: Callable[[], bool] = never,
    ) -> Reply:
        """Return the reply to the last message. `schema` is a JSON Schema of an object, `name` what the object is called.

        `most_tokens` bounds the reply, each attempt by itself. `heard` gets the pieces of JSON as they come; "" says that an
        attempt begins anew and what was heard before does not count. `cancelled` is asked while waiting, a few times a second.

        Raises ModelError: not there, refused, cut off, or no reply of that shape after the repairs that are allowed.
        Raises Cancelled when `cancelled` says so; the connection is closed by then.
        """
        ...


class Shelf(Protocol):
    """The read side of a library for one caller: everything the resolver needs, and nothing out of scope."""

    def cards(self) -> Sequence[Card]:
        """Return the documents, by name."""
        ...

    def document(self, doc: str) -> Document | None:
        """Return a document by id, or None when there is none for this caller."""
        ...

    def labelled(self, label: str) -> Sequence[Place]:
        """Return all sections and items of all documents with this normalised label (case-insensitive), by name and line."""
        ...

    def titled(self, title: str) -> Sequence[Place]:
        """Return the sections of all documents with this title (compared as `text.names.normalize_name` does), by name and line.

        The `label` of a section without one is "".
        """
        ...

    def defined(self, term: str) -> Sequence[Place]:
        """Return the definitions of a term (compared as `text.names.normalize_name` does), by name and line."""
        ...


class Past(Shelf, Protocol):
    """A shelf as it was at one time, for one caller: the documents of then, under the names of then."""

    def references(self, doc: str) -> Sequence[Reference]:
        """Return the references that were found in a document, in order."""
        ...


Step = Callable[[int, int, str], None]
"""Hears how many of how many documents are done, and the name of the next."""


def unheard(_done: int, _total: int, _name: str) -> None:
    """Hear a step without a word."""


class Store(Protocol):
    """One library. Every read takes the Scope of the caller; what is out of scope does not exist.

    What answers may come from also takes a filter, `where`, which decides before anything is ranked: what it leaves, and
    its scores, are those of the whole list without the rest. None lets everything pass.

    A document is visible when its catalogue row is committed, and not before. Writes take `at_ns`, the time under which
    what they change is remembered (nanoseconds since the epoch; None: now); all writes of one run take the same.
    """

    def put_all(self, entries: Sequence[Entry], *, at_ns: int | None = None) -> None:
        """Add or replace documents with all that belongs to them, in one write: all become visible at once, or none."""
        ...

    def note_files(self, files: Sequence[FileRecord], *, at_ns: int | None = None) -> None:
        """Record files without a new document, in one write: one that failed, a copy of a known one, a renamed one."""
        ...

    def forget_files(self, paths: Iterable[str], *, at_ns: int | None = None) -> Sequence[str]:
        """Remove files; return the ids of documents that went because no file holds them any more."""
        ...

    def files(self, scope: Scope) -> Sequence[FileRecord]:
        """Return the file records, by path. One that could not be read is of no document, and is there for who sees everything."""
        ...

    def passes(self, where: Filter, scope: Scope) -> bool:
        """Tell whether a filter leaves anything. Raises UsageError for a document or collection that is not there."""
        ...

    def mark(self, marks: Sequence[StatusMark]) -> None:
        """Keep what was said of the standing of documents, in the place of what was said before of each."""
        ...

    def marks(self, scope: Scope) -> Sequence[StatusMark]:
        """Return what was said of the standing of documents, by name: to who sees everything also of those that are not there now,

        to others what names none but documents that they see.
        """
        ...

    def standings(self, scope: Scope) -> Mapping[str, Standing]:
        """Return the documents that are not active, by id."""
        ...

    def collections(self, scope: Scope) -> Mapping[str, str]:
        """Return the collection of each document, by id."""
        ...

    def generation(self) -> str:
        """Return a word that each change of documents or their standing changes, by whichever process; it takes microseconds."""
        ...

    def fold(self) -> None:
        """Bring new rows into the full-text index, sweep orphans and what is too old to be remembered.

        Call once after a batch of writes.
        """
        ...

    def history(self) -> History:
        """Return from when on the former states of the library are known, and when it last changed."""
        ...

    def past(self, at_ns: int, scope: Scope) -> Past:
        """Return the registry as this caller would have seen it at a time.

        Raises UsageError for a time before `history().begins_ns`.
        """
        ...

    def shelf(self, scope: Scope) -> Shelf:
        """Return the registry as this caller may see it."""
        ...

    def references(self, doc: str, scope: Scope, within: Span | None = None) -> Sequence[Reference]:
        """Return the references found in a document, in order; those that begin in the lines `within` when these are given."""
        ...

    def chunks(self, doc: str, scope: Scope, where: Filter | None = None) -> Sequence[Chunk]:
        """Return the chunks of a document that pass, in order."""
        ...

    def read_ahead(self, docs: Collection[str], scope: Scope) -> None:
        """Read several documents at once, with their chunks and references, to be given later: cheaper than one by one."""
        ...

    def unenriched(self) -> Sequence[str]:
        """Return the documents of which some passage has no preamble, by id."""
        ...

    def lexical(self, text: str, k: int, scope: Scope, where: Filter | None = None) -> Sequence[Hit]:
        """Return the best k chunks by BM25, best first, ties by chunk id. Any text is safe; none that matches gives ()."""
        ...

    def dense(self, vector: Vectors, k: int, scope: Scope, where: Filter | None = None) -> Sequence[Hit]:
        """Return the best k chunks by cosine among those that have a vector, best first."""
        ...

    def rank_lexical(self, text: str, k: int, scope: Scope, where: Filter | None = None) -> Ranking:
        """Return what `lexical` finds without reading it: (id, score), in its order."""
        ...

    def rank_dense(self, vector: Vectors, k: int, scope: Scope, where: Filter | None = None) -> Ranking:
        """Return what `dense` finds without reading it: (id, score), in its order."""
        ...

    def passages(self, ids: Sequence[str], scope: Scope) -> Mapping[str, Chunk]:
        """Return chunks by id; those that are not there (any more) for this caller are left out.

        All of a question at once are read in little more time than those of one leg.
        """
        ...

    def titles(self, text: str, k: int, scope: Scope, where: Filter | None = None) -> Sequence[TitleHit]:
        """Return the best k documents by the name that is most like a text, best first, ties by document.

        Only those of which a passage passes. Names are title, path and aliases; likeness is that of `text.trigrams`, and what is hardly alike is left out.
        Any text is safe; none that is like a name gives ().
        """
        ...

    def vectors(self, chunks: Sequence[Chunk], embedder: Embedder) -> Vectors:
        """Return the vectors of these chunks, in order, computing and keeping those that are missing."""
        ...

    def missing_vectors(self, limit: int) -> Sequence[Chunk]:
        """Return up to `limit` chunks without a vector."""
        ...

    def progress(self, scope: Scope, where: Filter | None = None) -> Progress:
        """Return how many chunks have their vector, of the documents of which a passage passes."""
        ...

    def home(self) -> str | None:
        """Return the folder or file that the library is of; None before `claim`."""
        ...

    def claim(self, home: str) -> None:
        """Make this the library of a folder or file. Raises LibraryBusy, LibraryDamaged."""
        ...

    def describe(self) -> Mapping[str, Any]:
        """Return what the library is: schema, embedder identity, counts, place."""
        ...

    def close(self) -> None:
        """Let go of files and connections."""
        ...


class Clock(Protocol):
    """The time, in seconds since the epoch."""

    def __call__(self) -> float:
        """Return now."""
        ...


Resolve = Callable[[Reference], Resolution]
