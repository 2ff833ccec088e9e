"""One walk over the samples of a PyTorch model: states, gradients and credits by passes of our own."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor, nn

from .. import _differences, _live
from .._credit import of_rule
from .._errors import ProbeError
from .._live import Signals
from ._arrays import f32, f64
from ._credit import Credit, Seen, units
from ._hazards import Form
from ._loss import Loss, error, losses, moved
from ._below import Below, Move
from ._passes import Kept, _as

if TYPE_CHECKING:
    from ._probe import Probe


class Walk(_live.Walk):
    """A walk whose passes are those of a probe."""

    def __init__(
        self,
        probe: Probe,
        x: Tensor,
        y: Tensor,
        loss: Loss,
        credit: Credit | None,
        redraw: Callable[[int], Credit] | None,
        reference: nn.Module | None,
        forms: list[Form],
        is_gradient: bool,
        directions: int,
        draws: int,
    ) -> None:
        super().__init__(len(x), credit, redraw, directions, draws)
        self.probe, self.x, self.y, self.loss = probe, x, y, loss
        self.forms, self.is_gradient = forms, is_gradient
        self.trained = probe.passes(torch.float32)
        self.exact = probe.passes(torch.float64, reference)
        self.single = probe.passes(torch.float32, reference)
        self.start = 0
        self.kept = Kept()
        self.below = Below(self.exact)
        self.h: list[Tensor] = []
        self.logits = torch.empty(0)

    def signals(self, of: np.ndarray) -> Signals:
        x, y = self.x[of[0] : of[-1] + 1], self.y[of[0] : of[-1] + 1]
        kept, p = self._reference(x, y)
        self.kept = kept
        self.below.chunk(_as(x, self.exact.dtype), kept)
        self.start, self.h, self.logits = int(of[0]), [self._value(kept, l) for l in range(len(self.forms))], kept.logits
        are_classes = kept.logits.ndim == 2 and y.ndim == 1 and not y.is_floating_point()
        right = int((kept.logits.argmax(1) == y).sum()) if are_classes else None
        total = float(losses(self.loss, kept.logits, y).sum())
        h = [f64(self.probe.part(state)) for state in self.h]
        return Signals(h, p, self._single(x, y), f64(error(self.loss, kept.logits, y)), total, right)

    def losses(self, l: int, states: np.ndarray, of: np.ndarray) -> np.ndarray:
        at = torch.from_numpy(of - self.start).to(self.x.device)
        logits = self.below.logits(l, self._move(l, torch.from_numpy(states).to(self.x.device), at), at)
        return f64(losses(self.loss, logits, self.y[at + self.start]))

    def _move(self, l: int, states: Tensor, at: Tensor) -> Move:
        """What makes these states of what the module gives."""
        if self.probe.is_whole and self.forms[l] != "branch":
            return Move(states.reshape(len(states), *self.h[l].shape[1:]), adds=False)
        own = self.h[l][at]
        return Move(self.probe.whole(states - self.probe.part(own), own), adds=True)

    def backward(self, of: np.ndarray) -> Callable[[np.ndarray], list[np.ndarray]]:
        x = self.x[of[0] : of[-1] + 1]

        def give(labels: np.ndarray) -> list[np.ndarray]:
            try:
                kept = self.trained.run(x, differentiate=True, backward=self._sum(self._labels(labels)))
            except (RuntimeError, AttributeError, TypeError) as error:
                raise ProbeError(
                    f"the model's own backward pass fails in eval mode: {error}: give credit= as a function of what the rule sees"
                ) from error
            return [f32(part) for part in self._gradients(kept)]

        return give

    def seeing(self, of: np.ndarray) -> Callable[[np.ndarray, np.ndarray], Seen]:
        x = self.x[torch.from_numpy(of).to(self.x.device)]
        kept = self.trained.run(x)
        h = [self._value(kept, l) for l in range(len(self.forms))]

        def see(labels: np.ndarray, samples: np.ndarray) -> Seen:
            y = self._labels(labels)
            return Seen(x, h, kept.logits, error(self.loss, kept.logits, y), y, torch.from_numpy(samples))

        return see

    def by_rule(self, credit: Any, seen: Seen) -> list[np.ndarray]:
        given = of_rule(credit, seen, self.samples, units(self.probe.sites), torch.as_tensor)
        return [f32(self.probe.part(part.detach().reshape(h.shape))) for part, h in zip(given, seen.h)]

    def _labels(self, of: np.ndarray) -> Tensor:
        return self.y[torch.from_numpy(of).to(self.y.device)]

    def _value(self, kept: Kept, l: int) -> Tensor:
        if self.forms[l] != "branch":
            return kept.outputs[l]
        read = kept.read.get(l)
        return read if read is not None and read.shape == kept.outputs[l].shape else kept.inputs[l] + kept.outputs[l]

    def _sum(self, y: Tensor) -> Callable[[Tensor], Tensor]:
        return lambda logits: losses(self.loss, logits, y).sum()

    def _reference(self, x: Tensor, y: Tensor) -> tuple[Kept, list[np.ndarray]]:
        """The pass in f64 and the gradient of each sample's own loss at every state."""
        if self.is_gradient:
            kept = self.exact.run(x, differentiate=True, backward=self._sum(y))
            return kept, [f64(part) for part in self._gradients(kept)]
        kept = self.exact.run(x)
        outputs = [kept.outputs[l] for l in range(len(self.forms))]
        by = [moved(self.probe, self.exact, l, output, x, y, self.loss) for l, output in enumerate(outputs)]
        return kept, [_differences.gradient(f64(self.probe.part(output)), by[l]) for l, output in enumerate(outputs)]

    def _single(self, x: Tensor, y: Tensor) -> list[np.ndarray] | None:
        """The gradient in f32; none where it is not the backward pass that gives it."""
        if not self.is_gradient:
            return None
        return [f32(part) for part in self._gradients(self.single.run(x, differentiate=True, backward=self._sum(y)))]

    def _gradients(self, kept: Kept) -> list[Tensor]:
        """What a backward pass left at every state; zeros where nothing arrived."""
        deltas = [kept.deltas[l] for l in range(len(self.forms))]
        return [self.probe.part(torch.zeros_like(delta) if delta.grad is None else delta.grad) for delta in deltas]

