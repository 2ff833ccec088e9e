"""What can go wrong. Every error of the package is a `CreditscopeError`; its message names the thing and the remedy."""

from __future__ import annotations

from numbers import Integral


class CreditscopeError(Exception):
    """The base of all errors of this package."""


class UsageError(CreditscopeError, ValueError):
    """A call that cannot be meant: a keyword that does not apply, or an impossible value."""


class RecipeError(CreditscopeError, ValueError):
    """A recipe that cannot be run: an unknown key, a value of the wrong type, too much memory."""


class RuleError(CreditscopeError, ValueError):
    """A rule in Python that cannot be used, or that gives something else than the credit of every unit."""


class DumpError(CreditscopeError, ValueError):
    """Arrays or a dump file that cannot be audited."""


class RunError(CreditscopeError):
    """A run directory that cannot be read, written or continued, or a run that failed."""


class DataError(CreditscopeError):
    """A data set that is missing or damaged."""


class FigureError(CreditscopeError, ValueError):
    """A figure that does not exist or cannot be drawn from these records."""


class FileError(CreditscopeError, OSError):
    """The operating system refused to read or write a file."""


class MissingFileError(FileError, FileNotFoundError):
    """A file or folder that does not exist."""


class FoundError(CreditscopeError):
    """An audit found what it must not find (`Audit.raise_if`)."""


class ProbeError(CreditscopeError):
    """A model that cannot be measured as asked; the message names the state and what to change."""


class InternalError(CreditscopeError):
    """A bug in Creditscope itself."""


class CreditscopeWarning(UserWarning):
    """Something a reader of the result should know."""


def at_least(least: int, **counts: int | None) -> None:
    """Refuses counts that are too small, by the names of their keywords."""
    for key, count in counts.items():
        if count is not None and not isinstance(count, Integral):
            raise UsageError(f"{key}={count!r}: give a whole number")
        if count is not None and count < least:
            raise UsageError(f"{key}={count}: give {least} or more")


def shares(**values: float | None) -> None:
    """Refuses what is no share of samples, by the names of their keywords."""
    for key, share in values.items():
        if share is not None and not 0 <= share <= 1:
            raise UsageError(f"{key}={share}: give a share from 0 to 1")
