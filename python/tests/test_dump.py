"""The dump of a live model, against the audit of the model itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs PyTorch")

from conftest import tensors  # noqa: E402
from torch import nn  # noqa: E402
from torch_models import Dfa, Resmlp  # noqa: E402

import creditscope as cs  # noqa: E402
from creditscope.torch import Probe  # noqa: E402

N, INPUTS, D, CLASSES, BLOCKS, DIRECTIONS = 120, 6, 16, 3, 3, 32
STATES: dict[str, Any] = {"states": ["embed", "blocks.*"], "norm": "out_ln", "head": "out_head"}
FAR = 3 / (N * DIRECTIONS) ** 0.5
"""Three standard errors of a ρ of zero, where every sample has directions of its own, as in the audit of the model. Those of a dump
are the same for all samples, but at right angles and twice as many as there are features, so that nothing is left to chance."""


def samples() -> tuple[Any, Any]:
    generator = torch.Generator().manual_seed(1)
    return torch.randn(N, INPUTS, generator=generator), torch.randint(CLASSES, (N,), generator=generator)


def model(kind: type = Resmlp, **options: str) -> Any:
    """Both kinds have the same weights, the feedback of `Dfa` aside."""
    torch.manual_seed(5)
    made = kind(INPUTS, D, BLOCKS, CLASSES, **options)
    generator = torch.Generator().manual_seed(6)
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator) * 0.4 + (parameter.ndim == 1) * 0.5)
    return made


FEEDBACK = [torch.randn(D, CLASSES, generator=torch.Generator().manual_seed(l)) for l in range(BLOCKS + 1)]


def rule(seen: Any) -> list[Any]:
    return [seen.e @ matrix.T for matrix in FEEDBACK]


def audited(path: Path) -> cs.Audit:
    return cs.audit(path, directions=DIRECTIONS, draws=3)


def arrays(path: Path) -> dict[str, np.ndarray]:
    return dict(np.load(path))


def warnings(audit: cs.Audit) -> str:
    return json.dumps(audit.to_dict()["audits"][0]["warnings"])


@pytest.mark.parametrize("form", ["stream", "branch"])
@pytest.mark.parametrize("ending", ["npz", "safetensors"])
def test_the_audit_of_the_file_is_that_of_the_model(tmp_path: Path, ending: str, form: str) -> None:
    probe = Probe(model(form=form), **STATES)
    path = tmp_path / f"dump.{ending}"
    probe.dump(path, *samples(), credit=rule, directions=DIRECTIONS, chunk=50)
    live = probe.audit(*samples(), credit=rule, directions=DIRECTIONS, draws=3)
    found, wanted = audited(path).layers(), live.layers()
    assert len(found["cosine"]) == BLOCKS + 1
    for name in ("cosine", "cosine_at_input"):
        assert (found[f"{name}_state"] == wanted[f"{name}_state"]).all()
        assert np.nanmax(np.abs(found[name] - wanted[name])) < 1e-6
    for name in ("hidden", "gradient", "credit"):
        assert np.allclose(found[name], wanted[name], rtol=1e-6), name
    assert np.abs(found["rho"] - wanted["rho"]).max() < FAR
    assert found["rho_of_gradient"].min() > 0.999999 and set(found["rho_state"]) == {"defined"}
    one, other = audited(path).verdicts(), live.verdicts()
    for check in ("D1_statistic", "D2_statistic", "accuracy"):
        assert np.isclose(one[check][0], other[check][0], rtol=1e-6), check
    # The file's head gives the file's logits and p_L, or the audit would say so.
    assert "head" not in warnings(audited(path)) and "reference" not in warnings(audited(path))


def test_both_formats_hold_the_same(tmp_path: Path) -> None:
    probe = Probe(model(), **STATES)
    for ending in ("npz", "safetensors"):
        probe.dump(tmp_path / f"d.{ending}", *samples(), credit=rule, directions=8, rule="dfa", seed=3, epoch=2)
    held = arrays(tmp_path / "d.npz")
    header, content = tensors(tmp_path / "d.safetensors")
    assert set(header) == set(held)
    kinds: dict[str, Any] = {"F64": np.float64, "F32": np.float32, "I64": np.int64}
    end = 0
    for name, entry in header.items():
        low, high = entry["data_offsets"]  # type: ignore[index]
        values = np.frombuffer(content[low:high], kinds[entry["dtype"]]).reshape(entry["shape"])  # type: ignore[index]
        assert low == end
        end = high
        if name == "rule":
            assert "".join(map(chr, values)) == str(held[name]) == "dfa"
        else:
            assert values.dtype == held[name].dtype and np.array_equal(values, held[name]), name
    assert end == len(content)
    shapes = {name: held[name].shape for name in ("h.0", "p.3", "a.embed", "a.2", "v.1", "dl.1", "labels", "logits", "head.weight")}
    assert shapes == {"h.0": (N, D), "p.3": (N, D), "a.embed": (N, D), "a.2": (N, D), "v.1": (8, D), "dl.1": (N, 8), "labels": (N,),
                      "logits": (N, CLASSES), "head.weight": (CLASSES, D)}  # fmt: skip


@pytest.mark.parametrize("ending", ["npz", "safetensors"])
def test_the_run_is_named(tmp_path: Path, ending: str) -> None:
    probe = Probe(model(), **STATES)
    paths = []
    for seed in (1, 2):
        paths.append(tmp_path / f"{seed}.{ending}")
        probe.dump(paths[-1], *samples(), credit=rule, rule="my dfa", seed=seed, epoch=7, accuracy=0.31, frozen_accuracy=0.35)
    found = audited(paths[0]).to_dict()["audits"][0]
    assert found["subject"]["rule"] == "my dfa" and found["subject"]["seed"] == 1
    assert found["epoch"] == 7 and found["accuracy"] == 0.31 and found["frozen"] == 0.35
    # Trained blocks that are worth less than frozen ones.
    assert audited(paths[0]).verdicts()["D3"][0] == "fires"
    assert len(cs.audit(paths, draws=1).verdicts()["verdict"]) == 2


def test_a_backward_that_is_a_rule_is_dumped_with_the_gradient(tmp_path: Path) -> None:
    path = tmp_path / "dump.npz"
    made, plain = model(Dfa), model()
    plain.load_state_dict({name: value for name, value in made.state_dict().items() if not name.startswith("feedback")})
    checks = Probe(made, **STATES).dump(path, *samples(), credit="autograd", directions=DIRECTIONS)
    assert "this backward is not the gradient of this forward" in checks["gradient at h_1"].words
    feedback = [made.feedback[0], *made.feedback]
    wanted = Probe(plain, **STATES).audit(*samples(), credit=lambda seen: [seen.e @ b.T for b in feedback], directions=DIRECTIONS, draws=3)
    found = audited(path)
    assert np.abs(found.layers()["cosine"] - wanted.layers()["cosine"]).max() < 1e-4
    assert np.abs(found.layers()["rho"] - wanted.layers()["rho"]).max() < FAR
    assert found.layers()["cosine"].max() < 0.9 and found.layers()["rho_of_gradient"].min() > 0.999
    found.raise_if("reference")
    # By a twin, the gradient is its backward pass, to rounding in f64.
    Probe(made, **STATES).dump(tmp_path / "twin.npz", *samples(), credit="autograd", reference=plain)
    one, other = arrays(path), arrays(tmp_path / "twin.npz")
    for name in ("p.0", "p.3"):
        assert np.allclose(one[name], other[name], atol=1e-6 * np.abs(other[name]).max())


def test_the_naive_dump_is_named(tmp_path: Path) -> None:
    """What hooks give for a custom Function, with loss changes that are right."""
    made = model(Dfa)
    path = tmp_path / "dump.npz"
    Probe(made, **STATES).dump(path, *samples(), credit="autograd", directions=DIRECTIONS)
    right = arrays(path)
    x, y = samples()
    states: list[Any] = []
    hooks = [module.register_forward_hook(lambda module, inputs, output: states.append(output)) for module in (made.embed, *made.blocks)]
    loss = nn.functional.cross_entropy(made(x), y, reduction="sum")
    for hook in hooks:
        hook.remove()
    naive = right | {f"p.{l}": p.numpy() for l, p in enumerate(torch.autograd.grad(loss, states))}
    found = cs.audit(naive, directions=DIRECTIONS, draws=3)
    assert set(found.layers()["standing"]) == {"reference_not_gradient"}
    assert "reference not the gradient" in found.text()
    assert found.verdicts()["verdict"][0] == "not assessed"
    with pytest.raises(cs.FoundError, match="not the gradient"):
        found.raise_if("reference")
    # Without the loss changes and the head, the same file is credit compared with itself.
    assert np.allclose(naive["p.0"], naive["a.embed"], rtol=1e-4, atol=1e-6)
    assert "reference not the gradient" not in audited(path).text()


def test_a_model_that_is_no_gradient_is_no_reference_without_a_rule(tmp_path: Path) -> None:
    path = tmp_path / "dump.npz"
    for credit in (None, rule):
        with pytest.raises(cs.ProbeError, match="this backward is not the gradient of this forward"):
            Probe(model(Dfa), **STATES).dump(path, *samples(), credit=credit)
    assert not path.exists()


def test_without_credit_there_is_the_reference_alone(tmp_path: Path) -> None:
    path = tmp_path / "dump.npz"
    Probe(model(), **STATES).dump(path, *samples())
    assert not any(name.startswith("a.") for name in arrays(path))
    assert audited(path).verdicts()["D1"][0] in ("passes", "fires")


def squares(logits: Any, y: Any) -> Any:
    return (logits - nn.functional.one_hot(y, CLASSES)).square().sum(1)


def test_of_another_loss_there_is_no_head_to_contradict(tmp_path: Path) -> None:
    path = tmp_path / "dump.npz"
    Probe(model(), **STATES).dump(path, *samples(), credit="autograd", loss=squares)
    assert not {"labels", "logits", "head.weight"} & set(arrays(path))
    found = audited(path)
    found.raise_if("reference")
    assert found.layers()["rho_of_gradient"].min() > 0.999
    # A cross-entropy written by hand is one.
    by_hand = lambda z, y: -torch.log_softmax(z, 1).gather(1, y[:, None])[:, 0]  # noqa: E731
    Probe(model(), **STATES).dump(path, *samples(), credit="autograd", loss=by_hand)
    assert {"labels", "logits", "head.weight", "out_ln.eps"} <= set(arrays(path))


class Pooled(nn.Module):
    """Tokens, whose mean the head reads."""

    def __init__(self) -> None:
        super().__init__()
        self.embed, self.block, self.out_head = nn.Linear(2, D), nn.Linear(D, D), nn.Linear(D, CLASSES)

    def forward(self, x: Any) -> Any:
        return self.out_head(self.block(self.embed(x.reshape(len(x), 3, 2))).mean(1))


class Sharpened(Pooled):
    """Whose logits are multiplied by something after the head."""

    def forward(self, x: Any) -> Any:
        return 2 * super().forward(x)


def test_heads_are_written_where_they_make_the_logits(tmp_path: Path) -> None:
    path = tmp_path / "dump.npz"
    torch.manual_seed(2)
    pooled = Probe(Pooled(), ["embed", "block"], head="out_head")
    pooled.dump(path, *samples(), credit="autograd")
    held = arrays(path)
    assert held["h.1"].shape == (N, 3, D) and held["v.1"].shape == (32, 3 * D) and "head.weight" in held
    found = audited(path)
    assert np.abs(found.layers()["cosine"] - 1).max() < 1e-6
    # The file's head gives the file's logits and p_L, or the audit would say so.
    assert "head" not in warnings(found).lower() and "reference" not in warnings(found).lower()
    # What this head gives are not yet the logits.
    Probe(Sharpened(), ["embed", "block"], head="out_head").dump(path, *samples(), credit="autograd")
    assert "head.weight" not in arrays(path) and "logits" in arrays(path)
    # Nobody said that there is a LayerNorm before this one.
    with pytest.raises(cs.ProbeError, match="h_3: the module returns neither the stream nor its branch"):
        Probe(model(), STATES["states"], head="out_head").dump(path, *samples(), credit="autograd")


def test_what_cannot_be_written_is_refused_at_once(tmp_path: Path) -> None:
    probe = Probe(model(), **STATES)
    for name, options, words in (
        ("dump.pt", {}, "end the name in .npz or .safetensors"),
        ("dump.npz", {"directions": 7}, "directions=7: give 8 or more"),
        ("dump.npz", {"rule": " "}, "give a name"),
        ("dump.npz", {"seed": -1}, "seed=-1"),
        ("dump.npz", {"accuracy": 31}, "a share from 0 to 1"),
    ):
        with pytest.raises(cs.UsageError, match=words):
            probe.dump(tmp_path / name, *samples(), credit=rule, **options)
    assert not list(tmp_path.iterdir())


class Gapped(nn.Module):
    """What follows its states works on them outside."""

    def __init__(self) -> None:
        super().__init__()
        self.embed, self.second, self.out_head = nn.Linear(INPUTS, D), nn.Linear(D, D), nn.Linear(D, CLASSES)

    def forward(self, x: Any) -> Any:
        return self.out_head(torch.tanh(self.second(torch.tanh(self.embed(x)))))


def test_what_is_not_the_stream_is_no_hidden_state(tmp_path: Path) -> None:
    """Growth would be read from it."""
    with pytest.raises(cs.ProbeError, match="h_0, h_1: the module returns neither the stream nor its branch"):
        Probe(Gapped(), ["embed", "second"], head="out_head").dump(tmp_path / "dump.npz", *samples(), credit="autograd")
