"""What looks like a reference and is none, and the true references that stand closest to it."""

from __future__ import annotations

import pytest

from deref.parse import parse
from deref.references import MemoryShelf, Resolver, find, find_in
from deref.structure import build_document
from deref.values import Line, Status

from .small_documents import document

NONE = """
They live in Section 8 housing.
the Secure Hash Algorithm 2 is used
the Message-Digest Algorithm 5 is old
Duff, Algorithm 575: Permutations of ropes
figure (2); plot (x, y);
the program point (PP) tree
She holds a Section 8 voucher.
Lot 4, Section 8, Township 4 North, Range 12 East
in the NW 1/4 of Section 12, and of the next
We sat in Section C, Row 4, Seat 12.
The archive is Part 11 compliant.
It is about Section 508 compliance.
They filed for Chapter 11 bankruptcy.
a Chapter 7 trustee was named
the Chapter 13 plan failed
Chapter 11 protection ended
at a time when Part 2 of 3 was sent
Chapter 4 of 12
Exhibit A-list actors came
a Schedule C-like form
Figure skating is hard.
They figure 4 people will come.
go figure 8 of them failed
they rule 3 kingdoms
You must schedule 3 visits.
We table 2 motions.
He may page 2 doctors.
a section 3 m long
The section 2 metres below the roof is wet.
the part 3 inches from the edge
the applicable paragraph (s) that address it
under paragraph (s) addressing a change
Figure 5: Example 1-RTT Handshake
a Section 4-DNS server
CREATE RULE	X	-
T631	IN predicate with a clause	E061-03
fixed in this release (A. Author) § A plan no longer fails
paragraph 5 lines long
the footnote 2 lines down
the tables 4 and 5 seats wide
tables 4 feet long
a listing 3 pages long
a page 3 girl
an attachment 3 cm wide
the annex 3 km away
Section 4-6 p.m.
Figure 5'4 tall
in 30 sec. 5 people fell
30 sec. 5 min.
Take 1 tab. 3 daily
12 pp. 3 figs.
See socket(2), bind(2) and listen(2).
see printf(3) and section(3)
https://example.org/doc?section=4.2#part-3
see www.example.org/section/4.2
From: ann@section4.example
Message-ID: <part1.4242@mail.example>
Content-Type: multipart/mixed; boundary="Part_4"
"section": "4.2",
section: 4.2
article = 5
SELECT section, 4 FROM article WHERE part = 'A'
ALTER TABLE DROP COLUMN x
CREATE TABLE A (id int);
LOCK TABLE 5 ROWS
it falls back to the rule M3.2.0,M11.1.0 then
v. 3.2 was released
version 3.2 of the tool
TLS 1.3 is used
reachable under IP 10.0.0.1 only
USD 4.50 each, EUR 1.200 in all
prices in €, $, §, ¥ 500
fixed here (A. Smith) § A new file was added.
No. 5 is a perfume.
John 3:16 says so.
the enumerations (5) and (6)
(iv) fourth item
1. Introduction ........ 4
Section 4.2 Fees ........ 12
Section 4.2 Fees    12
CHAPTER 3. FINANCIAL STATEMENTS 3.1. INCOME
SECTION 2.1. Payment. The price is due at once.
(a) Example 1.
3) Figure 2
Table 3: Results
Page 3 of 10
Part No. 4711 is out of stock.
Article No. 4711
in March, Part 2020
Article I wrote last year
Exhibit I saw there
the clause A lawyer wrote
a rule A person follows
the part I agree with
for example A is larger
for example RAID5 is used
two points 5 apart
The Phase 2 trial began.
a Level 3 car and a Tier 1 supplier
Rule of Three
this section of the road
this part of the house
that part of town
that part is easy
automate that part with a script
this rule of thumb
that rule does not hold
that title went to Spain
this paragraph-long remark
the next chapter of her life
listed below market
the temperature fell below zero
under an Insurance Contract
pays under a Group Annuity Contract (other than this)
“Third Party Agreement” shall mean any agreement
"Sponsorship Agreement" means an agreement
the so-called ‘API Contract’ is made
This Action by Written Consent is filed.
CA-1 Security Assessment and Authorization Policies and Procedures
The array is dp[10][20] here.
the SP 500 rose
STD 12 months
a BCP 2019 plan
IEEE 2019 in Rome
film of ISO 6400
EN 2020 edition
Decision 12/13 was made
Directive 5/6 was lost
Public Law 5 was meant
phone 52.203-1312
a ratio of 0.123-4
between 10.250-10.300
one hundred eighty [180] calendar days
information (the "Safety Agreement").
Orders under the VA Supply Schedule program
Part 1.3.(1) For this purpose, ovens are hot.
BAKERS' UNION, LLC LEASE AGREEMENT EXHIBIT B GUARANTEE, AND ACKNOWLEDGMENT
ATTACHMENT A  Coating Technology (continued)
Exhibit F, Page 2
Schedule A to Exhibit G, Page 1
PAGE ARTICLE I WORDS     1   ARTICLE II WORK     6   2.1 Tools  6 ARTICLE III TERM; END   7  ARTICLE IV FEES 9
Contents SCHEDULE A  PRODUCT SCHEDULE B  CUSTOMS SCHEDULE C  FORM OF ORDER SCHEDULE D  CARE
""".strip().split("\n")

SOME = {
    "see Section 8 of the Housing Act": "Section 8 of the Housing Act",
    "Section 508 applies": "Section 508",
    "as paragraph (s) of this clause says": "paragraph (s) of this clause",
    "under paragraph (s), and": "paragraph (s)",
    "PING\tSection 19.2\tIH01": "Section 19.2",
    "Chapter 11 plans nothing.": "Chapter 11",
    "in Part 2 of 4.2": "Part 2",
    "Part 4 of 48 CFR 9": "Part 4 of 48 CFR 9",
    "They refer to table 3.": "table 3",
    "we show figure 4 below": "figure 4",
    "Section 4 shows five lines.": "Section 4",
    "in clause 4, lines were lost": "clause 4",
    "described in paragraph C, and": "paragraph C",
    "under chapter VI or VII of the Charter": "chapter VI or VII of the Charter",
    "as Section VIII.C.9 says": "Section VIII.C.9",
    "see Part I of Annex A": "Part I of Annex A",
    "in Article I of the Treaty": "Article I of the Treaty",
    "Sections 1 - 4 hold": "Sections 1 - 4",
    "SECTION 2 APPLIES.": "SECTION 2",
    "Annex 1 of these Regulations": "Annex 1 of these Regulations",
    "Rule 501(a) of Regulation D": "Rule 501(a) of Regulation D",
    "at 31 CFR Chapter V, would": "31 CFR Chapter V",
    "Ohio Statutes, Chapter 80C, or": "Ohio Statutes, Chapter 80C",
    "at 21 C.F.R. Parts 210, 211 and 600, as": "21 C.F.R. Parts 210, 211 and 600",
    "see 13 CFR 124.501(g) and 19": "13 CFR 124.501(g)",
    "Article IV, Section 4.1(a) of the Lease Agreement": "Article IV, Section 4.1(a) of the Lease Agreement",
    "under Section 4 of the Note and Warrant Purchase Agreement": "Section 4 of the Note and Warrant Purchase Agreement",
    "under Section 4 of the Note Purchase Agreement, the": "Section 4 of the Note Purchase Agreement",
    "in this section of the manual": "this section",
    "that certain Separation and Distribution Agreement is": "Separation and Distribution Agreement",
    "the Buyer's Restated Certificate of Formation": "Restated Certificate of Formation",
    "Effective Date of the Loan Agreement": "Loan Agreement",
    "the “Brand Guidelines - Basic Shapes” document": "Brand Guidelines - Basic Shapes",
    "entered into a Supply Agreement dated May": "Supply Agreement",
    "signed a Supply Agreement (the “Supply Agreement”)": "Supply Agreement",
    'attached hereto as Exhibit A (the "Restated Certificate")': "Exhibit A",
    'the certificate attached hereto (the "Restated Certificate")': "Restated Certificate",
    "the Federal Control Act, and the Seed and Rodent Act, the Oil Act of 1990, 33": "Oil Act of 1990",
    "Article 6(1) of Law No. 4 of 2013 concerning": "Article 6(1) of Law No. 4 of 2013",
    "see the OMB Memorandum M-05-22 dated": "OMB Memorandum M-05-22",
    "SAVE AS IN THE CASE OF A BREACH OF EXHIBIT B GUARANTEES END": "EXHIBIT B",
    "under Decision 2005/3": "Decision 2005/3",
    "see SP 800-53 there": "SP 800-53",
    "film of ISO 2022 text": "ISO 2022",
    "shown in [9][10] before": "[9]",
    "see Schedule A, Schedule B, Schedule C and Schedule D": "Schedule A",
    "Article 78, Part 2 of the Penal Law": "Article 78, Part 2 of the Penal Law",
    "Table 1 to Paragraph (b)(2)": "Paragraph (b)(2)",
    "in Section II.B of it": "Section II.B of it",
}  # fmt: skip


def found(text: str) -> list[str]:
    return [r.text for r in find_in([Line(doc="d", n=0, page=1, row=1, text=text, starts_block=True)])]


@pytest.mark.parametrize("text", NONE)
def test_nothing_is_found_in_what_only_looks_like_a_reference(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(("text", "first"), SOME.items())
def test_true_references_beside_them_are_found_whole(text: str, first: str) -> None:
    assert found(text)[:1] == [first]


def test_a_number_that_heads_the_next_block_is_not_that_of_the_word_before() -> None:
    home = document("# 2 Definitions Clause\n## 2.201 Costs\nThe costs are due.\n")
    assert find(home) == ()


def test_a_title_that_is_a_label_word_does_not_take_the_letter_of_the_text_below() -> None:
    home = document("# Examples\n\nA minimal order is this.\n")
    assert find(home) == ()


def test_a_version_behind_a_name_in_capitals_is_no_rule_of_it() -> None:
    assert find(document("It conforms with SCAP 1.3 and with ARF 1.1.\n")) == ()


def test_a_short_number_is_a_rule_where_the_document_writes_rules_of_that_book() -> None:
    home = document("It must meet GEN 5.3 and TOTE 1.3.\n\nSee GEN 5.3.7 too.\n")
    assert [(r.text, r.container) for r in find(home)] == [("GEN 5.3", "GEN"), ("GEN 5.3.7", "GEN")]


def test_a_label_alone_in_its_line_heads_what_follows() -> None:
    home = document("The terms are these.\nAnnex 2\nTerm Sheet for Ovens\nThe price is ten.\n")
    assert find(home) == ()


@pytest.mark.parametrize("text", ["It is told in\nAnnex 2\nbelow.\n", "See Annex 1 and\nAnnex 2\n"])
def test_a_label_that_a_sentence_leads_to_points_though_it_is_alone_in_its_line(text: str) -> None:
    assert find(document(text))[-1].labels[-1] == "2"


def test_the_mark_of_a_note_in_brackets_is_that_note_and_no_work() -> None:
    home = document("It may lock up. [15]\n\n@footnote 15 The client waits.\n")
    assert [(r.kind.value, r.labels) for r in find(home)] == [("footnote", ("15",))]


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("paragraphs (a)(2)(i) and (ii) hold", ("(a)(2)(i)", "(a)(2)(ii)")),
        ("paragraphs (a)(2)(i) and (b)(1) hold", ("(a)(2)(i)", "(b)(1)")),
        ("see Section 5.1(a)(1) and (b)", ("5.1(a)(1)", "5.1(b)")),
        ("see Section 3(a)(ii)(A) or (c)(i)", ("3(a)(ii)(A)", "3(c)(i)")),
        ("see Section 4(h), (i) and (j)", ("4(h)", "4(i)", "4(j)")),
        ("see Rule 5(d)(1)(i) and (v)", ("5(d)(1)(i)", "5(d)(1)(v)")),
    ],
)
def test_brackets_of_a_list_take_the_place_of_those_that_count_alike(
    text: str, labels: tuple[str, ...]
) -> None:
    (only,) = find(document(text + "\n"))
    assert only.labels == labels


CODE = {
    "guide.md": """# Guide

## 1 Setup

Write `see Section 2` there; [`Table 3`] too.

[Table 4]: #loops "Section 2"
[Section 9]: #loops

```json
{"section": "4.2", "see": "Section 2 of Annex A", "article": "Article 5"}
```

```yaml
ref: Section 2
table: Table 3
```

```sql
ALTER TABLE A DROP COLUMN part; -- see Section 2
```

Subject: Part 2 of 3

## 2 Loops

A loop.
""",
    "guide.html": """<html><body><h1>Guide</h1><h2>1 Setup</h2><pre><code>{"see": "Section 2", "table": "Table 3"}
SELECT 1; -- see Section 2 for it
</code></pre><script>var a = "see Section 2";</script><style>/* Table 3 */</style>
<table><tr><th>Section</th><th>Pages</th></tr><tr><td>2</td><td>3</td></tr></table>
<h2>2 Loops</h2><p>A loop.</p></body></html>""",
    "guide.txt": """Guide to Loops

Table of Contents

1. Setup ........................ 3
2. Loops ........................ 4
Appendix A. Words ............... 5

1. Setup

      The request is short:

          GET /section/2 HTTP/1.1
          Part: 2
          if (section == 2) { return table[3]; }

Guide                                                        [Page 3]

2. Loops

   A loop.
""",
}


@pytest.mark.parametrize("name", CODE)
def test_code_contents_and_running_heads_of_a_document_point_nowhere(name: str) -> None:
    home = build_document(
        parse(CODE[name].encode(), doc=name, name=name), doc=name, name=name, fingerprint=""
    )
    resolver = Resolver(MemoryShelf([home]))
    assert [(r.text, resolver(r, home).status) for r in find(home)] == []


def test_prose_between_the_code_still_points() -> None:
    text = CODE["guide.md"].replace("A loop.", "It uses `x`; see Section 1 and `y`.")
    home = build_document(
        parse(text.encode(), doc="g", name="guide.md"), doc="g", name="guide.md", fingerprint=""
    )
    (only,) = find(home)
    assert Resolver(MemoryShelf([home]))(only, home).status is Status.RESOLVED


@pytest.mark.parametrize(
    ("heading", "below"),
    [
        ("# 5.6 Changing the Tables", "# 5.6.1 Adding a column"),
        ("# 7.2 Joined Tables", "A joined table is one of two."),
        ("@table 11 Two views of one table", "(a) Before"),
        ("Delete the critical tables", "2. insert what is left"),
    ],
)
def test_the_last_word_of_a_title_takes_no_label_from_the_block_below(heading: str, below: str) -> None:
    assert not find(document(f"# 1 Start\nNo.\n{heading}\n\n{below}\nz"))


def test_a_label_over_the_end_of_a_block_is_read_where_a_sentence_leads_to_it() -> None:
    home = document("# 1 Start\nIt is done as specified in Section\n\n4.5. Instead of it, five.")
    assert [r.text for r in find(home)] == ["Section 4.5"]


@pytest.mark.parametrize(
    ("first", "second", "labels"),
    [
        ("It is paid as set out in Section 2.", "1 below, and five.", ("2.1",)),
        ("It is paid under Sections 1 and 2.", "1.", ("1", "2.1")),
        ("It is paid as set out in Section 2.", "1. The buyer pays.", ("2",)),
        ("It is paid as set out in Section 2.", "3 of them were lost.", ("2",)),
        ("It is paid as set out in Section 2. 1 of them", "was lost.", ("2",)),
    ],
)
def test_a_number_broken_at_its_dot_by_a_line_end_is_whole(
    first: str, second: str, labels: tuple[str, ...]
) -> None:
    home = document(f"# 1 Start\n\n{first}\n{second}\n# 2 Pay\nx\n## 2.1 When\ny")
    assert next(r.labels for r in find(home)) == labels
