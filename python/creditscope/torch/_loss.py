"""The loss of each sample, and its gradient at the logits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Union

import torch
from torch import Tensor

from .._errors import ProbeError

Loss = Union[Literal["cross_entropy"], Callable[[Tensor, Tensor], Tensor]]


def losses(loss: Loss, logits: Tensor, y: Tensor) -> Tensor:
    """The loss of each sample. A mean over the batch would hide what each one gives, so a vector is asked for."""
    if loss == "cross_entropy":
        if logits.ndim != 2:
            raise ProbeError(f"the logits have the shape {tuple(logits.shape)}: cross_entropy wants samples by classes; give loss= as a "
                             "function of logits and labels that returns the loss of each sample")  # fmt: skip
        return torch.nn.functional.cross_entropy(logits, y, reduction="none")
    if not callable(loss):
        raise ProbeError(f'loss={loss!r}: give "cross_entropy", or a function of logits and labels')
    found = loss(logits, y)
    if not isinstance(found, Tensor) or found.shape != (logits.shape[0],):
        shape = tuple(found.shape) if isinstance(found, Tensor) else type(found).__name__
        raise ProbeError(f"the loss has the shape {shape}, for {logits.shape[0]} samples: return the loss of each sample, one number "
                         "for each (reduction='none'; sum or mean over the tokens of a sample, not over samples)")  # fmt: skip
    return found


def error(loss: Loss, logits: Tensor, y: Tensor) -> Tensor:
    """The gradient of each sample's own loss at its logits; softmax minus one-hot for the cross-entropy."""
    leaf = logits.detach().clone().requires_grad_()
    with torch.enable_grad():
        (found,) = torch.autograd.grad(losses(loss, leaf, y).sum(), leaf)
    return found.reshape(len(found), -1)
