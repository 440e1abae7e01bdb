"""What a question over HTTP may choose for itself: a recipe, a language model, how many passes. The settings of the server say which.

A client names one of these by its name, and nothing else: where a model is asked and with which key, and what a recipe switches
on, stand in the settings alone. What is not offered is refused before anything is searched.

A recipe lays settings of the groups `retrieve` and `loop` over those of the server. Its file is one that `deref evaluate retrieval --arm
NAME=FILE` measures.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deref.errors import UsageError
from deref.language_models import sent_to, with_language_model
from deref.serve.problems import NotOffered
from deref.settings import Settings, laid_over, load_settings

NO_MODEL = "none"
"""The name by which a question has no language model write, whatever the server's settings say."""

BUILT_IN: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "again": ("Asks once more, by the rarest words, when too little is found", {"retrieve": {"retry": True}}),
    "spread": (
        "At most two passages of one document among the first, so that more documents are heard",
        {"retrieve": {"per_document": 2}},
    ),
    "reranked": (
        "A model reads the question together with each passage; takes seconds",
        {"retrieve": {"rerank": "bundled"}},
    ),
}
_GROUPS = ("retrieve", "loop")


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """A recipe by name, with what is told of it, and the settings that it lays over those of the server."""

    name: str
    told: str
    overlay: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What a question chooses by name; None is what the server's settings say. `model` may be `NO_MODEL`."""

    recipe: str | None = None
    model: str | None = None
    budget: int | None = None


class Offered:
    """What may be chosen."""

    def __init__(self, settings: Settings) -> None:
        """Read it from the settings. Raises UsageError for a recipe that is none."""
        self._settings = settings
        self.models = tuple(_parts(settings.serve.offer_models))
        self.recipes = {recipe.name: recipe for recipe in _recipes(settings)}
        self.most_budget = settings.serve.most_budget

    @property
    def sent_to(self) -> tuple[str, ...]:
        """Those beyond this machine that texts of documents may be sent to, by whatever is chosen."""
        chosen = [
            Choice(recipe=recipe, model=model)
            for recipe in (None, *self.recipes)
            for model in (None, *self.models)
        ]
        return tuple(dict.fromkeys(one for choice in chosen for one in sent_to(self.settings(choice))))

    def values(self) -> dict[str, Any]:
        """Return it as JSON-ready values, with what holds when nothing is chosen."""
        models = self._settings.models
        return {
            "recipes": [{"name": one.name, "told": one.told} for one in self.recipes.values()],
            "models": [NO_MODEL, *self.models] if self.models else [],
            "most_budget": self.most_budget,
            "unless_chosen": {
                "model": models.language_model if models.writer == "model" else NO_MODEL,
                "budget": min(self._settings.loop.budget, self.most_budget),
            },
        }

    def settings(self, choice: Choice) -> Settings:
        """Return the settings of a question. Raises NotOffered, which names what there is."""
        settings = self._settings
        if choice.budget is not None and choice.budget > self.most_budget:
            raise NotOffered(f"budget {choice.budget} is not offered here; there is 0 to {self.most_budget}")
        if choice.recipe is not None:
            if choice.recipe not in self.recipes:
                raise NotOffered(_not_offered("recipe", choice.recipe, self.recipes))
            settings = laid_over(settings, self.recipes[choice.recipe].overlay)
        if choice.model == NO_MODEL:
            return laid_over(settings, {"models": {"writer": "extractive"}})
        if choice.model is not None:
            if choice.model not in self.models:
                raise NotOffered(_not_offered("model", choice.model, (NO_MODEL, *self.models)))
            return with_language_model(settings, choice.model)
        return settings

    def budget(self, choice: Choice) -> int:
        """Return the passes after the first of a question, which a recipe may set as well: never more than are offered."""
        chosen = self.settings(choice).loop.budget if choice.budget is None else choice.budget
        return min(chosen, self.most_budget)


def _not_offered(what: str, named: str, there: Mapping[str, Any] | tuple[str, ...]) -> str:
    offered = f"there is {', '.join(there)}" if there else "this server offers none"
    return f"{what} {named!r} is not offered here; {offered}"


def _parts(said: str) -> list[str]:
    return list(dict.fromkeys(part.strip() for part in said.split(",") if part.strip()))


def _recipes(settings: Settings) -> Iterator[Recipe]:
    for said in _parts(settings.serve.offer_recipes):
        name, parted, file = said.partition("=")
        if not parted:
            if name not in BUILT_IN:
                raise UsageError(
                    f"serve.offer_recipes: there is no recipe {name!r}; there are {', '.join(BUILT_IN)}, or write NAME=FILE"
                )
            told, overlay = BUILT_IN[name]
            yield Recipe(name=name, told=told, overlay=overlay)
        else:
            overlay = _read(Path(file).expanduser(), said)
            laid_over(settings, overlay)
            yield Recipe(name=name, told=_keys(overlay), overlay=overlay)


def _read(file: Path, said: str) -> Mapping[str, Any]:
    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"serve.offer_recipes {said}: the file cannot be read ({error})") from error
    load_settings(text, where=str(file))
    overlay = tomllib.loads(text)
    if others := [group for group in overlay if group not in _GROUPS]:
        raise UsageError(
            f"{file}: a recipe that is offered has settings of {' and '.join(_GROUPS)} alone; take {', '.join(others)} out"
        )
    return overlay


def _keys(overlay: Mapping[str, Any]) -> str:
    return ", ".join(
        f"{group}.{name} = {value}" for group, given in overlay.items() for name, value in given.items()
    )
