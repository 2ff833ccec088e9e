"""The hazards of measuring a live model, one test each: right numbers, or a refusal that says why."""

from __future__ import annotations

import copy
import gc
import os
import weakref

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs PyTorch")

from torch import nn  # noqa: E402
from torch.utils.checkpoint import checkpoint as checkpointed  # noqa: E402
from torch_models import Dfa, Resmlp  # noqa: E402

import creditscope as cs  # noqa: E402
from creditscope._live import Signals  # noqa: E402
from creditscope.torch import Probe, Probed  # noqa: E402
from creditscope.torch._walk import Walk  # noqa: E402

STATES = {"states": ["embed", "blocks.*"], "norm": "out_ln", "head": "out_head"}
COUNTS = {"directions": 4, "draws": 3}
N, INPUTS, D, CLASSES = 40, 6, 12, 3


def samples() -> tuple:
    generator = torch.Generator().manual_seed(1)
    return torch.randn(N, INPUTS, generator=generator), torch.randint(CLASSES, (N,), generator=generator)


def model(kind: type = Resmlp, **options: str) -> nn.Module:
    torch.manual_seed(5)
    made = kind(INPUTS, D, 2, CLASSES, **options)
    with torch.no_grad():
        for block in made.blocks:
            block.w2.weight.normal_(0, 0.3)
    return made


def numbers(found: cs.Audit) -> np.ndarray:
    layers = found.layers()
    return np.stack([layers[name] for name in ("hidden", "gradient", "credit", "cosine", "rho", "rho_of_gradient", "nudge_0.01")])


def audited(model: nn.Module, states: dict = STATES, **options) -> Probed:  # type: ignore[no-untyped-def,type-arg]
    x, y = samples()
    return Probe(model, **states).audit(x, y, credit="autograd", **(COUNTS | options))


def same(found: cs.Audit, other: cs.Audit) -> bool:
    return np.allclose(numbers(found), numbers(other), rtol=1e-6, atol=1e-9, equal_nan=True)


def test_1_a_backward_that_is_a_rule_is_not_taken_for_the_gradient() -> None:
    found = audited(model(Dfa))
    assert found.layers()["cosine"].max() < 0.99 and found.layers()["rho_of_gradient"].min() > 0.99


class OfItsOwn(torch.autograd.Function):
    """A linear layer whose backward pass goes through a tensor that is no parameter and no buffer, so that nobody converts it."""

    feedback = torch.randn(5, 8, generator=torch.Generator().manual_seed(3))

    @staticmethod
    def forward(ctx, x, weight):  # type: ignore[no-untyped-def]
        return x @ weight.T

    @staticmethod
    def backward(ctx, grad):  # type: ignore[no-untyped-def]
        return grad @ OfItsOwn.feedback, None


class Held(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embed, self.head = nn.Linear(6, 8), nn.Linear(8, 5, bias=False)
        self.head.forward = lambda x: OfItsOwn.apply(x, self.head.weight)  # type: ignore[method-assign]

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.embed(x))


def test_1_a_backward_that_cannot_run_in_f64_is_said_and_judged() -> None:
    torch.manual_seed(4)
    held, x, y = Held(), torch.randn(64, 6), torch.randint(5, (64,))
    probe = cs.torch.Probe(held, states=["embed"], head="head")
    check = probe.check(x, y, credit="autograd")["gradient"]
    assert check.outcome == "passed" and "does not run in f64" in check.words and "differences" in check.words
    found = probe.audit(x, y, credit="autograd")
    # The credit of h_0 is e through the feedback, the gradient e through the weight.
    e = torch.softmax(held(x), 1) - nn.functional.one_hot(y, 5)
    expected = torch.cosine_similarity(e @ OfItsOwn.feedback, e @ held.head.weight, dim=1).mean()
    assert found.layers()["cosine"][0] == pytest.approx(float(expected.detach()), abs=1e-5)


class Inplace(nn.Module):
    """ReLU after each layer, in place or not."""

    def __init__(self, inplace: bool) -> None:
        super().__init__()
        self.embed, self.second, self.out_head = nn.Linear(INPUTS, D), nn.Linear(D, D), nn.Linear(D, CLASSES)
        self.inplace = inplace

    def forward(self, x):  # type: ignore[no-untyped-def]
        h = nn.functional.relu(self.embed(x), inplace=self.inplace)
        return self.out_head(nn.functional.relu(self.second(h), inplace=self.inplace))


def test_2_and_3_what_follows_may_work_in_place() -> None:
    torch.manual_seed(5)
    one = Inplace(True)
    other = Inplace(False)
    other.load_state_dict(one.state_dict())
    states = {"states": ["embed", "second"], "head": "out_head"}
    found = audited(one, states)
    assert same(found, audited(other, states))
    x, y = samples()
    # The gradient before ReLU, where the state is, not behind it.
    h = other.embed(x).detach().requires_grad_()
    logits = other.out_head(torch.relu(other.second(torch.relu(h))))
    (p,) = torch.autograd.grad(nn.functional.cross_entropy(logits, y, reduction="sum"), h)
    assert np.isclose(found.layers()["gradient"][0], np.median(p.norm(dim=1).numpy()), rtol=1e-5)
    # What is between two states is not the stream, so nothing is said about its growth.
    assert np.isnan(found.layers()["hidden"]).all() and found.verdicts()["D1"][0] == "not assessed"


def test_3_a_state_that_is_overwritten_is_kept() -> None:
    torch.manual_seed(5)
    made = Inplace(True)
    x, y = samples()
    # What the rule sees, and so its credit here, is the state before ReLU.
    found = Probe(made, ["second"]).audit(x, y, credit=lambda seen: [seen.h[0]], **COUNTS)
    assert found.checks["h_0 second"].outcome == "assumed"
    wanted = np.median(made.second(torch.relu(made.embed(x))).detach().norm(dim=1).numpy())
    assert np.isclose(found.layers()["hidden"][0], wanted, rtol=1e-5) and np.isclose(found.layers()["credit"][0], wanted, rtol=1e-5)


@pytest.mark.parametrize("way", ["torch.compile", "Module.compile"])
def test_4_compiled_models_are_seen(way: str) -> None:
    plain = audited(model())
    made = model()
    if way == "torch.compile":
        made = torch.compile(made, backend="eager")
    else:
        made.compile(backend="eager")
    made(samples()[0])
    assert same(audited(made), plain)


def test_5_a_scaled_or_accumulated_loss_changes_nothing() -> None:
    made = model()
    x, y = samples()
    (65536.0 * nn.functional.cross_entropy(made(x), y)).backward()
    before = [p.grad.clone() for p in made.parameters() if p.grad is not None]
    assert same(audited(made), audited(model()))
    after = [p.grad for p in made.parameters() if p.grad is not None]
    assert len(before) > 0 and all(torch.equal(one, other) for one, other in zip(before, after))


def test_6_the_gradient_is_of_each_samples_own_loss_whatever_the_chunk() -> None:
    made = model()
    x, y = samples()
    found = audited(made)
    assert same(found, audited(made, chunk=7))
    h = made.embed(x).detach().requires_grad_()
    logits = made.out_head(made.out_ln(made.blocks[1](made.blocks[0](h))))
    (p,) = torch.autograd.grad(nn.functional.cross_entropy(logits, y, reduction="sum"), h)
    assert np.isclose(found.layers()["gradient"][0], np.median(p.norm(dim=1).numpy()), rtol=1e-5)


def test_7_a_loss_that_is_no_number_for_each_sample_is_refused() -> None:
    with pytest.raises(cs.ProbeError, match="return the loss of each sample"):
        audited(model(), loss=nn.functional.cross_entropy)
    by_hand = audited(model(), loss=lambda z, y: -torch.log_softmax(z, 1).gather(1, y[:, None])[:, 0])
    assert same(by_hand, audited(model()))


class Normed(Resmlp):
    """With BatchNorm before the head."""

    def __init__(self, *sizes: int, running: bool = True) -> None:
        super().__init__(*sizes)
        self.out_ln = nn.BatchNorm1d(sizes[1], track_running_stats=running)


def test_8_batch_statistics() -> None:
    made = model(Normed)
    made.train()
    assert same(audited(made), audited(model(Normed).eval())) and made.training
    with pytest.raises(cs.ProbeError, match="independent samples: .*others in its batch"):
        audited(model(Normed, running=False))  # type: ignore[arg-type]


class Twice(nn.Module):
    """One module, called twice."""

    def __init__(self) -> None:
        super().__init__()
        self.embed, self.shared, self.out_head = nn.Linear(INPUTS, D), nn.Linear(D, D), nn.Linear(D, CLASSES)

    def forward(self, x):  # type: ignore[no-untyped-def]
        return self.out_head(torch.tanh(self.shared(torch.tanh(self.shared(torch.tanh(self.embed(x)))))))


def test_9_a_module_that_is_called_twice_is_asked_about() -> None:
    torch.manual_seed(1)
    made = Twice()
    with pytest.raises(cs.ProbeError, match="shared: the module is called 2 times .* shared#0"):
        audited(made, {"states": ["embed", "shared"]})
    layers = audited(made, {"states": ["embed", "shared#0", "shared#1"], "head": "out_head"}).layers()
    x, y = samples()
    second = made.shared(torch.tanh(made.shared(torch.tanh(made.embed(x))))).detach().requires_grad_()
    loss = nn.functional.cross_entropy(made.out_head(torch.tanh(second)), y, reduction="sum")
    (p,) = torch.autograd.grad(loss, second)
    assert np.isclose(layers["gradient"][2], np.median(p.norm(dim=1).numpy()), rtol=1e-5)
    assert np.abs(layers["cosine"] - 1).max() < 1e-6


class Checkpointed(Resmlp):
    """Blocks that are computed again in the backward pass."""

    reentrant = False

    def forward(self, x):  # type: ignore[no-untyped-def]
        h = self.embed(x)
        for block in self.blocks:
            h = checkpointed(block, h, use_reentrant=self.reentrant)
        return self.out_head(self.out_ln(h))


@pytest.mark.parametrize("reentrant", [False, True])
def test_10_checkpointed_blocks(reentrant: bool, recwarn: pytest.WarningsRecorder) -> None:
    made = model(Checkpointed)
    made.reentrant = reentrant
    assert same(audited(made), audited(model()))


class Cast(Resmlp):
    """A forward pass that turns to half precision by itself."""

    def forward(self, x):  # type: ignore[no-untyped-def]
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return super().forward(x)


def test_11_autocast_outside_is_switched_off_and_inside_refused() -> None:
    with torch.autocast("cpu", dtype=torch.bfloat16):
        found = audited(model())
    assert same(found, audited(model()))
    with pytest.raises(cs.ProbeError, match="bfloat16.*autocast inside it"):
        audited(model(Cast))


def test_half_precision_models_are_measured_in_single_and_double() -> None:
    exact = model().half().float()
    assert same(audited(model().half()), audited(exact))


class Recurrent(nn.Module):
    """An LSTM, which returns a tuple."""

    def __init__(self) -> None:
        super().__init__()
        self.lstm, self.out_head = nn.LSTM(2, D, batch_first=True), nn.Linear(D, CLASSES)

    def forward(self, x):  # type: ignore[no-untyped-def]
        return self.out_head(self.lstm(x.reshape(len(x), 3, 2))[0][:, -1])


def test_12_tuples_ask_which_part_is_the_state() -> None:
    torch.manual_seed(1)
    made = Recurrent()
    with pytest.raises(cs.ProbeError, match="lstm: the module gives a tuple, .*select="):
        audited(made, {"states": ["lstm"]})
    layers = audited(made, {"states": ["lstm"], "select": 0}).layers()
    assert abs(layers["cosine"][0] - 1) < 1e-6 and layers["rho_of_gradient"][0] > 0.99


class Cut(Resmlp):
    """No gradient passes between its blocks."""

    def forward(self, x):  # type: ignore[no-untyped-def]
        h = self.embed(x)
        for block in self.blocks:
            h = block(h.detach())
        return self.out_head(self.out_ln(h))


class Wrapped(nn.Module):
    """A module whose state is one of several things in a dictionary."""

    def __init__(self, inner: nn.Module) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, x):  # type: ignore[no-untyped-def]
        return {"state": self.inner(x), "other": x}


def test_12_select_and_states_may_be_functions() -> None:
    made = model()
    by_name = audited(made)
    by_function = audited(made, STATES | {"states": [lambda name, module: name == "embed" or name.startswith("blocks.") and name.count(".") == 1]})
    assert same(by_name, by_function)
    with pytest.raises(cs.ProbeError, match="chooses none"):
        Probe(made, states=[lambda name, module: False])

    class Outer(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.embed = Wrapped(made.embed)
            self.blocks = nn.ModuleList(Wrapped(block) for block in made.blocks)
            self.out_ln, self.out_head = made.out_ln, made.out_head

        def forward(self, x):  # type: ignore[no-untyped-def]
            h = self.embed(x)["state"]
            for block in self.blocks:
                h = block(h)["state"]
            return self.out_head(self.out_ln(h))

    assert same(audited(Outer(), STATES | {"select": lambda output: output["state"]}), by_name)
    with pytest.raises(cs.ProbeError, match="no part of the dict|cannot be moved"):
        audited(Outer(), STATES | {"select": lambda output: output["state"] * 1.0})


def test_13_a_cut_graph_is_named() -> None:
    x, y = samples()
    credit = [lambda seen: seen.h[0], lambda seen: seen.h[1], lambda seen: seen.h[2]]
    with pytest.raises(cs.ProbeError, match=r"embed: no gradient arrives: the graph is cut"):
        Probe(model(Cut), **STATES).audit(x, y, credit=dict(zip(["embed", 0, 1], credit)), **COUNTS)
    # With the backward pass as the rule, no credit arrives there, and differences are the reference.
    layers = audited(model(Cut)).layers()
    assert layers["standing"].tolist()[:2] == ["dead", "dead"] and layers["rho_of_gradient"].min() > 0.99


def test_14_the_model_is_left_as_it_was_found() -> None:
    made = model()
    made.train()
    made.blocks[0].eval()
    before = copy.deepcopy(made.state_dict())
    modes = [module.training for module in made.modules()]
    torch.manual_seed(11)
    wanted = torch.random.get_rng_state()
    audited(made)
    assert torch.equal(torch.random.get_rng_state(), wanted)
    assert [module.training for module in made.modules()] == modes
    assert all(torch.equal(before[name], value) for name, value in made.state_dict().items())
    assert all(p.grad is None and p.requires_grad for p in made.parameters())
    for module in [*made.modules(), *copy.deepcopy(made).modules()]:
        assert not module._forward_hooks and not module._forward_pre_hooks
    with pytest.raises(ZeroDivisionError):
        audited(made, loss=lambda z, y: 1 / 0)
    assert not any(module._forward_hooks or module._forward_pre_hooks for module in made.modules())
    assert [module.training for module in made.modules()] == modes


@pytest.mark.skipif(os.name != "posix", reason="gloo over a file")
def test_15_the_module_inside_ddp_is_measured(tmp_path) -> None:  # type: ignore[no-untyped-def]
    dist = torch.distributed
    dist.init_process_group("gloo", init_method=f"file://{tmp_path / 'meet'}", rank=0, world_size=1)
    try:
        wrapped = nn.parallel.DistributedDataParallel(model())
        assert same(audited(wrapped), audited(model()))
    finally:
        dist.destroy_process_group()


def test_16_signals_are_kept_for_one_chunk_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the number of samples: when the third chunk comes, nothing holds the arrays of the first."""
    given: list[list[weakref.ref]] = []  # type: ignore[type-arg]
    alive: list[int] = []
    signals = Walk.signals

    def watched(self: Walk, of: np.ndarray) -> Signals:
        gc.collect()
        alive.append(sum(one() is not None for refs in given[:-1] for one in refs))
        found = signals(self, of)
        given.append([weakref.ref(part) for part in [*found.h, *found.p, found.error]])
        assert all(len(part) <= 8 for part in found.h)
        return found

    monkeypatch.setattr(Walk, "signals", watched)
    audited(model(), chunk=8)
    assert len(given) == N // 8 and alive == [0] * (N // 8)


class Noisy(Resmlp):
    """Draws random numbers in eval mode too."""

    def forward(self, x):  # type: ignore[no-untyped-def]
        return super().forward(x) + 1e-3 * torch.randn(len(x), CLASSES)


def test_a_forward_pass_that_draws_random_numbers_is_refused() -> None:
    with pytest.raises(cs.ProbeError, match="repeatable"):
        audited(model(Noisy))


def test_names_that_are_wrong_say_what_there_is() -> None:
    with pytest.raises(cs.ProbeError, match="did you mean embed"):
        Probe(model(), ["embd"])
    with pytest.raises(cs.ProbeError, match="named twice"):
        Probe(model(), ["embed", "embed"])
    with pytest.raises(cs.ProbeError, match="called 0 times"):
        unused = model()
        unused.spare = nn.Linear(1, 1)
        audited(unused, {"states": ["embed", "spare"]})
    x, y = samples()
    with pytest.raises(cs.ProbeError, match="blocks.1: no credit"):
        Probe(model(), **STATES).audit(x, y, credit={"embed": x, 0: x})
    with pytest.raises(cs.ProbeError, match=r"embed: the credit has the shape \(40, 6\)"):
        Probe(model(), **STATES).audit(x, y, credit={"embed": x, 0: x, 1: x})
    probe = Probe(model(), [model_part for model_part in ("embed", "blocks.*")], norm="out_ln")
    assert "h_2  blocks.1" in repr(probe)


class Counting(Resmlp):
    """Writes into its buffers whenever it is called; a copied one belongs to nobody else."""

    def __init__(self, *sizes: int) -> None:
        super().__init__(*sizes)
        self.register_buffer("calls", torch.zeros((), dtype=torch.long))
        self.register_buffer("mean", torch.zeros(sizes[0]))

    def forward(self, x):  # type: ignore[no-untyped-def]
        self.calls += 1
        self.mean.lerp_(x.mean(0).detach(), 0.1)
        return super().forward(x)


def test_14_buffers_that_the_forward_pass_writes_into_are_left_as_they_were() -> None:
    made = model(Counting)
    made(samples()[0])
    before = copy.deepcopy(made.state_dict())
    assert before["calls"] == 1 and before["mean"].abs().max() > 0
    assert same(audited(made), audited(model()))
    assert all(torch.equal(before[name], value) for name, value in made.state_dict().items())


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        (lambda y: y + 1, r"go from 1 to 3: with 3 logits, classes are 0 to 2"),
        (lambda y: y - 1, r"go from -1 to 1"),
        (lambda y: y.float(), r"torch.float32 of the shape \(40,\)"),
        (lambda y: nn.functional.one_hot(y), r"the labels have the shape \(40, 3\)"),
        (lambda y: y[:, None], r"the labels have the shape \(40, 1\)"),
    ],
)
def test_labels_that_no_cross_entropy_takes_are_refused(labels, words: str) -> None:  # type: ignore[no-untyped-def]
    x, y = samples()
    with pytest.raises(cs.ProbeError, match=words):
        Probe(model(), **STATES).audit(x, labels(y), credit="autograd", **COUNTS)


def test_labels_of_any_whole_type_and_probabilities_are_the_same_labels() -> None:
    x, y = samples()
    probe = Probe(model(), **STATES)
    plain = audited(model())
    assert same(plain, probe.audit(x, y.to(torch.int32), credit="autograd", **COUNTS))
    assert same(plain, probe.audit(x.tolist(), y.numpy().astype(np.uint8), credit="autograd", **COUNTS))
    # Permuted labels are drawn as those of classes; probabilities have the same numbers, but no accuracy.
    assert same(plain, probe.audit(x, nn.functional.one_hot(y).double(), credit="autograd", accuracy=0.5, **COUNTS))


def test_what_is_not_finite_is_refused() -> None:
    x, y = samples()
    x[3, 2] = float("nan")
    with pytest.raises(cs.ProbeError, match="finite logits: of the first 16 samples"):
        Probe(model(), **STATES).audit(x, y, credit="autograd", **COUNTS)


def test_states_out_of_order_are_said() -> None:
    x, y = samples()
    checks = Probe(model(), ["blocks.1", "embed", "blocks.0"], head="out_head").check(x, y)
    assert checks["order"].outcome == "assumed" and "h_1, h_2, h_0" in checks["order"].words
    assert "order" not in [check.hazard for check in Probe(model(), **STATES).check(x, y)]


def test_nonsense_is_named() -> None:
    x, y = samples()
    with pytest.raises(cs.ProbeError, match="the model is a function"):
        Probe(lambda x: x, ["embed"])  # type: ignore[arg-type]
    with pytest.raises(cs.ProbeError, match="7 names no module"):
        Probe(model(), [7])  # type: ignore[list-item]
    probe = Probe(model(), **STATES)
    with pytest.raises(cs.UsageError, match="accuracy=40.0: give a share"):
        probe.audit(x, y, credit="autograd", accuracy=40.0)
    with pytest.raises(cs.UsageError, match="directions=2.5: give a whole number"):
        probe.audit(x, y, credit="autograd", directions=2.5)  # type: ignore[arg-type]


def test_a_single_state_needs_no_list() -> None:
    made = model()
    names = lambda states: repr(Probe(made, states)).splitlines()[1:]  # noqa: E731
    assert names("blocks.*") == names(["blocks.*"]) == names(made.blocks) == names(lambda name, module: module in list(made.blocks))
    assert names("embed") == names(made.embed) == ["  h_0  embed"]
    assert names(("embed", "blocks.0")) == ["  h_0  embed", "  h_1  blocks.0"]
    assert names(("blocks.0", "input")) == ["  h_0  blocks.0 (input)"]
