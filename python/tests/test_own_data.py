"""Training on data of one's own: arrays, a file, torch Datasets."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from conftest import assert_same_run, program

import creditscope as cs

SMALL = {"name": "own", "net.d": 8, "net.blocks": 1, "train.epochs": 2, "train.batch": 16, "optim.lr": 0.01, "audit.every": 0, "seed": 1}


def blobs(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Three clouds of points, as float32 vectors with their classes."""
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % 3
    centres = np.eye(3, 5) * 4
    return (centres[labels] + rng.normal(size=(n, 5))).astype(np.float32), labels


TRAIN, TEST = blobs(240, 1), blobs(60, 2)


def test_arrays_a_dict_and_a_file_train_the_same_run(tmp_path: Path) -> None:
    trained = cs.run(SMALL, data=(TRAIN, TEST), out=tmp_path / "arrays", progress=False)
    # Clouds this far apart are learnt at once: the labels belong to their samples.
    assert trained.metrics()["test_accuracy"][-1] > 0.9
    file = tmp_path / "mine.npz"
    np.savez(file, x_train=TRAIN[0], y_train=TRAIN[1], x_test=TEST[0], y_test=TEST[1])
    named = dict(zip(["x_train", "y_train", "x_test", "y_test"], (*TRAIN, *TEST), strict=True))
    for name, data in [("file", file), ("dict", named)]:
        again = cs.run(SMALL, data=data, out=tmp_path / name, progress=False)
        assert np.array_equal(again.metrics()["test_loss"], trained.metrics()["test_loss"])
    line = {key: value for key, value in SMALL.items() if key != "name"}
    words = [word for key, value in line.items() for word in ("--set", f"{key}={value}")]
    (tmp_path / "own.toml").write_text(f"data.name = '{file}'\n")
    done = program("run", tmp_path / "own.toml", "--out", tmp_path / "program", *words)
    assert done.returncode == 0, done.stderr
    assert_same_run(tmp_path / "file" / trained[0].id, tmp_path / "program" / trained[0].id)


def test_the_same_arrays_are_saved_once_and_others_apart(tmp_path: Path) -> None:
    first = cs.run(SMALL, data=(TRAIN, TEST), out=tmp_path, progress=False)
    cs.run(SMALL, data=(TRAIN, TEST), out=tmp_path, resume=True, progress=False)
    assert len(list(tmp_path.glob("data-*.npz"))) == 1
    assert np.allclose(cs.audit(first.paths, samples=32).layers()["cosine"], 1)
    with pytest.raises(cs.CreditscopeError):
        cs.run(SMALL, data=((TRAIN[0] + 1, TRAIN[1]), TEST), out=tmp_path, resume=True, progress=False)


def test_torch_datasets_are_read_as_they_are(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    from torch.utils.data import TensorDataset

    sets = [TensorDataset(torch.from_numpy(x), torch.from_numpy(y)) for x, y in (TRAIN, TEST)]
    arrays = cs.run(SMALL, data=(TRAIN, TEST), out=tmp_path / "arrays", progress=False)
    tensors = cs.run(SMALL, data=tuple(sets), out=tmp_path / "tensors", progress=False)
    assert np.array_equal(arrays.metrics()["test_loss"], tensors.metrics()["test_loss"])


def test_images_of_bytes_train_a_network_of_images(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    labels = np.arange(96) % 2
    images = (rng.integers(0, 100, size=(96, 1, 8, 8)) + 150 * labels[:, None, None, None]).astype(np.uint8)
    keys = {**SMALL, "net.name": "vit", "net.patch": 4, "net.heads": 2, "net.mlp": 16}
    trained = cs.run(keys, data=((images, labels), (images[:32], labels[:32])), out=tmp_path, progress=False)
    assert trained.metrics()["test_accuracy"][-1] > 0.9


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (TRAIN[0], "two torch Datasets"),
        ((TRAIN, TEST, TEST), "two torch Datasets"),
        ({"x_train": TRAIN[0]}, "lacks y_train, x_test, y_test"),
        ((TRAIN[0], TEST[0]), "the train part of data is of type ndarray"),
        (((TRAIN[0], np.eye(3)[TRAIN[1]]), TEST), "one-hot"),
        (((TRAIN[0] * np.nan, TRAIN[1]), TEST), "x_train.*NaN"),
        ("nowhere.npz", "nowhere.npz"),
    ],
)
def test_what_cannot_be_used_is_said(data: object, words: str, tmp_path: Path) -> None:
    with pytest.raises(cs.CreditscopeError, match=words):
        cs.run(SMALL, data=data, out=tmp_path, progress=False)  # type: ignore[arg-type]
