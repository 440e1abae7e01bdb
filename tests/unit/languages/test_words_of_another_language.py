"""Label words of a language other than that of the words around them, as tools and half-done translations leave them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from deref.references import MemoryShelf, Resolver, find
from unit.references.small_documents import document

GERMAN = "Der Wagen steht in dem Hof und wird von dem Wart mit dem Schlauch gereinigt, {}."
ENGLISH = "The car is in the yard and the warden cleans it with the hose, {}."
RUSSIAN = "Машина стоит во дворе, и сторож моет её водой, {}."


def found(language: str, sentence: str, pointer: str) -> list[str]:
    home = replace(
        document(f"# 4.1 Wagen\n{sentence.format(pointer)}\n# 4.2 Boote\nText."), language=language
    )
    resolver = Resolver(MemoryShelf([home]))
    return [f"{r.text} {resolver(r, home).status.value}" for r in find(home)]


@pytest.mark.parametrize(
    "language, sentence, pointer, becomes",
    [
        ("de", GERMAN, "siehe Section 4.2, “Boote”", ["Section 4.2 resolved"]),
        ("de", GERMAN, "siehe Chapter 6, Die Boote", ["Chapter 6 dangling"]),
        ("de", GERMAN, "siehe Section 8", []),
        ("de", ENGLISH, "see Abschnitt 4.2, „Boote“", ["Abschnitt 4.2 resolved"]),
        ("de", ENGLISH, "see Art 5 there", []),
        ("ru", RUSSIAN, "см. Section 4.2", ["Section 4.2 resolved"]),
        ("ru", RUSSIAN, "см. Section 8", []),
    ],
)
def test_a_number_with_a_dot_or_a_title_tells_a_pointer_whatever_the_words_around_it(
    language: str, sentence: str, pointer: str, becomes: list[str]
) -> None:
    assert found(language, sentence, pointer) == becomes


@pytest.mark.parametrize("language", ["de", "ru"])
def test_notes_are_called_in_every_language(language: str) -> None:
    home = replace(document("# 1 Hof\nTor [3] und Zaun [4].\n\n@footnote 3 Aus Holz."), language=language)
    assert [(r.kind.value, r.text) for r in find(home)][:1] == [("footnote", "[3]")]


@pytest.mark.parametrize(
    "language, text",
    [
        ("fr", "C'est décrit dans la section intitulée « Motifs de recherche », qui suit."),
        ("es", "Esto se describe en la sección llamada “Motifs de recherche”, que sigue."),
        ("de", "Das steht im Abschnitt „Motifs de recherche“, der dann folgt."),
        ("it", "Lo si dice nella sezione intitolata «Motifs de recherche», che segue."),
        ("pt", "Isto diz-se na secção chamada “Motifs de recherche”, que segue."),
        ("nl", "Dat staat in de sectie getiteld “Motifs de recherche”, die volgt."),
    ],
)
def test_a_section_is_named_by_its_title_in_each_language(language: str, text: str) -> None:
    home = replace(document(f"# Cour\n{text}\n# Motifs de recherche\nTexte."), language=language)
    resolver = Resolver(MemoryShelf([home]))
    outcomes = [resolver(r, home) for r in find(home)]
    assert [o.targets[0].title if o.targets else o.why for o in outcomes] == ["Motifs de recherche"]


def test_a_title_may_hold_quotes_of_its_own() -> None:
    home = replace(
        document(
            "# Cour\nVoir la section intitulée « Le menu « Paquet » ».\n# Menus\n## Le menu « Paquet »\nTexte."
        ),
        language="fr",
    )
    (reference,) = find(home)
    assert Resolver(MemoryShelf([home]))(reference, home).status.value == "resolved"
