"""The grammar of references: one table, read by the finder and by the tests.

A row stands for *label words* ("section", "§", "Abschnitt"), which a label must follow, or gives a *pattern* for
pointers that carry no such word ("[RFC9000]", "15 U.S.C. § 78"). Each row shows what it is for: an example with
what it yields, and counter-examples that look alike and yield nothing of that row's kind.

The label words of a row stand in the tables of `text.languages`, under the name of the row: singular forms, then "|",
then plural forms. A plural may be followed by a list whose later members are bare integers; a singular only where the
form of the label leaves no doubt. The examples here are English; those of each other language are in its table.
"""

from __future__ import annotations

from dataclasses import dataclass

from deref.values import ReferenceKind as Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row: `example` yields `yields`, pairs of (text, labels) of this kind in order; `counter` yields none."""

    name: str
    kind: Kind
    example: str
    yields: tuple[tuple[str, tuple[str, ...]], ...]
    counter: tuple[str, ...]
    pattern: str = ""


def _one(text: str, *labels: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return ((text, labels),)


WORDED: tuple[Row, ...] = (
    Row(
        name="section",
        kind=Kind.SECTION,
        example="Fees are set in Sections 3.1–3.4 and 5.",
        yields=_one("Sections 3.1–3.4 and 5", "3.1", "3.2", "3.3", "3.4", "5"),
        counter=(
            "They live in Section 8 housing.",
            "This section was long.",
            "Section 4.2 Fees",
            "measured on the Section 22 development set",
        ),
    ),
    Row(
        name="clause",
        kind=Kind.CLAUSE,
        example="as agreed in clause 4 of Schedule 2",
        yields=_one("clause 4 of Schedule 2", "4"),
        counter=("the clause a lawyer wrote", "Clause and effect"),
    ),
    Row(
        name="article",
        kind=Kind.ARTICLE,
        example="under Articles 13(2), point (f), and 14",
        yields=_one("Articles 13(2), point (f), and 14", "13(2)(f)", "14"),
        counter=("The Article was good.", "an article I read"),
    ),
    Row(
        name="part",
        kind=Kind.PART,
        example="as laid down in Part IIIA and in subpart 9.4",
        yields=(("Part IIIA", ("IIIA",)), ("subpart 9.4", ("9.4",))),
        counter=("Part of the house", "for the most part I agree"),
    ),
    Row(
        name="chapter",
        kind=Kind.CHAPTER,
        example="(see Chapter 12)",
        yields=_one("Chapter 12", "12"),
        counter=("a Chapter 11 bankruptcy", "the chapter was closed"),
    ),
    Row(
        name="rule",
        kind=Kind.RULE,
        example="as Rule 58(2)(b)(iii) of GEN says",
        yields=_one("Rule 58(2)(b)(iii) of GEN", "58(2)(b)(iii)"),
        counter=("Rule out every fault.", "the rule I follow"),
    ),
    Row(
        name="paragraph",
        kind=Kind.PARAGRAPH,
        example="paragraphs 1 and 2 of this Article",
        yields=_one("paragraphs 1 and 2 of this Article", "1", "2"),
        counter=("the paragraph starts here", "two points 5 apart"),
    ),
    Row(
        name="table",
        kind=Kind.TABLE,
        example="compare Table 3 row (E) with Tables 4-6",
        yields=(("Table 3 row (E)", ("3",)), ("Tables 4-6", ("4", "5", "6"))),
        counter=("Table of Contents", "Table 3: Results", "a table for 4"),
    ),
    Row(
        name="figure",
        kind=Kind.FIGURE,
        example="the wiring of Figure 2-3 is shown",
        yields=_one("Figure 2-3", "2-3"),
        counter=("Figure skating is hard.", "a six-figure sum", "Figure 4. The wiring"),
    ),
    Row(
        name="equation",
        kind=Kind.EQUATION,
        example="inserting it into Eq. (7) gives",
        yields=_one("Eq. (7)", "7"),
        counter=("the equation has 2 roots",),
    ),
    Row(
        name="exhibit",
        kind=Kind.EXHIBIT,
        example="attached as Exhibit B-1 and Exhibits C and D",
        yields=(("Exhibit B-1", ("B-1",)), ("Exhibits C and D", ("C", "D"))),
        counter=("an exhibit of 40 paintings", "They exhibit A grade work"),
    ),
    Row(
        name="schedule",
        kind=Kind.SCHEDULE,
        example="listed in Schedule 2.1 to the Credit Agreement",
        yields=_one("Schedule 2.1 to the Credit Agreement", "2.1"),
        counter=("a schedule of 3 weeks", "the Schedule was late"),
    ),
    Row(
        name="annex",
        kind=Kind.ANNEX,
        example="the list in Annex II is closed",
        yields=_one("Annex II", "II"),
        counter=("to annex a country",),
    ),
    Row(
        name="appendix",
        kind=Kind.APPENDIX,
        example="proofs are in Appendix A.2",
        yields=_one("Appendix A.2", "A.2"),
        counter=("her appendix was removed", "install the app. A new one"),
    ),
    Row(
        name="attachment",
        kind=Kind.ATTACHMENT,
        example="the form in Attachment 3",
        yields=_one("Attachment 3", "3"),
        counter=("an attachment of 3 MB",),
    ),
    Row(
        name="addendum",
        kind=Kind.ADDENDUM,
        example="as changed by Addendum 2",
        yields=_one("Addendum 2", "2"),
        counter=("an addendum to the file",),
    ),
    Row(
        name="example",
        kind=Kind.EXAMPLE,
        example="as in Example 4.1, the cache is cold",
        yields=_one("Example 4.1", "4.1"),
        counter=("for example 3 apples", "For example, 12 were lost"),
    ),
    Row(
        name="listing",
        kind=Kind.LISTING,
        example="Listing 7 shows the loop of Algorithm 2",
        yields=(("Listing 7", ("7",)), ("Algorithm 2", ("2",))),
        counter=("the listing was long", "the algorithm 2 of us wrote"),
    ),
    Row(
        name="theorem",
        kind=Kind.THEOREM,
        example="By Lemma 3.2 and Theorems 1 and 4 the bound holds",
        yields=(("Lemma 3.2", ("3.2",)), ("Theorems 1 and 4", ("1", "4"))),
        counter=("a definition 3 lines long", "Theorem 2. Let a graph be given.", "his remark 2 days ago"),
    ),
    Row(
        name="footnote",
        kind=Kind.FOOTNOTE,
        example="see footnote 12 there",
        yields=_one("footnote 12", "12"),
        counter=("a footnote in history",),
    ),
    Row(
        name="page",
        kind=Kind.PAGE,
        example="it continues on page 52",
        yields=_one("page 52", "52"),
        counter=("page 3", "Page 3 of 10", "at 5 p. 3 people came for a one-page 4"),
    ),
)

_SUBS = r"(?:\((?:\d{1,3}|[A-Za-z]{1,2}|[ivxl]{1,6})\))*"

PATTERNED: tuple[Row, ...] = (
    Row(
        name="federal section",
        kind=Kind.SECTION,
        pattern=r"(?<![\d.$/–-])\d{1,2}\.\d{3,4}-\d{1,4}" + _SUBS + r"(?![\d/])",
        example="the clause at 52.203-13 applies (see 9.406-1(d))",
        yields=(("52.203-13", ("52.203-13",)), ("9.406-1(d)", ("9.406-1(d)",))),
        counter=("call 555.203-1313", "a range of 0.5-0.7", "12.5-13"),
    ),
    Row(
        name="bare number with a page",
        kind=Kind.SECTION,
        pattern=r"(?<=[\s(])(?:see|See|in|under|per|cf\.) (?P<label>\d{1,3}(?:\.\d{1,3}){1,5})(?=,? (?:on )?(?:p\.|pp\.|page) ?\d|"
        r"(?<=\d\.\d\.\d)[);,])",
        example="for the switch see 6.7.1 p. 39",
        yields=_one("6.7.1", "6.7.1"),
        counter=(
            "we use version 2.1 of it",
            "in 3.5 hours",
            "Python 3.11 is needed",
            "see 10.30 on the clock",
        ),
    ),
    Row(
        name="rulebook",
        kind=Kind.RULE,
        pattern=r"(?<![\w/$€£.-])(?P<house>[A-Z]{2,7}) (?:Rules? )?(?P<label>(?:[A-Z]\d{1,3}(?:\.\d{1,3}){1,4}|\d{1,3}(?:\.\d{1,3}){1,4}|"
        r"\d{1,4}(?=\())[A-Z]{0,2}" + _SUBS + r")(?![\d%]|\.\d|-\d(?!\d*\.\d+\.\d))",
        example="as GEN 5.3.7 and PRU A4.1.1R demand",
        yields=(("GEN 5.3.7", ("5.3.7",)), ("PRU A4.1.1R", ("A4.1.1R",))),
        counter=("USD 4.50 each", "TLS 1.3 is used", "HTTP 1.1", "at 10.30 UTC 12.30"),
    ),
    Row(
        name="bibliographic tag",
        kind=Kind.BIBLIOGRAPHY,
        pattern=r"\[(?P<tags>[A-Z][A-Za-z0-9+/:_.-]{1,30}|\d{1,3})(?P<more>(?:\s?[,;–-]\s?(?:[A-Z][A-Za-z0-9+/:_.-]{1,30}|\d{1,3}))*)"
        r"(?:,? pp?\. ?\d+(?:[–-]\d+)?)?\]",
        example="This was shown before [9, 14] and by [RFC9000].",
        yields=(("[9, 14]", ("9", "14")), ("[RFC9000]", ("RFC9000",))),
        counter=("[see below]", "the array a[12]", "[12] A. Author. A book.", "[RESERVED]"),
    ),
    Row(
        name="request for comments",
        kind=Kind.DOCUMENT,
        pattern=r"\b(?:RFC|BCP|STD)s?[ -]?\d{1,5}\b",
        example="QUIC is defined by RFC 9000.",
        yields=_one("RFC 9000", "RFC 9000"),
        counter=("an RFC in 2019",),
    ),
    Row(
        name="standard",
        kind=Kind.EXTERNAL,
        pattern=r"\b(?:ISO(?:/IEC|/TS|/IEEE|/SAE)*|IEC|IEEE(?: Std\.?)?|ANSI|ASTM|DIN(?: EN)?(?: ISO)?|EN(?: ISO)?|ETSI(?: [A-Z]{2})?|PCI DSS|"
        r"ITU-T(?: Rec\.)?) (?:TS |TR |Guide )?[A-Z]?\.?\d{2,6}(?:[.-]\d+)*[A-Z]{0,3}(?:-\d{4})?(?::\d{4})?(?![\d%])|"
        r"\bFIPS(?: PUB)? \d{2,3}(?:-\d)?\b|"
        r"\b(?:NIST )?(?:SP|Special Publication(?: \(SP\))?) \d{3,4}(?:-\d{1,3}[A-Z]?)?(?:,? ?(?:r|R|rev\.? ?|Rev\.? ?|Revision )\d)?\b|"
        r"\b(?:NIST ?)?(?:NISTIR|IR|Interagency Report(?: \((?:NIST)?IR\))?) \d{4}[A-Z]?(?:r\d|,? (?:Rev\.|Revision) \d)?\b",
        example="It follows SP 800-161r1, NIST Special Publication (SP) 800-53 Revision 4, ISO/IEC 27001:2022, IEEE 802.1X and FIPS 140-3.",
        yields=(
            ("SP 800-161r1", ("SP 800-161r1",)),
            (
                "NIST Special Publication (SP) 800-53 Revision 4",
                ("NIST Special Publication (SP) 800-53 Revision 4",),
            ),
            ("ISO/IEC 27001:2022", ("ISO/IEC 27001:2022",)),
            ("IEEE 802.1X", ("IEEE 802.1X",)),
            ("FIPS 140-3", ("FIPS 140-3",)),
        ),
        counter=("at ISO in Geneva", "film of ISO quality"),
    ),
    Row(
        name="act of the union",
        kind=Kind.EXTERNAL,
        pattern=r"\b(?:Regulation|Directive|Decision|Framework Decision) (?:\((?:EU|EC|EEC|Euratom|EU, Euratom)\) )?(?:No\.? )?"
        r"\d{1,4}/\d{1,4}(?:/(?:EU|EC|EEC|JHA|Euratom))?",
        example="under Regulation (EU) 2016/679 and Directive 95/46/EC",
        yields=(
            ("Regulation (EU) 2016/679", ("Regulation (EU) 2016/679",)),
            ("Directive 95/46/EC", ("Directive 95/46/EC",)),
        ),
        counter=("that Regulation", "Regulation of 12/13 items"),
    ),
    Row(
        name="code of statutes",
        kind=Kind.EXTERNAL,
        pattern=r"(?<![\d.])\d{1,2} (?:U\.? ?S\.? ?C\.?(?: Code)?|C\.? ?F\.? ?R\.?)(?:,(?= [SsPpCc§]))? "
        r"(?:§+ ?|[Ss]ecs?\. ?|[Ss]ections? |[Ss]ubparts? |[Pp]arts? |[Cc]hapters? )?"
        r"\d{1,5}[a-z]{0,3}(?:-\d+[a-z]?)*(?:\.\d+[a-z]?(?:-\d+[a-z]?)*)?" + _SUBS,
        example="15 U.S.C. § 78, 6 U.S.C., Sec. 101 and 17 CFR 240.10b-5",
        yields=(
            ("15 U.S.C. § 78", ("15 U.S.C. § 78",)),
            ("6 U.S.C., Sec. 101", ("6 U.S.C., Sec. 101",)),
            ("17 CFR 240.10b-5", ("17 CFR 240.10b-5",)),
        ),
        counter=("the CFR has 50 titles",),
    ),
    Row(
        name="public act",
        kind=Kind.EXTERNAL,
        pattern=r"\b(?:Executive Order|E\.O\.|Public Law|Pub\. ?L\.(?: No\.)?|P\.L\.|OMB Circular(?: No\.)?) ?[A-Z]?-?\d{1,5}(?:-\d+)?\b",
        example="as Executive Order 12549 and Public Law 111-84 require",
        yields=(
            ("Executive Order 12549", ("Executive Order 12549",)),
            ("Public Law 111-84", ("Public Law 111-84",)),
        ),
        counter=("an executive order of 1990",),
    ),
)

STATUTE = Row(
    name="act with a year",
    kind=Kind.EXTERNAL,
    example="under the Companies (Small Firms) Act 2009 and the Grain Act of 1933",
    yields=(
        ("Companies (Small Firms) Act 2009", ("Companies (Small Firms) Act 2009",)),
        ("Grain Act of 1933", ("Grain Act of 1933",)),
    ),
    counter=("the Act 2009 pages long", "an act of 1933", "to act 2009 times"),
)

NAMED = Row(
    name="document by name",
    kind=Kind.DOCUMENT,
    example="It is described in the Due Diligence Report and in the Credit Agreement.",
    yields=(("Due Diligence Report", ("Due Diligence Report",)), ("Credit Agreement", ("Credit Agreement",))),
    counter=("in the agreement of last year", "under this Agreement", "The Report was late."),
)

RELATIVE = Row(
    name="relative",
    kind=Kind.RELATIVE,
    example="the preceding section, this Section and the list described below",
    yields=(("the preceding section", ()), ("this Section", ()), ("described below", ())),
    counter=("the temperature fell below zero", "a value above 3", "the following day"),
)

ROWS: tuple[Row, ...] = (*WORDED, *PATTERNED, STATUTE, NAMED, RELATIVE)
"""Every row, in the order in which the documentation shows them."""
