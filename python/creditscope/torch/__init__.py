"""Audits of PyTorch models, live: every state by forward passes through the model itself."""

from .._check import Check, Checks
from .._live import Probed
from ._credit import Seen
from ._probe import Probe

__all__ = ["Check", "Checks", "Probe", "Probed", "Seen"]
