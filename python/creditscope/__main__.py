"""The command line: `creditscope …`, or `python -m creditscope …`."""

from __future__ import annotations

import signal
import sys

from . import _core


def main() -> int:
    """Runs the program with the words of the command line and returns its exit code."""
    # The program handles Ctrl-C itself: it saves, and says how to go on. Python's handler would raise on top of that.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _core.run_program([sys.executable, "-m", "creditscope"], ["creditscope", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
