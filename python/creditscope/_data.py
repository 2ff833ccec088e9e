"""A user's own data: arrays or torch Datasets, saved as the file of arrays that recipes name."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Union

import numpy as np

from ._errors import UsageError

NAMES = ("x_train", "y_train", "x_test", "y_test")
_REMEDY = (
    "give a folder, an .npz file, ((x_train, y_train), (x_test, y_test)), a dict of arrays under these names, or two torch "
    "Datasets, (train, test)"
)

Data = Union[str, "os.PathLike[str]", Mapping[str, Any], Sequence[Any], None]


def placed(data: Data, out: Path) -> tuple[Path | None, Path | None]:
    """The folder of data sets, or the file of a user's own. Arrays are saved in `out` under a name that their content gives."""
    if data is None:
        return None, None
    if isinstance(data, (str, os.PathLike)):
        path = Path(data)
        return (None, path) if path.suffix == ".npz" else (path, None)
    arrays = {name: np.ascontiguousarray(array) for name, array in zip(NAMES, _parts(data), strict=True)}
    path = out / f"data-{_hash(arrays)}.npz"
    if not path.exists():
        out.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
        with partial.open("wb") as file:
            np.savez(file, **arrays)  # type: ignore[arg-type,unused-ignore]
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    return None, path


def _parts(data: Mapping[str, Any] | Sequence[Any]) -> list[np.ndarray]:
    if isinstance(data, Mapping):
        missing = [name for name in NAMES if name not in data]
        if missing:
            raise UsageError(f"data lacks {', '.join(missing)}: {_REMEDY}")
        return [_array(data[name]) for name in NAMES]
    if not isinstance(data, (tuple, list)) or len(data) != 2:
        raise UsageError(f"data is of type {type(data).__name__}: {_REMEDY}")
    return [array for part, name in zip(data, ("train", "test"), strict=True) for array in _part(part, name)]


def _part(part: Any, name: str) -> tuple[np.ndarray, np.ndarray]:
    if isinstance(part, (tuple, list)) and len(part) == 2:
        return _array(part[0]), _array(part[1])
    if not (hasattr(part, "__getitem__") and hasattr(part, "__len__")) or isinstance(part, np.ndarray):
        raise UsageError(f"the {name} part of data is of type {type(part).__name__}: {_REMEDY}")
    samples = [part[i] for i in range(len(part))]
    if not samples or any(not isinstance(sample, (tuple, list)) or len(sample) < 2 for sample in samples):
        raise UsageError(f"the {name} Dataset must give (x, label) for each of its samples")
    return np.stack([_array(sample[0]) for sample in samples]), np.asarray([int(sample[1]) for sample in samples])


def _array(values: Any) -> np.ndarray:
    """An array, from a tensor on any device or a picture of PIL too."""
    if hasattr(values, "detach"):
        values = values.detach().cpu().numpy()
    array = np.asarray(values)
    is_picture = hasattr(values, "getbands") and array.ndim == 3
    return array.transpose(2, 0, 1) if is_picture else array


def _hash(arrays: Mapping[str, np.ndarray]) -> str:
    content = hashlib.sha256()
    for name, array in arrays.items():
        content.update(f"{name} {array.dtype.str} {array.shape}\n".encode())
        content.update(array.tobytes())
    return content.hexdigest()[:12]
