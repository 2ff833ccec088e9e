"""A learning rule of one's own, in Python: the program trains it beside the built-in ones, under the same conditions."""

from __future__ import annotations

import hashlib
import inspect
import textwrap
import traceback
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, Union

import numpy as np

from . import _core
from ._errors import RuleError

_Parameter = Union[bool, int, float, str]


@dataclass(frozen=True)
class Net:
    """The network that a rule trains: its sizes, and its first weights under PyTorch's names and shapes."""

    inputs: int
    classes: int
    states: list[int]
    """Features of h_0 … h_L."""
    weights: dict[str, np.ndarray]

    @property
    def blocks(self) -> int:
        """Number of blocks, L."""
        return len(self.states) - 1


@dataclass(frozen=True)
class Seen:
    """What a rule sees of a batch, one row per sample, in float32. The arrays are copies."""

    step: int
    """The step, counted from 1; 0 where the credit is only measured."""
    x: np.ndarray
    h: list[np.ndarray]
    """h_0 … h_L."""
    logits: np.ndarray
    e: np.ndarray
    """softmax(logits) minus one-hot(labels)."""
    p_last: np.ndarray
    """The gradient of each sample's own loss at h_L."""
    labels: np.ndarray
    seed: int

    @cached_property
    def rng(self) -> np.random.Generator:
        """Random numbers of this step, the same whenever the run is repeated or resumed."""
        return _generator(self.seed, "step", self.step)


@dataclass(frozen=True)
class Step:
    """The network after an update."""

    t: int
    lr: float
    weights: dict[str, np.ndarray]
    """Copies of the weights under PyTorch's names and shapes."""


class Rule:
    """A learning rule: the credit of every unit, computed in NumPy.

    Give it a `name`, and `credit`: from what it sees of a batch to a list of L + 1 arrays, which act at h_0 … h_L and are as large
    as these. It is called once per batch with all rows. Numbers, flags and short names among the class attributes are its
    parameters: keys of recipes (`rule.gain`), and keywords of its constructor. `normalise` is "sample" (credit is divided by its
    root mean square per sample, as for most built-in rules), "batch" or "none".

    >>> class Mine(Rule):
    ...     name = "mine"
    ...     gain = 1.0
    ...     def setup(self, net, rng):
    ...         self.feedback = [self.gain * rng.normal(size=(width, net.classes)) for width in net.states]
    ...     def credit(self, seen):
    ...         return [seen.e @ b.T for b in self.feedback]
    >>> Mine(gain=0.5)
    Mine(gain=0.5)

    A run's identity is the name, the parameters and a hash of the source of its methods, its bases' and the plain functions of the
    same file that they call. What else it depends on, it says by a `version` of its own, which then replaces the source.
    """

    name: str = ""
    version: str | None = None
    normalise: str = "sample"

    def __init__(self, **parameters: _Parameter) -> None:
        known = self.parameters()
        for key, value in parameters.items():
            if key not in known:
                there = f"there are {', '.join(known)}" if known else "it has none"
                raise RuleError(f"{type(self).__name__} has no parameter {key!r}: {there}")
            setattr(self, key, value)

    def setup(self, net: Net, rng: np.random.Generator) -> None:
        """Draws what the rule needs for a network. All randomness comes from `rng`."""

    def credit(self, seen: Seen) -> Sequence[Any]:
        """The credit of each unit, from the embedding up."""
        raise NotImplementedError(f"{type(self).__name__} has no credit(self, seen)")

    def after_step(self, step: Step) -> None:
        """Called after each update of the network."""

    def state(self) -> Mapping[str, Any]:
        """What a checkpoint keeps: arrays by name, in float32. What setup draws need not be in it."""
        return {}

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        """Takes back what `state` gave, after each step and from checkpoints; by default as attributes of these names."""
        for key, value in state.items():
            setattr(self, key, value)

    def redrawn(self, rng: np.random.Generator) -> Rule | None:
        """The same rule with its random numbers drawn again, against which chance is measured; None if nothing is random."""
        if self._still:
            return None
        other = type(self)(**{key: getattr(self, key) for key in self.parameters()})
        other._net = self._net
        other.setup(self._net, rng)
        return other

    _net: Net
    _still = False

    @classmethod
    def parameters(cls) -> dict[str, _Parameter]:
        """The parameters and their defaults."""
        own: dict[str, Any] = {}
        for base in reversed([base for base in cls.__mro__ if issubclass(base, Rule) and base is not Rule]):
            own.update(vars(base))
        plain = {key: value for key, value in own.items() if not key.startswith("_") and key not in vars(Rule)}
        return {key: value for key, value in plain.items() if isinstance(value, (bool, int, float, str))}

    @classmethod
    def source(cls) -> str:
        """The version that a run's record holds: `python-` and a hash."""
        text = f"version {cls.version}" if cls.version is not None else _text(cls)
        return "python-" + hashlib.sha256(f"{text}\n{sorted(cls.parameters().items())}".encode()).hexdigest()[:16]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{key}={getattr(self, key)!r}' for key in self.parameters())})"


def register(rule: type[Rule]) -> type[Rule]:
    """Makes a rule known by its name, so that recipes may name it and audits can measure its runs; `run` and `audit` do this for
    the rules that they are given. May be used as a decorator."""
    if not (isinstance(rule, type) and issubclass(rule, Rule)):
        raise RuleError(f"{rule!r} is no rule: give a class that extends creditscope.Rule")
    if not rule.name:
        raise RuleError(f"{rule.__name__} has no name: write name = \"…\" in the class")
    made = rule.__init__ is Rule.__init__
    if not made:
        raise RuleError(f"{rule.__name__} has an __init__ of its own: write parameters as class attributes, and draw in setup(self, net, rng)")
    if _registered.get(rule.name) != (rule, source := rule.source()):
        _core.register_rule(rule.name, source, list(rule.parameters().items()), rule.normalise, _Maker(rule))
        _registered[rule.name] = (rule, source)
    return rule


_registered: dict[str, tuple[type[Rule], str]] = {}


Named = Union[str, "type[Rule]", Rule]


def entries(rules: Iterable[Named]) -> list[list[tuple[str, Any]]]:
    """The keys of a recipe for each rule; rules of Python are registered."""
    found: list[list[tuple[str, Any]]] = []
    for rule in rules:
        if isinstance(rule, str):
            found.append([("rule.name", rule)])
            continue
        cls = rule if isinstance(rule, type) else type(rule)
        register(cls)
        parameters = cls.parameters() if isinstance(rule, Rule) else {}
        own = {key: getattr(rule, key) for key in parameters}
        found.append([("rule.name", cls.name), *((f"rule.{key}", value) for key, value in own.items() if value != parameters[key])])
    return found


def _text(cls: type[Rule]) -> str:
    """The source of a class's methods, of its bases', and of the plain functions of the same module that they call, with the
    constants that they name. A notebook knows the source of methods, but not that of classes."""
    texts: dict[str, str] = {}
    todo: list[FunctionType] = []
    for base in [base for base in cls.__mro__ if issubclass(base, Rule) and base is not Rule]:
        for name, part in vars(base).items():
            part = getattr(part, "__func__", getattr(part, "fget", part))
            if isinstance(part, FunctionType):
                todo.append(part)
            elif isinstance(part, _CONSTANTS) and not name.startswith("__"):
                texts[f"{base.__qualname__}.{name}"] = repr(part)
    while todo:
        function = todo.pop()
        key = f"{function.__module__}.{function.__qualname__}"
        if key in texts:
            continue
        try:
            texts[key] = textwrap.dedent(inspect.getsource(function))
        except (OSError, TypeError) as error:
            raise RuleError(
                f"{cls.__name__}: the source of {function.__qualname__} cannot be read: write version = \"1\" in the class, and "
                "another one whenever it changes"
            ) from error
        for name in sorted(_names(function.__code__)):
            used = function.__globals__.get(name)
            if isinstance(used, FunctionType) and used.__module__ == function.__module__:
                todo.append(used)
            elif isinstance(used, _CONSTANTS):
                texts[f"{function.__module__}.{name}"] = repr(used)
    return "\n".join(f"{key}\n{text}" for key, text in sorted(texts.items()))


_CONSTANTS = (bool, int, float, str, tuple, type(None))


def _names(code: CodeType) -> set[str]:
    """What a function names, with the functions inside it."""
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return set(code.co_names).union(*map(_names, inner))


def _generator(seed: int, purpose: str, at: int = 0) -> np.random.Generator:
    word = int.from_bytes(hashlib.sha256(purpose.encode()).digest()[:8], "big")
    return np.random.Generator(np.random.Philox(np.random.SeedSequence([seed, word, at])))


class _Maker:
    """What the extension calls to make a rule."""

    def __init__(self, rule: type[Rule]) -> None:
        self._rule = rule

    def make(self, parameters: dict[str, _Parameter], net: dict[str, Any], seed: int) -> _Made:
        rule = self._rule(**parameters)
        rule._net = Net(**net)
        rng = _generator(seed, "setup")
        before = repr(rng.bit_generator.state)
        rule.setup(rule._net, rng)
        rule._still = repr(rng.bit_generator.state) == before
        return _Made(rule, seed)


class _Made:
    """A rule as the extension calls it."""

    def __init__(self, rule: Rule, seed: int) -> None:
        self._rule = rule
        self._seed = seed
        self.follows_steps = type(rule).after_step is not Rule.after_step
        self.keeps_state = type(rule).state is not Rule.state

    def credit(self, seen: dict[str, Any]) -> list[np.ndarray]:
        made = self._rule.credit(Seen(seed=self._seed, **seen))
        states = seen["h"]
        if not isinstance(made, (list, tuple)) or len(made) != len(states):
            what = f"{len(made)} arrays" if isinstance(made, (list, tuple)) else f"a {type(made).__name__}"
            raise RuleError(f"credit gives {what}: it must give a list of {len(states)}, one for the embedding and one for each block")
        arrays = [_array(part) for part in made]
        for index, (array, state) in enumerate(zip(arrays, states)):
            if array.shape != state.shape:
                unit = "embed" if index == 0 else f"block {index - 1}"
                raise RuleError(f"{unit}: its credit has the shape {array.shape}, the state h_{index} has {state.shape}")
        return arrays

    def after_step(self, t: int, lr: float, weights: dict[str, np.ndarray]) -> None:
        self._rule.after_step(Step(t, lr, weights))

    def state(self) -> list[tuple[str, np.ndarray]]:
        if not self.keeps_state:
            return []
        kept = {name: _array(value) for name, value in self._rule.state().items()}
        # A run goes on with what its checkpoint would keep, so that stopping leaves no trace.
        self._rule.restore(dict(kept))
        return list(kept.items())

    def restore(self, state: dict[str, np.ndarray]) -> None:
        if state:
            self._rule.restore(state)

    def redrawn(self, seed: int) -> _Made | None:
        other = self._rule.redrawn(_generator(seed, "redrawn"))
        return None if other is None else _Made(other, seed)


def _said(error: BaseException) -> str:
    """An exception in words; where it is not ours, with the line that raised it."""
    if isinstance(error, RuleError):
        return str(error)
    last = traceback.extract_tb(error.__traceback__)[-1:]
    place = "".join(f" ({Path(frame.filename).name}, line {frame.lineno}: {frame.line})" for frame in last)
    return f"{type(error).__name__}: {error}{place}"


def _array(value: Any) -> np.ndarray:
    if hasattr(value, "detach"):
        value = value.detach().cpu().numpy()
    return np.ascontiguousarray(value, dtype=np.float32)
