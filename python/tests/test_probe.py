"""The probe on PyTorch models, against the audit of our own runs and against what must come out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs PyTorch")

from torch_models import Convolutional, Dfa, Resmlp, Transformer, checkpoint, twin  # noqa: E402

import creditscope as cs  # noqa: E402
from creditscope.torch import Probe, Seen, _below  # noqa: E402
from creditscope.torch._below import Below, Move  # noqa: E402
from creditscope.torch._passes import Passes  # noqa: E402

SAMPLES, DIRECTIONS, DRAWS = 96, 8, 5
STATES = {"states": ["embed", "blocks.*"], "norm": "out_ln", "head": "out_head"}
COUNTS = {"directions": DIRECTIONS, "draws": DRAWS}


@pytest.fixture(scope="module")
def dfa(tmp_path_factory: pytest.TempPathFactory) -> cs.Runs:
    """A run of dfa, long enough for its layers to differ."""
    recipe = {"data.name": "digits", "net.d": 64, "net.blocks": 3, "rule.name": "dfa", "train.epochs": 12, "audit.every": 0, "seed": 3}
    return cs.run(recipe, out=tmp_path_factory.mktemp("dfa"), progress=False)


@pytest.fixture(scope="module")
def samples(dfa: cs.Runs) -> tuple[np.ndarray, np.ndarray]:
    return dfa.samples(0, SAMPLES)


def direct(run: Path) -> list:
    """The rule of the run: the error through its fixed matrices; the embedding shares the first one's."""
    saved = checkpoint(run)
    blocks = sum(name.startswith("feedback.") for name in saved)
    return [saved["feedback.0"], *(saved[f"feedback.{l}"] for l in range(blocks))]


def rule(run: Path):  # type: ignore[no-untyped-def]
    matrices = direct(run)
    return lambda seen: [seen.e @ matrix.T for matrix in matrices]


def assert_alike(found: cs.Audit, other: cs.Audit, cosine: float = 1e-5, rho: float = 1e-4) -> None:
    """Cosines, ρ, norms and nudges agree; so do standings and verdict."""
    ours, theirs = found.layers(), other.layers()
    for name, most in (("cosine", cosine), ("cosine_at_input", cosine), ("rho", rho), ("rho_of_gradient", rho)):
        assert (ours[f"{name}_state"] == theirs[f"{name}_state"]).all(), name
        assert np.nanmax(np.abs(ours[name] - theirs[name])) < most, name
    for name in ("hidden", "gradient", "credit", "nudge_0.01", "nudge_0.1"):
        assert np.allclose(ours[name], theirs[name], rtol=1e-4), name
    assert ours["standing"].tolist() == theirs["standing"].tolist()


def test_the_twin_of_a_run_has_the_audit_of_the_run(dfa: cs.Runs) -> None:
    run = dfa[0].path
    own = cs.audit(run, samples=256, save=False, directions=DIRECTIONS)
    probe = Probe(twin(Resmlp, run), **STATES)

    def redraw(draw: int):  # type: ignore[no-untyped-def]
        fresh = [torch.randn(m.shape, generator=torch.Generator().manual_seed(draw)) / m.shape[1] ** 0.5 for m in direct(run)]
        fresh[0] = fresh[1]
        return lambda seen: [seen.e @ matrix.T for matrix in fresh]

    accuracy = float(own.verdicts()["accuracy"][0])
    live = probe.audit(*dfa.samples(0, 256), credit=rule(run), redraw=redraw, accuracy=accuracy, directions=DIRECTIONS)
    assert_alike(live, own)
    one, other = live.verdicts(), own.verdicts()
    for check in ("D1", "D2", "D3"):
        assert one[check][0] == other[check][0]
    assert np.isclose(one["D1_statistic"][0], other["D1_statistic"][0])
    # The permuted labels are those of the run's audit, so even the bands agree.
    bands = [
        [(unit["unit"], null["low"], null["high"]) for unit in audit.to_dict()["audits"][0]["units"] for null in unit["here"]["nulls"]
         if null["kind"] == "permuted_labels" and null["of"] == "cosine"]
        for audit in (live, own)
    ]  # fmt: skip
    assert len(bands[0]) == 4
    for (unit, low, high), (name, wanted_low, wanted_high) in zip(*bands):
        assert unit == name and abs(low - wanted_low) < 1e-5 and abs(high - wanted_high) < 1e-5


@pytest.mark.parametrize("name", ["vit", "resnet"])
def test_the_twins_of_networks_with_positions_have_the_audits_of_their_runs(name: str, tmp_path: Path) -> None:
    options = {"net.patch": 4, "net.heads": 2, "net.mlp": 24, "net.d": 16} if name == "vit" else {"net.d": 4}
    keys = {"data.name": "digits", "net.name": name, "net.blocks": 3, "rule.name": "dfa", "train.epochs": 6, "audit.every": 0, "seed": 2}
    run = cs.run(keys | options, out=tmp_path, progress=False)
    saved, directions, n = checkpoint(run[0].path), 16, 192
    own = cs.audit(run[0].path, samples=n, save=False, directions=directions)
    feedback = [saved["feedback.0"], *(saved[f"feedback.{l}"] for l in range(3))]

    def direct(feedback: list) -> object:
        def credit(seen: Seen) -> list:
            # Of the class token, or of every pixel, whose channels come last in the feedback.
            made = [seen.e @ matrix.T for matrix in feedback]
            if name == "vit":
                return [torch.nn.functional.pad(a[:, None], (0, 0, 0, h.shape[1] - 1)) for a, h in zip(made, seen.h)]
            return [a.reshape(len(h), h.shape[2], h.shape[3], h.shape[1]).permute(0, 3, 1, 2) for a, h in zip(made, seen.h)]

        return credit

    def redraw(draw: int) -> object:
        generator = torch.Generator().manual_seed(draw)
        fresh = [torch.randn(matrix.shape, generator=generator) for matrix in feedback]
        return direct([fresh[1], *fresh[1:]])

    model = (Transformer if name == "vit" else Convolutional)(saved)
    rest = {"norm": "out_ln", "token": 0} if name == "vit" else {}
    probe = Probe(model, states=["stem", "blocks.*"], head="out_head", **rest)
    x, y = run.samples(0, n)
    x = x.reshape(n, -1)
    assert all(check.outcome == "passed" for check in probe.check(x, y)), probe.check(x, y)
    live = probe.audit(x, y, credit=direct(feedback), redraw=redraw, directions=directions, accuracy=float(own.verdicts()["accuracy"][0]))
    # The channels of a pixel come first in PyTorch, so directions are others there.
    assert_alike(live, own, rho=1e-4 if name == "vit" else 3 / (n * directions) ** 0.5)
    for check in ("D1", "D2", "D3"):
        assert live.verdicts()[check][0] == own.verdicts()[check][0]


def test_both_forms_of_one_network_give_the_same_audit(dfa: cs.Runs, samples: tuple) -> None:
    run = dfa[0].path
    stream = Probe(twin(Resmlp, run, form="stream"), **STATES)
    branch = Probe(twin(Resmlp, run, form="branch"), **STATES)
    x, y = samples
    assert "returns its branch" in branch.check(x, y)["h_2 blocks.1"].words
    assert "returns the stream" in stream.check(x, y)["h_2 blocks.1"].words
    found = [probe.audit(x, y, credit=rule(run), **COUNTS) for probe in (stream, branch)]
    assert_alike(*found, cosine=1e-6, rho=1e-6)
    # Without what follows the last block, its form is taken to be that of the others.
    alone = Probe(twin(Resmlp, run, form="branch"), STATES["states"])
    assert alone.check(x, y)["h_3 blocks.2"].outcome == "assumed"
    assert_alike(alone.audit(x, y, credit=rule(run), **COUNTS), found[0], cosine=1e-6, rho=1e-6)
    assert np.isclose(*(audit.verdicts()["D1_statistic"][0] for audit in found))


def test_a_backward_that_is_the_rule_is_judged_against_a_twin_and_against_differences(dfa: cs.Runs, samples: tuple) -> None:
    run = dfa[0].path
    x, y = (values[:24] for values in samples)
    model, plain = twin(Dfa, run), twin(Resmlp, run)
    wanted = Probe(plain, **STATES).audit(x, y, credit=rule(run), **COUNTS)
    by_twin = Probe(model, **STATES).audit(x, y, credit="autograd", reference=plain, **COUNTS)
    assert_alike(by_twin, wanted)
    by_differences = Probe(model, **STATES).audit(x, y, credit="autograd", **COUNTS)
    assert_alike(by_differences, wanted, cosine=1e-4, rho=1e-3)
    # Credit that is not the gradient is not certified.
    cosines = by_differences.layers()["cosine"]
    assert cosines.min() < 0.5 and by_differences.layers()["rho_of_gradient"].min() > 0.99
    words = by_differences.checks["gradient at h_1"].words
    assert "this backward is not the gradient of this forward" in words


def test_the_naive_use_is_refused(dfa: cs.Runs, samples: tuple) -> None:
    """Credit given for a model whose backward is a rule, which would be compared with itself."""
    run = dfa[0].path
    with pytest.raises(cs.ProbeError, match="this backward is not the gradient of this forward"):
        Probe(twin(Dfa, run), **STATES).audit(*samples, credit=rule(run), **COUNTS)
    other = twin(Resmlp, run)
    with torch.no_grad():
        other.out_head.weight.mul_(1.5)
    with pytest.raises(cs.ProbeError, match="its logits differ from the model's"):
        Probe(twin(Dfa, run), **STATES).audit(*samples, credit="autograd", reference=other, **COUNTS)


def test_backpropagation_passes_and_is_its_own_reference(dfa: cs.Runs, samples: tuple) -> None:
    found = Probe(twin(Resmlp, dfa[0].path), **STATES).audit(*samples, credit="autograd", **COUNTS)
    layers = found.layers()
    assert np.abs(layers["cosine"] - 1).max() < 1e-6 and np.abs(layers["rho"] - layers["rho_of_gradient"]).max() < 1e-6
    assert set(layers["standing"]) == {"useful"}
    assert "PASS" in found.verdicts()["verdict"][0] or "D" in found.verdicts()["verdict"][0]


def test_arrays_are_credit_too(dfa: cs.Runs, samples: tuple) -> None:
    run = dfa[0].path
    x, y = samples
    probe = Probe(twin(Resmlp, run), **STATES)
    seen: list[Seen] = []

    def keep(what: Seen) -> list:
        made = rule(run)(what)
        if len(seen) == 0:
            seen.append(what)
        return made

    by_rule = probe.audit(x, y, credit=keep, chunk=len(x), **COUNTS)
    arrays = rule(run)(seen[0])
    named = {"embed": arrays[0], "blocks.0": arrays[1].numpy(), 1: arrays[2], 2: lambda what: arrays[3][what.samples]}
    by_arrays = probe.audit(x, y, credit=named, **COUNTS)
    assert np.allclose(by_rule.layers()["cosine"], by_arrays.layers()["cosine"], atol=1e-6)
    given = probe.audit(x, y, credit=dict(enumerate(arrays[1:])) | {"embed": arrays[0]}, **COUNTS)
    kinds = {null["kind"] for unit in given.to_dict()["audits"][0]["units"] for null in unit["here"]["nulls"]}
    assert kinds == {"shuffled_samples", "turned_features"}


def test_dead_credit_and_an_exploded_stream_are_named(dfa: cs.Runs, samples: tuple) -> None:
    run = dfa[0].path
    model = twin(Resmlp, run)
    with torch.no_grad():
        model.blocks[1].w2.weight.mul_(1e5)

    def dead(seen: Seen) -> list:
        return [torch.zeros_like(h) if l == 2 else made for l, (h, made) in enumerate(zip(seen.h, rule(run)(seen)))]

    found = Probe(model, **STATES).audit(*samples, credit=dead, **COUNTS)
    assert found.layers()["standing"][2] == "dead" and found.layers()["cosine_state"][2] == "undefined"
    assert found.verdicts()["D1"][0] == "fires"
    with pytest.raises(cs.FoundError, match="D1"):
        found.raise_if("D1")


def test_what_lies_below_a_moved_state_is_not_computed_again(dfa: cs.Runs, samples: tuple) -> None:
    """The logits are those of a whole pass, the embedding is not called, and the model is left as it was found."""
    model = twin(Resmlp, dfa[0].path)
    probe = Probe(model, **STATES)
    x = torch.as_tensor(samples[0][:16])
    passes = probe.passes(torch.float64)
    kept = passes.run(x)
    assert kept.whole == set(range(len(probe.sites)))
    delta = torch.randn(kept.outputs[1].shape, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    calls = []
    hook = model.embed.register_forward_pre_hook(lambda *_: calls.append("embed"))
    inner = model.embed.forward
    model.embed.forward = lambda x: calls.append("computed") or inner(x)
    whole = passes.moved(x, 1, lambda value: value + delta, {})
    assert calls == ["embed", "computed"]
    short = passes.moved(x, 1, lambda value: value + delta, {i: kept.outputs[i] for i in (0, 1)})
    assert calls == ["embed", "computed", "embed"]
    assert torch.allclose(short, whole, rtol=1e-12, atol=1e-14) and not torch.allclose(short, kept.logits)
    hook.remove()
    del model.embed.forward
    assert "forward" not in model.blocks[0].__dict__


def test_states_in_another_order_than_they_are_computed_in_are_moved_right(dfa: cs.Runs, samples: tuple) -> None:
    """What is known of a module is of no use above a moved state: held against a whole pass, it is not used."""
    model = twin(Resmlp, dfa[0].path)
    x, y = (values[:24] for values in samples)
    probe = Probe(model, states=["blocks.0", "embed", "blocks.1", "blocks.2"], head="out_head", norm="out_ln")
    found = probe.audit(x, y, credit=lambda seen: [seen.e @ m.T for m in direct(dfa[0].path)], **COUNTS)
    right = Probe(model, **STATES).audit(x, y, credit=rule(dfa[0].path), **COUNTS)
    ours, theirs = found.layers()["rho_of_gradient"], right.layers()["rho_of_gradient"]
    assert np.allclose(sorted(ours), sorted(theirs), atol=1e-2)


class Reminded(torch.nn.Module):
    """Its last layer reads what the first one left on the model, unless that is computed where it is needed."""

    def __init__(self, leaves: bool) -> None:
        super().__init__()
        torch.manual_seed(4)
        self.first, self.second, self.head = torch.nn.Linear(64, 12), torch.nn.Linear(12, 12), torch.nn.Linear(12, 10)
        self.leaves = leaves
        self.first.register_forward_hook(self.leave)

    def leave(self, module: torch.nn.Module, args: tuple, output: torch.Tensor) -> None:
        self.left = torch.tanh(args[0][:, :12])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = torch.tanh(self.second(self.first(x)))
        return self.head(h * (self.left if self.leaves else torch.tanh(x[:, :12])))


def test_what_a_module_leaves_for_another_is_never_that_of_other_samples(samples: tuple) -> None:
    x, y = (values[:32] for values in samples)
    feedback = [torch.randn(12, 10, generator=torch.Generator().manual_seed(k)) for k in range(2)]
    audits = [
        Probe(Reminded(leaves), states=["first", "second"], head="head").audit(
            x, y, credit=lambda seen: [seen.e @ b.T for b in feedback], **COUNTS
        )
        for leaves in (True, False)
    ]
    ours, theirs = (audit.layers() for audit in audits)
    for column in ("rho", "rho_of_gradient"):
        assert np.allclose(ours[column], theirs[column], atol=1e-9), column
    assert np.all(ours["rho_of_gradient"] > 0.99)


class Masked(torch.nn.Module):
    """What its blocks give is masked by the input, or not."""

    def __init__(self, form: str, masked: bool) -> None:
        super().__init__()
        torch.manual_seed(4)
        self.embed, self.head = torch.nn.Linear(64, 12), torch.nn.Linear(12, 10)
        self.blocks = torch.nn.ModuleList(Tanh(form) for _ in range(2))
        self.form, self.masked = form, masked

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        keep = (x[:, :1] < 5).to(x.dtype) if self.masked else 1.0
        h = self.embed(x)
        for block in self.blocks:
            h = keep * block(h) if self.form == "stream" else h + keep * block(h)
        return self.head(h)


class Tanh(torch.nn.Module):
    def __init__(self, form: str) -> None:
        super().__init__()
        self.inner, self.form = torch.nn.Linear(12, 12), form

    def forward(self, h: torch.Tensor) -> torch.Tensor:
        branch = torch.tanh(self.inner(h))
        return h + branch if self.form == "stream" else branch


@pytest.mark.parametrize("form", ["stream", "branch"])
@pytest.mark.parametrize("masked", [False, True])
def test_what_is_left_out_below_a_moved_state_changes_nothing(form: str, masked: bool, samples: tuple, monkeypatch: pytest.MonkeyPatch) -> None:
    """The oracle is the same audit by whole passes. The mask of the input is all ones in the first samples."""
    x, y = samples
    x = np.array(x[:60])
    x[:, 0] = np.where(np.arange(60) % 20 == 15, 9.0, np.where(np.arange(60) < 20, 0.0, x[:, 0]))
    x[15, 0] = 0.0
    feedback = [torch.randn(12, 10, generator=torch.Generator().manual_seed(k)) for k in range(3)]
    counted = []
    moved = Passes.moved

    def counting(self: Passes, x: torch.Tensor, *rest: object) -> torch.Tensor:
        counted.append(bool((x == x[:1]).all()))
        return moved(self, x, *rest)  # type: ignore[arg-type]

    def audit() -> np.ndarray:
        counted.clear()
        probe = Probe(Masked(form, masked), states=["embed", "blocks.*"], head="head")
        layers = probe.audit(x, y[:60], credit=lambda seen: [seen.e @ b.T for b in feedback], chunk=20, **COUNTS).layers()
        return np.stack([layers[name] for name in ("rho", "rho_of_gradient", "nudge_0.01", "nudge_0.1", "cosine")])

    monkeypatch.setattr(Passes, "moved", counting)
    found = audit()
    # Where nothing above looks at the input, most passes are of one sample's.
    assert (np.mean(counted) > 0.5) == (not masked), np.mean(counted)
    monkeypatch.setattr(Below, "_only_goes_up", lambda *_: False)
    assert np.allclose(found, audit(), rtol=1e-7, atol=1e-9)
    assert np.mean(counted) < 0.1


def test_every_sample_is_held_against_its_own_pass(samples: tuple) -> None:
    """What holds for the samples that were asked first says nothing about another one."""
    x = torch.as_tensor(samples[0][:20]).double()
    x[:, 0] = 0.0
    x[5, 0] = 9.0
    passes = Probe(Masked("stream", True), states=["embed", "blocks.*"], head="head").passes(torch.float64)
    below, kept = Below(passes), passes.run(x)
    below.chunk(x, kept)
    below.goes_up[0] = True
    for rows in ([2, 3], [0, 1], [4, 5], [0, 5]):
        at = torch.tensor(rows)
        value = kept.outputs[0][at] + torch.randn(2, 12, dtype=torch.float64, generator=torch.Generator().manual_seed(rows[0]))
        whole = passes.moved(x[at], 0, lambda _, value=value: value, {})
        assert torch.allclose(below.logits(0, Move(value, adds=False), at), whole, rtol=1e-12, atol=1e-14), rows
        # One sample's input stands for all until one is met whose mask is another.
        assert (below.way[0] == 0) == (rows in ([2, 3], [0, 1])), rows


def test_wide_inputs_pass_a_few_at_a_time(samples: tuple, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many rows are asked for: passes of whole samples have no more than a chunk, all others no more than there is room for."""
    x, y = (values[:40] for values in samples)
    rows: list[int] = []
    moved = Passes.moved

    def counting(self: Passes, x: torch.Tensor, *rest: object) -> torch.Tensor:
        rows.append(len(x))
        return moved(self, x, *rest)  # type: ignore[arg-type]

    def audit(room: int) -> np.ndarray:
        rows.clear()
        monkeypatch.setattr(_below, "_NUMBERS", room)
        probe = Probe(Masked("stream", False), states=["embed", "blocks.*"], head="head")
        return probe.audit(x, y, credit=lambda seen: list(seen.h), chunk=20, **COUNTS).layers()["rho"]

    monkeypatch.setattr(Passes, "moved", counting)
    small = audit(1)
    assert max(rows) == 20
    assert np.allclose(small, audit(64 * 30), rtol=1e-9) and 20 < max(rows) <= 64 * 30 // 12


def test_a_pass_that_is_broken_off_leaves_the_model_as_it_was(samples: tuple) -> None:
    x, y = (values[:32] for values in samples)
    model = Masked("stream", False).train()
    before = {name: value for name, value in model.named_parameters()}
    calls = []

    def interrupt(module: torch.nn.Module, args: tuple) -> None:
        calls.append(args[0].dtype)
        if calls.count(torch.float64) == 150:
            raise KeyboardInterrupt

    hook = model.blocks[1].register_forward_pre_hook(interrupt)
    torch.manual_seed(7)
    wanted = torch.random.get_rng_state()
    with pytest.raises(KeyboardInterrupt):
        Probe(model, states=["embed", "blocks.*"], head="head").audit(x, y, credit=lambda seen: list(seen.h), chunk=8, **COUNTS)
    hook.remove()
    assert all(value is before[name] and value.dtype == torch.float32 for name, value in model.named_parameters())
    assert all(module.training and "forward" not in module.__dict__ and not module._forward_hooks for module in model.modules())
    assert torch.equal(torch.random.get_rng_state(), wanted)
