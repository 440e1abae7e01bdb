"""Bad input: one clear error or report row each, and the rest of the batch goes on."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen import canvas

from e2e.shell import Shell, without_rights

GOOD = "# Notes\n\nThe warranty lasts 18 months.\n"
QUESTION = "How long does the warranty last?"


def pdf(path: Path, text: str, password: str | None = None) -> None:
    page = canvas.Canvas(str(path), encrypt=StandardEncryption(password) if password else None)
    page.drawString(72, 700, text)
    page.save()


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    folder = tmp_path / "shelf"
    folder.mkdir()
    (folder / "good.md").write_text(GOOD)
    return folder


@pytest.fixture
def deref(tmp_path: Path) -> Shell:
    return Shell(tmp_path / "library")


def failed(deref: Shell, shelf: Path, name: str) -> str:
    """Index, and return the error of one file; the good file must still answer."""
    ran = deref("index", shelf, "--json")
    assert ran.code == 0
    rows = {r["path"]: r for r in ran.rows()}
    assert rows[name]["outcome"] == "failed", rows[name]
    assert rows["good.md"]["outcome"] in ("added", "unchanged")
    assert name in rows[name]["error"]
    assert len(ran.err.strip().splitlines()) == 1, ran.err
    answer = deref("ask", shelf, QUESTION, "--json")
    assert "18 months" in answer.values()["text"]
    return str(rows[name]["error"])


def test_an_empty_file(deref: Shell, shelf: Path):
    (shelf / "empty.txt").write_text("")
    assert "empty" in failed(deref, shelf, "empty.txt")


def test_a_pdf_of_no_bytes(deref: Shell, shelf: Path):
    (shelf / "zero.pdf").write_bytes(b"")
    assert "empty" in failed(deref, shelf, "zero.pdf")


def test_a_truncated_pdf(deref: Shell, shelf: Path):
    pdf(shelf / "whole.pdf", "Some words on a page")
    data = (shelf / "whole.pdf").read_bytes()
    (shelf / "whole.pdf").unlink()
    (shelf / "cut.pdf").write_bytes(data[: len(data) // 4])
    failed(deref, shelf, "cut.pdf")


def test_an_encrypted_pdf_asks_for_its_password_and_opens_with_it(deref: Shell, shelf: Path):
    pdf(shelf / "locked.pdf", "The safe holds 40 coins.", password="open sesame")
    assert "--password" in failed(deref, shelf, "locked.pdf")
    wrong = deref("index", shelf, "--password", "guess", "--json")
    assert {r["path"]: r["outcome"] for r in wrong.rows()}["locked.pdf"] == "failed"
    right = deref("index", shelf, "--password", "open sesame", "--json")
    assert {r["path"]: r["outcome"] for r in right.rows()}["locked.pdf"] in ("added", "changed")
    assert "40 coins" in deref("ask", shelf, "How many coins does the safe hold?", "--json").values()["text"]


def test_a_pdf_of_5000_pages(deref: Shell, tmp_path: Path):
    folder = tmp_path / "long"
    folder.mkdir()
    document = canvas.Canvas(str(folder / "long.pdf"))
    for number in range(1, 5001):
        document.drawString(72, 700, f"Entry {number} of the register: drawer {number * 7} holds it.")
        document.showPage()
    document.save()
    ran = deref("index", folder, "--json")
    assert ran.rows()[0]["outcome"] == "added"
    assert ran.rows()[0]["pages"] == 5000
    shown = deref("show", folder, "long.pdf", "--page", "4321", "--json").values()
    assert "drawer 30247" in shown["text"]


def test_files_that_lie_about_their_type(deref: Shell, shelf: Path):
    pdf(shelf / "really.pdf", "The bridge opened in 1931.")
    (shelf / "really.pdf").rename(shelf / "lying.txt")
    (shelf / "picture.pdf").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(200))
    error = failed(deref, shelf, "picture.pdf")
    assert "PNG" in error
    assert "1931" in deref("ask", shelf, "When did the bridge open?", "--json").values()["text"]


def test_a_directory_loop_of_symlinks(deref: Shell, shelf: Path):
    (shelf / "deeper").mkdir()
    (shelf / "deeper" / "loop").symlink_to(shelf, target_is_directory=True)
    (shelf / "self").symlink_to(shelf / "self")
    ran = deref("index", shelf, "--json")
    assert ran.code == 0
    assert [r["path"] for r in ran.rows() if r["outcome"] == "added"] == ["good.md"]


def test_a_file_that_may_not_be_read(tmp_path: Path, shelf: Path):
    secret = shelf / "secret.md"
    secret.write_text("# Secret\n\nNobody reads this.\n")
    secret.chmod(0)
    deref = Shell(tmp_path / "library", behind=without_rights())
    assert "Permission denied" in failed(deref, shelf, "secret.md")


def test_a_folder_that_may_not_be_listed(tmp_path: Path, shelf: Path):
    closed = shelf / "closed"
    closed.mkdir()
    closed.chmod(0)
    try:
        deref = Shell(tmp_path / "library", behind=without_rights())
        assert "Permission denied" in failed(deref, shelf, "closed")
    finally:
        closed.chmod(0o755)


def test_a_link_that_leads_nowhere(deref: Shell, shelf: Path):
    (shelf / "secret.md").symlink_to(shelf / "nowhere.md")
    failed(deref, shelf, "secret.md")


def test_a_binary(deref: Shell, shelf: Path):
    (shelf / "program.txt").write_bytes(b"\x7fELF\x02\x01\x01" + bytes(range(256)) * 8)
    failed(deref, shelf, "program.txt")


def test_scripts_in_html_are_no_text(deref: Shell, shelf: Path):
    (shelf / "page.html").write_text(
        "<html><head><script>var fee = 'stolen'</script><style>p{color:red}</style></head>"
        "<body onload='alert(1)'><h1>Tariff</h1><script>document.write('warranty forever')</script>"
        "<p>The tariff is 12 crowns.</p></body></html>"
    )
    text = deref("show", shelf, "page.html", "--json").values()["text"]
    assert text.split("\n") == ["Tariff", "The tariff is 12 crowns."]


def test_a_docx_that_is_a_zip_bomb(shelf: Path, tmp_path: Path):
    with zipfile.ZipFile(shelf / "bomb.docx", "w", zipfile.ZIP_DEFLATED) as bomb:
        bomb.writestr("[Content_Types].xml", "<Types/>")
        bomb.writestr("word/document.xml", b"0" * 40_000_000)
    deref = Shell(tmp_path / "library", DEREF_READ_MAX_UNPACKED_MB="20")
    error = failed(deref, shelf, "bomb.docx")
    assert "unpack" in error


@pytest.mark.parametrize(
    "name", ['it\'s "quoted".md', "two\nlines.md", "договор.md", "契約書.md", "عقد.md", "a%20b;c.md"]
)
def test_odd_names(deref: Shell, shelf: Path, name: str):
    (shelf / name).write_text("# Ledger\n\nThe ledger closes on 3 May.\n")
    answer = deref("ask", shelf, "When does the ledger close?", "--json").values()
    assert answer["citations"][0]["source"] == name
    assert deref("show", shelf, name, "--json").values()["source"] == name


def test_a_page_without_a_text_layer_is_named(deref: Shell, shelf: Path):
    document = canvas.Canvas(str(shelf / "scan.pdf"))
    document.drawString(72, 700, "The first page has words.")
    document.showPage()
    document.rect(100, 100, 300, 300, fill=1)
    document.showPage()
    document.save()
    ran = deref("index", shelf)
    assert "scan.pdf" in ran.err
    assert "page 2" in ran.err
    # Told once when it is read, and for as long as it is on the shelf.
    assert "page 2" in deref("status", shelf).out


@pytest.mark.parametrize(
    "question",
    ["w", '"warranty" AND (NOT OR "', "warranty* NEAR/3 lasts -18 ^2", "'; DROP TABLE documents; --", "(((("],
)
def test_odd_questions_are_safe(deref: Shell, shelf: Path, question: str):
    ran = deref("ask", shelf, question, "--json")
    if question == "((((":
        assert ran.code == 2
        assert "no word" in ran.err
    else:
        assert ran.code in (0, 1)
        assert "completeness" in ran.values()


def test_a_question_of_100_kilobytes_is_refused_in_one_line(deref: Shell, shelf: Path):
    ran = deref("ask", shelf, "warranty " * 11_000)
    assert ran.code == 2
    assert len(ran.err.splitlines()) == 1
    assert "8,000" in ran.err


def test_usage_errors_have_exit_code_2_and_one_line(deref: Shell, shelf: Path, tmp_path: Path):
    for arguments in (
        ["ask", tmp_path / "nowhere", "x"],
        ["ask", "", "x"],
        ["ask", shelf, "x", "--library", ""],
        ["show", shelf, "absent.md"],
        ["show", shelf, "good.md", "--lines", "5-2"],
        ["show", shelf, "good.md", "--section", "99"],
        ["refs", shelf, "--status", "lost"],
        ["refs", shelf, "--status", "dangling,lost"],
        ["refs", shelf, "--status", ""],
        ["check", shelf, "--only", "dangling,lost"],
        ["explain", tmp_path / "nowhere.jsonl"],
    ):
        ran = deref(*arguments)
        assert ran.code == 2, arguments
        assert ran.out == ""
        assert len(ran.err.strip().splitlines()) == 1, ran.err


@pytest.mark.parametrize("group", [(), ("sessions",), ("tokens",), ("evaluate",)])
def test_commands_without_one_that_is_named_show_their_help(deref: Shell, group: tuple[str, ...]):
    ran = deref(*group)
    assert (ran.code, ran.out) == (2, "")
    first, _, rest = ran.err.partition("\n")
    assert first.endswith(" ".join((*group, "[OPTIONS] COMMAND [ARGS]..."))) and "\nCommands:\n" in rest


@pytest.mark.parametrize("option", [["--where", "colour:red"], ["--where", ""], ["--status", "lost"]])
@pytest.mark.parametrize("command", ["ask", "search"])
def test_a_filter_is_refused_before_anything_is_read(
    deref: Shell, shelf: Path, tmp_path: Path, command: str, option: list[str]
):
    ran = deref(command, shelf, QUESTION, *option)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert not (tmp_path / "library").exists()


def test_nothing_to_list_is_said_to_people_and_is_no_row(deref: Shell, shelf: Path):
    for command, code, told in (
        (["search", shelf, "zzzzqq"], 1, "No passage was found.\n"),
        (["refs", shelf], 0, "There is no such reference here.\n"),
    ):
        ran = deref(*command)
        assert (ran.code, ran.out) == (code, told)
        assert deref(*command, "--json").out == ""


def test_names_that_are_like_the_one_that_is_not_there_come_first(deref: Shell, shelf: Path):
    for number in range(12):
        (shelf / f"{number}.md").write_text(f"# Paper {number}\n\nText.\n")
    (shelf / "Lease of the Mill.md").write_text("# Contract\n\nText.\n")
    assert "e.g. one of: Lease of the Mill.md, " in deref("show", shelf, "lease").err
    assert "e.g. one of: 7.md, " in deref("show", shelf, "paper 7").err


def test_files_that_are_not_read_are_counted_once_and_listed(deref: Shell, shelf: Path):
    for name in ("old.doc", "older.DOC", "sheet.xls", "LICENCE", "~$open.docx", ".hidden.doc"):
        (shelf / name).write_bytes(b"some bytes")
    counted = "deref: passed over for their ending: 2 .doc, 1 without an ending, 1 .xls; `deref status` lists them\n"
    first = deref("ask", shelf, QUESTION, "--json")
    assert (first.code, first.err) == (0, counted)
    assert deref("ask", shelf, QUESTION, "--json").err == ""
    assert deref("status", shelf, "--json").values()["passed_over"] == [
        "old.doc", "older.DOC", "LICENCE", "sheet.xls",
    ]  # fmt: skip
    listed = deref("status", shelf).out
    assert "passed over for their ending, .doc: old.doc, older.DOC\n" in listed
    (shelf / "good.md").unlink()
    alone = deref("ask", shelf, QUESTION)
    assert (alone.code, alone.out, alone.err.count("\n")) == (2, "", 1)
    assert "2 .doc" in alone.err


def test_a_file_that_fails_is_told_by_the_command_that_meets_it_and_counted_after(deref: Shell, shelf: Path):
    (shelf / "empty.txt").write_text("")
    assert "empty.txt: the file is empty" in deref("refs", shelf).err
    assert deref("ask", shelf, QUESTION).err == "deref: 1 file could not be read; `deref status` tells why\n"
    (shelf / "more.pdf").write_bytes(b"")
    told = deref("search", shelf, QUESTION).err.splitlines()
    assert (
        len(told) == 2 and "more.pdf: the file is empty" in told[0] and "1 file could not be read" in told[1]
    )
    indexed = deref("index", shelf).err.splitlines()
    assert [line.split(": ")[1] for line in indexed] == ["empty.txt", "more.pdf"]
    listed = deref("status", shelf)
    assert listed.err == ""
    assert listed.out.count("the file is empty") == 2
    assert "\n1 document, 1 passage, " in listed.out


def test_an_empty_folder_says_what_to_put_there(deref: Shell, tmp_path: Path):
    (tmp_path / "empty").mkdir()
    ran = deref("ask", tmp_path / "empty", QUESTION)
    assert ran.code == 2
    assert "PDF" in ran.err
