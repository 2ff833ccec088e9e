"""Training the runs of a recipe."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Union

from . import _core
from ._data import Data, placed
from ._errors import CreditscopeWarning, RunError, at_least
from ._recipe import Recipe, Value
from ._rule import Named, entries
from ._runs import Runs, runs


@dataclass(frozen=True)
class Progress:
    """How far a run is: steps of all, epochs of all, the mean training loss of this epoch, the last test accuracy."""

    run: str
    step: int
    steps: int
    epoch: int
    epochs: int
    loss: float | None
    accuracy: float | None


Tell = Union[Callable[[Progress], object], Literal[False], None]


def run(
    recipe: Recipe | str | os.PathLike[str] | Mapping[str, Value],
    *,
    rules: Iterable[Named] | None = None,
    seeds: Iterable[int] | None = None,
    only: Iterable[str] | None = None,
    out: str | os.PathLike[str] | None = None,
    resume: bool = False,
    data: Data = None,
    jobs: int | None = None,
    threads: int | None = None,
    checkpoint_every: float = 10.0,
    progress: Tell = None,
) -> Runs:
    """Trains every run of a recipe, as `creditscope run` does, to the same bytes, and returns the runs.

    `recipe` is a `Recipe`, a TOML file, or a dict of keys. `rules` and `seeds` replace the recipe's, `only` names some of its
    runs. A rule is the name of a built-in one, or a `Rule` of your own: the class, or `Mine(gain=2.0)` with parameters. The run directories are in `out`, by default `runs/NAME` with the recipe's name; `resume` continues what is there.
    `data` is the folder of the data sets, or data of your own in place of the recipe's `data.name`: an `.npz` file, two pairs of
    arrays `((x_train, y_train), (x_test, y_test))`, a dict of four, or two torch Datasets, which are read once, so that random
    transforms are drawn once. Floats are used as they are, uint8 images (samples, channels, height, width) are normalised.

    `jobs` runs train at a time (by default one per core) with `threads` each; neither changes a result.

    `progress` is a callable that receives `Progress`, or False for none; by default a bar of tqdm, where it is installed.
    Ctrl-C saves every run and raises `KeyboardInterrupt`; the same call with `resume=True` goes on.

    >>> import tempfile
    >>> small = {"data.name": "digits", "net.d": 8, "net.blocks": 1, "train.epochs": 1, "seed": 1}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     trained = run(small, out=folder, progress=False)
    >>> trained[0].id, trained[0].status
    ('bp-s1', 'finished')
    """
    chosen = recipe.copy() if isinstance(recipe, Recipe) else Recipe(recipe)
    if rules is not None:
        chosen._core.set_rules(entries(rules))
    if seeds is not None:
        chosen["seed"] = [int(seed) for seed in seeds]
    at_least(1, jobs=jobs, threads=threads)
    names = None if only is None else list(only)
    place = Path("runs") / chosen.name if out is None else Path(out)
    folder, own = placed(data, place)
    if own is not None:
        chosen["data.name"] = str(own)
    planned = chosen.runs if names is None else names
    bar = _bar(chosen, planned) if progress is None else None
    tell = None if progress is False else _teller(progress or bar)
    try:
        ended, stop = _core.train(chosen._core, place, names, folder, jobs, threads, resume, checkpoint_every, tell)
    finally:
        if bar is not None:
            bar.close()
    _report(ended, stop, place)
    return runs([place / name for name, _, _ in ended])


def _report(ended: list[tuple[str, str, str | None]], stop: BaseException | None, place: Path) -> None:
    failed = [f"{name}: {words}" for name, state, words in ended if state == "failed"]
    if stop is not None and not failed:
        count = {state: sum(other == state for _, other, _ in ended) for _, state, _ in ended}
        midway = count.get("interrupted", 0) + count.get("running", 0)
        waiting = count.get("waiting", 0)
        words = (
            f"stopped: {len(ended) - midway - waiting} of {len(ended)} runs done, {midway} saved midway, {waiting} not begun. "
            f"Continue with the same call and resume=True, out={os.fspath(place)!r}"
        )
        if isinstance(stop, KeyboardInterrupt):
            raise KeyboardInterrupt(words) from None
        raise RunError(words) from stop
    if failed:
        raise RunError("\n".join([*failed, "the last checkpoint of each is intact"]))
    for name, state, reason in ended:
        if state in ("stopped", "halted"):
            warnings.warn(f"{name}: {reason}; its record says so", CreditscopeWarning, stacklevel=3)


def _teller(progress: Any) -> Callable[..., None] | None:
    if progress is None:
        return None
    return lambda *news: progress(Progress(*news))


class _Bar:
    """One bar of tqdm for all runs."""

    def __init__(self, tqdm: Any, runs: int) -> None:
        self._runs = runs
        self._done: dict[str, int] = {}
        self._steps: dict[str, int] = {}
        self._bar = tqdm(total=1, unit="step", leave=False)

    def __call__(self, news: Progress) -> None:
        self._steps[news.run] = news.steps
        self._bar.total = max(1, self._runs * max(self._steps.values()))
        self._bar.update(news.step - self._done.get(news.run, 0))
        self._done[news.run] = news.step
        shown = f"{news.run} {news.epoch}/{news.epochs}"
        self._bar.set_description(shown if news.accuracy is None else f"{shown} test {news.accuracy:.3f}")

    def close(self) -> None:
        self._bar.close()


def _bar(recipe: Recipe, planned: list[str]) -> _Bar | None:
    try:
        from tqdm.auto import tqdm  # type: ignore[import-untyped,unused-ignore]
    except ImportError:
        return None
    return _Bar(tqdm, len(planned))
