"""Tensors of PyTorch as the arrays that the measuring core takes."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor


def f64(value: Tensor) -> np.ndarray:
    return np.ascontiguousarray(value.detach().to("cpu", torch.float64).numpy())


def f32(value: Tensor) -> np.ndarray:
    return np.ascontiguousarray(value.detach().to("cpu", torch.float32).numpy())
