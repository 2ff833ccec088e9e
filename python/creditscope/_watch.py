"""Watching a training that is done elsewhere."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ._errors import UsageError

if TYPE_CHECKING:
    from .torch._watch import Watch


def watch(
    model: Any,
    *,
    batch: tuple[Any, Any],
    out: str | os.PathLike[str],
    states: Iterable[Any] | None = None,
    credit: Any = "autograd",
    loss: Any = "cross_entropy",
    reference: Any = None,
    redraw: Callable[[int], Any] | None = None,
    rule: str | None = None,
    seed: int = 0,
    frozen: bool = False,
    data: str = "batch",
    epochs: int | None = None,
    recipe: Mapping[str, Any] | None = None,
    every: Literal["log"] | int | None = "log",
    samples: int = 128,
    directions: int = 8,
    draws: int = 20,
    stop_on: Iterable[str] = (),
    resume: bool | int = False,
    **where: Any,
) -> Watch:
    """A run directory for a training loop of PyTorch, which commands, figures and tables read like those of `creditscope.run`.

    Entered before training, its `epoch` is called after each epoch; see docs/python.md for a loop. On the batch (x, y), which
    stays the same, it measures norms of states, gradients and credit, cosines, growth, D1 and D2. `audit` and `verdict` follow
    at the end. The model, its gradients, its mode and the random state are left as they were.

    `model` is a module with its `states` (and `head`, `norm`, `select`, `token`, `output`), or a `creditscope.torch.Probe` that
    knows them. `credit`, `loss`, `reference` and `redraw` are those of `Probe.audit`; the reference is a plain twin, of which a
    copy is given the weights of the model before each measurement.

    `rule`, `seed`, `data` and `epochs`, if their number is known, describe the run, and `recipe` holds what else is known, under
    dotted keys such as `optim.lr`. `frozen` says that the blocks are left untrained: the baseline of D3 for runs beside it with
    the same batch, seed and recipe.

    Full audits are made at the start, after epochs 1, 2, 4, 8, … (`every="log"`) or every n epochs, on the first `samples` of the
    batch with `directions` and `draws`, and on the whole batch at the end; None makes none. `stop_on=("D2",)` makes `epoch` return True
    where the check fires. `resume=True` goes on after the last epoch of the log, with the model as it was then, and begins anew
    where there is no run; `resume=5` goes on after epoch 5.
    """
    from .torch._probe import Probe
    from .torch._watch import Watch

    if isinstance(model, Probe):
        if states is not None or where:
            raise UsageError(f"{'states' if states is not None else next(iter(where))}= is for a model: the probe knows it")
        probe = model
    elif states is None:
        raise UsageError("states= is missing: name the modules whose outputs are the hidden states, from the embedding up")
    else:
        probe = Probe(model, states, **where)
    if rule is None:
        rule = credit if isinstance(credit, str) else getattr(credit, "__name__", "rule").strip("<>")
    return Watch(
        probe, batch, credit=credit, loss=loss, reference=reference, redraw=redraw, path=Path(out), rule=rule, seed=seed, frozen=frozen,
        data=data, epochs=epochs, recipe=recipe or {}, every=every, samples=samples, directions=directions, draws=draws, stop_on=stop_on,
        resume=resume,
    )  # fmt: skip
