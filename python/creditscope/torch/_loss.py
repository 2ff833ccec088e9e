"""The loss of each sample, its gradient at the logits, and what it becomes where a state is moved."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, Union

import numpy as np
import torch
from torch import Tensor

from .._differences import Moved
from .._errors import ProbeError
from .._hazards import not_classes, not_one_for_each
from ._arrays import f64
from ._passes import Passes

if TYPE_CHECKING:
    from ._probe import Probe

_IGNORED = -100
"""The label of a sample that a cross-entropy leaves out."""

Loss = Union[Literal["cross_entropy"], Callable[[Tensor, Tensor], Tensor]]


def losses(loss: Loss, logits: Tensor, y: Tensor) -> Tensor:
    """The loss of each sample. A mean over the batch would hide what each one gives, so a vector is asked for."""
    if loss == "cross_entropy":
        if logits.ndim != 2:
            raise not_classes(tuple(logits.shape))
        labels = y if y.is_floating_point() else y.long()
        return torch.nn.functional.cross_entropy(logits, labels, reduction="none")
    if not callable(loss):
        raise ProbeError(f'loss={loss!r}: give "cross_entropy", or a function of logits and labels')
    found = loss(logits, y)
    if not isinstance(found, Tensor) or found.shape != (logits.shape[0],):
        raise not_one_for_each(found, logits.shape[0])
    return found


def fitting(logits: Tensor, y: Tensor) -> None:
    """Refuses labels that a cross-entropy cannot take: classes are counted from 0, or there is a probability for each."""
    if logits.ndim != 2:
        raise not_classes(tuple(logits.shape))
    classes = logits.shape[1]
    known = y[y != _IGNORED]
    if y.is_floating_point():
        if y.shape[1:] != logits.shape[1:]:
            raise ProbeError(f"the labels are {y.dtype} of the shape {tuple(y.shape)}: give classes as whole numbers, or a probability for each "
                             f"of the {classes} classes")  # fmt: skip
    elif y.ndim != 1:
        raise ProbeError(f"the labels have the shape {tuple(y.shape)}: give the class of each sample, one whole number")
    elif len(known) and not (0 <= int(known.min()) and int(known.max()) < classes):
        raise ProbeError(f"the labels go from {int(known.min())} to {int(known.max())}: with {classes} logits, classes are 0 to {classes - 1}")


def error(loss: Loss, logits: Tensor, y: Tensor) -> Tensor:
    """The gradient of each sample's own loss at its logits; softmax minus one-hot for the cross-entropy."""
    leaf = logits.detach().clone().requires_grad_()
    with torch.enable_grad():
        (found,) = torch.autograd.grad(losses(loss, leaf, y).sum(), leaf)
    return found.reshape(len(found), -1)


def moved(probe: Probe, exact: Passes, l: int, like: Tensor, x: Tensor, y: Tensor, loss: Loss) -> Moved:
    """The losses where the measured part of a state is moved, where the model moves it: `like` is its output there."""

    def by(delta: np.ndarray) -> np.ndarray:
        part = torch.from_numpy(delta).to(x.device)
        return f64(losses(loss, exact.run(x, {l: probe.whole(part, like)}).logits, y))

    return by
