"""Tidy tables: columns of NumPy arrays, which pandas and polars take over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

import numpy as np

_SHOWN = 12


class Table(Mapping[str, np.ndarray]):
    """Columns by name, all of one length. A measured number `x` has a column `x_state` beside it: defined, unreliable,
    undefined or absent; where it has no value, `x` is NaN.

    >>> table = Table({"run": ["bp-s1", "dfa-s1"], "accuracy": np.array([0.75, 0.5])})
    >>> table["accuracy"].max()
    np.float64(0.75)
    >>> len(table), table.rows
    (2, 2)
    >>> table
    run     accuracy
    bp-s1   0.75
    dfa-s1  0.5
    """

    def __init__(self, columns: Mapping[str, np.ndarray | Sequence[str]]) -> None:
        self._columns = {name: _column(values) for name, values in columns.items()}
        self.rows: int = max((len(values) for values in self._columns.values()), default=0)

    def __getitem__(self, name: str) -> np.ndarray:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def to_pandas(self) -> Any:
        """The table as a `pandas.DataFrame`."""
        import pandas  # type: ignore[import-untyped,unused-ignore]

        return pandas.DataFrame(dict(self._columns))

    def to_polars(self) -> Any:
        """The table as a `polars.DataFrame`."""
        import polars

        return polars.DataFrame(dict(self._columns))

    def _cells(self, rows: int) -> list[list[str]]:
        return [[_cell(values[i]) for values in self._columns.values()] for i in range(rows)]

    def __repr__(self) -> str:
        lines = [list(self._columns), *self._cells(min(self.rows, _SHOWN))]
        widths = [max(len(line[column]) for line in lines) for column in range(len(self._columns))]
        text = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines]
        if self.rows > _SHOWN:
            text.append(f"… {self.rows} rows")
        return "\n".join(text)

    def _repr_html_(self) -> str:
        def line(cells: list[str], tag: str) -> str:
            return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>\n"

        body = "".join(line(cells, "td") for cells in self._cells(min(self.rows, _SHOWN)))
        more = f"<p>{self.rows} rows</p>" if self.rows > _SHOWN else ""
        return f"<table>\n<thead>{line(list(self._columns), 'th')}</thead>\n<tbody>{body}</tbody>\n</table>{more}"


def _column(values: np.ndarray | Sequence[str]) -> np.ndarray:
    return values if isinstance(values, np.ndarray) else np.array(values, dtype=np.str_)


def _cell(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
