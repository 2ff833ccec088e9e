"""The credit of a rule: given as arrays, as functions of what the rule sees, or as the model's own backward pass."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Union

import numpy as np
import torch
from torch import Tensor

from .._errors import ProbeError
from ._sites import Site


@dataclass(frozen=True)
class Seen:
    """What a rule sees of some samples: states and logits in f32, the labels, and e, the gradient of each sample's loss at its
    logits. `samples` are their indices."""

    x: Tensor
    h: list[Tensor]
    logits: Tensor
    e: Tensor
    labels: Tensor
    samples: Tensor


Part = Union[np.ndarray, Tensor, Callable[[Seen], Tensor]]
Credit = Union[Literal["autograd"], Mapping[Any, Part], Callable[[Seen], Sequence[Tensor]]]


def units(sites: list[Site]) -> list[list[Any]]:
    """The keys under which the credit of each unit may be given: its site, `embed` or its block's number."""
    numbers = ["embed", *range(len(sites) - 1)]
    return [list(dict.fromkeys([site.name, site.module, number])) for site, number in zip(sites, numbers)]


def is_given(credit: Credit) -> bool:
    """Whether it is arrays, which say nothing about the rule behind them."""
    return isinstance(credit, Mapping) and not any(callable(part) for part in credit.values())


def parts(credit: Mapping[Any, Part], sites: list[Site]) -> list[Part]:
    """The credit of each unit in order; a unit without one is an error."""
    found: list[Part] = []
    left = dict(credit)
    for keys in units(sites):
        hits = [key for key in keys if key in left]
        if len(hits) != 1:
            said = "no credit" if not hits else f"credit under {len(hits)} names"
            raise ProbeError(f"{keys[0]}: {said}: give the credit of every state, under {keys[0]!r} or {keys[-1]!r}")
        found.append(left.pop(hits[0]))
    if left:
        raise ProbeError(f"credit for {', '.join(map(repr, left))}, which is no state: the states are {', '.join(map(str, sites))}")
    return found


def of_rule(credit: Credit, seen: Seen, sites: list[Site]) -> list[Tensor]:
    """The credit of each unit for the samples that the rule sees."""
    if isinstance(credit, Mapping):
        given = [_rows(part, seen, site) for part, site in zip(parts(credit, sites), sites)]
    elif callable(credit):
        made = credit(seen)
        if not isinstance(made, (list, tuple)) or len(made) != len(sites):
            raise ProbeError(f"credit= gives {_said(made)}: it must give a list of {len(sites)} tensors, one for each state")
        given = [torch.as_tensor(part) for part in made]
    else:
        raise ProbeError(f'credit={credit!r}: give "autograd", the credit of each state, or a function of what the rule sees')
    return [_checked(part, h, site) for part, h, site in zip(given, seen.h, sites)]


def _said(made: object) -> str:
    return f"{len(made)} of them" if isinstance(made, (list, tuple)) else f"a {type(made).__name__}"


def _rows(part: Any, seen: Seen, site: Site) -> Tensor:
    """The credit of a state for the samples that are seen, of all samples or by a function."""
    if callable(part):
        return torch.as_tensor(part(seen))
    whole = torch.as_tensor(part)
    if whole.ndim == 0 or len(whole) <= int(seen.samples.max()):
        raise ProbeError(f"{site}: the credit has the shape {tuple(whole.shape)}: give one row for each of the samples")
    return whole[seen.samples.to(whole.device)]


def _checked(credit: Tensor, h: Tensor, site: Site) -> Tensor:
    if credit.shape[:1] != h.shape[:1] or credit[0].numel() != h[0].numel():
        wanted, got = tuple(h.shape), tuple(credit.shape)
        raise ProbeError(f"{site}: the credit has the shape {got}, the state {wanted}: give one row for each sample, as wide as the state")
    return credit.detach().to(h.device, torch.float32).reshape(h.shape)
