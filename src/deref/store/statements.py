"""What is read from the catalogue: standard SQL with named parameters, the same for every database.

Reading goes past SQLAlchemy where the database is a local file: importing SQLAlchemy takes 0.1 s, more than half of
what a question may take from the shell. The tables are made, and written, through `schema` alone;
a test runs each statement through both doors.
"""

from __future__ import annotations

_CARD = "d.id, d.name, d.title, d.format, d.language, d.pages, d.status, COALESCE(s.successor, ''), COALESCE(s.why, '')"
_DOCUMENTS = "documents d LEFT JOIN standings s ON s.doc = d.id"

PROPERTIES = "SELECT key, value FROM properties"
VISIBLE = "SELECT id, revision, collection, status FROM documents"
HIDDEN = "SELECT revision FROM revisions ORDER BY revision"
CARDS = f"SELECT {_CARD} FROM {_DOCUMENTS} ORDER BY d.name, d.id"
ALIASES = "SELECT doc, alias FROM aliases ORDER BY doc, n"
NAMES = "SELECT id, name, title FROM documents ORDER BY name, id"
NAMES_OF_ALL = "SELECT doc, number, name, trigrams FROM names ORDER BY doc, n"
TRIGRAMS_OF_ALL = "SELECT trigram, name FROM name_trigrams"
NOT_ACTIVE = (
    "SELECT d.id, d.status, COALESCE(s.successor, ''), COALESCE(s.why, ''), COALESCE(s.named, '[]') "
    f"FROM {_DOCUMENTS} WHERE d.status <> 'active'"
)
RESTATE = "UPDATE documents SET status = :status WHERE id = :doc"
FORGET_STANDING = "DELETE FROM standings WHERE doc = :doc"
KEEP_STANDING = "INSERT INTO standings (doc, successor, why, named) VALUES (:doc, :successor, :why, :named)"
STATED = "SELECT doc, what, names, line, words FROM stated ORDER BY doc, n"
MARKS = "SELECT doc, name, status, successor, successor_name FROM marks ORDER BY name, doc"
FILES = "SELECT path, size, mtime_ns, seen_ns, doc, error FROM files ORDER BY path"

DOCUMENT = f"SELECT {_CARD}, d.body FROM {_DOCUMENTS} WHERE d.id = :doc"
ALIASES_OF = "SELECT alias FROM aliases WHERE doc = :doc ORDER BY n"
SECTIONS_OF = "SELECT id, label, title, level, line_start, line_end, parent, word FROM sections WHERE doc = :doc ORDER BY n"
ITEMS_OF = (
    "SELECT n, id, kind, label, caption, line_start, line_end, header_start, header_end FROM items "
    "WHERE doc = :doc ORDER BY n"
)
SELECTORS_OF = "SELECT item, kind, tag, line_start, line_end FROM selectors WHERE doc = :doc ORDER BY item, n"
LINKS_OF = (
    "SELECT line, char_start, char_end, end_line, source, target_start, target_end, uri FROM links "
    "WHERE doc = :doc ORDER BY n"
)
REFERENCES_OF = (
    "SELECT text, kind, labels, line, char_start, char_end, end_line, selector, container, effect, found_by "
    "FROM document_references WHERE doc = :doc ORDER BY n"
)

BELONGINGS = {
    "aliases": ALIASES_OF,
    "sections": SECTIONS_OF,
    "items": ITEMS_OF,
    "selectors": SELECTORS_OF,
    "links": LINKS_OF,
    "references": REFERENCES_OF,
}
"""What a former document is packed with, by the name under which it is."""

HISTORY = """
SELECT (SELECT value FROM properties WHERE key = 'history'), (SELECT MAX(since_ns) FROM documents),
       (SELECT MAX(until_ns) FROM former)
"""
STANDING_AT = "SELECT id FROM documents WHERE since_ns <= :at"
FORMER_AT = """
SELECT doc, n, collection, name, title, format, language, pages, status, belongings FROM former
WHERE since_ns <= :at AND until_ns > :at ORDER BY n
"""
FORMER_BODY = "SELECT body FROM former WHERE n = :n"

LABELLED = """
SELECT doc, kind, label, title, line_start, line_end, word FROM (
    SELECT s.doc AS doc, 'section' AS kind, s.label AS label, s.title AS title, s.line_start AS line_start,
           s.line_end AS line_end, s.word AS word, d.name AS name
    FROM sections s JOIN documents d ON d.id = s.doc WHERE s.label_key = :key
    UNION ALL
    SELECT i.doc, i.kind, i.label, i.caption, i.line_start, i.line_end, NULL, d.name
    FROM items i JOIN documents d ON d.id = i.doc WHERE i.label_key = :key
) AS places ORDER BY name, doc, line_start, line_end DESC, kind
"""
TITLED = """
SELECT s.doc, 'section', COALESCE(s.label, ''), s.title, s.line_start, s.line_end, s.word
FROM sections s JOIN documents d ON d.id = s.doc WHERE LOWER(s.title) LIKE :key
ORDER BY d.name, s.doc, s.line_start, s.line_end DESC
"""
DEFINED = """
SELECT i.doc, i.kind, i.label, i.caption, i.line_start, i.line_end, NULL
FROM items i JOIN documents d ON d.id = i.doc WHERE i.term_key = :key
ORDER BY d.name, i.doc, i.line_start, i.line_end DESC
"""

PROGRESS = """
SELECT p.doc, COUNT(*), COUNT(v.text_hash)
FROM passages p LEFT JOIN vectors v ON v.text_hash = p.text_hash AND v.model = :model
GROUP BY p.doc
"""
MISSING = """
SELECT p.doc, p.id FROM passages p JOIN documents d ON d.id = p.doc
LEFT JOIN vectors v ON v.text_hash = p.text_hash AND v.model = :model
WHERE v.text_hash IS NULL ORDER BY d.name, p.doc, p.n LIMIT :most
"""
VECTORS_OF_ALL = """
SELECT p.doc, p.id, v.vector FROM passages p
JOIN vectors v ON v.text_hash = p.text_hash AND v.model = :model
"""
DOCUMENT_FACTS = """
SELECT d.id, d.name, d.title, d.collection, d.format, d.status,
       (SELECT MAX(f.mtime_ns) FROM files f WHERE f.doc = d.id AND f.path = d.name)
FROM documents d ORDER BY d.name, d.id
"""
COUNTS = (
    "SELECT (SELECT COUNT(*) FROM documents), (SELECT COUNT(*) FROM passages), (SELECT COUNT(*) FROM files)"
)


def vectors_by_hash(count: int) -> str:
    """Return the statement that reads `count` vectors by the parameters h0, h1, …"""
    return (
        f"SELECT text_hash, vector FROM vectors WHERE model = :model AND text_hash IN ({_marks('h', count)})"
    )


def passages_of(count: int) -> str:
    """Return the statement that reads the passages of the documents d0, d1, …, in order, so that they can be cut out."""
    return (
        "SELECT doc, id, line_start, line_end, section, tokens, path, header_start, header_end, cut_out "
        f"FROM passages WHERE doc IN ({_marks('d', count)}) ORDER BY doc, n"
    )


def passage_facts(count: int) -> str:
    """Return the statement that reads what filters ask of the passages of the documents d0, d1, …"""
    return f"SELECT doc, id, paths, page, end_page, kinds FROM passages WHERE doc IN ({_marks('d', count)})"


def of_several(statement: str, count: int) -> str:
    """Return one of BELONGINGS, or DOCUMENT, for the documents d0, d1, …; where the id is not among its columns, it is the first."""
    marks = _marks("d", count)
    if statement is DOCUMENT:
        return statement.replace("= :doc", f"IN ({marks})")
    return (
        statement.replace("SELECT ", "SELECT doc, ", 1)
        .replace("= :doc", f"IN ({marks})")
        .replace("ORDER BY ", "ORDER BY doc, ")
    )


def names_like(count: int) -> str:
    """Return the statement that counts, for each name, how many of the trigrams g0, g1, … it has: `least` or more."""
    return (
        "SELECT n.doc, n.trigrams, shared.number_of FROM (SELECT name, COUNT(*) AS number_of FROM name_trigrams "
        f"WHERE trigram IN ({_marks('g', count)}) GROUP BY name HAVING COUNT(*) >= :least"
        ") AS shared JOIN names n ON n.number = shared.name"
    )


def names_by_documents(count: int) -> str:
    """Return the statement that reads the names of the documents d0, d1, …"""
    return f"SELECT doc, name FROM names WHERE doc IN ({_marks('d', count)}) ORDER BY doc, n"


def _marks(letter: str, count: int) -> str:
    return ", ".join(f":{letter}{n}" for n in range(count))
