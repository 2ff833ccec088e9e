"""Looks for what would make the numbers of a measurement wrong, by passes over the first samples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import torch
from torch import Tensor, nn

from ._check import Check, Checks
from ._credit import Credit
from ._loss import Loss, losses
from ._passes import Kept, Passes

if TYPE_CHECKING:
    from ._probe import Probe

Form = Literal["stream", "branch", "unknown"]
_FEW = 16
"""Samples that are looked at."""
_WIDEST = 512
"""Features along each of which differences are taken."""
_SAME_LOGITS = 1e-4
"""Relative difference that rounding in f32 explains."""
_NOT_THE_GRADIENT = 0.05
"""Relative difference from finite differences that neither rounding nor curvature explains."""


class Looked(NamedTuple):
    """What was found: the table, the form of each state, and whether the backward pass is the gradient at all of them."""

    checks: Checks
    forms: list[Form]
    is_gradient: bool


def look(
    probe: Probe, x: Tensor, y: Tensor, loss: Loss, credit: Credit | None, reference: nn.Module | None
) -> Looked:
    few, labels = x[:_FEW], y[:_FEW]
    found: list[Check] = []
    exact = probe.passes(torch.float64, reference)
    kept = exact.run(few, seed=1)
    found.append(Check("captures", "passed", f"{len(probe.sites)} states, each seen once in a pass"))
    again = exact.run(few, seed=2)
    same = torch.equal(kept.logits, again.logits)
    found.append(Check("repeatable", "passed" if same else "refused",
                       "two passes give the same logits" if same else
                       "two passes over the same samples give different logits: the forward pass draws random numbers in eval mode"))  # fmt: skip
    found.append(_independent(exact, few, kept))
    losses(loss, kept.logits, labels)
    found.append(Check("loss", "passed", "one number for each sample; gradients are of each sample's own loss"))
    if reference is not None:
        found.append(_same_logits(probe, few, kept))
    forms, said = _forms(probe, kept)
    found.extend(said)
    agreement, is_gradient = _agreement(probe, exact, few, labels, loss, forms, credit, reference)
    found.extend(agreement)
    if any(site.place == "input" for site in probe.sites):
        found.append(Check("inputs", "assumed", "nothing passes by a state that is named by a module's input"))
    return Looked(Checks(found), forms, is_gradient)


def _independent(exact: Passes, few: Tensor, kept: Kept) -> Check:
    if len(few) < 2:
        return Check("independent samples", "assumed", "there is one sample only")
    alone = exact.run(few[: len(few) // 2]).logits
    apart = (alone - kept.logits[: len(alone)]).abs().max() / kept.logits.abs().max().clamp_min(1e-300)
    if float(apart) < 1e-8:
        return Check("independent samples", "passed", "a sample's logits do not depend on the others")
    words = (f"the logits of a sample change by {float(apart):.1g} of their size with the others in its batch: batch statistics "
             "in eval mode, or a layer across samples; the gradient of its own loss does not exist")  # fmt: skip
    return Check("independent samples", "refused", words)


def _same_logits(probe: Probe, few: Tensor, kept: Kept) -> Check:
    own = probe.passes(torch.float32).run(few).logits.double()
    apart = float((own - kept.logits).norm() / kept.logits.norm().clamp_min(1e-300))
    if apart < _SAME_LOGITS:
        return Check("reference", "passed", f"it gives the model's logits (to {apart:.1g})")
    return Check("reference", "refused", f"its logits differ from the model's by {apart:.2g} of their size: give a twin with the same weights")


def _forms(probe: Probe, kept: Kept) -> tuple[list[Form], list[Check]]:
    forms: list[Form] = []
    said: list[Check] = []
    for index, site in enumerate(probe.sites):
        output, before, after = kept.outputs[index], kept.inputs.get(index), kept.read.get(index)
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
        elif _equal(after, output):
            forms.append("stream")
            said.append(Check(hazard, "passed", "the module returns the stream"))
        elif before is not None and before.shape == output.shape and _equal(after, before + output):
            forms.append("branch")
            said.append(Check(hazard, "passed", "the module returns its branch, which is added to its input outside"))
        else:
            forms.append("unknown")
            said.append(Check(hazard, "assumed", "the next module's input is neither the module's output nor its input plus that: the state is "
                              "taken to be the output, and D1 and growth are not assessed"))  # fmt: skip
    return forms, said


def _agreement(
    probe: Probe, exact: Passes, few: Tensor, labels: Tensor, loss: Loss, forms: list[Form], credit: Credit | None, reference: nn.Module | None
) -> tuple[list[Check], bool]:
    """Holds the backward pass against finite differences of the forward pass, at every state."""
    kept = exact.run(few, differentiate=True, backward=lambda logits: losses(loss, logits, labels).sum())
    found: list[Check] = []
    for index, site in enumerate(probe.sites):
        gradient = kept.deltas[index].grad
        hazard = f"gradient at h_{index}"
        if gradient is None:
            words = f"{site}: no gradient arrives: the graph is cut above it (detach, or no_grad)"
            found.append(Check(hazard, "assumed" if credit == "autograd" else "refused", words))
            continue
        apart = _apart(probe, exact, index, kept, few, labels, loss)
        if apart <= _NOT_THE_GRADIENT:
            found.append(Check(hazard, "passed", f"the backward pass agrees with differences of the forward pass (to {apart:.1g})"))
            continue
        words = f"this backward is not the gradient of this forward: it differs from finite differences by {apart:.2g} of their size"
        if credit == "autograd" and reference is None:
            found.append(Check(hazard, "passed", f"{words}; the reference is taken by differences of the forward pass instead"))
        else:
            found.append(Check(hazard, "refused", f'{words}; if it is the rule, say credit="autograd"'))
    bad = any("not the gradient" in check.words or "no gradient arrives" in check.words for check in found)
    if bad and reference is None and credit == "autograd":
        found.extend(_too_wide(probe, kept))
    return found, not bad


def _too_wide(probe: Probe, kept: Kept) -> list[Check]:
    widths = {str(site): probe.part(kept.outputs[index]).shape[1] for index, site in enumerate(probe.sites)}
    wide = {site: width for site, width in widths.items() if width > _WIDEST}
    words = f"{', '.join(f'{site} has {width} features' for site, width in wide.items())}: differences along each take too long "
    remedy = f"above {_WIDEST}: give reference=, a twin with plain layers and the same weights"
    return [Check("reference", "refused", words + remedy)] if wide else []


def _apart(probe: Probe, exact: Passes, index: int, kept: Kept, few: Tensor, labels: Tensor, loss: Loss) -> float:
    """The relative difference between ⟨p, v⟩ and central differences along random v."""
    generator = torch.Generator().manual_seed(index)
    gradient = kept.deltas[index].grad
    assert gradient is not None
    size = probe.part(kept.outputs[index]).norm(dim=1).median().clamp_min(1.0)
    wanted, got = [], []
    for _ in range(8):
        v = torch.randn(probe.part(gradient).shape, generator=generator, dtype=torch.float64).to(few.device)
        v = probe.whole(v / v.norm(dim=1, keepdim=True), gradient)
        step = 1e-5 * float(size)
        up, down = (losses(loss, exact.run(few, {index: s * step * v}).logits, labels) for s in (1.0, -1.0))
        wanted.append((up - down) / (2 * step))
        got.append((gradient * v).flatten(1).sum(1))
    change, predicted = torch.cat(wanted), torch.cat(got)
    largest = max(float(change.norm()), float(predicted.norm()))
    return float((change - predicted).norm()) / largest if largest > 0 else 0.0


def _equal(a: Tensor, b: Tensor) -> bool:
    return a.shape == b.shape and bool(torch.allclose(a, b, rtol=1e-9, atol=1e-9 * float(b.abs().max())))
