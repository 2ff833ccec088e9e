"""Audits of networks in JAX, live: every state by calling the network's own functions."""

from .._check import Check, Checks
from .._live import Probed
from ._audit import Credit, Seen, audit

__all__ = ["Check", "Checks", "Credit", "Probed", "Seen", "audit"]
