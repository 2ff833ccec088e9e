"""The probe: audits a PyTorch model at every state, by passes of its own."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor, nn

from .. import _core
from .._check import Checks
from .._errors import ProbeError, UsageError, at_least, shares
from .._live import Probed
from . import _dump
from ._credit import Credit
from ._hazards import look
from ._loss import Loss
from ._passes import Passes, Select
from ._sites import Site, Where, find, one, unwrapped
from ._walk import Walk


class Probe:
    """Measures a PyTorch model at every hidden state.

    `states` name the modules whose outputs are the hidden states, from the embedding up: names, patterns such as `blocks.*`,
    modules, pairs such as `("blocks.0", "input")`, or a function of name and module that says which. A block may return the stream, or only its branch, which is then added
    outside; `check` finds out which. `norm` and `head` are what follows the last state. `select` is a number, or a function: the part of a tuple that
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
        states: Where | Iterable[Where],
        *,
        head: Where | None = None,
        norm: Where | None = None,
        select: Select = None,
        token: int | None = None,
        output: Callable[[Any], Tensor] | None = None,
    ) -> None:
        if not isinstance(model, nn.Module):
            raise ProbeError(f"the model is a {type(model).__name__}: give a torch.nn.Module")
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
        shares(accuracy=accuracy, frozen_accuracy=frozen_accuracy)
        x, y = self._given_samples(x, y)
        checks, forms, is_gradient = look(self, x, y, loss, credit, reference)
        checks.raise_if_refused()
        walk = Walk(self, x, y, loss, credit, redraw, reference, forms, is_gradient, directions, draws)
        is_stream = all(form != "unknown" for form in forms)
        return Probed(walk.judged(chunk, name, accuracy, frozen_accuracy, is_stream), checks)

    def dump(
        self,
        path: str | os.PathLike[str],
        x: Any,
        y: Any,
        *,
        credit: Credit | None = None,
        loss: Loss = "cross_entropy",
        reference: nn.Module | None = None,
        directions: int = _core.DIRECTIONS,
        chunk: int = 128,
        rule: str | None = None,
        seed: int | None = None,
        epoch: int | None = None,
        accuracy: float | None = None,
        frozen_accuracy: float | None = None,
    ) -> Checks:
        """Writes the dump (.npz or .safetensors) that `creditscope audit` reads: states, credit and the checked gradient, and the
        changes of the loss along random directions at every state.

        `credit`, `loss` and `reference` are those of `audit`. `rule`, `seed` and `epoch` name the run in tables, `accuracy` and
        `frozen_accuracy` are those on the whole test set. Labels, logits, `head` and `norm` are written where the loss is a
        cross-entropy, and the latter where they are a plain Linear and LayerNorm that make these logits.
        """
        _dump.ending(path)
        at_least(8, directions=directions)
        at_least(1, chunk=chunk)
        said = _dump.about(rule, seed, epoch, accuracy, frozen_accuracy)
        x, y = self._given_samples(x, y)
        checks, forms, is_gradient = look(self, x, y, loss, credit, reference)
        checks.raise_if_refused()
        walk = Walk(self, x, y, loss, credit, None, reference, forms, is_gradient, directions, 0)
        _dump.write(path, _dump.measured(walk, chunk) | said)
        return checks

    def tail(self) -> tuple[nn.Module | None, nn.Module | None]:
        """What follows the last state: the norm and the head, where they are known."""
        norm, head = (site.module if site is not None else None for site in (self._norm, self._head))
        return norm, head

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

    @property
    def is_whole(self) -> bool:
        """Whether the whole of a state is measured."""
        return self._token is None

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
