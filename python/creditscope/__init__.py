"""Audits, layer by layer, whether a network's learning signal can be believed.

>>> import creditscope as cs
>>> recipe = cs.Recipe({"data.name": "digits", "net.d": 16, "train.epochs": 1, "rule.name": ["bp", "dfa"], "seed": 1})
>>> recipe.runs
['bp-s1', 'dfa-s1']

`run` trains the runs of a `Recipe`, `runs` reads what training left behind, `audit` judges runs, dumps of other programs, or
arrays; `figure` draws, `report` puts all on one page, `export` hands runs to trackers. `creditscope.torch` measures a PyTorch model,
`creditscope.jax` a network in JAX. The same program is on
the command line: `creditscope --help`.
"""

from __future__ import annotations

from typing import Any

from . import export
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
    RuleError,
    RunError,
    UsageError,
)
from ._figure import Figure, figure, figures
from ._recipe import Recipe
from ._report import Report, report
from ._run import Progress, run
from ._rule import Net, Rule, Seen, Step, register
from ._runs import Run, Runs, runs
from ._selftest import Selftest, selftest
from ._table import Table
from ._watch import watch

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
    "Net",
    "ProbeError",
    "Progress",
    "Recipe",
    "RecipeError",
    "Report",
    "Rule",
    "RuleError",
    "Run",
    "RunError",
    "Runs",
    "Seen",
    "Selftest",
    "Step",
    "Table",
    "UsageError",
    "__version__",
    "audit",
    "export",
    "figure",
    "figures",
    "register",
    "report",
    "run",
    "runs",
    "selftest",
    "watch",
]


def __getattr__(name: str) -> Any:
    # Imported when they are first asked for: PyTorch and JAX take their time.
    if name in ("jax", "torch"):
        import importlib

        return importlib.import_module(f"creditscope.{name}")
    raise AttributeError(f"module 'creditscope' has no attribute {name!r}")
