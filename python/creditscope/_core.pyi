"""The extension module. Its functions are called by the modules beside it, not by users."""

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any, Final, final

import numpy as np

__all__ = [
    "DIRECTIONS",
    "DRAWS",
    "Judged",
    "Measurement",
    "Recipe",
    "Runs",
    "SAMPLES",
    "VERSION",
    "Watch",
    "audit_arrays",
    "audit_files",
    "audit_runs",
    "draw",
    "figures",
    "orders",
    "read_runs",
    "register_rule",
    "remedies",
    "report",
    "run_program",
    "template",
    "train",
]

VERSION: Final[str]
SAMPLES: Final[int]
DIRECTIONS: Final[int]
DRAWS: Final[int]

_Columns = dict[str, np.ndarray | list[str]]
_Path = str | PathLike[str]

def run_program(program: Sequence[str], words: Sequence[str]) -> int: ...
def audit_runs(
    paths: Sequence[_Path],
    samples: int,
    directions: int,
    draws: int,
    probe: bool,
    log_only: bool,
    again: bool,
    mixed: bool,
    save: bool,
    data: _Path | None,
    jobs: int | None,
    threads: int | None,
) -> Judged: ...
def audit_files(
    paths: Sequence[_Path],
    accuracy: float | None,
    frozen_accuracy: float | None,
    mean_over: int | None,
    directions: int,
    draws: int,
) -> Judged: ...
def audit_arrays(
    name: str,
    arrays: Mapping[str, np.ndarray],
    accuracy: float | None,
    frozen_accuracy: float | None,
    mean_over: int | None,
    directions: int,
    draws: int,
) -> Judged: ...
def register_rule(
    name: str, source: str, parameters: Sequence[tuple[str, Any]], normalise: str, maker: Any
) -> None: ...
def read_runs(paths: Sequence[_Path]) -> Runs: ...
def template(
    name: str, data: str | None, net: str | None, rules: Sequence[str] | None, all: bool
) -> str: ...
def train(
    recipe: Recipe,
    out: _Path,
    only: Sequence[str] | None,
    data: _Path | None,
    jobs: int | None,
    threads: int | None,
    resume: bool,
    checkpoint_every: float,
    tell: Callable[..., Any] | None,
) -> tuple[list[tuple[str, str, str | None]], BaseException | None]: ...
def figures() -> list[tuple[str, str, str]]: ...
def draw(
    name: str,
    file: _Path | None,
    paths: Sequence[_Path],
    published: bool,
    config: _Path | None,
    options: Sequence[tuple[str, str]],
    dpi: float | None,
) -> tuple[list[tuple[str, bytes]], list[str]]: ...
def remedies() -> list[str]: ...
def report(
    paths: Sequence[_Path], title: str | None, full: bool, call: str
) -> tuple[str, str, str, int, list[str]]: ...
def orders(kind: str, draws: int, samples: int) -> list[list[int]]: ...

@final
class Measurement:
    def __new__(
        cls, widths: Sequence[int], nulls: Sequence[tuple[str, int]], samples: int, directions: int, draws: int
    ) -> Measurement: ...
    def add(
        self,
        samples: int,
        h: Sequence[np.ndarray],
        p: Sequence[np.ndarray],
        p32: Sequence[np.ndarray] | None,
        credits: Sequence[Sequence[np.ndarray]],
        error: np.ndarray,
        loss: float,
        losses: Callable[[int, np.ndarray, np.ndarray], np.ndarray],
    ) -> None: ...
    def finish(
        self, name: str, accuracy: float | None, frozen: float | None, is_stream: bool, of_samples: bool
    ) -> Judged: ...

@final
class Watch:
    def __new__(cls, path: _Path, facts: Mapping[str, Any], resume: bool, keep: int | None) -> Watch: ...
    @staticmethod
    def recipe(keys: Mapping[str, Any]) -> str: ...
    @property
    def last_epoch(self) -> int | None: ...
    def begin(self) -> None: ...
    def add(
        self, h: Sequence[np.ndarray], p: Sequence[np.ndarray], a: Sequence[np.ndarray], error: np.ndarray
    ) -> None: ...
    def clear(self) -> None: ...
    def below_floor(self) -> list[bool]: ...
    def is_where_it_was(self) -> bool: ...
    def epoch(
        self,
        epoch: int,
        lr: float | None,
        train: tuple[float, float] | None,
        test: tuple[float, float],
        of_samples: bool,
        is_stream: bool,
        audit: Judged | None,
        seconds: tuple[float, float, float],
    ) -> str | None: ...
    def end(self, interrupted: bool, audit: Judged | None, digest: str | None) -> None: ...

@final
class Judged:
    @property
    def problems(self) -> list[str]: ...
    def json(self) -> str: ...
    def text(self, layers: bool) -> str: ...
    def html(self, layers: bool) -> str: ...
    def markdown(self, layers: bool) -> str: ...
    def csv(self) -> str: ...
    def found(self, wanted: Sequence[str]) -> tuple[list[str], list[str]]: ...
    def verdicts(self) -> _Columns: ...
    def layers(self) -> _Columns: ...

@final
class Runs:
    @property
    def problems(self) -> list[str]: ...
    def table(self) -> _Columns: ...
    def recipes(self) -> list[str]: ...
    def samples(self, index: int, count: int, data: _Path | None) -> tuple[np.ndarray, np.ndarray]: ...
    def metrics(self) -> _Columns: ...
    def layers(self) -> _Columns: ...
    def names(self) -> list[tuple[str, str, str]]: ...
    def course(self, index: int) -> list[tuple[int, list[tuple[str, float]]]]: ...
    def judged(self) -> Judged: ...

@final
class Recipe:
    def __new__(cls, text: str, origin: str, names: bool) -> Recipe: ...
    def set(self, key: str, value: Any) -> None: ...
    def set_rules(self, rules: Sequence[Sequence[tuple[str, Any]]]) -> None: ...
    def name(self) -> str: ...
    def copy(self) -> Recipe: ...
    def runs(self) -> list[tuple[str, str]]: ...
