"""One walk over the samples: states, gradients and credits, chunk by chunk, to the measuring core."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor, nn

from .. import _core
from ._credit import Credit, Seen, is_given, of_rule
from ._hazards import Form
from ._loss import Loss, error, losses
from ._passes import Kept

if TYPE_CHECKING:
    from ._probe import Probe


class Walk:
    """One walk over the samples, chunk by chunk, whose signals are handed to the measuring core."""

    def __init__(
        self,
        probe: Probe,
        x: Tensor,
        y: Tensor,
        loss: Loss,
        credit: Credit,
        redraw: Callable[[int], Credit] | None,
        reference: nn.Module | None,
        forms: list[Form],
        is_gradient: bool,
        directions: int,
        draws: int,
    ) -> None:
        self.probe, self.x, self.y, self.loss, self.credit = probe, x, y, loss, credit
        self.forms, self.is_gradient = forms, is_gradient
        self.directions, self.draws = directions, draws
        self.trained = probe.passes(torch.float32)
        self.exact = probe.passes(torch.float64, reference)
        self.single = probe.passes(torch.float32, reference)
        self.fresh = [redraw(draw) for draw in range(draws)] if redraw is not None else []
        self.start = 0
        self.h: list[Tensor] = []

    def judged(
        self, chunk: int, name: str, accuracy: float | None, frozen: float | None, is_stream: bool
    ) -> _core.Judged:
        n = len(self.x)
        kind = "shuffled_samples" if is_given(self.credit) else "permuted_labels"
        orders = [torch.as_tensor(order) for order in _core.orders(kind, self.draws, n)]
        nulls = [(kind, len(orders)), *([("fresh_feedback", len(self.fresh))] if self.fresh else [])]
        core: _core.Measurement | None = None
        right = 0
        for start in range(0, n, chunk):
            samples = torch.arange(start, min(n, start + chunk))
            x, y = self.x[start : start + chunk], self.y[start : start + chunk]
            kept, p = self._reference(x, y)
            self.start, self.h = start, [self._value(kept, l) for l in range(len(self.forms))]
            h = [_f64(self.probe.part(state)) for state in self.h]
            if core is None:
                core = _core.Measurement([part.shape[1] for part in h], nulls, n, self.directions, self.draws)
            credits = self._credits(x, y, samples, orders, kind)
            e = error(self.loss, kept.logits, y)
            total = float(losses(self.loss, kept.logits, y).sum())
            if kept.logits.ndim == 2 and y.ndim == 1 and not y.is_floating_point():
                right += int((kept.logits.argmax(1) == y).sum())
            core.add(len(x), h, [_f64(self.probe.part(part)) for part in p], self._single(x, y), credits, _f64(e), total, self._losses)
        assert core is not None
        of_samples = accuracy is None and self.y.ndim == 1 and not self.y.is_floating_point()
        return core.finish(name, right / n if of_samples else accuracy, frozen, is_stream, of_samples)

    def _value(self, kept: Kept, l: int) -> Tensor:
        if self.forms[l] != "branch":
            return kept.outputs[l]
        return kept.read[l] if l in kept.read else kept.inputs[l] + kept.outputs[l]

    def _sum(self, y: Tensor) -> Callable[[Tensor], Tensor]:
        return lambda logits: losses(self.loss, logits, y).sum()

    def _reference(self, x: Tensor, y: Tensor) -> tuple[Kept, list[Tensor]]:
        """The pass in f64 and the gradient of each sample's own loss at every state."""
        if self.is_gradient:
            kept = self.exact.run(x, differentiate=True, backward=self._sum(y))
            return kept, [_gradient(kept.deltas[l]) for l in range(len(self.forms))]
        kept = self.exact.run(x)
        return kept, [self._differences(kept.outputs[l], l, x, y) for l in range(len(self.forms))]

    def _differences(self, state: Tensor, l: int, x: Tensor, y: Tensor) -> Tensor:
        """The gradient by central differences along every feature."""
        part = self.probe.part(state)
        step = 1e-5 * float(part.norm(dim=1).median().clamp_min(1.0)) / part.shape[1] ** 0.5
        found = torch.zeros_like(part)
        for feature in range(part.shape[1]):
            v = torch.zeros_like(part)
            v[:, feature] = step
            delta = self.probe.whole(v, state)
            up, down = (losses(self.loss, self.exact.run(x, {l: sign * delta}).logits, y) for sign in (1.0, -1.0))
            found[:, feature] = (up - down) / (2 * step)
        return self.probe.whole(found, state)

    def _single(self, x: Tensor, y: Tensor) -> list[np.ndarray] | None:
        """The gradient in f32; none where it is not the backward pass that gives it."""
        if not self.is_gradient:
            return None
        kept = self.single.run(x, differentiate=True, backward=self._sum(y))
        return [_f32(self.probe.part(_gradient(kept.deltas[l]))) for l in range(len(self.forms))]

    def _credits(self, x: Tensor, y: Tensor, samples: Tensor, orders: list[Tensor], kind: str) -> list[list[np.ndarray]]:
        if self.credit == "autograd":
            found = [self._backward(x, y), *(self._backward(x, self.y[order[samples].to(y.device)]) for order in orders)]
        else:
            kept = self.trained.run(x)
            h = [self._value(kept, l) for l in range(len(self.forms))]

            def seen(labels: Tensor, of: Tensor) -> Seen:
                return Seen(x, h, kept.logits, error(self.loss, kept.logits, labels), labels, of)

            def by(credit: Credit, labels: Tensor, of: Tensor) -> list[Tensor]:
                return of_rule(credit, seen(labels, of), self.probe.sites)

            found = [by(self.credit, y, samples)]
            for order in orders:
                other = order[samples]
                found.append(by(self.credit, y, other) if kind == "shuffled_samples" else by(self.credit, self.y[other.to(y.device)], samples))
            found.extend(by(credit, y, samples) for credit in self.fresh)
        return [[_f32(self.probe.part(part)) for part in units] for units in found]

    def _backward(self, x: Tensor, y: Tensor) -> list[Tensor]:
        """What the model's own backward pass gives at every state, in f32."""
        kept = self.trained.run(x, differentiate=True, backward=self._sum(y))
        return [_gradient(kept.deltas[l]) for l in range(len(self.forms))]

    def _losses(self, l: int, moved: np.ndarray, samples: np.ndarray) -> np.ndarray:
        """The losses of samples whose state is moved, by a forward pass in f64."""
        of = torch.from_numpy(samples).to(self.x.device)
        own = self.h[l][of - self.start]
        part = torch.from_numpy(moved).to(self.x.device) - self.probe.part(own)
        kept = self.exact.run(self.x[of], {l: self.probe.whole(part, own)})
        return _f64(losses(self.loss, kept.logits, self.y[of]))


def _gradient(delta: Tensor) -> Tensor:
    return torch.zeros_like(delta) if delta.grad is None else delta.grad


def _f64(value: Tensor) -> np.ndarray:
    return np.ascontiguousarray(value.detach().to("cpu", torch.float64).numpy())


def _f32(value: Tensor) -> np.ndarray:
    return np.ascontiguousarray(value.detach().to("cpu", torch.float32).numpy())
