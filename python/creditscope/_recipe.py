"""Recipes: what to train, every key checked before anything runs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Union

from . import _core
from ._errors import MissingFileError, RecipeError

Value = Union[bool, int, float, str, "list[bool] | list[int] | list[float] | list[str]"]


class Recipe:
    """Runs to train, as dotted keys. Any key may be a list; the runs are then the product of all lists.

    Give a TOML file, or keys and values; a wrong key or type is refused at once, with what was probably meant:

    >>> recipe = Recipe({"rule.name": ["bp", "dfa"], "train.epochs": 2, "seed": [1, 2]})
    >>> recipe.runs
    ['bp-s1', 'bp-s2', 'dfa-s1', 'dfa-s2']
    >>> recipe["optim.lr"] = 3e-4
    >>> recipe["optim.lrr"] = 3e-4
    Traceback (most recent call last):
    creditscope._errors.RecipeError: recipe: unknown key `optim.lrr`: did you mean `optim.lr`?
    """

    def __init__(self, source: str | os.PathLike[str] | Mapping[str, Value] | None = None) -> None:
        if isinstance(source, Mapping) or source is None:
            self._core = _core.Recipe("", "recipe", False)
            for key, value in (source or {}).items():
                self[key] = value
        else:
            self._core = _core.Recipe(_read(Path(source)), os.fspath(source), True)

    @classmethod
    def parse(cls, text: str) -> Recipe:
        """A recipe from TOML text.

        >>> Recipe.parse("rule.name = 'fa'").runs
        ['fa-s42']
        """
        made = cls.__new__(cls)
        made._core = _core.Recipe(text, "recipe", False)
        return made

    @staticmethod
    def template(
        name: str = "recipe",
        *,
        data: str | None = None,
        net: str | None = None,
        rules: Iterable[str] | None = None,
        all: bool = False,
    ) -> str:
        """A commented recipe to start from, as TOML text: the keys that apply, or with `all` every key.

        >>> print(Recipe.template(data="digits").splitlines()[3])
        name = "recipe"
        """
        return _core.template(name, data, net, None if rules is None else list(rules), all)

    def __setitem__(self, key: str, value: Value) -> None:
        self._core.set(key, value)

    @property
    def name(self) -> str:
        """The name of the recipe, which is also that of its folder of runs."""
        return self._core.name()

    @property
    def runs(self) -> list[str]:
        """The names of the runs, everything checked."""
        return [name for name, _ in self._core.runs()]

    def resolved(self, run: str) -> str:
        """The recipe of one run as its directory will hold it: TOML with every key that applies."""
        found = dict(self._core.runs())
        if run not in found:
            raise RecipeError(f"no run is called `{run}`: there are {', '.join(found)}")
        return found[run]

    def copy(self) -> Recipe:
        """A copy that can be changed by itself."""
        made = Recipe.__new__(Recipe)
        made._core = self._core.copy()
        return made

    def __repr__(self) -> str:
        names = self.runs
        shown = ", ".join(names[:6]) + (", …" if len(names) > 6 else "")
        return f"Recipe {self.name}: {len(names)} {'run' if len(names) == 1 else 'runs'} ({shown})"


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        remedy = "give a TOML file, a dict of keys, or write one with Recipe.template()"
        raise MissingFileError(f"cannot read the recipe {path}: it does not exist: {remedy}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise RecipeError(f"cannot read the recipe {path}: {error}: give a TOML file") from error
