"""The report of runs: verdicts, figures and every run on one page."""

from __future__ import annotations

import html as escape
import os
from pathlib import Path
from typing import Union

from . import _core
from ._errors import FileError, UsageError
from ._paths import Paths, listed
from ._runs import Runs


class Report:
    """A page of runs. A notebook shows it; `save` writes it, to read, mail or print.

    `html` is one file that loads nothing, `markdown` verdicts and runs for a pull request or a README. `notes` says what could not be
    read or drawn.
    """

    def __init__(self, html: str, verdicts: str, markdown: str, count: int, notes: list[str]) -> None:
        self.html = html
        self.markdown = markdown
        self.notes = notes
        self._verdicts = verdicts
        self._count = count

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page in the format that the file's ending names: .html or .md."""
        content = {".html": self.html, ".htm": self.html, ".md": self.markdown}.get(Path(path).suffix.lower())
        if content is None:
            raise UsageError(f"{path}: end the name in .html or .md")
        try:
            Path(path).write_text(content, encoding="utf-8", newline="")
        except OSError as error:
            raise FileError(f"cannot write {path}: {error}") from error

    def __repr__(self) -> str:
        runs = "1 run" if self._count == 1 else f"{self._count} runs"
        return "\n".join([f"Report of {runs}, {len(self.html.encode()) / 1e6:.1f} MB", *(f"  {note}" for note in self.notes)])

    def _repr_html_(self) -> str:
        # The page runs its script in a frame of its own, out of reach of the notebook. Where frames are not shown, as in a
        # notebook that is not trusted, the verdicts stay.
        page = escape.escape(self.html, quote=True)
        frame = f'<iframe srcdoc="{page}" sandbox="allow-scripts" width="100%" height="640" title="report"></iframe>'
        return f"{frame}\n<details><summary>Verdicts</summary>\n{self._verdicts}</details>\n"

    def _repr_markdown_(self) -> str:
        return self.markdown


def report(
    runs: Union[Runs, Paths],
    out: str | os.PathLike[str] | None = None,
    *,
    title: str | None = None,
    full: bool = False,
) -> Report:
    """The page that `creditscope report` writes: of what `runs` returns, or of paths of run directories and folders of them.

    It shows the audits that `audit` left, and measures nothing. `out` names a file to write as well, .html or .md; with `full`, the
    curves of single runs stay however large the page gets.

    >>> import tempfile
    >>> import creditscope as cs
    >>> recipe = {"data.name": "digits", "net.d": 8, "train.epochs": 1, "rule.name": "bp", "seed": 1}
    >>> page = cs.report(cs.run(recipe, out=tempfile.mkdtemp(), progress=False))
    >>> "bp-s1" in page.html and "bp-s1" in page.markdown
    True
    """
    if isinstance(runs, Runs):
        paths = runs.paths
    else:
        paths = listed(runs, "give run directories, or folders of them")
    words = [repr([str(path) for path in paths])]
    words += [f"title={title!r}"] if title is not None else []
    words += ["full=True"] if full else []
    page = Report(*_core.report(paths, title, full, f"creditscope.report({', '.join(words)})"))
    if out is not None:
        page.save(out)
    return page
