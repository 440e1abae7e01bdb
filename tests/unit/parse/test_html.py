"""HTML: blocks to lines, and what elements say of them."""

from __future__ import annotations

import pytest

from deref.parse import parse
from deref.values import LinkSource, Mark, MarkKind, NativeLink, Parsed


def read(body: str, *, head: str = "", name: str = "page.html") -> Parsed:
    page = (
        f"<!DOCTYPE html><html lang='en'><head><title>A page</title>{head}</head><body>{body}</body></html>"
    )
    return check(parse(page.encode(), doc="d", name=name))


def check(parsed: Parsed) -> Parsed:
    assert [line.n for line in parsed.lines] == list(range(len(parsed.lines)))
    return parsed


def texts(body: str) -> list[str]:
    return [line.text for line in read(body).lines]


def marks(parsed: Parsed, kind: MarkKind) -> list[Mark]:
    return [m for m in parsed.marks if m.kind is kind]


def words(parsed: Parsed, link: NativeLink) -> str:
    assert link.end_line is None
    return parsed.lines[link.line].text[link.char_start : link.char_end]


def test_title_and_language_are_read() -> None:
    parsed = read("<p>x</p>")
    assert (parsed.title, parsed.language, parsed.format) == ("A page", "en", "html")


def test_no_text_of_scripts_styles_or_hidden_elements_appears() -> None:
    body = (
        "<script>var a = 'evil';</script><style>p{}</style><template>t</template><noscript>n</noscript>"
        "<p>Seen<!-- not --> text</p><div hidden>h</div><div style='display: none'>d</div><svg><text>s</text></svg>"
    )
    assert texts(body) == ["Seen text"]


def test_inline_elements_join_and_white_space_folds_but_no_break_spaces_stay() -> None:
    assert texts("<p> See\n  <b>Section</b>&nbsp;<i>4</i><span>.2</span> </p>") == ["See Section\u00a04.2"]


def test_a_long_paragraph_is_one_block_of_lines_cut_at_words() -> None:
    parsed = read("<p>" + "several words here " * 30 + "</p><p>Next</p>")
    assert max(len(line.text) for line in parsed.lines) <= 112
    assert [n for n, line in enumerate(parsed.lines) if line.starts_block] == [0, len(parsed.lines) - 1]


def test_no_line_ends_in_a_hyphen_that_would_be_taken_for_a_broken_word() -> None:
    text = "x" * 104 + " pre- and post-closing"
    assert texts(f"<p>{text}</p>") == ["x" * 104, "pre- and post-closing"]


def test_a_break_starts_a_line_and_two_start_a_block() -> None:
    parsed = read("<p>One<br>two<br><br>three</p>")
    assert [(line.text, line.starts_block) for line in parsed.lines] == [
        ("One", True),
        ("two", False),
        ("three", True),
    ]


def test_headings_have_levels_and_keep_their_number() -> None:
    parsed = read(
        "<h1>Terms</h1><section id='s2'><h3 class='title'><a name='old'></a><span>2.1. </span>Fees</h3></section>"
    )
    assert [(parsed.lines[m.start].text, m.level) for m in marks(parsed, MarkKind.HEADING)] == [
        ("Terms", 1),
        ("2.1. Fees", 3),
    ]
    assert (parsed.anchors["s2"], parsed.anchors["old"]) == (1, 1)


def test_a_letter_set_apart_in_a_heading_is_its_number() -> None:
    body = "<h2><a><span>B</span> <span>Tools</span></a></h2><h2><b>C.</b> More</h2><h2>A <b>Tool</b></h2>"
    assert [m.label for m in marks(read(body), MarkKind.HEADING)] == ["B", "C", None]


def test_the_heading_of_a_note_is_no_section() -> None:
    parsed = read("<h2>4 Rules</h2><div class='note'><h3>Note</h3><p>Careful.</p></div>")
    assert len(marks(parsed, MarkKind.HEADING)) == 1
    assert [m.start for m in marks(parsed, MarkKind.BOLD)] == [1]


def test_links_have_exact_places_and_go_to_lines_or_elsewhere() -> None:
    parsed = read(
        "<p>See <a href='#fees'>Section 2</a>, <a href='other.html#x'>that page</a> and <a href='#gone'>this</a>.</p><h2 id='fees'>2 Fees</h2>"
    )
    assert [(words(parsed, link), link.target_line, link.uri) for link in parsed.links] == [
        ("Section 2", 1, None), ("that page", None, "other.html#x"), ("this", None, "#gone"),
    ]  # fmt: skip


def test_a_link_to_the_page_itself_stays_inside() -> None:
    parsed = read("<p><a href='page.html#b'>b</a> <a href='page.html'>top</a></p><p>x</p><p id='b'>B</p>")
    assert [link.target_line for link in parsed.links if link.line == 0] == [2]


def test_a_link_over_two_lines_says_where_it_ends() -> None:
    parsed = read(f"<p>{'x' * 100} <a href='u'>first words and more words</a> after</p>")
    (link,) = parsed.links
    assert (link.line, link.end_line) == (0, 1)
    assert parsed.lines[1].text[: link.char_end] == "and more words"


def test_the_number_of_a_heading_that_links_to_itself_is_no_reference() -> None:
    body = "<section id='s1'><h2 id='n1'><a href='#s1'>1. </a><a href='#n1'>Scope</a></h2><p>See <a href='#s1'>Section 1</a>.</p></section>"
    assert [words(p, link) for p in [read(body)] for link in p.links] == ["Section 1"]


def test_an_id_on_an_empty_element_stands_for_the_next_text() -> None:
    parsed = read("<p>One</p><a id='here'></a><p>Two<a id='after'></a></p><p>Three</p><span id='end'></span>")
    assert (parsed.anchors["here"], parsed.anchors["after"], parsed.anchors["end"]) == (1, 2, 2)


def test_an_id_inside_a_paragraph_stands_for_its_own_line() -> None:
    parsed = read(f"<p>{'word ' * 40}<em id='late'>here</em></p>")
    assert "here" in parsed.lines[parsed.anchors["late"]].text


def test_a_table_is_one_line_a_row_with_its_header_and_caption() -> None:
    parsed = read(
        "<table><caption>Table 2. Fees</caption><thead><tr><th>Tier</th><th>Fee</th></tr></thead>"
        "<tr><th>Gold</th><td><p>5</p><p>a month</p></td></tr><tr><td></td><td></td></tr></table>"
    )
    assert [line.text for line in parsed.lines] == ["Table 2. Fees", "Tier\tFee", "Gold\t5 a month"]
    assert [(m.start, m.label) for m in marks(parsed, MarkKind.ROW)] == [(1, "header"), (2, None)]
    assert [(m.start, m.end) for m in marks(parsed, MarkKind.TABLE)] == [(1, 3)]
    assert [m.start for m in marks(parsed, MarkKind.CAPTION)] == [0]


def test_spanning_cells_keep_the_columns_in_step() -> None:
    parsed = read(
        "<table><tr><th colspan=2>Sum</th><th>C</th></tr><tr><td rowspan=2>a</td><td>b</td><td>c</td></tr><tr><td>d</td><td>e</td></tr></table>"
    )
    assert [line.text for line in parsed.lines] == ["Sum\t\tC", "a\tb\tc", "\td\te"]


def test_tables_that_lay_out_a_page_are_read_as_text() -> None:
    long = "The tenant shall pay the rent on the first day of each month. " * 8
    parsed = read(
        f"<table><tr><td>(a)</td><td>{long}</td></tr></table><table><tr><td><h2>One</h2></td></tr></table>"
    )
    assert not marks(parsed, MarkKind.TABLE)
    assert parsed.lines[0].text.startswith("(a) The tenant")
    assert len(marks(parsed, MarkKind.HEADING)) == 1


@pytest.mark.parametrize(
    ("opening", "expected"),
    [
        ("<ol>", ["1. x", "2. y"]),
        ("<ol start=3 type=a>", ["c. x", "d. y"]),
        ("<ol type=I>", ["I. x", "II. y"]),
        ("<ol style='list-style-type: lower-roman'>", ["i. x", "ii. y"]),
        ("<ol reversed>", ["2. x", "1. y"]),
        ("<ol style='list-style: none'>", ["x", "y"]),
        ("<ul>", ["x", "y"]),
    ],
)
def test_items_of_ordered_lists_show_their_number(opening: str, expected: list[str]) -> None:
    assert texts(f"{opening}<li>x</li><li><p>y</p></li></{opening[1:3]}>") == expected


def test_an_item_with_a_value_of_its_own_counts_on_from_it() -> None:
    assert texts("<ol><li>a<li value=7>b<li>c</ol>") == ["1. a", "7. b", "8. c"]


def test_preformatted_text_keeps_its_lines_and_is_code() -> None:
    parsed = read("<p>Run:</p><pre>\n  a = 1\n\n  b  = 2\n</pre>")
    assert [line.text for line in parsed.lines] == ["Run:", "  a = 1", "  b  = 2"]
    assert [(m.start, m.end) for m in marks(parsed, MarkKind.CODE)] == [(1, 3)]


def test_a_contents_list_is_marked_and_its_links_are_contents() -> None:
    parsed = read(
        "<div class='toc'><p>Contents</p><ul><li><a href='#a'>1 Scope</a></li></ul></div><h2 id='a'>1 Scope</h2>"
    )
    assert [(m.start, m.end) for m in marks(parsed, MarkKind.CONTENTS)] == [(0, 2)]
    assert [(link.source, link.target_line) for link in parsed.links] == [(LinkSource.CONTENTS, 2)]


def test_page_navigation_is_dropped() -> None:
    assert texts(
        "<nav><a href='a.html'>Prev</a> <a href='b.html'>Next</a></nav><div class='navheader'>Up</div><p>Text</p>"
    ) == ["Text"]


@pytest.mark.parametrize(
    "bar",
    [
        '<div><p>Next: <a href="b.html" rel="next">Pumps</a>, Up: <a href="i.html" rel="up">All</a> [<a href="x.html" rel="index">Index</a>]</p></div><hr>',
        '<ul><li><a accesskey="p" href="a.html"><b>Prev</b></a></li><li>The Pump Book</li><li><a accesskey="n" href="b.html">Next</a></li></ul>',
        '<table><tr><td>[<a href="a.html" title="Previous section in order"> &lt; </a>]</td><td>[<a href="b.html" title="Next chapter">&gt;&gt;</a>]</td></tr></table>',
    ],
)
def test_bars_that_lead_from_page_to_page_are_dropped_but_for_their_names(bar: str) -> None:
    parsed = read(f"<div>{bar.replace('<a ', '<a id=here ', 1)}<h2>1 Start</h2><p>Text.</p></div>")
    assert [line.text for line in parsed.lines] == ["1 Start", "Text."]
    assert parsed.anchors["here"] == 0


@pytest.mark.parametrize(
    "text",
    [
        '<p>Read <a href="b.html" rel="next">the next page</a>, where the care of pumps and of all their seals is told at length.</p>',
        '<ul><li><a href="b.html" accesskey="1">Pumps</a></li></ul>',
        '<div><h2>Seals <a href="b.html" rel="next">on</a></h2></div>',
    ],
)
def test_text_with_such_a_link_in_it_stays(text: str) -> None:
    assert len(read(text).lines) > 0


def test_a_note_under_a_heading_that_is_its_number_is_a_footnote_and_no_section() -> None:
    parsed = read(
        "<p>Three parts<a id=c6 href='#n6'><sup>6</sup></a>.</p><div><h4>Footnotes</h4>"
        "<h5><a id=n6 href='#c6'>(6)</a></h5><p>Or two.</p><h5><a id=n7 href='#c7'>(7)</a></h5><p>Or one.</p></div>"
        "<p>Behind.</p><h5>(8)</h5>"
    )
    assert [(m.label, m.start, m.end) for m in marks(parsed, MarkKind.FOOTNOTE)] == [("6", 2, 4), ("7", 4, 6)]
    assert [m.start for m in marks(parsed, MarkKind.HEADING)] == [1, 7]


def test_terms_of_a_list_of_notes_or_works_are_their_labels() -> None:
    parsed = read(
        "<p>Areas <a class='footnote-reference brackets' href='#n1'>1</a> and <a class='citation-reference' href='#j'>[Jones]</a>.</p>"
        "<dl class='footnote brackets'><dt class='label' id='n1'><span><a href='#c1'>1</a></span></dt><dd><p>Or parts.</p></dd>"
        "<dt class='label' id='n2'><span>2</span><span>(<a href='#c2'>1</a>,<a href='#c3'>2</a>)</span></dt><dd><p>Or wholes.</p></dd></dl>"
        "<dl class='citation'><dt class='label' id='j'><span>Jones</span></dt><dd><p>Jones, Of Areas.</p></dd></dl>"
    )
    assert parsed.lines[0].text == "Areas [1] and [Jones]."
    assert [m.label for m in marks(parsed, MarkKind.FOOTNOTE)] == ["1", "2"]
    assert [m.label for m in marks(parsed, MarkKind.BIBLIOGRAPHY)] == ["Jones"]


def test_a_table_may_be_a_note_a_work_or_an_index() -> None:
    row = "<table class='docutils {0}'><tr><td><a href='#c'>[{1}]</a></td><td>Words of {1}.</td></tr></table>"
    index = "<ul>" + "".join(f"<li><a href='p{n}.html'>pump {n}</a></li>" for n in range(3)) + "</ul>"
    parsed = read(
        f"<p>Text.</p>{row.format('footnote', '2')}{row.format('citation', 'Jones')}"
        f"<table class='indextable genindextable'><tr><td>{index}</td><td>{index}</td></tr></table>"
    )
    assert [(m.label, m.start) for m in marks(parsed, MarkKind.FOOTNOTE)] == [("2", 1)]
    assert [(m.label, m.start) for m in marks(parsed, MarkKind.BIBLIOGRAPHY)] == [("Jones", 2)]
    assert [m.start for m in marks(parsed, MarkKind.CONTENTS)] == [3]


def test_references_footnotes_and_defined_terms_are_marked() -> None:
    parsed = read(
        "<p>A <dfn>hub</dfn> is round.</p><dl class='references'><dt id='R1'>[ONE]</dt><dd>First book.</dd><dt>[TWO]</dt><dd>Second.</dd></dl>"
        "<div class='biblioentry'><p>[three] Third.</p></div><div class='footnote' id='f'><p><sup>[7] </sup>A note.</p></div>"
    )
    assert [(m.label, m.end - m.start) for m in marks(parsed, MarkKind.BIBLIOGRAPHY)] == [
        ("ONE", 2),
        ("TWO", 2),
        ("three", 1),
    ]
    assert [m.label for m in marks(parsed, MarkKind.FOOTNOTE)] == ["7"]
    assert [m.label for m in marks(parsed, MarkKind.DEFINED)] == ["hub"]
    assert parsed.lines[parsed.anchors["R1"]].text == "[ONE]"


def test_a_power_does_not_read_as_a_longer_number() -> None:
    assert texts("<p>2<sup>62</sup>-1 bytes, the 1<sup>st</sup> time<sup>3</sup></p>") == [
        "2^62-1 bytes, the 1st time3"
    ]


def test_a_bold_paragraph_is_marked_and_one_bold_word_is_not() -> None:
    parsed = read("<p><b>2. Rent</b></p><p>The <b>rent</b>.</p>")
    assert [(m.start, m.end) for m in marks(parsed, MarkKind.BOLD)] == [(0, 1)]


MEMO_PAGE = "\n".join(
    f"   Row {n} of a memo that is long enough to be read as prose by anyone." for n in range(20)
)


def test_a_memo_in_pre_is_read_as_the_plain_text_it_is() -> None:
    page = (
        f"<html><body><pre>Network Study Group\nRequest for Comments: 99999\n\n\n          A <b>Memo</b>\n\n{MEMO_PAGE}\n\n\nWriter    Informational    [Page 1]</pre>"
        f"<pre class='newpage'><span id='page-2'></span>\nRFC 99999    A Memo     May 2031\n\n<span id='s1'>1</span>.  Scope\n\n   See <a href='#s1'>Section\n   1</a>.\n{MEMO_PAGE}</pre></body></html>"
    )
    parsed = check(parse(page.encode(), doc="d", name="m.html"))
    assert not marks(parsed, MarkKind.CODE)
    assert parsed.pages == 2
    head = marks(parsed, MarkKind.HEADING)[-1]
    assert parsed.lines[head.start].text == "1.  Scope"
    (link,) = parsed.links
    assert (link.target_line, link.end_line) == (head.start, link.line + 1)
    assert not any("[Page" in line.text for line in parsed.lines)


def test_a_link_in_pre_that_holds_only_a_line_end_is_none() -> None:
    page = f"<pre>{MEMO_PAGE}<a href='x'>\n</a>{MEMO_PAGE} <a href='y'>\nend</a></pre>"
    parsed = check(parse(page.encode(), doc="d", name="m.html"))
    assert [(words(parsed, link), link.uri) for link in parsed.links] == [("end", "y")]


@pytest.mark.parametrize(
    "body",
    ["<p>a<p>b", "<table><tr><td>a<td>b", "<b><p>a</b>b</p>", "<a href='#x'><h2>t</h2><p>u</p></a>", "</div>a<<<b", "<h1>a<h2>b", "<li>a</ol>", "&#xD800;&#0;a&nosuch;", "<dl><dd>a<dt>b</dl>", "<ol><li></ol>a", "<dfn><p>x</dfn>", "<tr><td>a"],
)  # fmt: skip
def test_malformed_markup_survives(body: str) -> None:
    assert "".join(line.text for line in read(body).lines)


def test_deep_nesting_survives() -> None:
    assert "deep" in "".join(texts("<div>" * 3000 + "deep" + "</div>" * 3000))


def test_xhtml_with_empty_elements_is_read_as_xml() -> None:
    page = "<?xml version='1.0' encoding='UTF-8'?><html xmlns='http://www.w3.org/1999/xhtml' xml:lang='de'><head><title>T</title></head><body><a id='x'/><p>Ein Satz.</p><p>Zwei</p></body></html>"
    parsed = check(parse(page.encode(), doc="d", name="a.html"))
    assert (parsed.language, parsed.anchors["x"], [line.text for line in parsed.lines]) == (
        "de",
        0,
        ["Ein Satz.", "Zwei"],
    )


def test_entities_of_a_document_type_are_not_expanded() -> None:
    page = "<?xml version='1.0'?><!DOCTYPE html [<!ENTITY a 'lol'><!ENTITY b '&a;&a;'>]><html><body><p>x &b; y</p></body></html>"
    assert "lol" not in "".join(line.text for line in parse(page.encode(), doc="d", name="a.html").lines)


def test_the_declared_encoding_is_used() -> None:
    page = "<html><head><meta charset='shift_jis'></head><body><p>料金は別表に定める。</p></body></html>"
    assert parse(page.encode("shift_jis"), doc="d", name="a.html").lines[0].text == "料金は別表に定める。"


def test_a_page_without_text_says_so() -> None:
    parsed = read("<div id='app'></div><script>render()</script>")
    assert not parsed.lines
    assert "no text" in parsed.problems[0].what
