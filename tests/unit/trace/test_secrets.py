"""Secrets: known ones go wherever they stand, what has the form of one goes where no document speaks."""

from __future__ import annotations

import json

import pytest

from deref.trace.secrets import HIDDEN, Hiding, secrets_in, without_forms, without_forms_in, without_places


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("cannot reach http://ann:pa55word@models.example/v1", "cannot reach http://models.example/v1"),
        ("postgresql+psycopg://deref:s3cr3t@db/shelf", "postgresql+psycopg://db/shelf"),
        ("http://token@host:8080/", "http://host:8080/"),
        ("Authorization: Bearer abcdef0123456789", f"Authorization: Bearer {HIDDEN}"),
        ("401 for sk-proj-0123456789abcdef", f"401 for {HIDDEN}"),
        ('{"api_key": "abcdef123"}', f'{{"api_key": "{HIDDEN}"}}'),
        ("?api-key=abcdef123&x=1", f"?api-key={HIDDEN}&x=1"),
        ("password=hunter22", f"password={HIDDEN}"),
    ],
)
def test_what_has_the_form_of_a_secret_goes(text: str, left: str) -> None:
    assert without_forms(text) == left
    assert without_forms_in({"a": [text, 1], "b": (text,)}) == {"a": [left, 1], "b": [left]}


@pytest.mark.parametrize(
    "text",
    [
        "the key of the mill", "http://127.0.0.1:8080/v1", "mail ann@mill.example about it", "tokens: 12 of 4,096",
        "C:/users/ann, see https://mill.example/a@b", "the password is asked for", "a basic income", "risk-based approach to sk-1",
    ],
)  # fmt: skip
def test_what_only_looks_a_little_like_one_stays(text: str) -> None:
    assert without_forms(text) == text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (
            "the dense leg failed: /srv/deref/team/chunks.lance: gone",
            "the dense leg failed: …/chunks.lance: gone",
        ),
        ("/srv/My Team/lib/catalogue.db: locked", "…/catalogue.db: locked"),
        ("~/models/small.onnx is gone", "…/small.onnx is gone"),
        ("“/opt/a/b”, (/opt/a/c)", "“…/b”, (…/c)"),
        ("postgresql://deref@db/team?host=/run/pg deref_1: busy.", "[address] deref_1: busy."),
        ("http://ann:pa55word@models.example/v1: no answer", "[address]: no answer"),
        ("api_key=abcdef123 is refused", f"api_key={HIDDEN} is refused"),
    ],
)
def test_of_an_error_places_go_too(text: str, left: str) -> None:
    assert without_places(text) == left
    assert without_places(left) == left


@pytest.mark.parametrize(
    "text", ["hr/lease.md: changed", "and/or, 3 / 4 / 5, p. 4/5", "24 of 50 passages", "…/b"]
)
def test_names_of_documents_stay_in_an_error(text: str) -> None:
    assert without_places(text) == text


def test_a_known_secret_goes_in_whatever_form_json_gives_it() -> None:
    secret = 'pä"ss\\wörd'
    hide = Hiding([secret, "abc", "abcdefg", "abcdefghij"])
    for ascii_only in (True, False):
        hidden = hide(json.dumps({"a": f"x{secret}y", "b": "abc abcdefghij"}, ensure_ascii=ascii_only))
        assert json.loads(hidden) == {"a": f"x{HIDDEN}y", "b": f"abc {HIDDEN}"}
    assert Hiding()("abc") == "abc"


def test_variables_are_known_by_what_they_are_named_for() -> None:
    environment = {"OPENAI_API_KEY": "sk1-a", "HF_TOKEN": "token1", "DEREF_PASSWORD": "pass-1", "PGPASSWORD": "word-3", "PATH": "/bin-1", "KEYBOARD": "us-us-1", "TOKENIZERS": "token-2", "KEY": "key--2"}  # fmt: skip
    assert secrets_in(environment) == ("token1", "pass-1", "word-3", "key--2")


@pytest.mark.parametrize(
    "value", ["true", "password", "Password", "CHANGEME", "20260101", "", "  none  ", "passwort"]
)
def test_an_ordinary_word_or_number_is_no_secret(value: str) -> None:
    assert secrets_in({"APP_SECRET": value}) == ()
    assert Hiding(secrets_in({"APP_SECRET": value}))('"the password is true since 20260101"') == (
        '"the password is true since 20260101"'
    )


@pytest.mark.parametrize(
    "value",
    ["hunter2", "pass-word", "abcdEfgh", "correcthorsebattery", "1234567890123456", "pässwörd!", "two words"],
)
def test_what_no_document_says_is_one(value: str) -> None:
    assert secrets_in({"APP_SECRET": value}) == (value,)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "Ù000 and more",
            "Ù000 and more",
        ),  # In JSON \\u00d9000: the digits of the escape and those behind it.
        ("\n0d9000", f"\n{HIDDEN}"),
        ("\\u00d9000", f"\\u0{HIDDEN}"),  # No escape, but a backslash and letters.
        ("x0d9000x", f"x{HIDDEN}x"),
    ],
)
def test_a_secret_is_not_found_in_the_middle_of_an_escape(text: str, told: str) -> None:
    hide = Hiding(["0d9000"])
    assert json.loads(hide(json.dumps({"a": text})))["a"] == told
