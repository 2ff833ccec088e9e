"""A network as a list of functions: forward, and backward through what `jax.vjp` gives for each of them."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Union

import jax
import jax.numpy as jnp
import numpy as np

from .._errors import ProbeError
from .._hazards import not_classes, not_one_for_each

Function = Callable[[Any], Any]
Loss = Union[Literal["cross_entropy"], Callable[[Any, Any], Any]]


def double() -> contextlib.AbstractContextManager[Any]:
    """f64 for what is computed inside; the user's setting comes back after it."""
    # Versions before 0.8 have it among the experiments.
    holder: Any = jax if hasattr(jax, "enable_x64") else importlib.import_module("jax.experimental")
    made: contextlib.AbstractContextManager[Any] = holder.enable_x64(True)
    return made


@dataclass(frozen=True)
class Passed:
    """A pass: the states, what the head makes of the last one, and how a gradient there comes down to every state."""

    h: list[jax.Array]
    logits: jax.Array
    pulls: list[Callable[[Any], Any]]

    def down(self, e: Any) -> list[jax.Array]:
        """What arrives at every state, given the gradient at the logits."""
        found = []
        for pull in reversed(self.pulls):
            (e,) = pull(e)
            found.append(e)
        return found[::-1]


@dataclass(frozen=True)
class Net:
    """The embedding and the blocks, the head and the loss. Without a head, the loss reads the last state."""

    blocks: Sequence[Function]
    head: Function | None
    loss: Loss

    def states(self, x: Any, dtype: Any) -> list[jax.Array]:
        """h_0 … h_L."""
        h: list[jax.Array] = []
        for l, block in enumerate(self.blocks):
            h.append(_state(block(h[-1] if h else _as(x, dtype)), l, len(x), dtype))
        return h

    def logits(self, h: Any) -> jax.Array:
        made = h if self.head is None else self.head(h)
        if not isinstance(made, jax.Array):
            raise ProbeError(f"head= gives a {type(made).__name__}, not an array: let it return the logits alone")
        return _whole(made, "head: the logits arrive", h.dtype)

    def run(self, x: Any, dtype: Any) -> Passed:
        """A pass forward that can be gone back."""
        h = [_state(self.blocks[0](_as(x, dtype)), 0, len(x), dtype)]
        pulls = []
        for l, block in enumerate(self.blocks[1:], 1):
            above, pull = jax.vjp(block, h[-1])
            h.append(_state(above, l, len(x), dtype))
            pulls.append(pull)
        logits, pull = jax.vjp(self.logits, h[-1])
        return Passed(h, logits, [*pulls, pull])

    def losses(self, logits: Any, y: Any) -> jax.Array:
        """The loss of each sample."""
        if self.loss == "cross_entropy":
            if logits.ndim != 2:
                raise not_classes(tuple(logits.shape))
            said: jax.Array = -jnp.take_along_axis(jax.nn.log_softmax(logits), jnp.asarray(y)[:, None], 1)[:, 0]
            return said
        if not callable(self.loss):
            raise ProbeError(f'loss={self.loss!r}: give "cross_entropy", or a function of logits (or the last state) and labels')
        found = self.loss(logits, y)
        if getattr(found, "shape", None) != (logits.shape[0],):
            raise not_one_for_each(found, logits.shape[0])
        return jnp.asarray(found)

    def error(self, logits: Any, y: Any) -> jax.Array:
        """e: the gradient of each sample's own loss at its logits."""
        found: jax.Array = jax.grad(lambda logits: self.losses(logits, y).sum())(logits)
        return found

    def moved(self, l: int, h: Any, y: Any) -> np.ndarray:
        """The loss of each sample with this h_l, by a forward pass through the functions above it, in f64."""
        with double():
            h = jnp.asarray(h)
            for block in self.blocks[l + 1 :]:
                h = block(h)
            return np.array(self.losses(self.logits(h), jnp.asarray(y)), dtype=np.float64)


def called(l: int) -> str:
    return "embed" if l == 0 else f"block {l - 1}"


def _as(x: Any, dtype: Any) -> jax.Array:
    x = jnp.asarray(x)
    made: jax.Array = x.astype(dtype) if jnp.issubdtype(x.dtype, jnp.floating) else x
    return made


def _state(made: Any, l: int, samples: int, dtype: Any) -> jax.Array:
    if not isinstance(made, jax.Array):
        raise ProbeError(f"{called(l)}: the function gives a {type(made).__name__}, not an array: let it return the state alone")
    if made.ndim < 2 or made.shape[0] != samples:
        raise ProbeError(f"{called(l)}: the state has the shape {made.shape}, for {samples} samples: let the first dimension be the sample")
    return _whole(made, f"{called(l)}: the state arrives", dtype)


def _whole(made: jax.Array, what: str, dtype: Any) -> jax.Array:
    """Below f64, differences drown in rounding."""
    if dtype == jnp.float64 and made.dtype != dtype:
        raise ProbeError(f"{what} in {made.dtype}, not in float64: the function converts it: leave that out for the audit")
    return made
