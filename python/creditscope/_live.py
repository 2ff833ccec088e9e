"""The audit of a live network: one walk over the samples, chunk by chunk, to the measuring core. Whoever knows the framework
of the network makes the passes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _core
from ._audit import Audit
from ._check import Checks
from ._credit import Seen, asks, is_given
from ._errors import at_least

_FEWEST = 8
"""Directions from which a cosine can be estimated."""


class Probed(Audit):
    """The audit of a live network, with the hazards that were looked at (`checks`)."""

    def __init__(self, core: _core.Judged, checks: Checks) -> None:
        super().__init__(core)
        self.checks = checks


@dataclass(frozen=True)
class Signals:
    """What some samples give, one row each: states and the gradients of each sample's own loss in f64 (of no features where they
    are not known), the gradients in f32 if a backward pass gives them, e; the sum of the losses, and how many are classified rightly, where that means something."""

    h: list[np.ndarray]
    p: list[np.ndarray]
    p32: list[np.ndarray] | None
    error: np.ndarray
    loss: float
    right: int | None


class Walk(ABC):
    """A walk over the samples. `credit` is "autograd" or what a rule gives; `redraw` gives it with fresh feedback, by draw."""

    def __init__(
        self, samples: int, credit: Any, redraw: Callable[[int], Any] | None, directions: int, draws: int
    ) -> None:
        self.samples, self.credit, self.directions, self.draws = samples, credit, directions, draws
        self.fresh = [redraw(draw) for draw in range(draws)] if redraw is not None else []

    @abstractmethod
    def signals(self, of: np.ndarray) -> Signals:
        """The signals of these samples, which are consecutive. Losses are asked for at the last that were given."""

    @abstractmethod
    def losses(self, l: int, states: np.ndarray, of: np.ndarray) -> np.ndarray:
        """The losses of samples with other states h_l, by a forward pass in f64."""

    @abstractmethod
    def backward(self, of: np.ndarray) -> Callable[[np.ndarray], list[np.ndarray]]:
        """What the network's own backward pass gives at every state, in f32, as a function of whose labels are used."""

    @abstractmethod
    def seeing(self, of: np.ndarray) -> Callable[[np.ndarray, np.ndarray], Seen[Any]]:
        """What a rule sees of these samples, as a function of whose labels are used, and of the samples it takes them for."""

    @abstractmethod
    def by_rule(self, credit: Any, seen: Seen[Any]) -> list[np.ndarray]:
        """The credit at every state, in f32."""

    def judged(
        self, chunk: int, name: str, accuracy: float | None, frozen: float | None, is_stream: bool
    ) -> _core.Judged:
        kind = "shuffled_samples" if is_given(self.credit) else "permuted_labels"
        orders = [np.asarray(order) for order in _core.orders(kind, self.draws, self.samples)]
        nulls = [(kind, len(orders)), *([("fresh_feedback", len(self.fresh))] if self.fresh else [])]
        core: _core.Measurement | None = None
        right: int | None = 0
        for start in range(0, self.samples, chunk):
            of = np.arange(start, min(self.samples, start + chunk))
            found = self.signals(of)
            if any(p.shape[1] == 0 for p in found.p):
                at_least(_FEWEST, directions=self.directions)
            if core is None:
                core = _core.Measurement([h.shape[1] for h in found.h], nulls, self.samples, self.directions, self.draws)
            right = None if found.right is None or right is None else right + found.right
            core.add(len(of), found.h, found.p, found.p32, self.credits(of, orders, kind), found.error, found.loss, self.losses)
        assert core is not None
        if accuracy is not None or right is None:
            return core.finish(name, accuracy, frozen, is_stream, False)
        return core.finish(name, right / self.samples, frozen, is_stream, True)

    def credits(self, of: np.ndarray, orders: list[np.ndarray], kind: str) -> list[list[np.ndarray]]:
        """The credit of these samples, then that of each null."""
        if isinstance(self.credit, str) and self.credit == "autograd":
            backward = self.backward(of)
            found = [backward(of), *(backward(order[of]) for order in orders)]
        else:
            see = self.seeing(of)
            found = [self.by_rule(self.credit, see(of, of))]
            found.extend(self.by_rule(self.credit, self._by_chance(see, of, order[of], kind)) for order in orders)
        if self.fresh:
            see = self.seeing(of)
            found.extend(self.by_rule(credit, see(of, of)) for credit in self.fresh)
        return found

    def _by_chance(
        self, see: Callable[[np.ndarray, np.ndarray], Seen[Any]], of: np.ndarray, others: np.ndarray, kind: str
    ) -> Seen[Any]:
        """What a rule sees of these samples for a draw of chance: with the labels of others, or the others altogether. Whatever
        it looks up by `samples` is that of the others too: else a draw would hold the credit itself."""
        if kind == "permuted_labels":
            return see(others, others)
        # Arrays need no more than whose rows they are.
        return self.seeing(others)(others, others) if asks(self.credit) else see(of, others)
