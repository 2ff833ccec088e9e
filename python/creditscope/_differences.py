"""Central differences of the loss where a state is moved: what no backward pass can falsify. All in f64."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Moved = Callable[[np.ndarray], np.ndarray]
"""The loss of each sample where its own state is moved by its row."""

WIDEST = 512
"""Most features of a state along each of which differences are taken."""
_STEP = 1e-5
"""Length of a step, as a share of the size of the states."""
_TRIED = 8
"""Directions along which a gradient is tried."""


def slopes(h: np.ndarray, v: np.ndarray, moved: Moved) -> np.ndarray:
    """The change of each sample's loss per unit of its direction v, by a small step up and down."""
    longest = float(np.linalg.norm(v, axis=1).max())
    step = _STEP * max(float(np.median(np.linalg.norm(h, axis=1))), 1.0) / longest
    found: np.ndarray = (moved(step * v) - moved(-step * v)) / (2 * step)
    return found


def gradient(h: np.ndarray, moved: Moved) -> np.ndarray:
    """The gradient of each sample's own loss, feature by feature; of no features where there are too many."""
    if h.shape[1] > WIDEST:
        return np.empty((len(h), 0))
    found = np.zeros_like(h)
    for feature in range(h.shape[1]):
        v = np.zeros_like(h)
        v[:, feature] = 1.0
        found[:, feature] = slopes(h, v, moved)
    return found


def apart(h: np.ndarray, p: np.ndarray, moved: Moved, seed: int) -> float:
    """The relative difference between ⟨p, v⟩ and the slope along random v."""
    random = np.random.default_rng(seed)
    wanted, got = [], []
    for _ in range(_TRIED):
        v = random.standard_normal(h.shape)
        v /= np.linalg.norm(v, axis=1, keepdims=True)
        wanted.append(slopes(h, v, moved))
        got.append((p * v).sum(1))
    change, predicted = np.concatenate(wanted), np.concatenate(got)
    largest = max(float(np.linalg.norm(change)), float(np.linalg.norm(predicted)))
    return float(np.linalg.norm(change - predicted)) / largest if largest > 0 else 0.0


def directions(count: int, width: int, seed: int) -> np.ndarray:
    """Random directions, at right angles to each other as far as there is room: as many as features miss nothing of a signal."""
    random = np.random.default_rng(seed)
    frames = []
    for first in range(0, count, width):
        frame, upper = np.linalg.qr(random.standard_normal((width, min(width, count - first))))
        # With these signs, every frame is as likely as any other.
        frames.append((frame * np.sign(np.diag(upper))).T)
    return np.concatenate(frames)


def along(h: np.ndarray, directions: np.ndarray, moved: Moved) -> np.ndarray:
    """The slope of each sample's loss along directions that are the same for all, one column each."""
    return np.stack([slopes(h, np.broadcast_to(v, h.shape), moved) for v in directions], axis=1)
