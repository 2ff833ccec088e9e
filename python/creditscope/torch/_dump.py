"""The dump of a model: the file that `creditscope audit` reads, with loss changes at every state."""

from __future__ import annotations

import json
import os
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor, nn

from .. import _differences
from .._errors import ProbeError, UsageError, shares
from ._arrays import f64
from ._loss import losses, moved
from ._walk import Walk

if TYPE_CHECKING:
    from ._probe import Probe

Tensors = dict[str, np.ndarray]

_SAME = 1e-9
"""Relative difference that rounding in f64 explains."""
_LONGEST_NAME = 64
"""Letters in the name of a rule."""
_LARGEST = 10**15
"""Seeds and epochs are below it."""
_TYPES = {"float64": "F64", "float32": "F32", "int64": "I64"}
"""What safetensors calls the types that are written."""


def measured(walk: Walk, chunk: int) -> Tensors:
    """The tensors over all samples. Without a credit there is none."""
    strange = [f"h_{l}" for l, form in enumerate(walk.forms) if form == "unknown"]
    if strange:
        raise ProbeError(f"{', '.join(strange)}: the module returns neither the stream nor its branch, and a dump cannot say so: name the "
                         "modules that return the stream, and norm= where there is one; or audit the model itself")  # fmt: skip
    states = range(len(walk.forms))
    found: dict[str, list[np.ndarray]] = {}
    directions: Tensors = {}
    is_cross_entropy = True
    for start in range(0, walk.samples, chunk):
        of = np.arange(start, min(walk.samples, start + chunk))
        signals = walk.signals(of)
        x, y = walk.x[start : start + chunk], walk.y[start : start + chunk]
        is_cross_entropy = is_cross_entropy and _is_cross_entropy(walk.logits, y, losses(walk.loss, walk.logits, y))
        credit = walk.credits(of, [], "")[0] if walk.credit is not None else []
        for l in states:
            state, h = walk.h[l], signals.h[l]
            if f"v.{l}" not in directions:
                directions[f"v.{l}"] = _differences.directions(walk.directions, h.shape[1], l)
            v = directions[f"v.{l}"]
            changes = _differences.along(h, v, moved(walk.probe, walk.exact, l, state, x, y, walk.loss))
            # A token's features, or the whole state.
            shape = (len(of), *state.shape[1:]) if prod(state.shape[1:]) == h.shape[1] else h.shape
            parts = {f"h.{l}": h, f"p.{l}": signals.p[l], **({"a.embed" if l == 0 else f"a.{l - 1}": credit[l]} if credit else {})}
            for name, part in parts.items():
                found.setdefault(name, []).append(part.reshape(shape))
            found.setdefault(f"dl.{l}", []).append(changes)
        found.setdefault("logits", []).append(f64(walk.logits))
    tensors = {name: np.concatenate(parts) for name, parts in found.items()}
    logits = tensors.pop("logits")
    tensors |= directions
    # Logits, labels and head are read as those of a cross-entropy: with another loss they would contradict its gradient.
    if is_cross_entropy:
        tensors |= {"labels": walk.y.cpu().numpy().astype(np.int64), "logits": logits}
        tensors |= _head(walk.probe, tensors[f"h.{states[-1]}"], logits)
    return tensors


def about(
    rule: str | None, seed: int | None, epoch: int | None, accuracy: float | None, frozen_accuracy: float | None
) -> Tensors:
    """What the dump says about its run."""
    if rule is not None and not (rule.strip() and len(rule) <= _LONGEST_NAME):
        raise UsageError(f"rule={rule!r}: give a name of 1 to {_LONGEST_NAME} letters")
    shares(accuracy=accuracy, frozen_accuracy=frozen_accuracy)
    for key, count in (("seed", seed), ("epoch", epoch)):
        if count is not None and not 0 <= count < _LARGEST:
            raise UsageError(f"{key}={count}: give a whole number from 0 to {_LARGEST - 1}")
    said = {"rule": rule, "seed": seed, "epoch": epoch, "accuracy": accuracy, "frozen_accuracy": frozen_accuracy}
    return {key: np.array(value if key == "rule" else [value]) for key, value in said.items() if value is not None}


def write(path: str | os.PathLike[str], tensors: Tensors) -> None:
    """Writes the file in the format that its ending names."""
    with Path(path).open("wb") as file:
        if ending(path) == ".npz":
            np.savez(file, **tensors)  # type: ignore[arg-type]
            return
        contents = {name: _little(value) for name, value in tensors.items()}
        header, end = {}, 0
        for name, value in contents.items():
            start, end = end, end + value.nbytes
            header[name] = {"dtype": _TYPES[value.dtype.name], "shape": list(value.shape), "data_offsets": [start, end]}
        text = json.dumps(header).encode()
        text += b" " * (-len(text) % 8)
        file.write(len(text).to_bytes(8, "little") + text)
        for value in contents.values():
            file.write(value.tobytes())


def _little(value: np.ndarray) -> np.ndarray:
    """As safetensors holds it: little-endian, in C order; a text is the codes of its characters."""
    if value.dtype.kind == "U":
        value = np.array([ord(letter) for letter in str(value)])
    return np.ascontiguousarray(value, dtype=value.dtype.newbyteorder("<"))


def ending(path: str | os.PathLike[str]) -> str:
    """The format that is meant."""
    found = Path(path).suffix.lower()
    if found not in (".npz", ".safetensors"):
        raise UsageError(f"{path}: end the name in .npz or .safetensors")
    return found


def _is_cross_entropy(logits: Tensor, y: Tensor, each: Tensor) -> bool:
    if logits.ndim != 2 or y.ndim != 1 or y.is_floating_point() or int(y.min()) < 0 or int(y.max()) >= logits.shape[1]:
        return False
    usual = nn.functional.cross_entropy(logits, y.long(), reduction="none")
    return bool(torch.allclose(each.to(usual.dtype), usual, rtol=_SAME, atol=_SAME))


def _head(probe: Probe, h: np.ndarray, logits: np.ndarray) -> Tensors:
    """Head and LayerNorm, where they are plain and make the logits of h_L, or of its mean over positions."""
    norm, head = probe.tail()
    if type(head) is not nn.Linear or not (norm is None or type(norm) is nn.LayerNorm):
        return {}
    width = head.in_features
    read = h.reshape(len(h), -1)
    if read.shape[1] != width:
        if width not in (h.shape[1], h.shape[-1]):
            return {}
        read = h.reshape(len(h), -1, width).mean(1) if h.shape[-1] == width else h.reshape(len(h), width, -1).mean(2)
    found = {"head.weight": f64(head.weight)}
    if head.bias is not None:
        found["head.bias"] = f64(head.bias)
    if norm is not None:
        if prod(norm.normalized_shape) != width:
            return {}
        found["out_ln.weight"] = np.ones(width) if norm.weight is None else f64(norm.weight).reshape(-1)
        if norm.bias is not None:
            found["out_ln.bias"] = f64(norm.bias).reshape(-1)
        found["out_ln.eps"] = np.array([norm.eps])
        read = (read - read.mean(1, keepdims=True)) / np.sqrt(read.var(1, keepdims=True) + norm.eps)
        read = read * found["out_ln.weight"] + found.get("out_ln.bias", 0.0)
    made = read @ found["head.weight"].T + found.get("head.bias", 0.0)
    return found if np.allclose(made, logits, rtol=_SAME, atol=_SAME * float(np.abs(logits).max())) else {}
