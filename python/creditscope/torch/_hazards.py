"""Looks for what would make the numbers of a measurement wrong, by passes over the first samples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import torch
from torch import Tensor, nn

from .. import _differences, _hazards
from .._check import Check, Checks
from .._hazards import FEW
from ._arrays import f64
from ._credit import Credit
from ._loss import Loss, fitting, losses, moved
from ._passes import Kept, Passes

if TYPE_CHECKING:
    from ._probe import Probe

Form = Literal["stream", "branch", "unknown"]


class Looked(NamedTuple):
    """What was found: the table, the form of each state, and whether the backward pass is the gradient at all of them."""

    checks: Checks
    forms: list[Form]
    is_gradient: bool


def look(
    probe: Probe, x: Tensor, y: Tensor, loss: Loss, credit: Credit | None, reference: nn.Module | None
) -> Looked:
    few, labels = x[:FEW], y[:FEW]
    found: list[Check] = []
    exact = probe.passes(torch.float64, reference)
    kept = exact.run(few, seed=1)
    found.append(Check("captures", "passed", f"{len(probe.sites)} states, each seen once in a pass"))
    order = list(kept.outputs)
    if order != sorted(order):
        words = f"a pass computes them as {', '.join(f'h_{index}' for index in order)}: units are named from the embedding up, so list them as computed"
        found.append(Check("order", "assumed", words))
    if not bool(kept.logits.isfinite().all()):
        found.append(Check("finite logits", "refused", f"of the first {len(few)} samples some have NaN or infinite logits, in f64: look at x and the weights"))
        return Looked(Checks(found), [], False)
    if loss == "cross_entropy":
        fitting(kept.logits, y)
    again = exact.run(few, seed=2)
    why = "the forward pass draws random numbers in eval mode"
    found.append(_hazards.repeatable(torch.equal(kept.logits, again.logits), why))
    alone = exact.run(few[: max(1, len(few) // 2)]).logits
    found.append(_hazards.independent(f64(alone), f64(kept.logits), "output"))
    losses(loss, kept.logits, labels)
    found.append(_hazards.LOSS)
    if reference is not None:
        own = probe.passes(torch.float32).run(few).logits
        found.append(_hazards.same_logits(f64(own), f64(kept.logits)))
    forms, said = _forms(probe, kept)
    found.extend(said)
    agreement, is_gradient = _agreement(probe, exact, few, labels, loss, credit, reference)
    found.extend(agreement)
    if any(site.place == "input" for site in probe.sites):
        found.append(Check("inputs", "assumed", "nothing passes by a state that is named by a module's input"))
    return Looked(Checks(found), forms, is_gradient)


def _forms(probe: Probe, kept: Kept) -> tuple[list[Form], list[Check]]:
    forms: list[Form] = []
    said: list[Check] = []
    for index, site in enumerate(probe.sites):
        output, before, after = kept.outputs[index], kept.inputs.get(index), kept.read.get(index)
        # A head may read the last state flattened, or its mean over positions.
        is_stream = _is_read if index == len(probe.sites) - 1 else _equal
        hazard = f"h_{index} {site}"
        if site.place == "input":
            forms.append("stream")
            said.append(Check(hazard, "passed", "the state is the module's input"))
        elif after is None:
            # As the block before it; the embedding gives the stream.
            is_branch = index > 1 and forms[-1] == "branch" and before is not None and before.shape == output.shape
            forms.append("branch" if is_branch else "stream")
            what = "its branch, as the one before" if is_branch else "the stream"
            said.append(Check(hazard, "assumed", f"the module returns {what}: name norm= or head= to have it checked"))
        elif is_stream(after, output):
            forms.append("stream")
            said.append(Check(hazard, "passed", "the module returns the stream"))
        elif before is not None and before.shape == output.shape and is_stream(after, before + output):
            forms.append("branch")
            said.append(Check(hazard, "passed", "the module returns its branch, which is added to its input outside"))
        else:
            forms.append("unknown")
            said.append(Check(hazard, "assumed", "the next module's input is neither the module's output nor its input plus that: the state is "
                              "taken to be the output, and D1 and growth are not assessed"))  # fmt: skip
    return forms, said


def _agreement(
    probe: Probe, exact: Passes, few: Tensor, labels: Tensor, loss: Loss, credit: Credit | None, reference: nn.Module | None
) -> tuple[list[Check], bool]:
    """Holds the backward pass against finite differences of the forward pass, at every state."""
    is_rule = credit == "autograd"
    try:
        kept = exact.run(few, differentiate=True, backward=lambda logits: losses(loss, logits, labels).sum())
    except (RuntimeError, AttributeError, TypeError) as error:
        # A custom backward pass may hold tensors of its own, of another type or of another batch.
        check = _hazards.broken_backward(error, reference is not None)
        return [check, *_too_wide(probe, exact.run(few), reference)], False
    found: list[Check] = []
    is_gradient = True
    for index, site in enumerate(probe.sites):
        gradient = kept.deltas[index].grad
        output = kept.outputs[index]
        apart = None
        if gradient is not None:
            by = moved(probe, exact, index, output, few, labels, loss)
            apart = _differences.apart(f64(probe.part(output)), f64(probe.part(gradient)), by, index)
        check, agrees = _hazards.agreement(index, str(site), apart, is_rule, reference is not None)
        found.append(check)
        is_gradient = is_gradient and agrees
    if not is_gradient and is_rule:
        found.extend(_too_wide(probe, kept, reference))
    return found, is_gradient


def _too_wide(probe: Probe, kept: Kept, reference: nn.Module | None) -> list[Check]:
    widths = {str(site): probe.part(kept.outputs[index]).shape[1] for index, site in enumerate(probe.sites)}
    return [] if reference is not None else _hazards.too_wide(widths)


def _equal(a: Tensor, b: Tensor) -> bool:
    return a.shape == b.shape and bool(torch.allclose(a, b, rtol=1e-9, atol=1e-9 * float(b.abs().max())))


def _is_read(a: Tensor, h: Tensor) -> bool:
    """Whether a is h, in whatever shape, or its mean over positions, where the features come last or first, or the first or last of
    its tokens."""
    flat = [h.flatten(1)] if h.ndim < 3 else [h.flatten(1), h.flatten(1, -2).mean(1), h.flatten(2).mean(2)]
    flat += [h[:, 0], h[:, -1]] if h.ndim == 3 else []
    return any(_equal(a.flatten(1), one) for one in flat)
