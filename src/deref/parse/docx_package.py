"""The zip around a DOCX, opened with limits.

What the archive says it unpacks to is checked before anything is unpacked, and what does come out is counted again
while it is read. The parts are few (document, styles, numbering, notes), so they are read here rather than through
a library that loads every part, pictures included, and gives up on a dangling relationship.
"""

from __future__ import annotations

import io
import posixpath
import zipfile
import zlib
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from lxml import etree

from deref.errors import DamagedFile, EncryptedFile, OversizedFile, UnsupportedFile

_STRICT = (
    (b"http://purl.oclc.org/ooxml/wordprocessingml/main", b"http://schemas.openxmlformats.org/wordprocessingml/2006/main"),
    (b"http://purl.oclc.org/ooxml/officeDocument/relationships", b"http://schemas.openxmlformats.org/officeDocument/2006/relationships"),
)  # fmt: skip
_CHUNK = 1 << 20
_SUSPECT_SIZE = 16 * 2**20
_SUSPECT_RATIO = 250
_MOST_ENTRIES = 20_000


@dataclass(frozen=True, slots=True)
class Relation:
    """Where a relationship leads: `kind` is the last word of its type, `external` when outside the file."""

    kind: str
    target: str
    external: bool


@dataclass(slots=True)
class Package:
    """An opened DOCX. `main` is the name of the document part."""

    name: str
    archive: zipfile.ZipFile
    left: int
    main: str = "word/document.xml"
    _names: frozenset[str] = field(default_factory=frozenset)

    def xml(self, part: str) -> Any:
        """Return the root element of a part, or None when there is no such part.

        Raises DamagedFile, OversizedFile.
        """
        if part not in self._names:
            return None
        data = self._read(part)
        for strict, usual in _STRICT:
            data = data.replace(strict, usual)
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
        try:
            root = etree.fromstring(data, parser)
        except etree.XMLSyntaxError as error:
            raise DamagedFile(
                f"{self.name}: part {part} is not well-formed ({error}); open the file in its editor and save it again"
            ) from error
        return root

    def relations(self, part: str) -> dict[str, Relation]:
        """Return the relationships of a part by id, targets as part names (or URLs when external)."""
        folder, base = posixpath.split(part)
        root = self.xml(posixpath.join(folder, "_rels", f"{base}.rels"))
        out: dict[str, Relation] = {}
        for element in () if root is None else root.iter("{*}Relationship"):
            target = element.get("Target", "")
            external = element.get("TargetMode") == "External"
            if not external:
                target = posixpath.normpath(posixpath.join("/", folder, unquote(target))).lstrip("/")
            out[element.get("Id", "")] = Relation(
                element.get("Type", "").rpartition("/")[2], target, external
            )
        return out

    def related(self, kind: str) -> str:
        """Return the part of this kind that the document names ("styles"), or its usual name."""
        found = (r.target for r in self.relations(self.main).values() if r.kind == kind and not r.external)
        return next(found, f"word/{kind}.xml")

    def _read(self, part: str) -> bytes:
        pieces: list[bytes] = []
        if self.archive.getinfo(part).compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise DamagedFile(
                f"{self.name}: part {part} is packed as in no DOCX; open the file in its editor and save it again"
            )
        try:
            with self.archive.open(part) as stream:
                while piece := stream.read(_CHUNK):
                    self.left -= len(piece)
                    if self.left < 0:
                        raise OversizedFile(
                            f"{self.name}: unpacks to more than the limit; if it is no zip bomb, raise read.max_unpacked_mb"
                        )
                    pieces.append(piece)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError) as error:
            raise DamagedFile(
                f"{self.name}: part {part} cannot be unpacked ({error}); copy the file again"
            ) from error
        return b"".join(pieces)


def open_package(data: bytes, *, name: str, max_unpacked: int) -> Package:
    """Open a DOCX from its bytes.

    Raises DamagedFile for a broken zip, UnsupportedFile for one that holds no Word document, EncryptedFile,
    OversizedFile when it would unpack to more than `max_unpacked` bytes or swells beyond what documents do.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise DamagedFile(f"{name}: the DOCX is cut short or damaged ({error}); copy it again") from error
    entries = archive.infolist()
    unpacked = sum(entry.file_size for entry in entries)
    swollen = unpacked > _SUSPECT_SIZE and unpacked > _SUSPECT_RATIO * len(data)
    if unpacked > max_unpacked or swollen or len(entries) > _MOST_ENTRIES:
        mend = "raise read.max_unpacked_mb" if unpacked > max_unpacked else "save it anew in its editor"
        raise OversizedFile(
            f"{name}: {len(data):,} bytes that unpack to {unpacked:,} in {len(entries):,} parts look like a zip bomb "
            f"(limit {max_unpacked:,}); if the file is sound, {mend}"
        )
    if any(entry.flag_bits & 1 for entry in entries):
        raise EncryptedFile(f"{name}: the parts of the DOCX are encrypted; save a copy without a password")
    package = Package(name, archive, max_unpacked, _names=frozenset(e.filename for e in entries))
    main = next(
        (r.target for r in package.relations("").values() if r.kind == "officeDocument"), package.main
    )
    package.main = main if main in package._names else package.main
    if package.main not in package._names:
        raise UnsupportedFile(
            f"{name}: a zip archive without a Word document in it; give the file it was made from"
        )
    return package
