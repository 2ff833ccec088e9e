"""What can go wrong when a network is measured, and whether it does: passed, assumed or refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Literal

from ._errors import ProbeError

Outcome = Literal["passed", "assumed", "refused"]


@dataclass(frozen=True)
class Check:
    """One hazard."""

    hazard: str
    outcome: Outcome
    words: str


class Checks:
    """The hazards of a measurement, in the order in which they were looked at."""

    def __init__(self, checks: list[Check]) -> None:
        self._checks = checks

    def __iter__(self) -> Iterator[Check]:
        return iter(self._checks)

    def __getitem__(self, hazard: str) -> Check:
        return next(check for check in self._checks if check.hazard == hazard)

    @property
    def refused(self) -> list[Check]:
        """Those that leave nothing to believe."""
        return [check for check in self._checks if check.outcome == "refused"]

    def raise_if_refused(self) -> None:
        """Raises `ProbeError` with everything that was refused."""
        if self.refused:
            raise ProbeError("\n".join(f"{check.hazard}: {check.words}" for check in self.refused))

    def __repr__(self) -> str:
        width = max(len(check.hazard) for check in self._checks)
        return "\n".join(f"{check.hazard:<{width}}  {check.outcome:<7}  {check.words}" for check in self._checks)

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(check.hazard)}</td><td>{check.outcome}</td><td>{escape(check.words)}</td></tr>\n"
            for check in self._checks
        )
        return f"<table>\n<thead><tr><th>hazard</th><th></th><th></th></tr></thead>\n<tbody>{rows}</tbody>\n</table>"
