"""Markdown: source rows as lines, and what they mean."""

from __future__ import annotations

from deref.parse import parse
from deref.values import LinkSource, Mark, MarkKind, Parsed


def read(text: str) -> Parsed:
    parsed = parse(text.encode(), doc="d", name="a.md")
    assert [line.n for line in parsed.lines] == list(range(len(parsed.lines)))
    return parsed


def marks(parsed: Parsed, kind: MarkKind) -> list[Mark]:
    return [m for m in parsed.marks if m.kind is kind]


def links(parsed: Parsed) -> list[tuple[str, int | str | None]]:
    return [
        (
            parsed.lines[x.line].text[x.char_start : x.char_end],
            x.uri if x.target_line is None else x.target_line,
        )
        for x in parsed.links
    ]


def test_lines_are_source_rows_and_blank_ones_are_counted() -> None:
    parsed = read("# Lease\n\nThe *rent* is\nfive.\n\n1\\. Escaped\n")
    assert [(line.text, line.row, line.starts_block) for line in parsed.lines] == [
        ("# Lease", 1, True), ("The *rent* is", 3, True), ("five.", 4, False), ("1\\. Escaped", 6, True),
    ]  # fmt: skip


def test_headings_of_both_kinds_have_levels_and_the_underline_is_no_line() -> None:
    parsed = read("# A\n\nB b\n---\n\n### 4.2 Fees ###\n")
    assert [(parsed.lines[m.start].text, m.level) for m in marks(parsed, MarkKind.HEADING)] == [
        ("# A", 1),
        ("B b", 2),
        ("### 4.2 Fees ###", 3),
    ]
    assert [line.row for line in parsed.lines] == [1, 3, 6]


def test_the_title_is_the_first_top_heading_or_that_of_the_front_matter() -> None:
    assert read("text\n\n# The **Lease**\n").title == "The Lease"
    parsed = read("---\ntitle: 'A Deed'\nlang: sv\n---\n# Other\n")
    assert (parsed.title, parsed.language) == ("A Deed", "sv")
    assert [(line.text, line.row) for line in parsed.lines] == [("# Other", 5)]


def test_headings_get_the_anchors_that_hosts_give_them() -> None:
    parsed = read("# 4.2 Fees & Costs!\n\n# Same\n\n# Same\n\n# With {#own}\n")
    assert parsed.anchors == {"42-fees--costs": 0, "same": 1, "same-1": 2, "own": 3, "with": 3}


def test_links_of_every_kind_have_exact_places() -> None:
    text = (
        "See [Section 2](#fees) and [it][r], <https://a.example/x>,\n"
        '[other](b.md#y "t") or https://c.example/d(e). `[no](#fees)`\n\n## Fees\n\n> quoted [q](#fees)\n\n[r]: http://r.example/\n'
    )
    parsed = read(text)
    assert links(parsed)[:6] == [
        ("[Section 2](#fees)", 2), ("[it][r]", "http://r.example/"), ("<https://a.example/x>", "https://a.example/x"),
        ('[other](b.md#y "t")', "b.md#y"), ("https://c.example/d(e)", "https://c.example/d(e)"), ("[q](#fees)", 2),
    ]  # fmt: skip


def test_a_link_over_two_rows_says_where_it_ends() -> None:
    (link,) = read("text [two\nrows](x.md)\n").links
    assert (link.line, link.char_start, link.end_line, link.char_end) == (0, 5, 1, 11)


def test_html_anchors_and_links_inside_markdown_count() -> None:
    parsed = read(
        '<a id="s1"></a>\n## One\n\nSee <a href="#s1">above</a>.\n\n<p><a name="low"></a></p>\n\nEnd [up](#low)\n'
    )
    assert links(parsed) == [("above", 0), ("[up](#low)", 3)]


def test_a_pipe_table_has_rows_and_the_rule_is_none() -> None:
    parsed = read("| Row | Fee [x](#n) |\n|---|---|\n| (A) | 5 |\n| (B) | 6 |\n")
    assert [(m.start, m.label) for m in marks(parsed, MarkKind.ROW)] == [(0, "header"), (2, None), (3, None)]
    assert [(m.start, m.end) for m in marks(parsed, MarkKind.TABLE)] == [(0, 4)]
    assert links(parsed) == [("[x](#n)", "#n")]


def test_fences_are_code_and_a_paragraph_set_in_is_not() -> None:
    parsed = read(
        "```\nSection 4\n```\n\n    (a) The tenant pays all that is due on that day.\n\nx\n\n    y = f(1);\n"
    )
    assert [(m.start, m.end) for m in marks(parsed, MarkKind.CODE)] == [(0, 3), (5, 6)]


def test_footnotes_are_marked_and_pointed_at() -> None:
    parsed = read("Due[^n] now.\n\n[^n]: Net of tax.\n    And more.\n")
    assert [(m.start, m.end, m.label) for m in marks(parsed, MarkKind.FOOTNOTE)] == [(1, 3, "n")]
    assert links(parsed) == [("[^n]", 1)]


def test_a_bold_row_is_marked() -> None:
    parsed = read("**2.1 Rent.**\n\n__Sums__\n\n**Not** all **bold**\n\n- **Item**\n")
    assert [m.start for m in marks(parsed, MarkKind.BOLD)] == [0, 1, 3]


def test_a_list_of_links_into_the_text_is_a_contents_list() -> None:
    parsed = read("- [One](#one)\n  - [Two](#two)\n- [Three](#three)\n\n# One\n# Two\n# Three\n")
    assert [(m.start, m.end) for m in marks(parsed, MarkKind.CONTENTS)] == [(0, 3)]
    assert {link.source for link in parsed.links} == {LinkSource.CONTENTS}


def test_comments_and_rules_are_out_of_the_flow_but_counted() -> None:
    parsed = read("<!-- draft -->\n\nA\n\n---\n\nB\n")
    assert [(line.text, line.row) for line in parsed.lines] == [("A", 3), ("B", 7)]


def test_items_of_a_list_start_blocks() -> None:
    assert [x.starts_block for x in read("- a\n  more\n- b\n1. c\n").lines] == [True, False, True, True]


def test_other_scripts_and_encodings_survive() -> None:
    text = "# 料金\n\n第四条を参照。\n"
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "shift_jis"):
        assert [x.text for x in parse(text.encode(encoding), doc="d", name="a.md").lines] == [
            "# 料金",
            "第四条を参照。",
        ]
