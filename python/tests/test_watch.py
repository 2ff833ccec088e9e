"""Watching a training loop of PyTorch: what is written, against plain NumPy and our own runs, and who can read it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import program

torch = pytest.importorskip("torch", reason="needs PyTorch")

from torch import Tensor, nn  # noqa: E402
from torch_models import Dfa, Resmlp, checkpoint, twin  # noqa: E402

import creditscope as cs  # noqa: E402

INPUTS, D, BLOCKS, CLASSES, SAMPLES = 12, 16, 2, 5, 40
STATES = {"states": ["embed", "blocks.*"], "norm": "out_ln", "head": "out_head"}
QUICK = {"samples": 16, "directions": 2, "draws": 3}


def batch(samples: int = SAMPLES, inputs: int = INPUTS) -> tuple[Tensor, Tensor]:
    random = torch.Generator().manual_seed(5)
    return torch.randn(samples, inputs, generator=random), torch.randint(0, CLASSES, (samples,), generator=random)


def network(seed: int = 0) -> Resmlp:
    torch.manual_seed(seed)
    return Resmlp(INPUTS, D, BLOCKS, CLASSES)


def direct(seed: int = 1):  # type: ignore[no-untyped-def]
    """Direct feedback through fixed matrices."""
    random = torch.Generator().manual_seed(seed)
    matrices = [torch.randn(D, CLASSES, generator=random) for _ in range(BLOCKS + 1)]

    def rule(seen: cs.torch.Seen) -> list[Tensor]:
        return [seen.e @ matrix.T for matrix in matrices]

    return rule, [matrix.numpy() for matrix in matrices]


def descend(model: nn.Module, optimiser: torch.optim.Optimizer, steps: int = 3) -> None:
    x, y = batch()
    model.train()
    for _ in range(steps):
        optimiser.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimiser.step()


def lines(out: Path) -> list[dict]:
    return [json.loads(line) for line in (out / "metrics.jsonl").read_text().splitlines()]


def record(out: Path) -> dict:
    return json.loads((out / "run.json").read_text())


def by_hand(model: Resmlp, matrices: list[np.ndarray]) -> dict[str, list[float]]:
    """Norms and cosines of direct feedback, with nothing but PyTorch's autograd and NumPy in f64."""
    x, y = batch()
    states = [model.embed(x)]
    for block in model.blocks:
        states.append(block(states[-1]))
    for state in states:
        state.retain_grad()
    logits = model.out_head(model.out_ln(states[-1]))
    nn.functional.cross_entropy(logits, y, reduction="sum").backward()
    h = [state.detach().double().numpy() for state in states]
    p = [state.grad.double().numpy() for state in states]
    model.zero_grad()
    e = (torch.softmax(logits.detach().double(), 1) - nn.functional.one_hot(y, CLASSES)).numpy()
    a = [e @ matrix.T.astype(float) for matrix in matrices]

    def norm(rows: np.ndarray) -> float:
        return float(np.median(np.linalg.norm(rows, axis=1)))

    def cosine(a: np.ndarray, p: np.ndarray) -> float:
        return float(((a * p).sum(1) / np.linalg.norm(a, axis=1) / np.linalg.norm(p, axis=1)).mean())

    def directions(h: np.ndarray) -> float:
        values = np.linalg.eigvalsh(np.cov(h.T))
        return float(values.sum() ** 2 / (values**2).sum())

    hidden = [norm(rows) for rows in h]
    return {
        "hidden": hidden, "gradient": [norm(rows) for rows in p], "credit": [norm(rows) for rows in a],
        "cosine": [cosine(*pair) for pair in zip(a, p)], "cosine_at_input": [cosine(*pair) for pair in zip(a[1:], p)],
        "participation_ratio": [directions(rows) for rows in h], "growth": [max(np.divide(hidden[1:], hidden[:-1]))], "error": [norm(e)],
    }  # fmt: skip


def test_what_is_logged_is_what_plain_numpy_computes(tmp_path: Path) -> None:
    model, (rule, matrices) = network(), direct()
    optimiser = torch.optim.SGD(model.parameters(), lr=0.3)
    expected = [by_hand(model, matrices)]
    with cs.watch(model, batch=batch(), **STATES, credit=rule, rule="mine", seed=3, out=tmp_path / "mine-s3", every=None) as w:
        assert w.last == 0
        for _ in range(3):
            descend(model, optimiser)
            expected.append(by_hand(model, matrices))
            assert w.epoch(accuracy=0.25, loss=1.5, train_loss=1.25, lr=0.3) is False
    logged = lines(w.path)
    assert [line["epoch"] for line in logged] == [0, 1, 2, 3] and w.last == 3
    for line, wanted in zip(logged, expected):
        found = {name: series["values"] for name, series in line["evaluation"]["series"].items()}
        found |= {name: [line["evaluation"][name]] for name in ("growth", "error")}
        assert found.keys() == wanted.keys()
        for name, values in wanted.items():
            assert np.allclose(found[name], values, rtol=1e-5, atol=1e-6), name
    assert logged[2]["test"] == {"loss": 1.5, "accuracy": 0.25} and logged[2]["lr"] == 0.3
    assert logged[2]["train"] == {"loss": 1.25, "accuracy": "nan"} and logged[0]["train"] is None
    layers = cs.runs(w.path).layers()
    assert np.allclose(layers["cosine"], np.concatenate([wanted["cosine"] for wanted in expected]), atol=1e-6)
    # Without a score, that on the batch is written, and an audit says so.
    x, y = batch()
    start = network()(x).detach()
    of_batch = {"loss": float(nn.functional.cross_entropy(start, y)), "accuracy": float((start.argmax(1) == y).float().mean())}
    assert logged[0]["test"] == pytest.approx(of_batch, rel=1e-5)


def test_a_run_of_ours_copied_step_by_step_has_our_log(tmp_path: Path) -> None:
    keys = {"data.name": "digits", "net.d": 32, "net.blocks": 2, "rule.name": "dfa", "train.epochs": 3, "audit.every": 0, "seed": 3}
    stops = [cs.run(keys | {"train.stop_after": n}, out=tmp_path / str(n), progress=False)[0].path for n in (1, 2, 3)]
    # Without a step, the weights are those of the start.
    start = cs.run(keys | {"optim.lr": 0.0, "train.stop_after": 1}, out=tmp_path / "0", progress=False)[0].path
    own = lines(stops[-1])
    saved = checkpoint(stops[-1])
    matrices = [saved["feedback.0"], saved["feedback.0"], saved["feedback.1"]]
    model = twin(Resmlp, start)
    options = {"credit": lambda seen: [seen.e @ matrix.T for matrix in matrices], "rule": "dfa", "seed": 3, "epochs": 3, "every": None}
    with cs.watch(model, batch=cs.runs(stops[-1]).samples(0, 360), **STATES, **options, out=tmp_path / "copy-s3") as w:
        for stop, line in zip(stops, own[1:]):
            model.load_state_dict(twin(Resmlp, stop).state_dict())
            w.epoch(accuracy=line["test"]["accuracy"], loss=line["test"]["loss"])
    for ours, theirs in zip(own, lines(w.path), strict=True):
        ours, theirs = ours["evaluation"], theirs["evaluation"]
        assert ours["samples"] == theirs["samples"] == 360
        assert np.isclose(ours["growth"], theirs["growth"], rtol=1e-5) and np.isclose(ours["error"], theirs["error"], rtol=1e-5)
        # What needs the optimiser's step, or the rule's own weights, is not known of a model that is only watched.
        assert set(ours["series"]) - set(theirs["series"]) <= {"update_cosine", "feedback_angle"}
        for name, series in theirs["series"].items():
            assert series["at"] == ours["series"][name]["at"]
            assert np.allclose(series["values"], ours["series"][name]["values"], rtol=1e-4, atol=2e-6), name
    one, other = cs.runs(stops[-1]).verdicts(), cs.runs(w.path).verdicts()
    for column in ("verdict", "D1", "D2", "D3", "D1_first_fired", "D2_first_fired", "accuracy"):
        assert str(one[column][0]) == str(other[column][0]), column


def test_d2_first_fires_where_its_statistic_crosses_the_limit(tmp_path: Path) -> None:
    model, (rule, matrices) = network(), direct()
    statistic, fired = [], None
    with cs.watch(model, batch=batch(), **STATES, credit=rule, out=tmp_path / "run", epochs=9, stop_on=("D2",), **QUICK) as w:
        for epoch in range(1, 10):
            with torch.no_grad():
                model.out_head.weight.mul_(0.1)
            # ‖g_L‖ of a mean over 128 samples.
            statistic.append(by_hand(model, matrices)["gradient"][-1] / 128)
            if w.epoch(accuracy=0.2):
                fired = epoch
                break
    assert fired == next(epoch for epoch, x in enumerate(statistic, start=1) if x < 1e-7) and fired == len(statistic) > 2
    assert record(w.path)["status"] == {"state": "halted", "check": "D2", "epoch": fired}
    verdict = w.verdict.verdicts()
    assert verdict["verdict"][0] == "FAIL(D2)" and verdict["D2_first_fired"][0] == fired
    assert verdict["D2_statistic"][0] == pytest.approx(statistic[-1], rel=1e-5)
    # A cosine with such a gradient is a number, and not believed.
    last = lines(w.path)[-1]["evaluation"]["series"]["cosine"]["values"]
    assert {value["why"] for value in last} == {"reference_below_floor"}


def test_a_gradient_that_is_lost_in_rounding_does_not_stop_the_training(tmp_path: Path) -> None:
    model, (rule, _) = network(), direct()
    with cs.watch(model, batch=batch(), **STATES, credit=rule, out=tmp_path / "run", every=None) as w:
        with torch.no_grad():
            model.out_head.weight.mul_(1e-13)
        assert w.epoch(accuracy=0.2) is False
    assert "FAIL(D2)" == w.verdict.verdicts()["verdict"][0]


def test_audits_are_made_as_scheduled_and_at_the_end(tmp_path: Path) -> None:
    model, (rule, _) = network(), direct()
    optimiser = torch.optim.SGD(model.parameters(), lr=0.1)

    def audited(name: str, **options: object) -> tuple[list[int], cs.torch.Probed | None]:
        with cs.watch(model, batch=batch(), **STATES, credit=rule, out=tmp_path / name, **QUICK, **options) as w:
            for _ in range(5):
                descend(model, optimiser, 1)
                w.epoch(accuracy=0.5)
        return [line["epoch"] for line in lines(w.path) if "audit" in line], w.audit

    epochs, last = audited("log", epochs=5)
    assert epochs == [0, 1, 2, 4, 5]
    assert audited("unknown")[0] == [0, 1, 2, 4]
    assert audited("third", every=3)[0] == [0, 3]
    assert audited("none", every=None) == ([], None) and not json.loads((tmp_path / "none/audit.json").read_text())["units"][0]["here"]["rho"]
    small = lines(tmp_path / "log")[-1]["audit"]
    assert (small["samples"], small["directions"], small["draws"]) == (16, 2, 3)
    assert small["units"][1]["here"]["rho"]["gradient"]["value"] > 0.99
    # The audit at the end is that of the model, over the whole batch, and is kept in the run.
    kept = cs.audit(tmp_path / "log", save=False).layers()
    assert last is not None and (kept["samples"] == SAMPLES).all()
    for column in ("rho", "cosine", "cosine_at_input", "nudge_0.01", "standing", "credit"):
        assert np.array_equal(kept[column], last.layers()[column], equal_nan=kept[column].dtype.kind == "f"), column


def test_the_command_line_reads_it(tmp_path: Path) -> None:
    model, (rule, _) = network(), direct()
    optimiser = torch.optim.SGD(model.parameters(), lr=0.1)
    for name, frozen in (("mine-s1", False), ("mine-frozen-s1", True)):
        watch = cs.watch(model, batch=batch(), **STATES, credit=rule, rule="mine", seed=1, epochs=2, frozen=frozen, data="noise",
                         recipe={"optim.lr": 0.1}, out=tmp_path / "runs" / name, **QUICK)  # fmt: skip
        with watch as w:
            for epoch in (1, 2):
                descend(model, optimiser)
                w.epoch(accuracy=0.2 + 0.1 * epoch + (0.0 if frozen else 0.3), loss=1.0, train_accuracy=0.5, train_loss=1.0)
    run = tmp_path / "runs" / "mine-s1"

    def printed(*words: object) -> str:
        done = program(*words)
        assert done.returncode == 0, done.stdout + done.stderr
        return " ".join(done.stdout.split())

    listed = printed("runs", "list", tmp_path / "runs")
    assert "finished 2/2 .700" in listed and f"trained elsewhere, by PyTorch {torch.__version__}, and watched: mine-frozen-s1, mine-s1" in listed
    assert json.loads(program("runs", "list", run, "--json").stdout)["trained_by"] == f"PyTorch {torch.__version__}"
    shown = printed("runs", "show", run)
    assert "mine" in shown and "trained elsewhere, by PyTorch" in shown and "Resmlp, d = 16, L = 2, 12 inputs, 5 classes" in shown
    assert "cosine" in shown and "0.1" in shown
    page = printed("audit", tmp_path / "runs")
    assert "trained elsewhere, by PyTorch" in page and "its log and the audit at its end" in page
    found = json.loads(program("audit", run, "--json").stdout)["audits"][0]
    assert found["subject"]["rule"] == "mine" and found["frozen"] == 0.4 and found["accuracy"] == pytest.approx(0.7)
    assert [check["outcome"]["state"] for check in found["checks"]] == ["passes", "passes", "not_assessed", "passes", "not_assessed"]
    assert all(unit["here"]["rho"] for unit in found["units"]) and "trained elsewhere" in found["consistency"]["why"]
    # What cannot be measured anew is judged by what is kept.
    assert json.loads(program("audit", run, "--json", "--again").stdout)["audits"][0]["units"] == found["units"]
    log = printed("audit", run, "--log")
    assert "judged by what was kept of it: its log" in log and "and the audit at its end" not in log
    (run / "audit.json").unlink()
    again = json.loads(program("audit", run, "--json").stdout)["audits"][0]
    assert [check["outcome"] for check in again["checks"]] == [check["outcome"] for check in found["checks"]]
    assert again["checks"][1]["statistic"] == pytest.approx(found["checks"][1]["statistic"], rel=1e-4)
    for name in ("verdicts", "cifar-accuracy", "series"):
        more = ["--quantity", "cosine"] if name == "series" and "--quantity" in program("figure", "--help").stdout else []
        printed("figure", name, "--from", tmp_path / "runs", "--out", tmp_path / "figures", "--format", "svg", *more)
    assert "mine" in (tmp_path / "figures/cifar-accuracy.svg").read_text()
    both = printed("runs", "diff", run, tmp_path / "runs" / "mine-frozen-s1")
    assert "rule.frozen" in both and "must be equal" not in both
    # Figures and tables of Python, too.
    found_runs = cs.runs(tmp_path / "runs")
    assert found_runs.metrics()["test_accuracy"].max() == pytest.approx(0.7)
    assert "mine" in cs.figure("cifar-accuracy", found_runs).svg
    assert found_runs.verdicts()["gain"][list(found_runs.verdicts()["run"]).index("mine-s1")] == pytest.approx(0.3)


KILLED = """
import os, signal, sys
sys.path.insert(0, {tests!r})
from pathlib import Path
import torch
import creditscope as cs
from test_watch import *
out, stop = Path(sys.argv[1]), sys.argv[2]
model, (rule, _) = network(), direct()
optimiser = torch.optim.SGD(model.parameters(), lr=0.1)
weights = out.parent / "weights.pt"
if weights.exists():
    model.load_state_dict(torch.load(weights))
with cs.watch(model, batch=batch(), **STATES, credit=rule, seed=1, epochs=5, out=out, resume=True, **QUICK) as w:
    for epoch in range(w.last + 1, 6):
        descend(model, optimiser)
        torch.save(model.state_dict(), weights)
        w.epoch(accuracy=epoch / 10)
        if stop == str(epoch):
            os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_run_is_readable_and_goes_on(tmp_path: Path) -> None:
    def trained(name: str, stop: int) -> subprocess.CompletedProcess[str]:
        code = KILLED.format(tests=str(Path(__file__).parent))
        line = [sys.executable, "-c", code, str(tmp_path / name / "run-s1"), str(stop)]
        return subprocess.run(line, capture_output=True, text=True, check=False, env=os.environ | {"CUDA_VISIBLE_DEVICES": ""})

    for name in ("once", "whole"):
        (tmp_path / name).mkdir()
    once = tmp_path / "once/run-s1"
    done = trained("once", 3)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert record(once)["status"] == {"state": "running"} and [line["epoch"] for line in lines(once)] == [0, 1, 2, 3]
    # As if the kill had come within a line.
    with (once / "metrics.jsonl").open("a") as log:
        log.write('{"schema":"creditscope.metrics/2","epo')
    run = cs.runs(once)[0]
    assert run.status == "running" and cs.runs(once).metrics()["epoch"].tolist() == [0, 1, 2, 3]
    shown = program("runs", "show", once)
    assert shown.returncode == 0 and "running, 3 of 5 epochs" in shown.stdout and "resume=True" in shown.stdout
    page = program("audit", once)
    assert page.returncode == 0 and "trained 3 of 5 epochs" in page.stdout

    assert trained("once", 9).returncode == 0 and trained("whole", 9).returncode == 0
    assert record(once)["status"] == {"state": "finished"} and record(once)["provenance"]["resumed"] == 1
    timeless = [[{k: v for k, v in line.items() if not k.endswith("_seconds")} for line in lines(tmp_path / name / "run-s1")] for name in ("once", "whole")]
    assert timeless[0] == timeless[1] and len(timeless[0]) == 6


class Noisy(nn.Module):
    """Dropout and batch statistics: what a measurement could disturb."""

    def __init__(self) -> None:
        super().__init__()
        self.embed, self.block = nn.Linear(INPUTS, D), nn.Sequential(nn.Linear(D, D), nn.BatchNorm1d(D), nn.Dropout(0.3))
        self.head = nn.Linear(D, CLASSES)

    def forward(self, x: Tensor) -> Tensor:
        h = self.embed(x)
        return self.head(h + self.block(h))


def test_training_is_the_same_with_and_without_a_watch(tmp_path: Path) -> None:
    def noisy_rule(seen: cs.torch.Seen) -> list[Tensor]:
        return [torch.randn_like(h) for h in seen.h]

    def trained(out: Path | None) -> tuple[dict, Tensor, list]:
        torch.manual_seed(7)
        np.random.seed(7)
        model = Noisy()
        model.block[1].eval()
        optimiser = torch.optim.AdamW(model.parameters(), lr=0.01)
        options = {"states": ["embed", "block"], "head": "head", "credit": noisy_rule, **QUICK}
        watch = cs.watch(model, batch=batch(), out=out, **options) if out is not None else None
        if watch is not None:
            watch.__enter__()
        x, y = batch()
        seen = []
        for _ in range(3):
            for _ in range(2):
                optimiser.zero_grad()
                nn.functional.cross_entropy(model(x), y).backward()
                optimiser.step()
            if watch is not None:
                watch.epoch(accuracy=0.5)
            seen.append([module.training for module in model.modules()] + [p.grad.clone() for p in model.parameters()])
        if watch is not None:
            watch.__exit__(None, None, None)
        return model.state_dict(), torch.cat([torch.rand(3), torch.tensor(np.random.rand(3))]), seen

    plain, watched = trained(None), trained(tmp_path / "run")
    assert all(torch.equal(value, watched[0][name]) for name, value in plain[0].items()) and torch.equal(plain[1], watched[1])
    for one, other in zip(plain[2], watched[2]):
        assert all(torch.equal(a, b) if isinstance(a, Tensor) else a == b for a, b in zip(one, other, strict=True))


def test_an_existing_run_is_only_continued_when_asked_and_the_same(tmp_path: Path) -> None:
    model, (rule, _) = network(), direct()
    out = tmp_path / "run"
    options = {"batch": batch(), **STATES, "credit": rule, "rule": "mine", "every": None, "out": out}

    def go_on(epochs: int, **more: object) -> None:
        with cs.watch(model, **(options | more)) as w:
            for _ in range(epochs):
                w.epoch(accuracy=0.5)

    go_on(2)
    before = (out / "metrics.jsonl").read_bytes()
    with pytest.raises(cs.RunError, match=r"holds a run already.*resume=True, out=DIR"):
        go_on(1)
    for more, what in (({"rule": "other"}, "rule"), ({"seed": 2}, "seed"), ({"batch": batch(30)}, "batch")):
        with pytest.raises(cs.RunError, match=f"its {what} is not the same"):
            go_on(1, resume=True, **more)
    assert (out / "metrics.jsonl").read_bytes() == before
    go_on(1, resume=True)
    assert [line["epoch"] for line in lines(out)] == [0, 1, 2, 3]
    go_on(1, resume=1)
    assert [line["epoch"] for line in lines(out)] == [0, 1, 2] and record(out)["provenance"]["resumed"] == 2
    with pytest.raises(cs.UsageError, match="resume=7: the log of .* ends with epoch 2"):
        go_on(1, resume=7)
    with torch.no_grad():
        model.embed.weight.mul_(1.01)
    with pytest.warns(cs.CreditscopeWarning, match="the model is not the one of epoch 2"):
        go_on(1, resume=True)
    own = cs.run({"data.name": "digits", "net.d": 8, "net.blocks": 1, "train.epochs": 1, "rule.name": "bp", "seed": 1}, out=tmp_path, progress=False)
    with pytest.raises(cs.RunError, match="this program trained"):
        go_on(1, resume=True, out=own[0].path)


def test_an_exception_leaves_an_interrupted_run(tmp_path: Path) -> None:
    model, (rule, _) = network(), direct()
    for name, error in (("broken", ZeroDivisionError), ("stopped", KeyboardInterrupt)):
        with pytest.raises(error):
            with cs.watch(model, batch=batch(), **STATES, credit=rule, out=tmp_path / name, every=None) as w:
                w.epoch()
                raise error
        assert record(w.path)["status"] == {"state": "interrupted"}
        # No number of epochs was stated, so it is not said how many are missing.
        assert "not yet at its end, after epoch 1" in program("audit", w.path).stdout
        assert f"accuracy is that on the {SAMPLES} samples" in " ".join(program("audit", w.path).stdout.split())


def test_a_backward_that_is_the_rule_is_compared_with_the_gradient(tmp_path: Path) -> None:
    torch.manual_seed(0)
    model, plain = Dfa(INPUTS, D, BLOCKS, CLASSES), network(9)
    plain.load_state_dict({name: value for name, value in model.state_dict().items() if not name.startswith("feedback")})
    matrices = [model.feedback[0].numpy(), model.feedback[0].numpy(), model.feedback[1].numpy()]
    optimiser = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.3)
    # The same weights at the start; the watch keeps its twin up to them.
    watches = [cs.watch(model, batch=batch(), **STATES, every=None, out=tmp_path / name, reference=twin)
               for name, twin in (("twin", plain), ("differences", None))]  # fmt: skip
    expected = []
    with watches[0] as one, watches[1] as other:
        for _ in range(2):
            descend(model, optimiser)
            moved = network()
            moved.load_state_dict({name: value for name, value in model.state_dict().items() if not name.startswith("feedback")})
            expected.append(by_hand(moved, matrices))
            one.epoch(accuracy=0.5)
            other.epoch(accuracy=0.5)
    for watch, most in ((one, 1e-5), (other, 1e-4)):
        for line, wanted in zip(lines(watch.path)[1:], expected, strict=True):
            for name in ("cosine", "gradient", "credit"):
                assert np.allclose(line["evaluation"]["series"][name]["values"], wanted[name], rtol=most, atol=most), name
    assert not torch.equal(plain.embed.weight, model.embed.weight), "the twin of the caller is left alone"
    # Credit beside such a backward pass would be compared with the rule itself.
    with pytest.raises(cs.ProbeError, match="this backward is not the gradient of this forward"):
        with cs.watch(model, batch=batch(), **STATES, credit=direct()[0], out=tmp_path / "refused"):
            pass
    assert not (tmp_path / "refused").exists()


def test_states_that_are_no_stream_have_no_growth(tmp_path: Path) -> None:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(INPUTS, D), nn.Tanh(), nn.Linear(D, D), nn.Tanh(), nn.Linear(D, CLASSES))
    with cs.watch(model, batch=batch(), states=["0", "2"], head="4", out=tmp_path / "run", epochs=1, **QUICK) as w:
        w.epoch(accuracy=0.5)
    checks = {check["check"]: check["outcome"]["state"] for check in w.verdict.to_dict()["audits"][0]["checks"]}
    assert checks["D1"] == "not_assessed" and checks["D2"] == "passes"
    by_log = cs.runs(w.path).verdicts()
    assert by_log["D1"][0] == "not assessed" and by_log["D2"][0] == "passes" and np.isnan(by_log["D1_first_fired"][0])
    for words in (("audit", w.path, "--log"), ("runs", "list", w.path), ("runs", "show", w.path)):
        done = program(*words)
        assert done.returncode == 0 and "NaN" not in done.stdout, done.stdout + done.stderr
    assert np.isnan(cs.runs(w.path).metrics()["growth"]).all() and cs.figure("verdicts", w.path).svg


def test_a_model_that_diverges_is_to_be_stopped(tmp_path: Path) -> None:
    model, (rule, _) = network(), direct()
    with cs.watch(model, batch=batch(), **STATES, credit=rule, out=tmp_path / "run", **QUICK) as w:
        assert w.epoch() is False
        with torch.no_grad():
            model.embed.weight.fill_(torch.nan)
        assert w.epoch() is True
    assert record(w.path)["status"] == {"state": "stopped", "reason": "the test loss became not a number after epoch 2", "epoch": 2, "step": 0}
    assert w.audit is None and "D1" in w.verdict.verdicts()["verdict"][0]
    assert "the run broke off" in program("audit", w.path).stdout


def test_a_model_that_has_moved_since_its_last_epoch_is_not_audited_as_its_end(tmp_path: Path) -> None:
    model, (rule, _) = network(), direct()
    with pytest.warns(cs.CreditscopeWarning, match="the model has changed since its last epoch"):
        with cs.watch(model, batch=batch(), **STATES, credit=rule, out=tmp_path / "run", every=2, **QUICK) as w:
            w.epoch(accuracy=0.5)
            descend(model, torch.optim.SGD(model.parameters(), lr=0.1))
    assert w.audit is None and record(w.path)["status"] == {"state": "finished"}


def test_a_log_that_another_writer_took_over_is_left_alone(tmp_path: Path) -> None:
    model, (rule, _) = network(), direct()
    options = {"batch": batch(), **STATES, "credit": rule, "every": None, "out": tmp_path / "run"}
    with pytest.raises(cs.RunError, match="another"):
        with cs.watch(model, **options) as first:
            first.epoch()
            with cs.watch(model, **options, resume=True) as second:
                second.epoch()
            after = (first.path / "metrics.jsonl").read_bytes()
            first.epoch()
    assert (first.path / "metrics.jsonl").read_bytes() == after and record(first.path)["status"] == {"state": "finished"}


def test_what_cannot_be_meant_is_refused(tmp_path: Path) -> None:
    model, (rule, _) = network(), direct()
    options = {"batch": batch(), **STATES, "credit": rule, "out": tmp_path / "run"}
    for more, words in (
        ({"every": "often"}, 'every=.often.: give "log"'),
        ({"stop_on": ("D3",)}, "stop_on='D3'"),
        ({"credit": {"embed": torch.zeros(SAMPLES, D), 0: torch.zeros(SAMPLES, D), 1: torch.zeros(SAMPLES, D)}}, "do not follow training"),
        ({"recipe": {"net.d": 3}}, "recipe= has net.d"),
        ({"states": None}, "states= is missing"),
        ({"epochs": 0}, "epochs=0"),
    ):
        with pytest.raises(cs.UsageError, match=words):
            with cs.watch(model, **(options | more)):
                pass
    probe = cs.torch.Probe(model, **STATES)
    with pytest.raises(cs.UsageError, match="head= is for a model"):
        cs.watch(probe, batch=batch(), out=tmp_path / "run", head="out_head")
    watch = cs.watch(probe, batch=batch(), out=tmp_path / "run", credit=rule, every=None)
    with pytest.raises(cs.UsageError, match="has not begun"):
        watch.epoch()
    assert not (tmp_path / "run").exists()
    with watch:
        with pytest.raises(cs.UsageError, match=r"accuracy=93.5: give a share"):
            watch.epoch(accuracy=93.5)
    with pytest.raises(cs.UsageError, match="watched already"):
        watch.__enter__()


def test_the_recipe_states_what_is_known(tmp_path: Path) -> None:
    with cs.watch(network(), batch=batch(), **STATES, credit=direct()[0], rule="my \"rule\"", seed=4, out=tmp_path / "run", epochs=7,
                  recipe={"optim.lr": 0.5, "protocol.growth": 1e-9}, stop_on=("D1",), every=None, data="noise") as w:  # fmt: skip
        assert w.epoch() is True
    run = cs.runs(w.path)[0]
    assert run.rule == 'my "rule"' and run.seed == 4 and run.id == "run"
    wanted = {"rule.name": 'my "rule"', "rule.frozen": False, "seed": 4, "net.name": "Resmlp", "net.d": D, "net.blocks": BLOCKS,
              "train.epochs": 7, "eval.samples": SAMPLES, "audit.every": 0.0, "audit.stop_on": ["D1"], "optim.lr": 0.5,
              "protocol.growth": 1e-9, "data.name": "noise"}  # fmt: skip
    assert run.recipe == wanted
    # The thresholds of the recipe count.
    assert w.verdict.verdicts()["D1"][0] == "fires" and record(w.path)["status"]["check"] == "D1"
