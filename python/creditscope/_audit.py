"""Audits: of runs, of dumps from other programs, of arrays."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from . import _core
from ._errors import CreditscopeWarning, DumpError, FoundError, UsageError, at_least
from ._paths import Paths, listed
from ._rule import Rule, register
from ._table import Table


class Audit:
    """What an audit found. Printed, it is the table of the terminal; a notebook shows it as an HTML table.

    `layers` says of every unit how its credit compares with the gradient, `verdicts` what the checks add up to.
    """

    def __init__(self, core: _core.Judged) -> None:
        self._core = core

    def json(self) -> str:
        """What `creditscope audit --json` prints."""
        return self._core.json()

    def to_dict(self) -> Any:
        """The same, parsed. Infinity and NaN are words."""
        return json.loads(self._core.json())

    def text(self, *, layers: bool = False) -> str:
        """What `creditscope audit` prints; with `layers` every run and check."""
        return self._core.text(layers)

    def markdown(self, *, layers: bool = False) -> str:
        """The same in Markdown."""
        return self._core.markdown(layers)

    def csv(self) -> str:
        """Every number, one row each, as `creditscope audit --csv` writes it."""
        return self._core.csv()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the audit in the format that the file's ending names: .json, .csv, .md, .txt or .html."""
        write = {".json": self.json, ".csv": self.csv, ".md": self.markdown, ".txt": self.text, ".html": self._repr_html_}
        ending = Path(path).suffix.lower()
        if ending not in write:
            raise UsageError(f"{path}: end the name in one of {', '.join(write)}")
        Path(path).write_text(write[ending](), encoding="utf-8", newline="")

    def verdicts(self) -> Table:
        """One row per audit: the verdict, and each check with its statistic."""
        return Table(self._core.verdicts())

    def layers(self) -> Table:
        """One row per audit and unit: cosine, ρ and nudges, each with whether it is defined, and the standing."""
        return Table(self._core.layers())

    def raise_if(self, *found: str) -> None:
        """Raises `FoundError` where one of these is found: D1, D2, D3, direction, consistency, undefined, unreliable,
        below-null, within-null, dead, broken, misleading, not-assessed. What cannot be answered is warned about."""
        problems, open_ = self._core.found(list(found))
        for words in open_:
            warnings.warn(words, CreditscopeWarning, stacklevel=2)
        if problems:
            raise FoundError("\n".join(problems))

    def __repr__(self) -> str:
        return self._core.text(False)

    def _repr_html_(self) -> str:
        return self._core.html(False)


def audit(
    what: Paths | Mapping[str, Any],
    *,
    samples: int | None = None,
    directions: int = _core.DIRECTIONS,
    draws: int = _core.DRAWS,
    accuracy: float | None = None,
    frozen_accuracy: float | None = None,
    mean_over: int | None = None,
    probe: bool = False,
    log: bool = False,
    again: bool = False,
    mixed: bool = False,
    save: bool = True,
    data: str | os.PathLike[str] | None = None,
    jobs: int | None = None,
    threads: int | None = None,
    rules: Iterable[type[Rule]] = (),
    name: str = "arrays",
) -> Audit:
    """Audits runs, dump files, or arrays.

    Run directories and folders of them are measured as `creditscope audit` does, and each measurement is kept in the run's
    directory (`save`). Dump files (.npz, .safetensors) are the epochs of one run, in order. A mapping holds the arrays that a
    dump would, by name: h.0 … h.L, p.0 … (or g.*), a.embed, a.0 …, labels, logits, head.weight …

    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> h, p = rng.normal(size=(2, 4, 64, 8))
    >>> arrays = {f"h.{l}": h[l] for l in range(3)} | {f"p.{l}": p[l] for l in range(3)}
    >>> found = audit(arrays | {"a.embed": p[0], "a.0": p[1], "a.1": -p[2]}, draws=5)
    >>> found.layers()["cosine"].round(6)
    array([ 1.,  1., -1.])

    `rules` are the classes of rules in Python that trained some of the runs, where this process has not run them itself.
    `samples`, `probe`, `log`, `again`, `mixed`, `save`, `data`, `jobs` and `threads` are for runs; `accuracy`,
    `frozen_accuracy` and `mean_over` for dumps and arrays; `name` names arrays in messages.
    """
    of_runs = {"samples": samples is not None, "probe": probe, "log": log, "again": again, "mixed": mixed,
               "save": not save, "data": data is not None, "jobs": jobs is not None, "threads": threads is not None}  # fmt: skip
    of_dumps = {"accuracy": accuracy, "frozen_accuracy": frozen_accuracy, "mean_over": mean_over}
    for rule in rules:
        register(rule)
    at_least(0, directions=directions, draws=draws)
    at_least(1, samples=samples, jobs=jobs, threads=threads)
    if isinstance(what, Mapping):
        _refuse(of_runs, "runs, not for arrays")
        arrays = {str(key): _array(str(key), value) for key, value in what.items()}
        core = _core.audit_arrays(name, arrays, accuracy, frozen_accuracy, mean_over, directions, draws)
        return Audit(core)
    paths = listed(what, "give a run directory, a folder of runs, or a dump file (.npz, .safetensors)")
    files = [path for path in paths if path.is_file()]
    if files and len(files) < len(paths):
        folder = next(path for path in paths if not path.is_file())
        raise UsageError(f"{files[0]} is a file and {folder} is not: audit dumps and runs one after the other")
    if files:
        _refuse(of_runs, "runs, not for dumps")
        return Audit(_core.audit_files(files, accuracy, frozen_accuracy, mean_over, directions, draws))
    _refuse({key: value is not None for key, value in of_dumps.items()}, "dumps and arrays: runs know it themselves")
    samples = _core.SAMPLES if samples is None else samples
    core = _core.audit_runs(paths, samples, directions, draws, probe, log, again, mixed, save, data, jobs, threads)
    for problem in core.problems:
        warnings.warn(problem, CreditscopeWarning, stacklevel=2)
    return Audit(core)


def _refuse(given: Mapping[str, bool], words: str) -> None:
    for key, is_given in given.items():
        if is_given:
            raise UsageError(f"{key}= is for {words}: leave it out")


def _array(name: str, value: Any) -> np.ndarray:
    """An array of a type that dumps have; half types are widened, which is exact."""
    if hasattr(value, "detach"):  # a tensor of PyTorch, on any device
        value = value.detach().cpu()
        if str(value.dtype) in ("torch.bfloat16", "torch.float16"):
            value = value.float()
        value = value.numpy()
    array = np.asarray(value)
    kind = array.dtype.kind
    wanted: type[np.generic]
    if kind == "f":
        wanted = np.float64 if array.dtype.itemsize > 4 else np.float32
    elif kind in "iub":
        wanted = np.int64
    else:
        raise DumpError(f"{name}: it holds {array.dtype}, not numbers: give floats, or whole numbers for labels")
    return np.ascontiguousarray(array, dtype=wanted)
