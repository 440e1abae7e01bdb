"""What holds for all findings: their place, their fingerprint, and what is left out because it is counted elsewhere."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deref.errors import UsageError
from deref.parse import parse
from deref.references import MemoryShelf, find
from deref.references.check import Checker, rules_named
from deref.references.check_form import forms_of
from deref.references.check_marks import lacks
from deref.references.check_rules import RULES
from deref.references.documents import spoken_names
from deref.references.mentions import find_names, with_mentions
from deref.structure import build_document
from deref.values import Document, Finding, Reference, Span

TERMS = """# Terms

## 1. Fees

### 1.1 Amount

The fee is due as Section 2.3 says.

### 1.2 Date

Paid on the first.

## 2. Notices

### 2.1 Form

In writing:

(a) by post;

(b) by hand; or

(c) by mail.

### 2.2 Copies

{said}
"""


def built(files: dict[str, str]) -> list[Document]:
    return [
        build_document(parse(text.encode(), doc=name, name=name), doc=name, name=name, fingerprint="test")
        for name, text in files.items()
    ]


def checked(files: dict[str, str], *only: str) -> list[Finding]:
    documents = built(files)
    shelf = MemoryShelf(documents)
    names = tuple(spoken_names(shelf.cards()))

    def references(document: Document) -> list[Reference]:
        return list(with_mentions(find(document), find_names(document, names)))

    checker = Checker(shelf, references, rules_named(only))
    return [finding for document in documents for finding in checker(document)]


def marked(said: str, *only: str) -> list[str]:
    return [f.text for f in checked({"terms.md": TERMS.format(said=said)}, *only) if f.row > 20]


def test_a_finding_says_where_it_is_and_why() -> None:
    (found,) = checked({"terms.md": TERMS.format(said="None.")}, "dangling")
    assert (found.source, found.page, found.row, found.paged) == ("terms.md", 1, 7, False)
    assert found.text == "Section 2.3"
    assert found.message.startswith("There is no section 2.3 in this document; the last")


@pytest.mark.parametrize(
    "said",
    [
        "See section 2.3 of the Companies Act 2006.",
        "See 29 CFR 2.1 and 2.7.",
        "See GSAR section 2.9.",
        "See the standard's section 2.9.",
        "See Section 2.9 (“Copies”) of [QUIC].",
        "See Section 7430 there.",
        "See Sections 2.1(a) through 2.2.",
        "See Article 9 of Directive 95/46/EC.",
        "See section 2.9, as amended, of the Trade Act.",
    ],
)
def test_what_is_counted_elsewhere_is_no_finding(said: str) -> None:
    assert marked(said, "dangling") == []


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("See Section 2.9.", "Section 2.9"),
        ("See Section 2.1(f).", "Section 2.1(f)"),
        ("See Sections 2.1 and 2.9.", "Sections 2.1 and 2.9"),
        ("See Section 9.1 of these Terms.", "Section 9.1"),
        ("See Section 2.9 and the Companies Act 2006.", "Section 2.9"),
    ],
)
def test_what_should_be_here_is_found(said: str, text: str) -> None:
    assert [t.removesuffix(" of these Terms") for t in marked(said, "dangling")] == [text]


def test_a_heading_that_the_reading_missed_is_a_place_all_the_same() -> None:
    files = {
        "terms.md": TERMS.format(said="See Section 2.3.\n\n2.3 is what the parties call the last line.\n")
    }
    assert checked(files, "dangling") == []


def test_a_part_is_missing_only_where_the_list_was_read_whole() -> None:
    (document,) = built({"terms.md": TERMS.format(said="See it.\n\n(b) by hand.\n\n(d) by air.")})
    whole = next(s for s in document.sections if s.label == "2.1")
    holey = next(s for s in document.sections if s.label == "2.2")
    assert lacks(document, whole.lines, ("f",)) == "(c)"
    assert lacks(document, whole.lines, ("b",)) is None
    assert lacks(document, holey.lines, ("f",)) is None


def test_a_list_in_a_list_does_not_end_the_outer_one() -> None:
    text = "(a) one\n\n(1) in\n\n(2) in\n\n(i) deep\n\n(ii) deep\n\n(3) in\n\n(iii) deep\n\n(b) two\n"
    (document,) = built({"list.md": text})
    lines = Span(doc=document.id, start=0, end=len(document.lines))
    assert lacks(document, lines, ("a", "2", "iii")) is None
    assert lacks(document, lines, ("a", "7")) == "(a)(3)"


def test_numbers_and_letters_of_a_label_make_its_form() -> None:
    assert forms_of("9.406-1") == ("N.N-N",)
    assert forms_of("A.4") == ("A.N",)
    assert set(forms_of("IV")) == {"W", "I"}


def test_a_rule_that_is_none_is_refused_with_those_that_are() -> None:
    with pytest.raises(UsageError, match="no such rule; use some of dangling"):
        rules_named(["spelling"])
    assert rules_named([]) == RULES


_LINES = st.lists(st.sampled_from(["", "A line more.", "Another one, rather longer than that."]), max_size=6)


@settings(max_examples=25, deadline=None)
@given(_LINES)
def test_a_fingerprint_outlives_lines_that_come_before(lines: list[str]) -> None:
    plain = checked({"terms.md": TERMS.format(said="See Section 2.9.")}, "dangling")
    moved = checked({"terms.md": "\n".join([*lines, "", TERMS.format(said="See Section 2.9.")])}, "dangling")
    assert [f.fingerprint for f in moved] == [f.fingerprint for f in plain]


def test_a_fingerprint_outlives_another_wrapping_of_lines() -> None:
    plain = checked({"terms.md": TERMS.format(said="As told, see Section 2.9 for it.")}, "dangling")
    wrapped = checked({"terms.md": TERMS.format(said="As told,\nsee Section 2.9\nfor it.")}, "dangling")
    assert [f.fingerprint for f in wrapped] == [f.fingerprint for f in plain]


def test_equal_findings_have_fingerprints_of_their_own() -> None:
    said = "\n\n".join(
        ["As we agreed here in writing before, see Section 2.9 for all that is to be done about it."] * 3
    )
    found = checked({"terms.md": TERMS.format(said=said)}, "dangling")
    assert len(found) == 4
    assert len({f.fingerprint for f in found}) == 4


def test_another_word_beside_it_is_another_finding() -> None:
    one = checked({"terms.md": TERMS.format(said="The fee, see Section 2.9.")}, "dangling")
    other = checked({"terms.md": TERMS.format(said="The rent, see Section 2.9.")}, "dangling")
    assert {f.fingerprint for f in one} & {f.fingerprint for f in other} == {one[0].fingerprint}


MEMO = """
Example Working Group                                          A. Ray
Request for Comments: 9999                                  Kent Ltd
BCP: 77                                                    March 2024


                      How to Count

1.  Counting

   One counts as [RFC1111] says, and not as [RFC2222] did.  A document
   cites this one as [BCP77] or [RFC9999].

2.  References

   [RFC1111]  Ray, A., "Counting", RFC 1111, March 1999.

   [RFC3333]  Ray, A., "Counting on", RFC 3333, March 2003.
"""


def test_a_tag_without_an_entry_is_found_and_the_tags_of_the_document_itself_are_not() -> None:
    assert [f.text for f in checked({"rfc9999.txt": MEMO}, "dangling")] == ["[RFC2222]"]


def test_a_paragraph_of_a_section_that_is_named_as_its_container_is_missed_in_it() -> None:
    clauses = "# 52.204-24 Represented\n\n(a) One.\n\n(b) Two.\n\n(c) Three.\n\n# 52.204-25 Said\n\n"
    said = (
        "Use paragraph (d)(2) of the provision at 52.204-24 and paragraph (b) of the provision at 52.204-24."
    )
    found = checked({"clauses.md": clauses + said}, "dangling")
    assert [f.text for f in found] == ["paragraph (d)(2) of the provision at 52.204-24"]


def test_an_index_of_paragraphs_is_counted_its_own_way() -> None:
    index = "cookies, Section 1.1, Paragraph 1.8; Paragraph 2.22; fees, Section 1.2, Paragraph 1.9"
    assert marked(f"Index: {index}.", "dangling") == []


@pytest.mark.parametrize("said", ["more than 0.002 of it (see Section 2.1)", "Table 2.9 or Section 0.9"])
def test_what_the_document_never_numbers_so_is_no_finding(said: str) -> None:
    assert marked(f"It holds {said}.", "dangling") == []


def test_a_counted_paragraph_is_missing_only_beyond_all_lines() -> None:
    memo = MEMO.replace("[RFC2222]", "Section 1, Paragraph 2,").replace(
        "as [BCP77] or", "in Section 1, Paragraph 44, or"
    )
    assert [f.text for f in checked({"rfc9999.txt": memo}, "dangling")] == ["Section 1, Paragraph 44"]


def test_an_index_counts_all_blocks_of_a_section_and_not_the_list_in_it() -> None:
    steps = "\n\n".join(f"   {n}.  the words of kind {n}, each of which is counted;" for n in range(1, 4))
    more = "\n\n".join("   One more word on it." for _ in range(4))
    memo = MEMO.replace("as [RFC1111] says, and not as [RFC2222] did", "so").replace(
        "2.  Ref", f"{steps}\n\n{more}\n\n2.  Ref"
    )
    index = "\n\nIndex\n\n" + "\n".join(
        f"   word {n}  Section 1, Paragraph {n + 3}; Table 1" for n in range(1, 5)
    )
    assert checked({"rfc9999.txt": memo + index}, "dangling") == []
    told = memo.replace("as [BCP77] or", "in Section 1, Paragraph 5, or")
    assert [f.text for f in checked({"rfc9999.txt": told + index}, "dangling")] == ["Section 1, Paragraph 5"]
