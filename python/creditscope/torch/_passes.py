"""Forward and backward passes of our own: eager, without autocast, in eval mode, in a chosen precision; the model is left as
it was found. States are kept, shifted and differentiated where they are named."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Union

import torch
from torch import Tensor, nn

from .._errors import ProbeError
from ._sites import Site

Select = Union[Callable[[Any], Tensor], int, None]


@dataclass
class Kept:
    """What one pass left: by site, the module's input and output and what is moved; and the logits."""

    inputs: dict[int, Tensor] = field(default_factory=dict)
    outputs: dict[int, Tensor] = field(default_factory=dict)
    read: dict[int, Tensor] = field(default_factory=dict)
    deltas: dict[int, Tensor] = field(default_factory=dict)
    calls: dict[int, int] = field(default_factory=dict)
    whole: set[int] = field(default_factory=set)
    """Sites whose module returns the state and nothing else, once, sample by sample."""
    logits: Tensor = field(default_factory=lambda: torch.empty(0))


class Passes:
    """Passes of one model in one precision. `readers` are the places where the stream is read after each site."""

    def __init__(
        self,
        model: nn.Module,
        sites: list[Site],
        readers: list[Site | None],
        dtype: torch.dtype,
        select: Select,
        output: Callable[[Any], Tensor] | None,
    ) -> None:
        self.model, self.sites, self.readers, self.dtype = model, sites, readers, dtype
        self.select, self.output = select, output
        # One for each tensor, so that shared weights stay shared.
        made: dict[Tensor, Tensor] = {}
        self.weights: list[tuple[dict[str, Any], str, Tensor]] = []
        for module, members in [(module, members) for module in model.modules() for members in (module._parameters, module._buffers)]:
            for name, value in members.items():
                if value is not None:
                    if value not in made:
                        # Detached, so that no gradient is ever left in the user's parameters; a forward pass may write into buffers.
                        made[value] = _as(value.detach() if members is module._parameters else value.detach().clone(), dtype)
                    self.weights.append((members, name, made[value]))

    def run(
        self,
        x: Tensor,
        deltas: Mapping[int, Tensor] | None = None,
        differentiate: bool = False,
        backward: Callable[[Tensor], Tensor] | None = None,
        seed: int | None = None,
    ) -> Kept:
        """One pass. `deltas` are added where the states are moved. With `differentiate`, a zero is added at every site, whose
        gradient of `backward(logits)` is left in it. `seed` is for whatever draws random numbers in it."""
        kept = Kept()
        going = [True]
        hooks = [hook for index in range(len(self.sites)) for hook in self._hooks(index, kept, deltas or {}, differentiate, going)]
        try:
            with self._alone(x, seed), torch.set_grad_enabled(differentiate):
                logits = self._logits(self.model(_as(x, self.dtype)))
                going[0] = False
                if backward is not None:
                    torch.autograd.backward(backward(logits))
                kept.logits = logits.detach()
        finally:
            for hook in hooks:
                hook.remove()
        self._complain(kept)
        return kept

    def moved(self, x: Tensor, index: int, move: Callable[[Tensor], Tensor], known: Mapping[int, Tensor]) -> Tensor:
        """The logits where the value at one site is moved. The modules of the sites in `known` are not computed again: they return
        what is known of them."""
        site, calls = self.sites[index], [0]

        def is_this() -> bool:
            calls[0] += 1
            return calls[0] == site.call + 1

        def after(module: nn.Module, args: tuple[Any, ...], output: Any) -> Any:
            return self._replaced(output, move(self._tensor(output, site)), site) if is_this() else None

        def before(module: nn.Module, args: tuple[Any, ...]) -> Any:
            return (move(self._tensor(args[0] if args else None, site)), *args[1:]) if is_this() else None

        at_output = site.place == "output"
        hook = site.module.register_forward_hook(after) if at_output else site.module.register_forward_pre_hook(before)
        try:
            with self._alone(x, None), torch.no_grad(), self._instead(known):
                return self._logits(self.model(_as(x, self.dtype)))
        finally:
            hook.remove()

    @contextlib.contextmanager
    def _alone(self, x: Tensor, seed: int | None) -> Iterator[None]:
        """The model with our weights, in eval mode, eager and without autocast. A backward pass belongs inside: checkpointed blocks
        are computed again in it, with the same weights."""
        own = [members[name] for members, name, _ in self.weights]
        with _quiet(self.model, seed), _eager(), _no_autocast(x):
            try:
                for members, name, value in self.weights:
                    members[name] = value
                yield
            finally:
                for (members, name, _), value in zip(self.weights, own):
                    members[name] = value

    @contextlib.contextmanager
    def _instead(self, known: Mapping[int, Tensor]) -> Iterator[None]:
        """Modules that return what is known of them."""
        own: list[tuple[nn.Module, Any]] = []
        try:
            for index, value in known.items():
                module = self.sites[index].module
                own.append((module, module.__dict__.get("forward")))
                module.forward = lambda *_args, value=value, **_kwargs: value  # type: ignore[method-assign]
            yield
        finally:
            for module, forward in own:
                if forward is None:
                    del module.forward
                else:
                    module.forward = forward  # type: ignore[method-assign]

    def _hooks(
        self, index: int, kept: Kept, deltas: Mapping[int, Tensor], differentiate: bool, going: list[bool]
    ) -> Iterator[Any]:
        site, reader = self.sites[index], self.readers[index]
        calls = [0]

        def moved(value: Tensor) -> Tensor:
            if index in deltas:
                return value + deltas[index]
            if differentiate:
                if index not in kept.deltas:
                    kept.deltas[index] = torch.zeros_like(value).requires_grad_()
                return value + kept.deltas[index]
            return value

        def is_this() -> bool:
            # After the pass, calls are those of checkpointed blocks that are computed again: the same sum, and nothing kept.
            if not going[0]:
                return True
            calls[0] += 1
            kept.calls[index] = calls[0]
            return calls[0] == site.call + 1

        def after(module: nn.Module, args: tuple[Any, ...], output: Any) -> Any:
            if not is_this():
                return None
            value = self._tensor(output, site)
            if going[0]:
                # Cloned, since what follows may work in place.
                kept.outputs[index] = value.detach().clone()
                if value is output and not site.counted:
                    kept.whole.add(index)
                if args and isinstance(args[0], Tensor):
                    kept.inputs[index] = args[0].detach().clone()
            return self._replaced(output, moved(value), site)

        def before(module: nn.Module, args: tuple[Any, ...]) -> Any:
            if not is_this():
                return None
            value = self._tensor(args[0] if args else None, site)
            if going[0]:
                kept.outputs[index] = value.detach().clone()
            return (moved(value), *args[1:])

        if site.place == "output":
            yield site.module.register_forward_hook(after)
        else:
            yield site.module.register_forward_pre_hook(before)
        if reader is not None:
            seen = [0]

            def read(module: nn.Module, args: tuple[Any, ...]) -> None:
                seen[0] += 1
                if going[0] and seen[0] == reader.call + 1 and args and isinstance(args[0], Tensor):
                    kept.read[index] = args[0].detach().clone()

            # Before the other hooks of that module, which move its input.
            yield reader.module.register_forward_pre_hook(read, prepend=True)

    def _tensor(self, output: Any, site: Site) -> Tensor:
        if not isinstance(output, Tensor):
            output = self._selected(output)
        if not isinstance(output, Tensor):
            kind = type(output).__name__
            raise ProbeError(f"{site}: the module gives a {kind}, not a tensor: say with select= which of its parts is the state")
        if not output.is_floating_point():
            raise ProbeError(f"{site}: the module gives {output.dtype}, not floats: name another module")
        if output.dtype != self.dtype:
            raise ProbeError(
                f"{site}: the state arrives in {output.dtype}, not in {self.dtype}: the model's forward pass converts it (an "
                "autocast inside it?): leave that out for the audit"
            )
        return output

    def _selected(self, output: Any) -> Any:
        """The state among several things that a module returns."""
        if callable(self.select):
            return self.select(output)
        is_counted = isinstance(output, (tuple, list)) and self.select is not None
        return output[self.select] if is_counted else output

    def _replaced(self, output: Any, value: Tensor, site: Site) -> Any:
        """What a module returns with another state in it."""
        if isinstance(output, Tensor):
            return value
        own = self._selected(output)
        keys = list(output) if isinstance(output, Mapping) else []
        parts = [output[key] for key in keys] if keys else list(output) if isinstance(output, (tuple, list)) else []
        parts = [value if part is own else part for part in parts]
        if not any(part is value for part in parts):
            kind = type(output).__name__
            raise ProbeError(f"{site}: select= gives no part of the {kind} that the module returns, so the state cannot be moved: name a "
                             "module whose output holds it")  # fmt: skip
        if keys:
            return _made(type(output), dict(zip(keys, parts)))
        return type(output)(parts) if type(output) in (tuple, list) else type(output)(*parts)

    def _logits(self, found: Any) -> Tensor:
        if self.output is not None:
            found = self.output(found)
        if not isinstance(found, Tensor):
            found = getattr(found, "logits", found)
        if not isinstance(found, Tensor):
            raise ProbeError(f"the model gives a {type(found).__name__}: say with output= how the logits come out of it")
        return found

    def _complain(self, kept: Kept) -> None:
        for index, site in enumerate(self.sites):
            count = kept.calls.get(index, 0)
            if count == 0 or count <= site.call:
                raise ProbeError(f"{site}: the module was called {count} times in the forward pass, so its state was never seen: "
                                 "name a module that the forward pass calls")  # fmt: skip
            if count > 1 and not site.counted:
                raise ProbeError(f"{site}: the module is called {count} times in a forward pass: say which call is meant, such as "
                                 f"{site.name}#0")  # fmt: skip


def _made(kind: type, parts: dict[Any, Any]) -> Any:
    """A mapping of the same kind; dataclasses of model libraries take their fields as keywords."""
    try:
        return kind(**parts)
    except TypeError:
        return kind(parts)


def _as(value: Tensor, dtype: torch.dtype) -> Tensor:
    return value.to(dtype) if value.is_floating_point() else value


@contextlib.contextmanager
def _quiet(model: nn.Module, seed: int | None) -> Iterator[None]:
    """Eval mode, with modes and random states put back."""
    modes = {module: module.training for module in model.modules()}
    with torch.random.fork_rng(devices=_devices(model)):
        if seed is not None:
            torch.manual_seed(seed)
        model.eval()
        try:
            yield
        finally:
            for module, training in modes.items():
                module.training = training


def _devices(model: nn.Module) -> list[torch.device]:
    return sorted({p.device for p in model.parameters() if p.device.type == "cuda"}, key=str)


def _eager() -> contextlib.AbstractContextManager[Any]:
    """Hooks that are added to a compiled model are ignored, unless it runs eagerly. Where the compiler was never loaded nothing is
    compiled, and loading it takes a second."""
    stance = getattr(torch.compiler, "set_stance", None)
    if stance is None or "torch._dynamo" not in sys.modules:
        return contextlib.nullcontext()
    found: contextlib.AbstractContextManager[Any] = stance("force_eager")
    return found


def _no_autocast(x: Tensor) -> contextlib.AbstractContextManager[Any]:
    return torch.autocast(x.device.type, enabled=False)
