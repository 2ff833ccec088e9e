"""The audit of a network in JAX."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any, Literal, NamedTuple, Union

import jax
import jax.numpy as jnp
import numpy as np

from .. import _core, _credit, _differences, _hazards, _live
from .._check import Check, Checks
from .._credit import Unit, of_rule
from .._errors import ProbeError, UsageError, at_least
from .._live import Probed, Signals
from ._net import Function, Loss, Net, Passed, called, double

Seen = _credit.Seen[jax.Array]
Part = Union[np.ndarray, jax.Array, Callable[[Seen], Any]]
Credit = Union[Literal["autograd"], Mapping[Any, Part], Callable[[Seen], Sequence[Any]]]


def audit(
    blocks: Sequence[Function],
    loss: Loss,
    x: Any,
    y: Any,
    credit: Credit,
    *,
    head: Function | None = None,
    reference: Sequence[Function] | None = None,
    reference_head: Function | None = None,
    redraw: Callable[[int], Credit] | None = None,
    accuracy: float | None = None,
    frozen_accuracy: float | None = None,
    directions: int = _core.DIRECTIONS,
    draws: int = _core.DRAWS,
    chunk: int = 128,
    name: str = "network",
) -> Probed:
    """Audits the credit of a rule against the gradient, over the samples x with labels y.

    `blocks` are the network's functions: the embedding, then each block, which takes the state and returns the whole state
    above it. `head` makes logits of the last one; `loss` is "cross_entropy" or a function of logits and labels that gives the
    loss of each sample. Without a head it reads the last state itself. All of them are called in f32 and in f64.

    `credit` is "autograd" where the functions' own backward passes (`jax.custom_vjp`) are the rule; else the credit of each
    state, as arrays over all samples or functions of what the rule sees (`Seen`), under "embed", 0, 1, …; or one function that
    returns a list. `reference` (and `reference_head`) are plain functions that compute the same, whose backward pass is the
    gradient; by default the network's own, if finite differences show that it is. `redraw(k)` gives the credit with the k-th
    fresh feedback, for the null.
    """
    at_least(0, directions=directions, draws=draws)
    at_least(1, chunk=chunk)
    x, y = np.asarray(x), np.asarray(y)
    if len(x) != len(y) or len(x) == 0:
        raise UsageError(f"{len(x)} samples and {len(y)} labels: give one label for each sample")
    blocks = _functions("blocks", blocks)
    trained = Net(blocks, head, loss)
    plain = None
    if reference is not None or reference_head is not None:
        twins = blocks if reference is None else _functions("reference", reference)
        if len(twins) != len(blocks):
            raise ProbeError(f"reference= has {len(twins)} functions and blocks {len(blocks)}: give one for each")
        plain = Net(twins, head if reference_head is None else reference_head, loss)
    looked = _look(trained, plain, x, y, credit)
    looked.checks.raise_if_refused()
    walk = Walk(trained, plain, x, y, credit, redraw, looked.is_gradient, directions, draws)
    return Probed(walk.judged(chunk, name, accuracy, frozen_accuracy, True), looked.checks)


def _functions(keyword: str, given: Sequence[Function]) -> list[Function]:
    found = list(given)
    if not found or not all(callable(one) for one in found):
        raise ProbeError(f"{keyword}= is no list of functions: give the embedding, then each block")
    return found


class Looked(NamedTuple):
    """What was found: the table, and whether the backward pass is the gradient at every state."""

    checks: Checks
    is_gradient: bool


def _look(trained: Net, plain: Net | None, x: np.ndarray, y: np.ndarray, credit: Credit) -> Looked:
    """Looks for what would make the numbers wrong, by passes over the first samples."""
    x, y = x[: _hazards.FEW], y[: _hazards.FEW]
    exact = trained if plain is None else plain
    with double():
        passed, again = exact.run(x, jnp.float64), exact.run(x, jnp.float64)
        each = np.asarray(exact.losses(passed.logits, jnp.asarray(y)))
        half = max(1, len(x) // 2)
        alone = np.asarray(exact.losses(exact.logits(exact.states(x[:half], jnp.float64)[-1]), jnp.asarray(y[:half])))
        p = [_rows(part, np.float64) for part in passed.down(exact.error(passed.logits, jnp.asarray(y)))]
        h = [_rows(part, np.float64) for part in passed.h]
        logits = np.asarray(passed.logits)
    found = [
        _hazards.repeatable(np.array_equal(logits, np.asarray(again.logits)), "a function keeps a state, or draws random numbers"),
        _hazards.independent(alone, each, "loss"),
        _hazards.LOSS,
        Check("blocks", "assumed", f"each function returns the whole state, of {', '.join(str(part.shape[1]) for part in h)} features"),
    ]
    if plain is not None:
        own = trained.logits(trained.states(x, jnp.float32)[-1])
        found.append(_hazards.same_logits(np.asarray(own, dtype=np.float64), logits))
    is_gradient = True
    is_rule = isinstance(credit, str) and credit == "autograd"
    for l, part in enumerate(h):
        apart = _differences.apart(part, p[l], _moved(exact, l, passed.h[l], y), l)
        check, agrees = _hazards.agreement(l, called(l), apart, is_rule, plain is not None)
        found.append(check)
        is_gradient = is_gradient and agrees
    if not is_gradient and plain is None and is_rule:
        found.extend(_hazards.by_differences({called(l): part.shape[1] for l, part in enumerate(h)}))
    return Looked(Checks(found), is_gradient)


def _moved(net: Net, l: int, h: jax.Array, y: np.ndarray) -> _differences.Moved:
    own = np.asarray(h)
    return lambda delta: net.moved(l, own + delta.reshape(own.shape), y)


class Walk(_live.Walk):
    """A walk whose passes are calls of the network's functions."""

    def __init__(
        self,
        trained: Net,
        plain: Net | None,
        x: np.ndarray,
        y: np.ndarray,
        credit: Credit,
        redraw: Callable[[int], Credit] | None,
        is_gradient: bool,
        directions: int,
        draws: int,
    ) -> None:
        super().__init__(len(x), credit, redraw, directions, draws)
        self.trained, self.exact = trained, trained if plain is None else plain
        self.x, self.y, self.is_gradient = x, y, is_gradient
        self.shapes: list[tuple[int, ...]] = []

    def signals(self, of: np.ndarray) -> Signals:
        x, y = self.x[of], self.y[of]
        with double():
            passed = self.exact.run(x, jnp.float64)
            e = self.exact.error(passed.logits, jnp.asarray(y))
            total = float(self.exact.losses(passed.logits, jnp.asarray(y)).sum())
            h, logits, error = [_rows(part, np.float64) for part in passed.h], np.asarray(passed.logits), _rows(e, np.float64)
            p = [_rows(part, np.float64) for part in passed.down(e)] if self.is_gradient else []
        self.shapes = [part.shape[1:] for part in passed.h]
        p32 = None
        if self.is_gradient:
            p32 = self._down(self.exact, self.exact.run(x, jnp.float32), y)
        else:
            p = [_differences.gradient(part, _moved(self.exact, l, passed.h[l], y)) for l, part in enumerate(h)]
        has_logits = self.exact.head is not None or self.exact.loss == "cross_entropy"
        are_classes = has_logits and logits.ndim == 2 and y.ndim == 1 and y.dtype.kind in "iu"
        return Signals(h, p, p32, error, total, int((logits.argmax(1) == y).sum()) if are_classes else None)

    def losses(self, l: int, states: np.ndarray, of: np.ndarray) -> np.ndarray:
        return self.exact.moved(l, states.reshape(len(of), *self.shapes[l]), self.y[of])

    def backward(self, of: np.ndarray) -> Callable[[np.ndarray], list[np.ndarray]]:
        passed = self.trained.run(self.x[of], jnp.float32)
        return lambda labels: self._down(self.trained, passed, self.y[labels])

    def seeing(self, of: np.ndarray) -> Callable[[np.ndarray, np.ndarray], Seen]:
        x = jnp.asarray(self.x[of])
        h = self.trained.states(self.x[of], jnp.float32)
        logits = self.trained.logits(h[-1])

        def see(labels: np.ndarray, samples: np.ndarray) -> Seen:
            y = jnp.asarray(self.y[labels])
            return Seen(x, h, logits, self.trained.error(logits, y), y, jnp.asarray(samples))

        return see

    def by_rule(self, credit: Any, seen: Seen) -> list[np.ndarray]:
        keys: list[Any] = ["embed", *range(len(seen.h) - 1)]
        units = [Unit(called(l), [key]) for l, key in enumerate(keys)]
        return [_rows(part, np.float32) for part in of_rule(credit, seen, self.samples, units, jnp.asarray)]

    def _down(self, net: Net, passed: Passed, y: np.ndarray) -> list[np.ndarray]:
        return [_rows(part, np.float32) for part in passed.down(net.error(passed.logits, jnp.asarray(y)))]


def _rows(value: Any, dtype: Any) -> np.ndarray:
    """One row for each sample."""
    rows = np.asarray(value, dtype=dtype)
    return np.ascontiguousarray(rows.reshape(len(rows), prod(rows.shape[1:])))
