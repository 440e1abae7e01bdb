"""`deref graph` from the shell: what people read, every format read back by a library, trails, errors."""

from __future__ import annotations

import json
import struct
from io import BytesIO
from pathlib import Path

import networkx as nx
import pydot
import pytest
from lxml import etree

import deref as package
from e2e.shell import Shell

TERMS = """# Service Terms

## 1 Fees

The fees stand in Table 1 of Exhibit B. Section 2 says how long.

## 2 Term

Section 1 applies for a year, and Section 9 after it. RFC 9110 applies.
"""
FEES = """# Exhibit B - Fees

## 1 Prices

Table 1. Prices

| Row | Crowns |
|---|---|
| (A) | 12 |

## 4 Change

Prices change as Section 2 of the Service Terms says.
"""


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    shelf = tmp_path_factory.mktemp("papers") / "shelf"
    shelf.mkdir()
    (shelf / "terms.md").write_text(TERMS)
    (shelf / "fees.md").write_text(FEES)
    return shelf


@pytest.fixture(scope="module")
def deref(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    return Shell(tmp_path_factory.mktemp("library"))


def test_people_get_counts_hubs_and_cycles(deref: Shell, shelf: Path):
    told = deref("graph", shelf)
    assert told.code == 0 and not told.err
    assert "2 documents" in told.out
    assert "4 resolved, 1 external, 1 dangling" in told.out
    assert "      2     2  terms.md#Section 2\n" in told.out
    assert "      1     1  RFC 9110\n" in told.out
    assert (
        "  2 that reach each other: terms.md#Section 2 → terms.md#Section 1 → terms.md#Section 2\n"
        in told.out
    )
    assert "\x1b" not in told.out


def test_the_map_of_documents_has_its_own_hubs_and_cycles(deref: Shell, shelf: Path):
    told = deref("graph", shelf, "--level", "document")
    assert "Most pointed at (references, from how many documents)" in told.out
    assert "  2 that reach each other: fees.md → terms.md → fees.md\n" in told.out


@pytest.mark.parametrize("level", ["section", "document"])
def test_graphml_and_dot_are_read_by_libraries_and_say_what_json_says(deref: Shell, shelf: Path, level: str):
    told = deref("graph", shelf, "--level", level, "--json").values()
    assert told["schema"] == "deref.graph/1" and told["level"] == level
    written = deref("graph", shelf, "--level", level, "--format", "graphml").out
    back = nx.read_graphml(BytesIO(written.encode()), force_multigraph=level == "section")
    assert back.is_directed()
    assert [{"id": n, **d} for n, d in back.nodes(data=True)] == told["nodes"]
    assert [{"from": a, "to": b, **d} for a, b, d in back.edges(data=True)] == told["edges"]
    (dot,) = pydot.graph_from_dot_data(deref("graph", shelf, "--level", level, "--format", "dot").out)
    names = {n.get_name(): json.loads(n.get("id")) for n in dot.get_nodes()}
    assert list(names.values()) == [n["id"] for n in told["nodes"]]
    ends = [(names[e.get_source()], names[e.get_destination()]) for e in dot.get_edges()]
    assert ends == [(e["from"], e["to"]) for e in told["edges"]]


def test_pictures_are_pictures_with_every_name_in_them(deref: Shell, shelf: Path, tmp_path: Path):
    svg = deref("graph", shelf, "--format", "svg").out
    root = etree.fromstring(svg.encode())
    said = " ".join(t.strip() for t in root.itertext() if t.strip())
    for name in (
        "Section 1 Fees",
        "Section 2 Term",
        "Table 1 Prices",
        "RFC 9110",
        "Section 9 (in terms.md)",
        "dangling",
    ):
        assert name in said, name
    png = tmp_path / "map.png"
    assert deref("graph", shelf, "--level", "document", "--out", png).out == ""
    data = png.read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", data[16:24])
    assert width > 1000 and height > 400


def test_what_is_left_out_of_a_picture_is_said(deref: Shell, shelf: Path):
    svg = deref("graph", shelf, "--format", "svg", "--top", "3").out
    assert "places are left out" in svg
    assert "places are left out" not in deref("graph", shelf, "--format", "svg").out


@pytest.mark.parametrize("form", ["json", "graphml", "dot", "svg", "png"])
def test_the_same_shelf_gives_the_same_bytes(deref: Shell, shelf: Path, tmp_path: Path, form: str):
    for n in (1, 2):
        deref("graph", shelf, "--out", tmp_path / f"{n}.{form}", PYTHONHASHSEED=str(n))
    assert (tmp_path / f"1.{form}").read_bytes() == (tmp_path / f"2.{form}").read_bytes() != b""


def test_the_shortest_trail_is_told_with_each_place_on_it(deref: Shell, shelf: Path):
    told = deref("graph", shelf, "--from", "fees.md Section 4", "--to", "Table 1")
    assert told.code == 0
    lines = told.out.splitlines()
    assert lines[0] == "fees.md#Section 4 → fees.md#Table 1"
    assert [line.partition("“")[2] for line in lines[1:]] == [
        "Section 2 of the Service Terms” → terms.md#Section 2",
        "Section 1” → terms.md#Section 1",
        "Table 1 of Exhibit B” → fees.md#Table 1",
    ]
    values = deref("graph", shelf, "--from", "fees.md Section 4", "--to", "Table 1", "--json").values()
    assert values["found"] and [s["to"] for s in values["trail"]][-1] == "fees.md#Table 1"


def test_no_trail_is_an_answer_with_a_code_of_its_own(deref: Shell, shelf: Path):
    told = deref("graph", shelf, "--from", "Table 1", "--to", "terms.md")
    assert told.code == 1 and "There is no trail" in told.out
    values = deref("graph", shelf, "--from", "Table 1", "--to", "terms.md", "--json").values()
    assert values == {"from": "fees.md#Table 1", "to": "terms.md", "found": False, "trail": []}


@pytest.mark.parametrize(
    "options, told",
    [
        (["--from", "Section 1", "--to", "terms.md"], "2 places; give one of these instead: fees.md#Section 1; terms.md#Section 1"),
        (["--from", "Annex Q", "--to", "terms.md"], "no place is called 'Annex Q'"),
        (["--from", "terms.md"], "give both --from and --to"),
        (["--from", "a", "--to", "b", "--level", "document"], "leave out --level document"),
        (["--from", "a", "--to", "b", "--format", "dot"], "a trail is written as text or json"),
        (["--format", "png"], "name a file for it, e.g. --out map.png"),
        (["--format", "dot", "--json"], "give one of the two"),
        (["--format", "gexf"], "gexf"),
        (["--out", "/nowhere/map.svg"], "/nowhere/map.svg"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_said_in_one_line(deref: Shell, shelf: Path, options: list[str], told: str):
    ran = deref("graph", shelf, *options)
    assert ran.code == 2
    assert ran.out == ""
    assert told in ran.err and ran.err.count("\n") == 1


def test_a_shelf_without_references_has_a_graph_and_no_picture(deref: Shell, tmp_path: Path):
    plain = tmp_path / "plain"
    plain.mkdir()
    (plain / "note.md").write_text("# Note\n\nNothing is cited.\n")
    shell = Shell(tmp_path / "library")
    assert shell("graph", plain, "--json").values()["edges"] == []
    refused = shell("graph", plain, "--out", tmp_path / "map.svg")
    assert refused.code == 2 and "nothing to draw" in refused.err
    assert not (tmp_path / "map.svg").exists()


def test_without_matplotlib_a_picture_is_refused_with_the_fix(shelf: Path, tmp_path: Path):
    # A module of that name that cannot be found by its path, as on a machine without the extra.
    (tmp_path / "sitecustomize.py").write_text(
        "import importlib.util as u\nfind = u.find_spec\n"
        "u.find_spec = lambda name, *a: None if name == 'matplotlib' else find(name, *a)\n"
    )
    shell = Shell(tmp_path / "library", PYTHONPATH=str(tmp_path))
    refused = shell("graph", shelf, "--out", tmp_path / "map.svg")
    assert refused.code == 2
    assert "pip install matplotlib" in refused.err
    assert shell("graph", shelf, "--format", "dot").code == 0


def test_from_python_the_graph_is_one_of_networkx(shelf: Path, tmp_path: Path):
    places = package.graph(shelf, library=tmp_path / "library")
    assert isinstance(places, nx.MultiDiGraph)
    assert places.nodes["terms.md#Section 2"]["references_in"] == 2
    documents = package.graph(shelf, level="document", library=tmp_path / "library")
    assert not documents.is_multigraph()
    assert documents["terms.md"]["fees.md"]["weight"] == 1
