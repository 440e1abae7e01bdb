"""`deref check` as a person and a CI job run it: findings, exit codes, formats, baseline."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from e2e.shell import Shell

ROOT = Path(__file__).resolve().parents[2]
DRAFT = """# Supply Agreement

## 1. Price

The price follows from Section 2.4 and Table 1. <b>&amp;</b>

## 2. Delivery

### 2.1 Place

At the yard, under Directive 95/46/EC.

### 2.2 Time

By noon, as Section 2.1 says.
"""


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    folder = tmp_path / "my drafts"
    folder.mkdir()
    (folder / "supply agreement.md").write_text(DRAFT)
    return folder


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path / "library", "none")


def test_the_deal_room_has_its_two_faults_and_no_other(tmp_path: Path) -> None:
    ran = Shell(tmp_path / "library", "none")("check", "examples/deal-room")
    assert ran.code == 1
    assert re.findall(r"“(.*?)”", ran.out) == ["Schedule 5", "Section 14.9 of the Master Services Agreement"]
    assert ran.err == ""


def test_a_fault_is_told_with_its_place_and_makes_the_exit_code_one(shell: Shell, draft: Path) -> None:
    ran = shell("check", str(draft))
    assert ran.code == 1
    assert ran.out == (
        "supply agreement.md\n"
        "  l. 5: error “Section 2.4”: There is no section 2.4 in this document; the last is 2.2. [dangling]\n"
        "1 error in 1 document; 1 of less weight not listed (--show note lists them).\n"
    )


def test_a_clean_folder_leaves_with_zero(shell: Shell, draft: Path) -> None:
    (draft / "supply agreement.md").write_text(DRAFT.replace("Section 2.4", "Section 2.2"))
    ran = shell("check", str(draft))
    assert (ran.code, ran.out.splitlines()[0][:13]) == (0, "nothing found")


def test_the_threshold_decides_the_exit_code_and_show_the_list(shell: Shell, draft: Path) -> None:
    (draft / "supply agreement.md").write_text(DRAFT.replace("Section 2.4", "Section 2.2"))
    assert shell("check", str(draft), "--threshold", "note").code == 1
    ran = shell("check", str(draft), "--show", "note")
    assert (ran.code, "[external]" in ran.out) == (0, True)


def test_rules_are_picked_and_left_out_by_name(shell: Shell, draft: Path) -> None:
    assert shell("check", str(draft), "--except", "dangling").code == 0
    assert shell("check", str(draft), "--only", "dangling").code == 1
    assert "[external]" not in shell("check", str(draft), "--only", "dangling", "--show", "note").out
    ran = shell("check", str(draft), "--only", "spelling")
    assert (ran.code, ran.err.startswith("deref: spelling: no such rule; use some of dangling")) == (2, True)
    assert shell("check", str(draft), "--only", "dangling", "--except", "dangling").code == 2
    assert shell("check", str(draft), "--only", "term-twice, dangling").code == 1
    assert shell("check", str(draft), "--except", "external,dangling", "--show", "note").code == 0


def test_the_rules_are_listed_without_a_path(shell: Shell) -> None:
    ran = shell("check", "--rules")
    assert (ran.code, ran.out.splitlines()[0].split()[:2]) == (0, ["dangling", "error"])


def test_json_has_one_object_a_finding(shell: Shell, draft: Path) -> None:
    (row,) = shell("check", str(draft), "--json").rows()
    assert (row["rule"], row["severity"], row["source"]) == ("dangling", "error", "supply agreement.md")
    assert (row["page"], row["row"], row["text"]) == (1, 5, "Section 2.4")
    line = DRAFT.splitlines()[4]
    assert line[row["char_start"] : row["char_end"]] == "Section 2.4"
    assert shell("check", str(draft), "--json", "--format", "html").code == 2


def test_a_baseline_accepts_what_is_known_though_lines_move(
    shell: Shell, draft: Path, tmp_path: Path
) -> None:
    known = tmp_path / "known.json"
    assert shell("check", str(draft), "--write-baseline", str(known)).code == 0
    assert {r["rule"] for r in json.loads(known.read_text())["accepted"]} == {"dangling", "external"}
    file = draft / "supply agreement.md"
    file.write_text(DRAFT.replace("## 1. Price", "A new first paragraph.\n\n## 1. Price"))
    ran = shell("check", str(draft), "--baseline", str(known))
    assert (ran.code, "2 accepted by the baseline" in ran.out) == (0, True)
    file.write_text(DRAFT + "\n### 2.3 Risk\n\nIt passes as Section 3.9 says. Then see Section 2.9.\n")
    ran = shell("check", str(draft), "--baseline", str(known))
    assert (ran.code, re.findall(r"“(.*?)”", ran.out)) == (1, ["Section 3.9", "Section 2.9"])


@pytest.mark.parametrize(
    "text", ["", "[]", '{"version": 9, "accepted": []}', '{"version": 1, "accepted": [3]}']
)
def test_a_file_that_is_no_baseline_is_refused(shell: Shell, draft: Path, tmp_path: Path, text: str) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text(text)
    ran = shell("check", str(draft), "--baseline", str(bad))
    assert (ran.code, "--write-baseline" in ran.err) == (2, True)


def test_a_baseline_that_is_not_there_or_cannot_be_written_is_told(
    shell: Shell, draft: Path, tmp_path: Path
) -> None:
    assert shell("check", str(draft), "--baseline", str(tmp_path / "none.json")).code == 2
    assert shell("check", str(draft), "--write-baseline", str(tmp_path / "no" / "x.json")).code == 2
    assert shell("check", str(draft), "--out", str(tmp_path / "no" / "x.html")).code == 2
    assert shell("check", str(tmp_path / "nothing")).code == 2


def test_the_example_of_the_docs_is_what_is_printed(shell: Shell, tmp_path: Path) -> None:
    example = (
        (ROOT / "docs" / "check.md").read_text("utf-8").partition("## An example\n")[2].partition("\n## ")[0]
    )
    blocks = [
        "\n".join(line[4:] for line in block.splitlines()) + "\n"
        for block in re.findall(r"(?:^(?: {4}.*)?\n)+", example, re.MULTILINE)
        if block.strip()
    ]
    agreement, schedule, said = (block.strip("\n") + "\n" for block in blocks)
    (tmp_path / "drafts").mkdir()
    (tmp_path / "drafts" / "agreement.md").write_text(agreement)
    (tmp_path / "drafts" / "Schedule 1.md").write_text(schedule)
    ran = shell("check", str(tmp_path / "drafts"))
    assert (ran.code, ran.out) == (1, said)


def test_the_docs_tell_each_rule(shell: Shell) -> None:
    page = (ROOT / "docs" / "check.md").read_text("utf-8")
    told = re.findall(r"^\| `([a-z-]+)` \| (\w+) \|", page, re.MULTILINE)
    listed = [tuple(line.split()[:2]) for line in shell("check", "--rules").out.splitlines()]
    assert told == listed


def sarif_faults(log: dict[str, Any]) -> list[str]:
    """What the schema of SARIF 2.1.0 asks for, as far as a log of results is concerned."""
    faults = (
        []
        if log["version"] == "2.1.0" and log["$schema"].endswith("sarif-schema-2.1.0.json")
        else ["version"]
    )
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    rules = driver["rules"]
    if not (isinstance(driver["name"], str) and len({r["id"] for r in rules}) == len(rules)):
        faults.append("driver")
    faults += [
        r["id"]
        for r in rules
        if r["defaultConfiguration"]["level"] not in ("none", "note", "warning", "error")
    ]
    for result in run["results"]:
        place = result["locations"][0]["physicalLocation"]
        region = place["region"]
        good = (
            rules[result["ruleIndex"]]["id"] == result["ruleId"]
            and result["level"] in ("note", "warning", "error")
            and result["message"]["text"].strip()
            and re.fullmatch(r"[\w.~!$&'()*+,;=:@/%-]+", place["artifactLocation"]["uri"])
            and place["artifactLocation"]["uriBaseId"] in run["originalUriBaseIds"]
            and isinstance(region["startLine"], int)
            and region["startLine"] >= 1
            and region.get("startColumn", 1) >= 1
            and region.get("endColumn", 2) > region.get("startColumn", 1)
            and all(isinstance(v, str) for v in result["partialFingerprints"].values())
        )
        faults += [] if good else [result["ruleId"]]
    base = run["originalUriBaseIds"]["ROOT"]["uri"]
    return faults + ([] if base.startswith("file:///") and base.endswith("/") else ["base"])


def test_sarif_is_what_its_schema_asks_for(shell: Shell, draft: Path) -> None:
    log = shell("check", str(draft), "--format", "sarif", "--show", "note").values()
    assert sarif_faults(log) == []
    results = log["runs"][0]["results"]
    assert [r["ruleId"] for r in results] == ["dangling", "external"]
    place = results[0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "supply%20agreement.md"
    assert place["region"] == {"startLine": 5, "startColumn": 24, "endColumn": 35}


def test_sarif_of_a_paged_file_says_page_and_row_in_words(shell: Shell) -> None:
    log = shell("check", "examples/deal-room", "--format", "sarif", "--only", "missing-exhibit").values()
    assert sarif_faults(log) == []
    (result,) = log["runs"][0]["results"]
    assert result["message"]["text"].endswith("(page 4, row 19)")
    assert (result["properties"]["page"], result["properties"]["row"]) == (4, 19)
    assert "startColumn" not in result["locations"][0]["physicalLocation"]["region"]


class Page(HTMLParser):
    """Tags that load something, and the text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loading: list[str] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        loads = {"script", "link", "img", "iframe", "object", "embed", "source", "video", "audio"}
        if tag in loads or any(name in ("src", "href", "style", "onload") for name, _ in attrs):
            self.loading.append(tag)
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_page_needs_nothing_else_and_shows_text_as_text(
    shell: Shell, draft: Path, tmp_path: Path
) -> None:
    (draft / "a <i>b< & c.md").write_text(DRAFT)
    out = tmp_path / "report.html"
    ran = shell("check", str(draft), "--format", "html", "--out", str(out))
    assert (ran.code, ran.out) == (1, "")
    page = Page(out.read_text())
    assert (page.loading, page.open) == ([], [])
    assert "url(" not in out.read_text() and "@import" not in out.read_text()
    assert "a <i>b< & c.md" in page.text
    assert "Section 2.4 There is no section 2.4 in this document" in page.text
    assert "prefers-color-scheme: dark" in out.read_text()
