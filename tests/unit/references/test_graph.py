"""The graph of references of a small shelf: places, edges, what is kept apart, hubs, cycles, trails, names."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from deref.errors import NoSuchSource, UsageError
from deref.references import MemoryShelf, Resolver, find, find_names
from deref.references.documents import spoken_names
from deref.references.graph import PlaceGraph, document_map, reference_graph, weighed
from deref.references.graph_reading import cycles, hubs, of_status, statuses, trail, with_degrees
from deref.references.mentions import with_mentions
from deref.references.named_places import place_named
from deref.values import Document, Reference, Resolution, Status
from unit.references.small_documents import document

TERMS = document(
    """
# 1 Fees
The fees stand in Table 1 of Exhibit B, see also Section 2.

# 2 Term
Section 3.1 applies, and so does Section 9.

# 3 End
## 3.1 Notice
Notice is given as Section 2 says, and as RFC 9110 says. This Section survives.

## 3.2 After the end
Sections 1 and 2 stay in force.
""",
    name="terms.txt",
    title="Service Terms",
    aliases=("Service Terms",),
)
FEES = document(
    """
# 2 Prices
The prices are those of the table below.

@table 1 Prices
= (A) Support 12

# 4 Change
Prices change as Section 3.2 of the Service Terms says, and as RFC 9110 and [7] say.
""",
    name="fees.txt",
    title="Exhibit B Fees",
    aliases=("Exhibit B", "Exhibit B Fees"),
)


def resolved(*documents: Document) -> tuple[MemoryShelf, Resolver, list[Resolution]]:
    shelf = MemoryShelf(documents)
    resolver = Resolver(shelf)
    names = spoken_names(shelf.cards())
    found = []
    for card in shelf.cards():
        home = shelf.document(card.id)
        assert home is not None
        found += [resolver(r, home) for r in with_mentions(find(home), find_names(home, names))]
    return shelf, resolver, found


@pytest.fixture
def graph() -> PlaceGraph:
    shelf, _, resolutions = resolved(TERMS, FEES)
    return reference_graph(shelf, resolutions)


def edges(graph: PlaceGraph) -> set[tuple[str, str, str]]:
    return {(a, d["text"], b) for a, b, d in graph.edges(data=True)}


def test_each_reference_is_an_edge_from_the_narrowest_place_to_what_it_points_at(graph: PlaceGraph):
    assert ("terms.txt#Section 1", "Table 1 of Exhibit B", "fees.txt#Table 1") in edges(graph)
    assert ("terms.txt#Section 3.1", "Section 2", "terms.txt#Section 2") in edges(graph)
    assert ("fees.txt#Section 4", "Section 3.2 of the Service Terms", "terms.txt#Section 3.2") in edges(graph)


def test_an_edge_says_where_it_is_written_and_what_became_of_it(graph: PlaceGraph):
    (edge,) = graph["terms.txt#Section 1"]["fees.txt#Table 1"].values()
    expected = {"status": "resolved", "source": "terms.txt", "page": 1, "row": 2, "line": 1, "char_start": 18}
    assert expected.items() <= edge.items()
    assert edge["tier"] in ("container", "alias") and edge["why"].endswith(".")


def test_a_list_makes_an_edge_to_each_of_its_places_under_one_number(graph: PlaceGraph):
    found = [(b, d["reference"]) for a, b, d in graph.edges(data=True) if d["text"] == "Sections 1 and 2"]
    assert [b for b, _ in found] == ["terms.txt#Section 1", "terms.txt#Section 2"]
    assert len({number for _, number in found}) == 1


def test_nodes_say_what_they_are_inside_of(graph: PlaceGraph):
    assert graph.nodes["terms.txt#Section 3.1"]["parent"] == "terms.txt#Section 3"
    assert graph.nodes["terms.txt#Section 3"]["parent"] == "terms.txt"
    assert "parent" not in graph.nodes["terms.txt"]
    assert graph.nodes["fees.txt#Table 1"]["parent"] == "fees.txt#Section 2"


def test_dangling_and_external_references_go_to_nodes_of_their_kind(graph: PlaceGraph):
    assert ("terms.txt#Section 2", "Section 9", "dangling: Section 9 in terms.txt") in edges(graph)
    citing = {a for a, text, b in edges(graph) if b == "external: RFC 9110"}
    assert citing == {"terms.txt#Section 3.1", "fees.txt#Section 4"}
    assert graph.nodes["external: RFC 9110"]["kind"] == "external"


def test_of_a_list_that_is_there_in_part_both_parts_are_kept():
    home = document("# 1 A\nSee Sections 2 and 9.\n\n# 2 B\nx\n", name="home.txt")
    shelf, _, resolutions = resolved(home)
    graph = reference_graph(shelf, resolutions)
    assert [(b, d["status"]) for _, b, d in graph.edges(data=True)] == [
        ("home.txt#Section 2", "dangling"),
        ("dangling: Sections 2 and 9 in home.txt", "dangling"),
    ]


def test_a_tag_means_a_work_in_its_own_document_only():
    both = [document("# 1 Fees\nAs [7] says, and as [RFC7540] says.\n", name=n) for n in ("a.txt", "b.txt")]
    shelf, _, _ = resolved(*both)
    pointed = [
        Resolution(reference=r, status=Status.EXTERNAL, targets=(), tier=None, why="Off the shelf.")
        for d in both
        for r in find(d)
    ]
    graph = reference_graph(shelf, pointed)
    ends = [n for n, d in graph.nodes(data=True) if d["kind"] == "external"]
    assert ends == ["external: [7] in a.txt", "external: [RFC7540]", "external: [7] in b.txt"]


def test_what_points_at_the_place_it_stands_in_is_kept_apart(graph: PlaceGraph):
    assert [(d["from"], d["text"], d["to"]) for d in graph.graph["own"]] == [
        ("terms.txt#Section 3.1", "This Section", "terms.txt#Section 3.1")
    ]
    assert "This Section" not in {text for _, text, _ in edges(graph)}
    assert not any(a == b for a, b in graph.edges())


def test_ambiguous_references_go_to_every_candidate_and_count_for_nothing():
    two = document("# 1 Fees\nx\n\n# 1 Fees again\ny\n\n# 2 Term\nSee Section 1.\n", name="two.txt")
    shelf, _, resolutions = resolved(two)
    graph = reference_graph(shelf, resolutions)
    assert [(b, d["status"]) for _, b, d in graph.edges(data=True)] == [
        ("two.txt#Section 1", "ambiguous"),
        ("two.txt#Section 1@2", "ambiguous"),
    ]
    assert statuses(graph)["ambiguous"] == 1
    assert hubs(graph, 5) == []
    assert trail(graph, "two.txt#Section 2", "two.txt#Section 1") is None


def test_a_section_and_the_item_that_it_is_are_one_place():
    inner = document("# 1 Fees\nSee Exhibit C.\n\n@exhibit C Prices\nTwelve.\n", name="home.txt")
    exhibit = inner.items[0]
    section = replace(inner.sections[0], id="c", label="C", title="Prices", lines=exhibit.lines)
    same = replace(
        inner, sections=(replace(inner.sections[0], lines=replace(section.lines, start=0, end=2)), section)
    )
    shelf, _, resolutions = resolved(same)
    graph = reference_graph(shelf, resolutions)
    assert list(graph) == ["home.txt", "home.txt#Section 1", "home.txt#Exhibit C"]
    assert graph.nodes["home.txt#Exhibit C"]["name"] == "Exhibit C"
    assert [b for _, b in graph.edges()] == ["home.txt#Exhibit C"]


def test_an_exhibit_that_is_the_whole_file_is_the_file():
    home = document("# 1 Fees\nSee Exhibit C.\n\n# 2 Term\nx\n", name="home.txt")
    file = document("@exhibit C Prices\nTwelve.\n", name="c.txt", title="Exhibit C", aliases=("Exhibit C",))
    shelf, _, resolutions = resolved(home, file)
    graph = reference_graph(shelf, resolutions)
    assert list(graph) == ["c.txt", "home.txt", "home.txt#Section 1", "home.txt#Section 2"]
    assert list(graph.edges()) == [("home.txt#Section 1", "c.txt")]


def test_a_place_is_called_by_the_word_of_its_heading():
    act = document("# [article 6] Scope\nArticle 7 applies.\n\n# [article 7] Terms\nx\n", name="act.txt")
    shelf, _, resolutions = resolved(act)
    assert list(reference_graph(shelf, resolutions).edges()) == [("act.txt#Article 6", "act.txt#Article 7")]


def test_hubs_are_the_places_that_most_references_point_at(graph: PlaceGraph):
    first = hubs(graph, 1)
    assert first == [{"node": "terms.txt#Section 2", "references_in": 3, "places_in": 3}]
    assert hubs(graph, 1, Status.EXTERNAL) == [
        {"node": "external: RFC 9110", "references_in": 2, "places_in": 2}
    ]


def test_degrees_count_resolved_references_alone(graph: PlaceGraph):
    with_degrees(graph)
    assert graph.nodes["terms.txt#Section 2"]["references_in"] == 3
    assert graph.nodes["terms.txt#Section 2"]["references_out"] == 1
    assert graph.nodes["external: RFC 9110"]["references_in"] == 0


def test_cycles_are_told_by_a_shortest_one(graph: PlaceGraph):
    assert cycles(graph) == [
        {"places": 2, "cycle": ["terms.txt#Section 2", "terms.txt#Section 3.1", "terms.txt#Section 2"]}
    ]


def test_a_ring_of_three_is_one_ring_and_two_apart_are_two():
    ring = document(
        "# 1 A\nSee Section 2.\n\n# 2 B\nSee Section 3.\n\n# 3 C\nSee Section 1.\n\n"
        "# 4 D\nSee Section 5.\n\n# 5 E\nSee Section 4 and Section 1.\n",
        name="ring.txt",
    )
    shelf, _, resolutions = resolved(ring)
    found = cycles(reference_graph(shelf, resolutions))
    assert [c["places"] for c in found] == [3, 2]
    assert [n.removeprefix("ring.txt#Section ") for n in found[0]["cycle"]] == ["1", "2", "3", "1"]


def test_of_two_cycles_in_a_ring_the_shorter_is_told():
    ring = document(
        "# 1 A\nSee Section 2.\n\n# 2 B\nSee Section 3, or Section 1.\n\n# 3 C\nSee Section 1.\n",
        name="ring.txt",
    )
    shelf, _, resolutions = resolved(ring)
    (found,) = cycles(reference_graph(shelf, resolutions))
    assert found == {"places": 3, "cycle": ["ring.txt#Section 1", "ring.txt#Section 2", "ring.txt#Section 1"]}


def told(steps: list[dict[str, Any]] | None) -> list[tuple[str, str]]:
    assert steps is not None
    return [(s["text"], s["to"]) for s in steps]


def test_the_shortest_trail_takes_the_fewest_references(graph: PlaceGraph):
    steps = trail(graph, "fees.txt", "terms.txt#Section 3.1")
    assert told(steps) == [
        ("Section 3.2 of the Service Terms", "terms.txt#Section 3.2"),
        ("Sections 1 and 2", "terms.txt#Section 2"),
        ("Section 3.1", "terms.txt#Section 3.1"),
    ]


def test_who_stands_in_a_section_may_use_what_is_written_inside_it_and_arrives_from_inside(graph: PlaceGraph):
    assert told(trail(graph, "terms.txt#Section 3", "fees.txt")) == [
        ("Sections 1 and 2", "terms.txt#Section 1"),
        ("Table 1 of Exhibit B", "fees.txt#Table 1"),
    ]


def test_there_is_no_trail_backwards_through_an_edge_or_over_what_is_dangling(graph: PlaceGraph):
    assert trail(graph, "fees.txt#Table 1", "terms.txt#Section 1") is None
    assert trail(graph, "terms.txt#Section 2", "dangling: Section 9 in terms.txt") is None


def test_a_trail_to_where_one_stands_needs_no_reference(graph: PlaceGraph):
    assert trail(graph, "terms.txt#Section 3.1", "terms.txt#Section 3") == []


def test_the_map_of_documents_weighs_its_edges_and_keeps_the_rest_as_counts(graph: PlaceGraph):
    documents = document_map(graph)
    assert list(documents) == ["fees.txt", "terms.txt", "external: RFC 9110"]
    assert documents["terms.txt"]["fees.txt"] == {"weight": 1, "resolved": 1}
    assert documents["terms.txt"]["external: RFC 9110"] == {"weight": 1, "external": 1}
    # Section 2, 3.1, 2, and "Sections 1 and 2", which is one reference; and "This Section".
    assert documents.nodes["terms.txt"]["within"] == 5
    assert documents.nodes["terms.txt"]["dangling"] == 1


def test_two_references_between_two_places_are_one_edge_of_weight_two():
    twice = document("# 1 A\nSee Section 2. Again, see Section 2.\n\n# 2 B\nx\n", name="twice.txt")
    shelf, _, resolutions = resolved(twice)
    whole = weighed(reference_graph(shelf, resolutions))
    assert list(whole.edges(data="weight")) == [("twice.txt#Section 1", "twice.txt#Section 2", 2)]
    assert list(of_status(whole).edges(data="weight")) == list(whole.edges(data="weight"))


NAMES = {
    "Section 3.1": "terms.txt#Section 3.1",
    "section 3.1": "terms.txt#Section 3.1",
    "§ 3.1": "terms.txt#Section 3.1",
    "3.1": "terms.txt#Section 3.1",
    "terms.txt Section 2": "terms.txt#Section 2",
    "Section 2 of the Service Terms": "terms.txt#Section 2",
    "Section 2 in fees.txt": "fees.txt#Section 2",
    "Service Terms 2": "terms.txt#Section 2",
    "Exhibit B": "fees.txt",
    "fees.txt": "fees.txt",
    "Exhibit B Fees": "fees.txt",
    "the Service Terms": "terms.txt",
    "Table 1": "fees.txt#Table 1",
    "row (A) of Table 1": "fees.txt#Table 1",
    "After the end": "terms.txt#Section 3.2",
    "terms.txt#Section 3.2": "terms.txt#Section 3.2",
    "RFC 9110": "external: RFC 9110",
}


@pytest.mark.parametrize("said", NAMES)
def test_a_place_is_found_by_the_name_that_people_give_it(said: str):
    shelf, resolver, resolutions = resolved(TERMS, FEES)

    def resolve(reference: Reference) -> Resolution:
        home = shelf.document(reference.at.doc)
        assert home is not None
        return resolver(reference, home)

    assert place_named(reference_graph(shelf, resolutions), shelf, resolve, said) == NAMES[said]


@pytest.mark.parametrize(
    "said, error, told",
    [
        (
            "Section 2",
            UsageError,
            "2 places; give one of these instead: fees.txt#Section 2; terms.txt#Section 2",
        ),
        ("Section 77", NoSuchSource, "no place is called 'Section 77'; near it are: "),
        ("terms.txt Section 4", NoSuchSource, "no place is called 'terms.txt Section 4'"),
        ("", NoSuchSource, "no place is called ''"),
    ],
)
def test_a_name_of_several_places_or_of_none_is_an_error_that_helps(
    said: str, error: type[Exception], told: str
):
    shelf, resolver, resolutions = resolved(TERMS, FEES)
    graph = reference_graph(shelf, resolutions)
    homes = {d.id: d for d in (TERMS, FEES)}
    with pytest.raises(error) as raised:
        place_named(graph, shelf, lambda r: resolver(r, homes[r.at.doc]), said)
    assert told in str(raised.value)


def test_the_name_of_a_document_is_its_own_before_that_of_a_term_or_of_a_title_inside_it():
    report = document(
        "# Annual Report\nx\n\n# 2 Terms\n@definition Annual_Report Annual Report\nIt is this.\n",
        name="report.txt",
        title="Annual Report",
        aliases=("Annual Report",),
    )
    other = document(
        "# 1 Words\n@definition Annual_Report Annual Report\nThe one of this year.\n\n# 2 More\nx\n",
        name="other.txt",
    )
    shelf, resolver, resolutions = resolved(report, other)
    graph = reference_graph(shelf, resolutions)
    homes = {d.id: d for d in (report, other)}
    assert "other.txt#“Annual Report”" in graph and "report.txt#“Annual Report”" in graph
    assert place_named(graph, shelf, lambda r: resolver(r, homes[r.at.doc]), "Annual Report") == "report.txt"
    assert place_named(graph, shelf, lambda r: resolver(r, homes[r.at.doc]), "other.txt Annual Report") == (
        "other.txt#“Annual Report”"
    )
