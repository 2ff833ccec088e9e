"""The credit of a rule in a live network: as arrays, or as functions of what the rule sees, whatever the arrays are of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any, Generic, TypeVar

from ._errors import ProbeError

Array = TypeVar("Array")


@dataclass(frozen=True)
class Seen(Generic[Array]):
    """What a rule sees of some samples: states and logits in f32, the labels, and e, the gradient of each sample's loss at its
    logits. `samples` are their indices."""

    x: Array
    h: list[Array]
    logits: Array
    e: Array
    labels: Array
    samples: Array


@dataclass(frozen=True)
class Unit:
    """A unit as messages call it, and the keys under which its credit may be given."""

    name: str
    keys: list[Any]


def is_given(credit: object) -> bool:
    """Whether some of it is arrays, which say nothing about the rule behind them."""
    return isinstance(credit, Mapping) and not all(callable(part) for part in credit.values())


def asks(credit: object) -> bool:
    """Whether some of it is a function of what the rule sees."""
    return not isinstance(credit, Mapping) or any(callable(part) for part in credit.values())


def of_rule(credit: Any, seen: Seen[Any], count: int, units: list[Unit], array: Callable[[Any], Any]) -> list[Any]:
    """The credit of each unit for the samples that the rule sees, of `count` in all; `array` makes an array of the framework."""
    if isinstance(credit, Mapping):
        given = [_rows(part, seen, count, unit, array) for part, unit in zip(_parts(credit, units), units)]
    elif callable(credit):
        made = credit(seen)
        if not isinstance(made, (list, tuple)) or len(made) != len(units):
            said = f"{len(made)} of them" if isinstance(made, (list, tuple)) else f"a {type(made).__name__}"
            raise ProbeError(f"credit= gives {said}: it must give a list of {len(units)} tensors, one for each state")
        given = [array(part) for part in made]
    else:
        raise ProbeError(f'credit={credit!r}: give "autograd", the credit of each state, or a function of what the rule sees')
    for part, h, unit in zip(given, seen.h, units):
        wanted, got = tuple(h.shape), tuple(part.shape)
        if got[:1] != wanted[:1] or prod(got[1:]) != prod(wanted[1:]):
            remedy = "give one row for each sample, as wide as the state"
            raise ProbeError(f"{unit.name}: the credit has the shape {got}, the state {wanted}: {remedy}")
    return given


def _parts(credit: Mapping[Any, Any], units: list[Unit]) -> list[Any]:
    """The credit of each unit in order; a unit without one is an error."""
    found: list[Any] = []
    left = dict(credit)
    for unit in units:
        hits = [key for key in unit.keys if key in left]
        if len(hits) != 1:
            said = "no credit" if not hits else f"credit under {len(hits)} names"
            names = " or ".join(dict.fromkeys(map(repr, (unit.keys[0], unit.keys[-1]))))
            raise ProbeError(f"{unit.keys[0]}: {said}: give the credit of every state, under {names}")
        found.append(left.pop(hits[0]))
    if left:
        names = ", ".join(unit.name for unit in units)
        raise ProbeError(f"credit for {', '.join(map(repr, left))}, which is no state: the states are {names}")
    return found


def _rows(part: Any, seen: Seen[Any], count: int, unit: Unit, array: Callable[[Any], Any]) -> Any:
    """The credit of a state for the samples that are seen, of all samples or by a function."""
    if callable(part):
        return array(part(seen))
    whole = array(part)
    if whole.ndim == 0 or len(whole) != count:
        raise ProbeError(f"{unit.name}: the credit has the shape {tuple(whole.shape)}: give one row for each of the {count} samples")
    return whole[seen.samples]
