"""HTML to lines: decode, build the tree, and read it as flowing blocks, or as plain text where a page is one long <pre>.

XHTML that is well-formed is read as XML, where an empty element closes itself; everything else as a browser would.
Nothing is fetched, no entity of a document type is expanded, no script is run or read.
"""

from __future__ import annotations

import re
from typing import Any

from lxml import etree

from deref.errors import DamagedFile
from deref.parse.encoding import declared_charset, decode
from deref.parse.flow import Flow
from deref.parse.html_pre import is_preformatted, read_preformatted
from deref.parse.html_walk import Walker
from deref.values import Parsed, Problem

_XHTML = re.compile(r"^\s*<\?xml\b[^>]*\?>")
_INTERNAL_SUBSET = re.compile(r"<!DOCTYPE[^>]*\[", re.IGNORECASE)
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\ud800-\udfff]")
# Elements that only nest; without them a page that nests too deep for any parser still gives up its text.
_NESTING = re.compile(
    r"</?(?:div|span|font|center|blockquote|section|article|b|i|em|strong|ul|ol|dl)\b[^>]{0,2000}>",
    re.IGNORECASE,
)
_XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"


def parse_html(data: bytes, *, doc: str, name: str, password: str | None = None) -> Parsed:
    """Parse an HTML page. `password` is not used; malformed markup is read as well as it goes.

    Raises DamagedFile when there is no element in it, UnsupportedFile when the bytes are no text.
    """
    decoded = decode(data, name=name, declared=declared_charset(data))
    root = _tree(decoded.text)
    if root is None:
        raise DamagedFile(f"{name}: no HTML element could be read; save the page again from the browser")
    flow = Flow(doc=doc)
    flow.problems += decoded.problems
    body = root.find("body")
    top = root if body is None else body
    title = " ".join((root.findtext("head/title") or root.findtext(".//title") or "").split())
    pages = 1
    if is_preformatted(top):
        plain = read_preformatted(top, flow)
        pages, title = plain.pages, title or plain.title or ""
    else:
        Walker(flow, own_name=re.split(r"[/\\]", name)[-1]).walk(top)
    if not flow.lines:
        flow.problems.append(Problem(what="the page has no text of its own (it may be built by a script)"))
    language = root.get("lang") or root.get(_XML_LANG)
    return flow.parsed("html", title=title, language=language, pages=pages)


def _tree(text: str) -> Any:
    if _XHTML.match(text) and not _INTERNAL_SUBSET.search(text[:4096]):
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
        try:
            root = etree.fromstring(_XHTML.sub("", text, count=1).lstrip().encode(), parser)
        except etree.XMLSyntaxError:
            pass  # as usual for pages that say XHTML and are not; they are HTML then
        else:
            return _without_namespaces(root)
    clean = _CONTROLS.sub("", text)
    root, too_deep = _html(clean)
    return _html(_NESTING.sub("<br>", clean))[0] if too_deep else root


def _html(text: str) -> tuple[Any, bool]:
    """Return the tree, and whether markup was nested so deep that the parser gave up on what is inside."""
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, no_network=True)
    root = etree.fromstring(text.encode(), parser)
    return root, any("Excessive depth" in error.message for error in parser.error_log)


def _without_namespaces(root: Any) -> Any:
    for element in root.iter(etree.Element):
        if element.tag.startswith("{"):
            element.tag = element.tag.rpartition("}")[2]
    return root
