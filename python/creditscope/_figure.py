"""Figures of runs and audits."""

from __future__ import annotations

import base64
import difflib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Union

from . import _core
from ._errors import FigureError, FileError
from ._paths import Paths, listed
from ._runs import Runs
from ._table import Table


class Figure:
    """A drawn figure: `pdf`, `png`, `svg` and, with the plotted values, `csv`. A notebook shows it; `save` writes it.

    `notes` says what is missing in it or was left out.
    """

    def __init__(self, name: str, files: Mapping[str, bytes], notes: Iterable[str]) -> None:
        self.name = name
        self.notes = list(notes)
        self._files = {Path(file).suffix: content for file, content in files.items()}

    @property
    def pdf(self) -> bytes:
        """The figure as PDF."""
        return self._files[".pdf"]

    @property
    def png(self) -> bytes:
        """The figure as PNG."""
        return self._files[".png"]

    @property
    def svg(self) -> str:
        """The figure as SVG."""
        return self._files[".svg"].decode()

    @property
    def csv(self) -> str:
        """The values that are plotted."""
        return self._files[".csv"].decode()

    @property
    def caption(self) -> str:
        """The caption in LaTeX, of a figure that is drawn with `bare=True`."""
        return self._of_bare(".tex")

    @property
    def description(self) -> str:
        """What it shows, for readers who cannot see it, of a figure that is drawn with `bare=True`."""
        return self._of_bare(".txt")

    def _of_bare(self, ending: str) -> str:
        if ending not in self._files:
            raise FigureError(f"{self.name} has its words on it: draw it with bare=True")
        return self._files[ending].decode()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the figure to a file, in the format of its ending (.pdf, .png, .svg, .csv, …), or all of them into a folder."""
        target = Path(path)
        try:
            if target.suffix in self._files:
                target.write_bytes(self._files[target.suffix])
            elif target.suffix and not target.is_dir():
                raise FigureError(f"{target}: end the name in one of {', '.join(self._files)}, or name a folder")
            else:
                target.mkdir(parents=True, exist_ok=True)
                for ending, content in self._files.items():
                    (target / f"{self.name}{ending}").write_bytes(content)
        except OSError as error:
            raise FileError(f"cannot write {target}: {error}") from error

    def __repr__(self) -> str:
        return "\n".join([f"Figure {self.name}", *(f"  {note}" for note in self.notes)])

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        # A picture inside an <img> is shown in notebooks that are not trusted, where inline SVG is not.
        source = base64.b64encode(self._files[".svg"]).decode()
        return {
            "image/png": base64.b64encode(self.png).decode(),
            "text/html": f'<img alt="{self.name}" src="data:image/svg+xml;base64,{source}">',
            "text/plain": repr(self),
        }


def figures() -> Table:
    """Every figure: its name, what it shows, what it is drawn from.

    >>> "audit-hero" in figures()["name"]
    True
    """
    names, about, needs = zip(*_core.figures())
    return Table({"name": list(names), "about": list(about), "needs": list(needs)})


def figure(
    name: Union[str, os.PathLike[str]],
    runs: Union[Runs, Paths, None] = None,
    *,
    published: bool = False,
    config: Union[str, os.PathLike[str], None] = None,
    rules: Union[str, Sequence[str], None] = None,
    settings: Union[str, Mapping[str, Any], None] = None,
    venue: str | None = None,
    span: str | None = None,
    style: str | None = None,
    width: float | None = None,
    height: float | None = None,
    columns: int | None = None,
    font: Union[str, Sequence[str], None] = None,
    bare: bool = False,
    label: Mapping[str, str] | None = None,
    panel: str | None = None,
    svg_text: bool = False,
    spread: str | None = None,
    convention: str | None = None,
    scale: Union[str, Mapping[str, str], None] = None,
    range: Union[str, Mapping[str, Sequence[float]], None] = None,
    colour: Union[str, Mapping[str, str], None] = None,
    marker: Union[str, Mapping[str, str], None] = None,
    ground: str | None = None,
    dpi: float | None = None,
) -> Figure:
    """Draws a figure, by name or as a file (.toml), from runs: what `runs` returns, or paths of run directories, folders, audits
    or the paper's results.

    `published` draws the published values too, marked as such. The other keywords are those of `creditscope figure --help`:
    `rules=["bp", "dfa"]`, `settings={"d": 512}`, `venue="icml"`, `bare=True` with `Figure.caption`, `spread="ci95"`, …;
    `config` is a file of them.

    >>> figure("audit-heros")
    Traceback (most recent call last):
    creditscope._errors.FigureError: there is no figure `audit-heros`: did you mean `audit-hero`? creditscope.figures() lists them
    """
    given = {key: value for key, value in locals().items() if key in _OPTIONS and value is not None and value is not False}
    path = Path(name) if os.fspath(name).endswith(".toml") else None
    title = path.stem if path else os.fspath(name)
    known = [known for known, _, _ in _core.figures()]
    if path is None and title not in known:
        near = difflib.get_close_matches(title, known, 1)
        hint = f": did you mean `{near[0]}`?" if near else "."
        raise FigureError(f"there is no figure `{title}`{hint} creditscope.figures() lists them")
    if runs is None and not published:
        raise FigureError("say which runs to draw, or give published=True for the published values")
    paths: list[Path] = []
    if isinstance(runs, Runs):
        paths = runs.paths
    elif runs is not None:
        paths = listed(runs, "give run directories, folders of them, or audits")
    options = [(key, json.dumps(value, default=_plain)) for key, value in given.items()]
    files, notes = _core.draw(title, path, paths, published, None if config is None else Path(config), options, dpi)
    return Figure(title, dict(files), notes)


# What an author decides, by the names of the command line.
_OPTIONS = (
    "rules settings venue span style width height columns font bare label panel svg_text spread convention scale range colour "
    "marker ground"
).split()


def _plain(value: Any) -> Any:
    """Paths as text, and numbers and sequences of other libraries as Python's own."""
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return value.tolist() if hasattr(value, "tolist") else list(value)
