"""The probe: audits a PyTorch model at every state, by passes of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor, nn

from .. import _core
from .._audit import Audit
from .._errors import ProbeError, UsageError, at_least
from ._check import Checks
from ._credit import Credit
from ._hazards import look
from ._loss import Loss
from ._passes import Passes
from ._sites import Site, Where, find, one, unwrapped
from ._walk import Walk


class Probed(Audit):
    """The audit of a model, with the hazards that were looked at (`checks`)."""

    def __init__(self, core: _core.Judged, checks: Checks) -> None:
        super().__init__(core)
        self.checks = checks


class Probe:
    """Measures a PyTorch model at every hidden state.

    `states` name the modules whose outputs are the hidden states, from the embedding up: names, patterns such as `blocks.*`,
    modules, or pairs such as `("blocks.0", "input")`. A block may return the stream, or only its branch, which is then added
    outside; `check` finds out which. `norm` and `head` are what follows the last state. `select` is the part of a tuple that
    is the state, `token` the position that is measured (0 for a class token), `output` takes the logits out of what the model
    returns.

    >>> import torch
    >>> model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Tanh(), torch.nn.Linear(8, 8), torch.nn.Linear(8, 3))
    >>> Probe(model, states=["0", "2"], head="3")
    Probe of Sequential
      h_0  0
      h_1  2
    """

    def __init__(
        self,
        model: nn.Module,
        states: Iterable[Where],
        *,
        head: Where | None = None,
        norm: Where | None = None,
        select: int | None = None,
        token: int | None = None,
        output: Callable[[Any], Tensor] | None = None,
    ) -> None:
        self.model = unwrapped(model)
        self.sites = find(self.model, states)
        self._head, self._norm = one(self.model, head), one(self.model, norm)
        self._select, self._token, self._output = select, token, output

    def __repr__(self) -> str:
        lines = [f"  h_{index}  {site}" for index, site in enumerate(self.sites)]
        return "\n".join([f"Probe of {type(self.model).__name__}", *lines])

    def check(
        self, x: Any, y: Any, *, loss: Loss = "cross_entropy", credit: Credit | None = None, reference: nn.Module | None = None
    ) -> Checks:
        """Looks for everything that would make the numbers wrong, on the first samples: a table of passed, assumed, refused."""
        x, y = self._given_samples(x, y)
        return look(self, x, y, loss, credit, reference).checks

    def audit(
        self,
        x: Any,
        y: Any,
        *,
        credit: Credit,
        loss: Loss = "cross_entropy",
        reference: nn.Module | None = None,
        redraw: Callable[[int], Credit] | None = None,
        accuracy: float | None = None,
        frozen_accuracy: float | None = None,
        directions: int = _core.DIRECTIONS,
        draws: int = _core.DRAWS,
        chunk: int = 128,
        name: str = "model",
    ) -> Probed:
        """Audits the credit of a rule against the gradient, over the samples x with labels y.

        `credit` is `"autograd"` where the model's own backward pass is the rule; else the credit of each state, as tensors over
        all samples or functions of what the rule sees (`Seen`), under the state's name or `"embed"`, 0, 1, …; or one function
        that returns a list. `reference` is a plain twin whose backward pass is the gradient; by default the model itself, if
        finite differences show that it is. `redraw(k)` gives the credit with the k-th fresh feedback, for the null.
        """
        at_least(0, directions=directions, draws=draws)
        at_least(1, chunk=chunk)
        x, y = self._given_samples(x, y)
        checks, forms, is_gradient = look(self, x, y, loss, credit, reference)
        checks.raise_if_refused()
        walk = Walk(self, x, y, loss, credit, redraw, reference, forms, is_gradient, directions, draws)
        is_stream = all(form != "unknown" for form in forms)
        return Probed(walk.judged(chunk, name, accuracy, frozen_accuracy, is_stream), checks)

    def _given_samples(self, x: Any, y: Any) -> tuple[Tensor, Tensor]:
        device = next((p.device for p in self.model.parameters()), torch.device("cpu"))
        x, y = torch.as_tensor(x, device=device), torch.as_tensor(y, device=device)
        if len(x) != len(y) or len(x) == 0:
            raise UsageError(f"{len(x)} samples and {len(y)} labels: give one label for each sample")
        return x, y

    def passes(self, dtype: torch.dtype, model: nn.Module | None = None) -> Passes:
        """Passes of the model, or of its plain twin, which has modules of the same names."""
        if model is None:
            model, sites = self.model, self.sites
        else:
            model = unwrapped(model)
            sites = [_twin(model, site) for site in self.sites]
        tail = self._norm or self._head
        tail = _twin(model, tail) if tail is not None else None
        following = [Site(site.name, site.module, "input", site.call, site.counted) for site in sites[1:]]
        return Passes(model, sites, [*following, tail], dtype, self._select, self._output)

    def part(self, state: Tensor) -> Tensor:
        """The measured part of a state, one row for each sample."""
        if self._token is not None:
            if state.ndim != 3:
                raise ProbeError(f"token={self._token}: a state of the shape {tuple(state.shape)} has no tokens")
            state = state[:, self._token]
        return state.reshape(len(state), -1)

    def whole(self, part: Tensor, like: Tensor) -> Tensor:
        """A state that is zero but for its measured part."""
        if self._token is None:
            return part.reshape(like.shape)
        state = torch.zeros_like(like)
        state[:, self._token] = part
        return state


def _twin(model: nn.Module, site: Site) -> Site:
    name = site.name.partition("#")[0]
    modules = dict(model.named_modules(remove_duplicate=False))
    if name not in modules:
        raise ProbeError(f"the reference has no module {name!r}: its modules need the names of the model's")
    return Site(site.name, modules[name], site.place, site.call, site.counted)
