"""What a front page says of its own standing: only fixed words, and only of whole documents."""

from __future__ import annotations

import pytest

from deref.text.standing import stated


@pytest.mark.parametrize(
    ("front", "said"),
    [
        ("Request for Comments: 2616      UC Irvine\nObsoletes: 2068                J. Gettys", [("supersedes", ("2068",))]),
        ("Obsoletes: 2145, 2616,            Adobe\n   2617                      June 2014", [("supersedes", ("2145", "2616", "2617"))]),
        ("Obsoletes:\n7230, 7231", [("supersedes", ("7230", "7231"))]),
        ("Obsoleted by: 9110", [("superseded", ("9110",))]),
        ("**Supersedes:** Travel Policy 2022", [("supersedes", ("Travel Policy 2022",))]),
        ("Foo\nThis document obsoletes RFC 2616 and updates RFC 7230, 7231.", [("supersedes", ("RFC 2616",))]),
        ("This memo obsoletes RFC 2616, RFC 2617 and RFC 2618.", [("supersedes", ("RFC 2616", "RFC 2617", "RFC 2618"))]),
        ("This Travel Policy supersedes and replaces the Travel\nPolicy 2022 in its entirety.", [("supersedes", ("the Travel Policy 2022",))]),
        ("This standard has been superseded by ISO 9001:2015.", [("superseded", ("ISO 9001:2015",))]),
        ("Superseded by Travel Policy 2024", [("superseded", ("Travel Policy 2024",))]),
        ("Title\n\nSUPERSEDED", [("superseded", ())]),
        ("*** WITHDRAWN ***", [("withdrawn", ())]),
        ("Status: Withdrawn", [("withdrawn", ())]),
        ("Withdrawn on 3 May 2024", [("withdrawn", ())]),
        ("Warning Notice\nThe attached publication has been withdrawn (archived), and is\nprovided for history.", [("withdrawn", ())]),
        ("This standard was withdrawn on March 1, 2024.", [("withdrawn", ())]),
    ],
)  # fmt: skip
def test_fixed_words_are_read(front: str, said: list[tuple[str, tuple[str, ...]]]) -> None:
    assert [(one.what, one.names) for one in stated(front.split("\n"))] == said


@pytest.mark.parametrize(
    "front",
    [
        "Updates: 2616",
        "Obsoletes: 3484 (if approved)",
        "This document obsoletes Section 3 of RFC 2616.",
        "This memo obsoletes RFC 2616, Section 5.",
        "This document obsoletes RFC 2616 in part.",
        "This document obsoletes portions of RFC 2616.",
        "This document obsoletes RFC 2616, 2617.",
        "This Agreement supersedes all prior agreements and understandings.",
        "This Agreement supersedes any prior Letter of Intent.",
        "Where this policy supersedes the Travel Policy 2022, it says so.",
        "This document is withdrawn if the board says so.",
        "This function is long since superseded by the foreign key.",
        "An offer that is withdrawn on 3 May 2024 is void.",
        "Withdrawn",
        "The following sections are superseded",
        "CREATE OR REPLACE FUNCTION f",
        "\n".join(["A line of text."] * 90 + ["This document obsoletes RFC 2616."]),
    ],
)
def test_what_is_said_in_part_or_of_something_else_is_not(front: str) -> None:
    assert stated(front.split("\n")) == ()
