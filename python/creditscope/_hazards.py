"""The hazards of every live network: what is measured of them, in whatever framework, and what is said about it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ._check import Check, Outcome
from ._differences import WIDEST
from ._errors import ProbeError

FEW = 16
"""Samples that are looked at."""
_SAME_OUTPUT = 1e-4
"""Relative difference that rounding in f32 explains."""
_NOT_THE_GRADIENT = 0.05
"""Relative difference from finite differences that neither rounding nor curvature explains."""
_NOT = "this backward is not the gradient of this forward"

LOSS = Check("loss", "passed", "one number for each sample; gradients are of each sample's own loss")


def repeatable(same: bool, why: str) -> Check:
    if same:
        return Check("repeatable", "passed", "two passes give the same logits")
    return Check("repeatable", "refused", f"two passes over the same samples give different logits: {why}")


def independent(alone: np.ndarray, together: np.ndarray, what: str) -> Check:
    """Whether the first samples give the same with and without the others."""
    if len(together) < 2:
        return Check("independent samples", "assumed", "there is one sample only")
    apart = float(np.abs(alone - together[: len(alone)]).max()) / max(float(np.abs(together).max()), 1e-300)
    if apart < 1e-8:
        return Check("independent samples", "passed", f"the {what} of a sample does not depend on the others")
    words = (f"the {what} of a sample changes by {apart:.1g} of its size with the others in its batch: batch statistics "
             "in eval mode, or a layer across samples; the gradient of its own loss does not exist")  # fmt: skip
    return Check("independent samples", "refused", words)


def same_logits(own: np.ndarray, reference: np.ndarray) -> Check:
    apart = float(np.linalg.norm(own - reference)) / max(float(np.linalg.norm(reference)), 1e-300)
    if apart < _SAME_OUTPUT:
        return Check("reference", "passed", f"it gives the model's logits (to {apart:.1g}), and its backward pass is the reference at every state")
    words = f"its logits differ from the model's by {apart:.2g} of their size: give a twin with the same weights"
    return Check("reference", "refused", words)


def agreement(l: int, name: str, apart: float | None, is_rule: bool, has_reference: bool) -> tuple[Check, bool]:
    """What is said where the backward pass differs so much from finite differences at h_l (None where no gradient arrives), and
    whether it is the gradient. With a rule for a backward pass, differences can take its place."""
    hazard = f"gradient at h_{l}"
    if apart is None:
        outcome: Outcome = "assumed" if is_rule else "refused"
        return Check(hazard, outcome, f"{name}: no gradient arrives: the graph is cut above it (detach, or no_grad)"), False
    if apart <= _NOT_THE_GRADIENT:
        return Check(hazard, "passed", f"the backward pass agrees with differences of the forward pass (to {apart:.1g})"), True
    words = f"{_NOT}: it differs from finite differences by {apart:.2g} of their size"
    if is_rule and not has_reference:
        return Check(hazard, "passed", f"{words}; the reference is taken by differences of the forward pass instead"), False
    return Check(hazard, "refused", f'{words}; if it is the rule, say credit="autograd"'), False


def broken_backward(error: Exception, has_reference: bool) -> Check:
    """A backward pass that does not run in f64. Differences of the forward pass can take its place."""
    words = f"the backward pass does not run in f64 ({error})"
    if has_reference:
        return Check("gradient", "refused", f"{words}: give a reference of plain layers")
    return Check("gradient", "passed", f"{words}; the reference is taken by differences of the forward pass instead")


def by_differences(widths: Mapping[str, int]) -> list[Check]:
    """Says of each state where its reference comes from, if it is not a backward pass."""
    found: list[Check] = []
    for l, (name, width) in enumerate(widths.items()):
        if width <= WIDEST:
            words = f"{name}: differences of the forward pass along each of its {width} features"
            found.append(Check(f"reference at h_{l}", "passed", words))
        else:
            words = (f"{name}: {width} features are too many for differences along each (above {WIDEST}), so the cosine is estimated from random "
                     "directions, with its interval; reference=, a twin with plain layers, gives it exactly")  # fmt: skip
            found.append(Check(f"reference at h_{l}", "assumed", words))
    return found


def too_wide(widths: Mapping[str, int]) -> list[Check]:
    """Refuses differences along every feature where there are too many and no estimate will do."""
    wide = {name: width for name, width in widths.items() if width > WIDEST}
    words = f"{', '.join(f'{name} has {width} features' for name, width in wide.items())}: differences along each take too long "
    remedy = f"above {WIDEST}: give reference=, a twin with plain layers and the same weights"
    return [Check("reference", "refused", words + remedy)] if wide else []


def not_one_for_each(found: object, samples: int) -> ProbeError:
    """A loss that is no vector over the samples. A mean over the batch would hide what each one gives."""
    shape = getattr(found, "shape", None)
    said = type(found).__name__ if shape is None else tuple(shape)
    return ProbeError(f"the loss has the shape {said}, for {samples} samples: return the loss of each sample, one number "
                      "for each (reduction='none'; sum or mean over the tokens of a sample, not over samples)")  # fmt: skip


def not_classes(shape: tuple[int, ...]) -> ProbeError:
    return ProbeError(f"the logits have the shape {shape}: cross_entropy wants samples by classes; give loss= as a "
                      "function of logits and labels that returns the loss of each sample")  # fmt: skip
