"""The self-test: faults planted in credit, and whether the audit names them."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass

from ._errors import InternalError
from ._table import Table


@dataclass(frozen=True)
class Selftest:
    """What the self-test found: one row per run, with what was planted, what was found, and whether that is right."""

    cases: Table

    @property
    def passed(self) -> bool:
        """Whether every fault was named and no healthy run accused."""
        return bool((self.cases["right"] == "True").all())

    def __repr__(self) -> str:
        right = int((self.cases["right"] == "True").sum())
        return f"{right} of {self.cases.rows} runs judged right\n{self.cases!r}"

    def _repr_html_(self) -> str:
        return self.cases._repr_html_()


def selftest(seed: int = 1) -> Selftest:
    """Trains small networks, some with a fault planted in their credit, feedback or steps, and audits them in another
    process, which does not know which. Takes under a minute."""
    words = [sys.executable, "-m", "creditscope", "selftest", "--json", "--seed", str(int(seed))]
    done = subprocess.run(words, capture_output=True, text=True, encoding="utf-8", check=False)
    if done.returncode not in (0, 1):
        raise InternalError(f"the self-test failed: {done.stderr.strip()}")
    cases = json.loads(done.stdout)["cases"]
    columns = ["run", "rule", "planted", "found", "right"]
    return Selftest(Table({key: [str(case[key] if case[key] is not None else "nothing") for case in cases] for key in columns}))
