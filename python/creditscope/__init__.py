"""Audits, layer by layer, whether a network's learning signal can be believed.

>>> import creditscope as cs
>>> recipe = cs.Recipe({"data.name": "digits", "net.d": 16, "train.epochs": 1, "rule.name": ["bp", "dfa"], "seed": 1})
>>> recipe.runs
['bp-s1', 'dfa-s1']

`run` trains the runs of a `Recipe`, `runs` reads what training left behind, `audit` judges runs, dumps of other programs, or
arrays; `figure` draws. `creditscope.torch` measures a PyTorch model. The same program is on the command line: `creditscope --help`.
"""

from __future__ import annotations

from typing import Any

from ._audit import Audit, audit
from ._core import VERSION as __version__
from ._errors import (
    CreditscopeError,
    CreditscopeWarning,
    DataError,
    DumpError,
    FigureError,
    FileError,
    FoundError,
    InternalError,
    MissingFileError,
    ProbeError,
    RecipeError,
    RunError,
    UsageError,
)
from ._figure import Figure, figure, figures
from ._recipe import Recipe
from ._run import Progress, run
from ._runs import Run, Runs, runs
from ._selftest import Selftest, selftest
from ._table import Table

__all__ = [
    "Audit",
    "CreditscopeError",
    "CreditscopeWarning",
    "DataError",
    "DumpError",
    "Figure",
    "FigureError",
    "FileError",
    "FoundError",
    "InternalError",
    "MissingFileError",
    "ProbeError",
    "Progress",
    "Recipe",
    "RecipeError",
    "Run",
    "RunError",
    "Runs",
    "Selftest",
    "Table",
    "UsageError",
    "__version__",
    "audit",
    "figure",
    "figures",
    "run",
    "runs",
    "selftest",
]


def __getattr__(name: str) -> Any:
    # Imported when it is first asked for: PyTorch takes its time.
    if name == "torch":
        import importlib

        return importlib.import_module("creditscope.torch")
    raise AttributeError(f"module 'creditscope' has no attribute {name!r}")
