"""Run directories, read."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, overload

import numpy as np

from . import _core
from ._audit import Audit, audit
from ._errors import CreditscopeWarning
from ._paths import Paths, listed
from ._table import Table


@dataclass(frozen=True)
class Run:
    """A run: what its directory says about it."""

    id: str
    rule: str
    seed: int
    status: str
    path: Path
    recipe: dict[str, Any]


class Runs(Sequence[Run]):
    """Runs that were read from disk, with their logs as tidy tables."""

    def __init__(self, core: _core.Runs) -> None:
        self._core = core
        table = Table(core.table())
        recipes = [json.loads(text) for text in core.recipes()]
        rows = zip(table["run"], table["rule"], table["seed"], table["status"], table["path"], recipes)
        self._runs = [
            Run(str(run), str(rule), int(seed), str(status), Path(str(path)), recipe)
            for run, rule, seed, status, path, recipe in rows
        ]
        self._table = table

    @overload
    def __getitem__(self, index: int) -> Run: ...
    @overload
    def __getitem__(self, index: slice) -> list[Run]: ...
    def __getitem__(self, index: int | slice) -> Run | list[Run]:
        return self._runs[index]

    def __len__(self) -> int:
        return len(self._runs)

    def __iter__(self) -> Iterator[Run]:
        return iter(self._runs)

    @property
    def paths(self) -> list[Path]:
        """Their directories."""
        return [run.path for run in self._runs]

    def samples(
        self, index: int = 0, count: int = _core.SAMPLES, data: str | os.PathLike[str] | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """The first test samples of a run, on which it is audited: inputs and labels."""
        return self._core.samples(range(len(self))[index], count, data)

    def table(self) -> Table:
        """One row per run: how far it got."""
        return self._table

    def metrics(self) -> Table:
        """One row per run and epoch: losses, accuracies, growth, ‖g_L‖ of a mean over 128 samples."""
        return Table(self._core.metrics())

    def layers(self) -> Table:
        """One row per run, epoch and unit: norms and cosines, each with whether it is defined."""
        return Table(self._core.layers())

    def verdicts(self) -> Table:
        """One row per run, judged by its log alone; `creditscope.audit` measures."""
        return Table(self._core.judged().verdicts())

    def judged(self) -> Audit:
        """The runs judged by their logs alone."""
        return Audit(self._core.judged())

    def audit(self, **options: Any) -> Audit:
        """Measures the runs; the keywords are those of `creditscope.audit`."""
        return audit(self.paths, **options)

    def __repr__(self) -> str:
        return repr(self._table)

    def _repr_html_(self) -> str:
        return self._table._repr_html_()


def runs(paths: Paths) -> Runs:
    """Reads every run directory at or below the paths. One that cannot be read is warned about.

    >>> runs("no/such/folder")
    Traceback (most recent call last):
    creditscope._errors.MissingFileError: no/such/folder does not exist: give a run directory or a folder of runs
    """
    core = _core.read_runs(listed(paths, "give a run directory or a folder of runs"))
    for problem in core.problems:
        warnings.warn(problem, CreditscopeWarning, stacklevel=2)
    return Runs(core)
