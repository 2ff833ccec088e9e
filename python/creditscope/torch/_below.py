"""Passes that ask only for what lies above a moved state, as far as it is seen that nothing else depends on what is left out."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from ._passes import Kept, Passes

_OWN = 2
"""The last of the ways to leave things out: every sample keeps its own input and its own states below."""
_ROUNDING = 1e-12
"""Relative difference of logits in f64 that the order of sums explains."""
_NUMBERS = 1 << 21
"""Numbers of one state in a pass, 16 megabytes; as many rows as the chunk has may always pass."""


@dataclass(frozen=True)
class Move:
    """What becomes of a state: something is added to it, or takes its place."""

    value: Tensor
    adds: bool

    def __call__(self, state: Tensor) -> Tensor:
        # Never the same tensor twice, since what follows may work in place.
        return state + self.value if self.adds else self.value.clone()

    def flipped(self) -> Move:
        return Move(self.value.flip(0), self.adds)

    def of(self, rows: slice) -> Move:
        return Move(self.value[rows], self.adds)


class Below:
    """The logits of a chunk of samples where a state is moved.

    Modules below the state are not computed: they return what they returned. There are three ways, from the cheapest: the input
    and what they returned are those of one sample for all; only the input is; each sample has its own. The last is held against a
    whole pass once for each state, the others against the last for each sample, to rounding in f64.
    """

    def __init__(self, passes: Passes) -> None:
        self.passes = passes
        self.x = torch.empty(0)
        self.kept = Kept()
        self.goes_up: dict[int, bool] = {}
        self.way: dict[int, int] = {}
        self.held: dict[int, Tensor] = {}

    def chunk(self, x: Tensor, kept: Kept) -> None:
        """The next samples, in f64, and what a whole pass left of them."""
        self.x, self.kept, self.held = x, kept, {}

    def logits(self, l: int, move: Move, at: Tensor) -> Tensor:
        """The logits of these rows of the chunk, where a state is moved."""
        made, first = [], 0
        while first < len(at):
            rows = slice(first, first + self._most(l))
            made.append(self._some(l, move.of(rows), at[rows]))
            first = rows.stop
        return made[0] if len(made) == 1 else torch.cat(made)

    def _most(self, l: int) -> int:
        """Rows that may pass together."""
        if not self.goes_up.get(l, False):
            return len(self.x)
        held = [*self.kept.outputs.values()]
        if self.way.get(l, 0) == _OWN or l not in self.held or not bool(self.held[l].all()):
            held.append(self.x)
        return max(len(self.x), _NUMBERS // max(values[0].numel() for values in held))

    def _some(self, l: int, move: Move, at: Tensor) -> Tensor:
        if self.goes_up.get(l, False):
            return self._short(l, move, at)
        logits = self._whole(l, move, at)
        size, effect = _largest(logits), _largest(logits - self.kept.logits[at])
        # Asked once for each state, where the move can be seen and the rows are not all of one sample.
        if l not in self.goes_up and effect > 1e-9 * size and bool((at != at[0]).any()):
            self.goes_up[l] = self._only_goes_up(l, move, at, logits, 1e-4 * effect)
        return logits

    def _only_goes_up(self, l: int, move: Move, at: Tensor, logits: Tensor, limit: float) -> bool:
        """Whether the logits are those of a whole pass if nothing below the moved state is computed."""
        # A module may have left something for another one. After a pass of the rows in another order, that would be found.
        self._whole(l, move.flipped(), at.flip(0))
        short = self._attempt(l, move, at, _OWN)
        return short is not None and short.shape == logits.shape and _largest(short - logits) <= limit

    def _short(self, l: int, move: Move, at: Tensor) -> Tensor:
        way = self.way.get(l, 0)
        held = self.held.setdefault(l, torch.zeros(len(self.x), dtype=torch.bool, device=at.device))
        if way == _OWN or bool(held[at].all()):
            return self._by(l, move, at, way)
        logits = self._by(l, move, at, _OWN)
        while way < _OWN:
            short = self._attempt(l, move, at, way)
            if short is not None and short.shape == logits.shape and _largest(short - logits) <= _ROUNDING * _largest(logits):
                held[at] = True
                break
            way += 1
            held[:] = False
        self.way[l] = way
        return logits

    def _attempt(self, l: int, move: Move, at: Tensor, way: int) -> Tensor | None:
        try:
            return self._by(l, move, at, way)
        except Exception:  # noqa: BLE001 what a model needs from below may be missing in any way; a fuller pass does without
            return None

    def _by(self, l: int, move: Move, at: Tensor, way: int) -> Tensor:
        one = torch.zeros_like(at[:1])
        below = {i: at if way else one for i in range(l)}
        if self.passes.sites[l].place == "output":
            below[l] = at if way or move.adds else one
        known = {i: self._rows(self.kept.outputs[i], which, len(at)) for i, which in below.items() if i in self.kept.whole}
        return self.passes.moved(self._rows(self.x, at if way == _OWN else one, len(at)), l, move, known)

    def _whole(self, l: int, move: Move, at: Tensor) -> Tensor:
        return self.passes.moved(self.x[at], l, move, {})

    @staticmethod
    def _rows(values: Tensor, which: Tensor, count: int) -> Tensor:
        """These rows, a single one for all of them; as copies, since what follows may work in place."""
        rows = values[which]
        return rows if len(rows) == count else rows.expand(count, *values.shape[1:])


def _largest(values: Tensor) -> float:
    return float(values.abs().max())
