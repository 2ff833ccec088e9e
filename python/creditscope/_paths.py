"""Paths that a user gives."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Union

from ._errors import MissingFileError

Paths = Union[str, "os.PathLike[str]", Iterable[Union[str, "os.PathLike[str]"]]]


def listed(paths: Paths, remedy: str) -> list[Path]:
    """The paths as a list, all of which exist."""
    given = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    found = [Path(path) for path in given]
    for path in found:
        if not path.exists():
            raise MissingFileError(f"{path} does not exist: {remedy}")
    return found
