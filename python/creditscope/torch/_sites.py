"""Which modules give the states, by name, pattern or module, in the order in which they were given."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal, Union

from torch import nn

from .._errors import ProbeError

Place = Literal["output", "input"]
Which = Callable[[str, nn.Module], bool]
Where = Union[str, nn.Module, Which, "tuple[str | nn.Module | Which, Place]"]


@dataclass(frozen=True)
class Site:
    """A place in the model: the output or the input of a module, at one of its calls in a forward pass."""

    name: str
    module: nn.Module
    place: Place = "output"
    call: int = 0
    counted: bool = False
    """Whether the call was named, as in `block#1`; otherwise the module may only be called once."""

    def __str__(self) -> str:
        return self.name if self.place == "output" else f"{self.name} (input)"


def unwrapped(model: nn.Module) -> nn.Module:
    """The model itself, without the wrappers of torch.compile and of data parallelism."""
    while True:
        inner = getattr(model, "_orig_mod", None)
        if inner is None and type(model).__name__ in ("DistributedDataParallel", "DataParallel"):
            inner = getattr(model, "module", None)
        if not isinstance(inner, nn.Module):
            return model
        model = inner


def find(model: nn.Module, states: Where | Iterable[Where]) -> list[Site]:
    """The sites that are meant, each once."""
    is_pair = isinstance(states, tuple) and len(states) == 2 and states[1] in ("output", "input")
    is_single = isinstance(states, str) or is_pair or not isinstance(states, Iterable)
    sites: list[Site] = []
    for state in [states] if is_single else states:  # type: ignore[list-item, union-attr]
        where, place = state if isinstance(state, tuple) else (state, "output")
        if place not in ("output", "input"):
            raise ProbeError(f"{place!r}: a state is at the output or the input of a module")
        sites.extend(_meant(model, where, place))
    for index, site in enumerate(sites):
        same = [other for other in sites[:index] if (other.module, other.place, other.call) == (site.module, site.place, site.call)]
        if same:
            raise ProbeError(f"{site} is named twice among the states: name each once")
    if not sites:
        raise ProbeError("no states: name the modules whose outputs are the hidden states, from the embedding up")
    return sites


def one(model: nn.Module, where: Where | None) -> Site | None:
    """A single site, such as the head."""
    if where is None:
        return None
    found = find(model, [where])
    if len(found) != 1:
        raise ProbeError(f"{where!r} means {len(found)} modules: name one")
    return found[0]


def _meant(model: nn.Module, where: str | nn.Module | Which, place: Place) -> Sequence[Site]:
    modules = dict(model.named_modules(remove_duplicate=False))
    if isinstance(where, nn.Module):
        names = [name for name, module in modules.items() if module is unwrapped(where)]
        if not names:
            raise ProbeError(f"{type(where).__name__} is no module of this model: give one of model.named_modules()")
        return [Site(names[0], unwrapped(where), place)]
    if not isinstance(where, str) and not callable(where):
        raise ProbeError(f"{where!r} names no module: give a name, a pattern, a module, or a function of name and module")
    if not isinstance(where, str):
        chosen = [Site(name, module, place) for name, module in modules.items() if name and where(name, module)]
        if not chosen:
            raise ProbeError("the function for states= chooses none of the model's modules")
        return chosen
    name, counted, call = where.partition("#")
    if counted and not call.isdigit():
        raise ProbeError(f"{where!r}: write the call as a number, such as {name}#1")
    wanted = name.split(".")
    hits = [key for key in modules if _like(key.split("."), wanted)]
    if not hits:
        near = difflib.get_close_matches(name, modules, 3)
        hint = f": did you mean {' or '.join(near)}?" if near else f": there are {', '.join(list(modules)[1:9])} …"
        raise ProbeError(f"the model has no module {where!r}{hint}")
    return [Site(f"{key}#{call}" if counted else key, modules[key], place, int(call or 0), bool(counted)) for key in hits]


def _like(parts: list[str], wanted: list[str]) -> bool:
    """A star stands for one part of a name, so that `blocks.*` means the blocks and not what is inside them."""
    return len(parts) == len(wanted) and all(fnmatchcase(part, want) for part, want in zip(parts, wanted))
