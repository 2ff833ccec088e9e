"""Watches a training loop of PyTorch: a run directory like those of our own runs, written epoch by epoch."""

from __future__ import annotations

import contextlib
import copy
import hashlib
import math
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Union

import numpy as np
import torch
from torch import Tensor, nn

from .. import _core
from .._audit import Audit, audit
from .._check import Check, Checks
from .._credit import is_given
from .._errors import CreditscopeError, CreditscopeWarning, ProbeError, UsageError, at_least
from .._hazards import FEW
from .._live import Probed
from ._arrays import f32, f64
from ._credit import Credit
from ._hazards import Form, Looked, look
from ._loss import Loss, error, losses
from ._passes import _devices
from ._probe import Probe
from ._sites import unwrapped
from ._walk import Walk

Every = Union[Literal["log"], int, None]
_CHUNK = 128


class Watch:
    """The run directory of a training loop, open while its `with` block runs. `creditscope.watch` makes it."""

    def __init__(
        self,
        probe: Probe,
        batch: tuple[Any, Any],
        *,
        credit: Credit,
        loss: Loss,
        reference: nn.Module | None,
        redraw: Callable[[int], Credit] | None,
        path: Path,
        rule: str,
        seed: int,
        frozen: bool,
        data: str,
        epochs: int | None,
        recipe: Mapping[str, Any],
        every: Every,
        samples: int,
        directions: int,
        draws: int,
        stop_on: Iterable[str],
        resume: bool | int,
    ) -> None:
        at_least(0, seed=seed, draws=draws)
        at_least(1, epochs=epochs, samples=samples, directions=directions)
        if every not in ("log", None) and (not isinstance(every, int) or every < 1):
            raise UsageError(f'every={every!r}: give "log", a number of epochs, or None')
        self._stop_on = [stop_on] if isinstance(stop_on, str) else list(stop_on)
        if unknown := [check for check in self._stop_on if check not in ("D1", "D2")]:
            raise UsageError(f"stop_on={unknown[0]!r}: only D1 and D2 are made at every epoch")
        if is_given(credit):
            raise UsageError('credit= is tensors, which do not follow training: give "autograd", or a function of what the rule sees')
        self.path = path
        self.checks = Checks([])
        """The hazards that were looked at last."""
        self.audit: Probed | None = None
        """The full audit at the end; none before it, without audits, or where the end could not be measured."""
        self._probe, self._credit, self._loss, self._redraw = probe, credit, loss, redraw
        self._reference = copy.deepcopy(unwrapped(reference)) if reference is not None else None
        self._x, self._y = probe._given_samples(*batch)
        self._rule, self._seed, self._frozen, self._data, self._epochs = rule, seed, frozen, data, epochs
        self._every, self._samples, self._directions, self._draws = every, samples, directions, draws
        self._more, self._resume = dict(recipe), resume
        self._forms: list[Form] = []
        self._is_gradient = True
        self._core: _core.Watch | None = None
        self._since = 0.0

    @property
    def last(self) -> int | None:
        """The last epoch of the log, 0 before any training; none before the block begins."""
        return None if self._core is None else self._core.last_epoch

    @property
    def verdict(self) -> Audit:
        """The run as `creditscope audit` judges it now, by its log and the audit at its end."""
        return audit(self.path, save=False)

    def __repr__(self) -> str:
        return f"Watch of {self.path}, " + ("not begun" if self.last is None else f"epoch {self.last}")

    def __enter__(self) -> Watch:
        if self._core is not None:
            raise UsageError(f"{self.path}: it was watched already: make another watch, with resume=True to go on")
        core = _core.Watch(self.path, self._facts(), bool(self._resume) or self._resume_after is not None, self._resume_after)
        self._core = core
        begun = time.perf_counter()
        try:
            # Before anything is written: a model that cannot be measured leaves nothing behind.
            with _same_random(self._probe.model):
                found = self._measure()
        except BaseException:
            self._core = None
            raise
        if core.last_epoch is None:
            core.begin()
            self._write(0, found, begun, None, None, None, None, None)
        else:
            if not core.is_where_it_was():
                words = (f"{self.path}: the model is not the one of epoch {core.last_epoch}, with which the log ends: load its weights "
                         "before the watch begins, or name the epoch that it is at (resume=N)")  # fmt: skip
                warnings.warn(words, CreditscopeWarning, stacklevel=2)
            core.begin()
        self._since = time.perf_counter()
        return self

    def epoch(
        self,
        *,
        accuracy: float | None = None,
        loss: float | None = None,
        train_accuracy: float | None = None,
        train_loss: float | None = None,
        lr: float | None = None,
    ) -> bool:
        """Ends an epoch: measures the model, and adds a line to the log.

        `accuracy` and `loss` are those on the test set; without them, those on the batch are written. True where training
        should stop: a check in `stop_on` fires, or the loss is no longer finite.
        """
        core = self._core
        if core is None or core.last_epoch is None:
            raise UsageError("the watch has not begun: call epoch() inside its `with` block")
        accuracy, loss, train_accuracy, train_loss, lr = map(_number, (accuracy, loss, train_accuracy, train_loss, lr))
        for key, share in (("accuracy", accuracy), ("train_accuracy", train_accuracy)):
            if share is not None and not (math.isnan(share) or 0 <= share <= 1):
                raise UsageError(f"{key}={share}: give a share between 0 and 1")
        begun = time.perf_counter()
        with _same_random(self._probe.model):
            found = self._measure()
        return self._write(core.last_epoch + 1, found, begun, accuracy, loss, train_accuracy, train_loss, lr)

    def __exit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._core is not None
        if kind is not None:
            # What was raised says more than what its end could add.
            with contextlib.suppress(CreditscopeError):
                self._core.end(True, None, None)
            return
        try:
            found = self._final()
            digest = _digest(self._probe.model.state_dict()) if found is not None else None
        except BaseException:
            with contextlib.suppress(CreditscopeError):
                self._core.end(True, None, None)
            raise
        self._core.end(False, None if found is None else found._core, digest)
        self.audit = found
        # With the checks over all epochs, and the baseline beside it.
        audit(self.path)

    @property
    def _resume_after(self) -> int | None:
        return None if isinstance(self._resume, bool) else self._resume

    def _facts(self) -> dict[str, Any]:
        """What is known of the training."""
        probe, x = self._probe, self._x
        with _same_random(probe.model):
            kept = probe.passes(torch.float32).run(x[:1])
        width = probe.part(kept.outputs[len(probe.sites) - 1]).shape[1]
        blocks, network = len(probe.sites) - 1, type(probe.model).__name__
        keys: dict[str, Any] = {"seed": self._seed, "data.name": self._data, "net.name": network, "net.d": width, "net.blocks": blocks,
                                "rule.name": self._rule, "rule.frozen": self._frozen, "eval.samples": len(x),
                                "audit.stop_on": self._stop_on}  # fmt: skip
        if self._epochs is not None:
            keys["train.epochs"] = self._epochs
        ratio = {"log": 2.0, 1: 1.0, None: 0.0}
        keys |= {"audit.every": ratio[self._every]} if self._every in ratio else {"audit.epochs": self._every}
        if self._every is not None:
            keys |= {"audit.samples": min(self._samples, len(x)), "audit.directions": self._directions, "audit.draws": self._draws}
        if own := [key for key in self._more if key in keys]:
            raise UsageError(f"recipe= has {own[0]}, which the watch knows itself: leave it out")
        text = _core.Watch.recipe(keys | self._more)
        return {
            "by": f"PyTorch {torch.__version__}", "rule": self._rule, "seed": self._seed, "recipe": text,
            "recipe_hash": hashlib.sha256(text.encode()).hexdigest(), "network": network, "inputs": x[0].numel(), "width": width,
            "blocks": blocks, "classes": kept.logits.reshape(1, -1).shape[1], "data": self._data,
            "parameters": sum(p.numel() for p in probe.model.parameters()), "data_hash": _digest({"x": x, "y": self._y}),
            "threads": torch.get_num_threads(),
        }  # fmt: skip

    def _write(
        self,
        epoch: int,
        found: tuple[float, float],
        begun: float,
        accuracy: float | None,
        loss: float | None,
        train_accuracy: float | None,
        train_loss: float | None,
        lr: float | None,
    ) -> bool:
        assert self._core is not None
        measured = time.perf_counter()
        small = self._small(epoch) if math.isfinite(found[0]) else None
        audited = time.perf_counter()
        score = (found[0] if loss is None else loss, found[1] if accuracy is None else accuracy)
        unknown = train_loss is None and train_accuracy is None
        train = None if unknown else (_or_nan(train_loss), _or_nan(train_accuracy))
        is_stream = all(form != "unknown" for form in self._forms)
        seconds = (begun - self._since if epoch > 0 else 0.0, measured - begun, audited - measured)
        core = None if small is None else small._core
        of_batch = accuracy is None and not math.isnan(found[1])
        fires = self._core.epoch(epoch, lr, train, score, of_batch, is_stream, core, seconds)
        self._since = time.perf_counter()
        return fires is not None or not math.isfinite(score[0])

    def _measure(self) -> tuple[float, float]:
        """Hands the signals of the batch to the writer of the log; loss and accuracy on it."""
        assert self._core is not None
        if self._reference is not None:
            _follow(self._reference, self._probe.model)
        few = self._probe.passes(torch.float32).run(self._x[:FEW]).logits
        # The gradient of a model that has diverged cannot be held against differences.
        looked = self._looked() if not self._forms or bool(torch.isfinite(few).all()) else None
        if not self._forms:
            assert looked is not None
            self._forms = looked.forms
        found = self._add()
        if looked is not None and self._is_doubtful(looked):
            self._is_gradient = False
            self._core.clear()
            found = self._add()
        return found

    def _looked(self) -> Looked:
        looked = look(self._probe, self._x, self._y, self._loss, self._credit, self._reference)
        self.checks = looked.checks
        others = [check for check in looked.checks.refused if not self._is_of_gradient(check)]
        Checks(others).raise_if_refused()
        return looked

    def _is_of_gradient(self, check: Check) -> bool:
        """Whether a hazard is that of a backward pass that is not the gradient."""
        return check.hazard.startswith("gradient at h_") or (check.hazard == "reference" and self._reference is None)

    def _is_doubtful(self, looked: Looked) -> bool:
        """Whether differences take the place of the backward pass from now on; refused where they cannot. A gradient below the
        floor is no reference anyway, and differences of rounding do not speak against it."""
        assert self._core is not None
        if looked.is_gradient or not self._is_gradient:
            return False
        apart = [int(check.hazard.rpartition("_")[2]) for check in looked.checks if check.hazard.startswith("gradient at h_")
                 and "not the gradient" in check.words]  # fmt: skip
        below = self._core.below_floor()
        if apart and all(below[l] for l in apart):
            return False
        looked.checks.raise_if_refused()
        return True

    def _add(self) -> tuple[float, float]:
        """Adds the signals of the batch; the mean loss and the share of right answers, NaN where there are no classes."""
        assert self._core is not None
        glance = _Glance(self._probe, self._x, self._y, self._loss, self._credit, self._reference, self._forms, self._is_gradient)
        return glance.hand_over(self._core)

    def _small(self, epoch: int) -> Probed | None:
        """The audit after an epoch, where it is due."""
        if self._every is None or self._frozen:
            return None
        due = epoch & (epoch - 1) == 0 if self._every == "log" else epoch % self._every == 0
        if not due and epoch != self._epochs:
            return None
        n = self._samples
        return self._audited(f"epoch {epoch}", self._x[:n], self._y[:n], self._directions, self._draws)

    def _final(self) -> Probed | None:
        """The audit of the model at its end."""
        assert self._core is not None
        if self._every is None or self._frozen:
            return None
        if self._reference is not None:
            _follow(self._reference, self._probe.model)
        with _same_random(self._probe.model):
            loss, _ = self._add()
        if not self._core.is_where_it_was():
            words = f"{self.path}: the model has changed since its last epoch, so its end is not audited: call epoch() after the last step"
            warnings.warn(words, CreditscopeWarning, stacklevel=3)
            return None
        return self._audited("the end", self._x, self._y, _core.DIRECTIONS, _core.DRAWS) if math.isfinite(loss) else None

    def _audited(self, when: str, x: Tensor, y: Tensor, directions: int, draws: int) -> Probed | None:
        # A finding about the model is no reason to stop its training.
        try:
            with _same_random(self._probe.model):
                return self._probe.audit(x, y, credit=self._credit, loss=self._loss, reference=self._reference, redraw=self._redraw,
                                         directions=directions, draws=draws)  # fmt: skip
        except ProbeError as refusal:
            warnings.warn(f"{self.path}: {when} is not audited: {refusal}", CreditscopeWarning, stacklevel=4)
            return None


class _Glance(Walk):
    """A walk that only looks: states, gradients and credits in f32, as a training step has them."""

    def __init__(
        self,
        probe: Probe,
        x: Tensor,
        y: Tensor,
        loss: Loss,
        credit: Credit,
        reference: nn.Module | None,
        forms: list[Form],
        is_gradient: bool,
    ) -> None:
        super().__init__(probe, x, y, loss, credit, None, reference, forms, is_gradient, 0, 0)

    def hand_over(self, core: _core.Watch) -> tuple[float, float]:
        total, right, n = 0.0, 0.0, len(self.x)
        for start in range(0, n, _CHUNK):
            of = np.arange(start, min(n, start + _CHUNK))
            x, y = self.x[start : start + _CHUNK], self.y[start : start + _CHUNK]
            kept = self.trained.run(x)
            h = [f32(self.probe.part(self._value(kept, l))) for l in range(len(self.forms))]
            p = self._single(x, y) or self._reference(x, y)[1]
            (a,) = self.credits(of, [], "permuted_labels")
            core.add(h, [part.astype(np.float64) for part in p], a, f64(error(self.loss, kept.logits, y)))
            total += float(losses(self.loss, kept.logits, y).sum())
            are_classes = kept.logits.ndim == 2 and y.ndim == 1 and not y.is_floating_point()
            right += float((kept.logits.argmax(1) == y).sum()) if are_classes else math.nan
        return total / n, right / n


def _number(x: Any) -> float | None:
    """A number that may be a tensor, also one that a gradient hangs on."""
    return None if x is None else float(x.detach() if isinstance(x, Tensor) else x)


def _or_nan(x: float | None) -> float:
    return math.nan if x is None else x


def _follow(reference: nn.Module, model: nn.Module) -> None:
    """Gives the twin the weights of the model, by name."""
    own = reference.state_dict()
    with torch.no_grad():
        for name, value in model.state_dict().items():
            if name in own and own[name].shape == value.shape:
                own[name].copy_(value)


def _digest(tensors: Mapping[str, Any]) -> str:
    """A hash of tensors: their names, types, shapes and values."""
    digest = hashlib.sha256()
    for name, value in sorted(tensors.items()):
        if isinstance(value, Tensor):
            digest.update(f"{name} {value.dtype} {tuple(value.shape)}\n".encode())
            digest.update(value.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes())
    return digest.hexdigest()



@contextlib.contextmanager
def _same_random(model: nn.Module) -> Iterator[None]:
    """Puts the random state back, whatever the passes and the rule draw."""
    with torch.random.fork_rng(devices=_devices(model)):
        yield
