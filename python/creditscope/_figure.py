"""Figures of runs and audits."""

from __future__ import annotations

import base64
import difflib
import os
from collections.abc import Iterable, Mapping
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

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the figure to a file, in the format of its ending (.pdf, .png, .svg, .csv), or all four into a folder."""
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
    name: str,
    runs: Union[Runs, Paths, None] = None,
    *,
    published: bool = False,
    style: str = "paper",
    width: float | None = None,
    dpi: float | None = None,
) -> Figure:
    """Draws a figure from runs: what `runs` returns, or paths of run directories, folders, audits or the paper's results.

    `published` draws the published values too, marked as such; `style` is paper or slides, `width` in inches.

    >>> figure("audit-heros")
    Traceback (most recent call last):
    creditscope._errors.FigureError: there is no figure `audit-heros`: did you mean `audit-hero`? creditscope.figures() lists them
    """
    known = [known for known, _, _ in _core.figures()]
    if name not in known:
        near = difflib.get_close_matches(name, known, 1)
        hint = f": did you mean `{near[0]}`?" if near else "."
        raise FigureError(f"there is no figure `{name}`{hint} creditscope.figures() lists them")
    if runs is None and not published:
        raise FigureError("say which runs to draw, or give published=True for the published values")
    paths: list[Path] = []
    if isinstance(runs, Runs):
        paths = runs.paths
    elif runs is not None:
        paths = listed(runs, "give run directories, folders of them, or audits")
    files, notes = _core.draw(name, paths, published, style, width, dpi)
    return Figure(name, dict(files), notes)
