"""The credit of a rule: given as arrays, as functions of what the rule sees, or as the model's own backward pass."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Union

import numpy as np
from torch import Tensor

from .. import _credit
from .._credit import Unit
from ._sites import Site

Seen = _credit.Seen[Tensor]
Part = Union[np.ndarray, Tensor, Callable[[Seen], Tensor]]
Credit = Union[Literal["autograd"], Mapping[Any, Part], Callable[[Seen], Sequence[Tensor]]]


def units(sites: list[Site]) -> list[Unit]:
    """The credit of each unit may be given under its site, its module, `embed` or its block's number."""
    numbers = ["embed", *range(len(sites) - 1)]
    return [Unit(str(site), list(dict.fromkeys([site.name, site.module, number]))) for site, number in zip(sites, numbers)]
