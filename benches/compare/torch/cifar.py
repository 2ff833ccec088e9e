"""CIFAR-10 as u8 tensors in memory: a batch is cut, flipped and scaled as it is needed."""

import pathlib

import numpy as np
import torch
import torch.nn.functional as F

SIDE, PADDING = 32, 4
MEAN = torch.tensor([0.4914, 0.4822, 0.4465]).view(1, 3, 1, 1)
DEVIATION = torch.tensor([0.2470, 0.2435, 0.2616]).view(1, 3, 1, 1)


def read(folder, names):
    """Images and labels of some files of the binary version."""
    files = [np.fromfile(pathlib.Path(folder) / "cifar-10-batches-bin" / f"{name}.bin", np.uint8) for name in names]
    rows = np.concatenate(files).reshape(-1, 1 + 3 * SIDE * SIDE)
    images = torch.from_numpy(rows[:, 1:].reshape(-1, 3, SIDE, SIDE).copy())
    return images, torch.from_numpy(rows[:, 0].astype(np.int64))


def training_set(folder):
    return read(folder, [f"data_batch_{i}" for i in range(1, 6)])


def test_set(folder):
    return read(folder, ["test_batch"])


def scaled(images):
    return ((images.float() / 255 - MEAN) / DEVIATION).flatten(1)


def cropped_and_flipped(images):
    """A batch with every image cut and flipped by itself. Windows of the padded batch are views, so that one gather
    copies the wanted ones; an index for every pixel takes three times as long."""
    n = len(images)
    windows = F.pad(images, (PADDING,) * 4).unfold(2, SIDE, 1).unfold(3, SIDE, 1)
    top, left = torch.randint(0, 2 * PADDING + 1, (2, n))
    cut = windows[torch.arange(n), :, top, left]
    return torch.where((torch.rand(n) < 0.5).view(n, 1, 1, 1), cut.flip(3), cut)
