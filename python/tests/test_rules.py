"""Rules written in Python: trained, resumed, audited and drawn like the built-in ones."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from conftest import assert_same_run, program

import creditscope as cs

SMALL = {
    "name": "mine",
    "data.name": "digits",
    "net.d": 16,
    "net.blocks": 2,
    "train.epochs": 3,
    "eval.samples": 64,
    "audit.every": 0,
    "seed": 1,
}


class Mine(cs.Rule):
    """Direct feedback with matrices of its own."""

    name = "mine"
    gain = 1.0

    def setup(self, net: cs.Net, rng: np.random.Generator) -> None:
        self.feedback = [self.gain * rng.normal(size=(width, net.classes)) for width in net.states]

    def credit(self, seen: cs.Seen) -> list[np.ndarray]:
        return [seen.e @ b.T for b in self.feedback]


class Learned(Mine):
    """Feedback that follows the head's weight, with noise that is drawn anew: state, steps and random numbers."""

    name = "learned"

    def credit(self, seen: cs.Seen) -> list[np.ndarray]:
        return [a + 0.01 * seen.rng.normal(size=a.shape) for a in super().credit(seen)]

    def after_step(self, step: cs.Step) -> None:
        head = step.weights["out_head.weight"].T
        self.feedback = [b + step.lr * (head - b) if b.shape == head.shape else b for b in self.feedback]

    def state(self) -> dict[str, np.ndarray]:
        return {f"b{index}": np.float32(b) for index, b in enumerate(self.feedback)}

    def restore(self, state: dict[str, np.ndarray]) -> None:
        self.feedback = [state[f"b{index}"] for index in range(len(state))]


def saved(run: Path, name: str) -> np.ndarray:
    """A tensor of a checkpoint."""
    content = (run / "checkpoint.safetensors").read_bytes()
    end = 8 + int.from_bytes(content[:8], "little")
    about = json.loads(content[8:end])[name]
    start, stop = about["data_offsets"]
    return np.frombuffer(content[end + start : end + stop], np.float32).reshape(about["shape"])


def test_dfa_in_python_is_the_built_in_dfa(tmp_path: Path) -> None:
    # Where nothing is trained, both see the same states; the feedback is read from the built-in run.
    still = SMALL | {"train.epochs": 1, "optim.lr": 0.0, "net.d": 32, "net.blocks": 3}
    [builtin] = cs.run(still, rules=["dfa"], out=tmp_path / "dfa", progress=False)
    feedback = [saved(builtin.path, f"feedback.{block}") for block in range(3)]

    class Dfa(cs.Rule):
        name = "my_dfa"
        version = "1"

        def credit(self, seen: cs.Seen) -> list[np.ndarray]:
            blocks = [seen.e @ b.T for b in feedback]
            return [blocks[0], *blocks]

    [mine] = cs.run(still, rules=[Dfa], out=tmp_path / "mine", progress=False)
    for unit in ("embed", "0", "1", "2"):
        a, b = saved(mine.path, f"credit.{unit}"), saved(builtin.path, f"credit.{unit}")
        assert np.linalg.norm(b) > 0 and np.linalg.norm(a - b) <= 1e-6 * np.linalg.norm(b), unit
    # Trained, they get the same verdict by the same checks; only rounding tells them apart.
    longer = SMALL | {"data.name": "teacher", "train.epochs": 4, "rule.frozen": [False, True]}
    trained = cs.run(longer, rules=["dfa"], out=tmp_path / "longer", progress=False)
    feedback[:] = [saved(trained[0].path, f"feedback.{block}") for block in range(2)]
    both = [*trained.paths, *cs.run(longer, rules=[Dfa], out=tmp_path / "longer", progress=False).paths]
    verdicts = cs.audit(both, samples=128, save=False).verdicts()
    by_group = dict(zip(verdicts["group"].tolist(), verdicts["verdict"].tolist()))
    assert by_group["dfa"] == by_group["my_dfa"] and by_group["dfa-frozen"] == by_group["my_dfa-frozen"]
    accuracy = dict(zip(verdicts["group"].tolist(), verdicts["accuracy"].tolist()))
    assert abs(accuracy["dfa"] - accuracy["my_dfa"]) < 0.02


def test_it_sees_whole_batches_and_threads_leave_no_trace(tmp_path: Path) -> None:
    rows: list[tuple[int, int]] = []

    class Counted(Mine):
        name = "counted"
        version = "1"

        def credit(self, seen: cs.Seen) -> list[np.ndarray]:
            if seen.step:
                rows.append((seen.step, len(seen.labels)))
            assert [h.shape for h in seen.h] == [(len(seen.labels), 16)] * 3
            softmax = np.exp(seen.logits - seen.logits.max(1, keepdims=True))
            softmax /= softmax.sum(1, keepdims=True)
            assert np.allclose(seen.e, softmax - np.eye(10)[seen.labels], atol=1e-6)
            return super().credit(seen)

    one, two = (cs.run(SMALL, rules=[Counted], out=tmp_path / str(n), threads=n, jobs=1, progress=False)[0] for n in (1, 2))
    assert_same_run(one.path, two.path)
    # Besides training, the credit of 64 samples is recorded with each checkpoint.
    rows = [row for row in rows if row[1] != 64]
    steps = len(rows) // 2
    assert [step for step, _ in rows[:steps]] == list(range(1, steps + 1)), "once per batch"
    assert rows[0][1] == 128 and rows[:steps] == rows[steps:]


def test_a_run_stops_and_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    rules = [Learned]
    [straight] = cs.run(SMALL, rules=rules, out=tmp_path / "straight", progress=False)
    cs.run(SMALL | {"train.stop_after": 1}, rules=rules, out=tmp_path / "halves", progress=False)
    shutil.copytree(tmp_path / "halves", tmp_path / "first")
    [resumed] = cs.run(SMALL, rules=rules, out=tmp_path / "halves", resume=True, progress=False)
    assert_same_run(straight.path, resumed.path)
    halved = saved(tmp_path / "first" / "learned-s1", "rule.state.b2")
    assert not np.array_equal(saved(straight.path, "rule.state.b2"), halved), "the feedback has learned"


def test_another_version_does_not_go_on(tmp_path: Path) -> None:
    def made(gain: float) -> type[cs.Rule]:
        class Versioned(Mine):
            name = "versioned"
            version = str(gain)

        return Versioned

    cs.run(SMALL | {"train.stop_after": 1}, rules=[made(1.0)], out=tmp_path, progress=False)
    with pytest.raises(cs.RunError, match="rule.source is"):
        cs.run(SMALL, rules=[made(2.0)], out=tmp_path, resume=True, progress=False)
    # Its runs are judged by their logs, since the code that trained them is another.
    found = cs.audit(tmp_path, save=False)
    assert "another version" in found.text()


def _helper(e: np.ndarray, b: np.ndarray) -> np.ndarray:
    return e @ b.T


def test_a_version_is_the_source_of_all_that_is_used() -> None:
    assert Mine.source() == Mine.source() != Learned.source()

    class Helped(Mine):
        name = "helped"

        def credit(self, seen: cs.Seen) -> list[np.ndarray]:
            return [_helper(seen.e, b) for b in self.feedback]

    before = Helped.source()
    Mine.gain = 2.0
    try:
        assert Helped.source() != before, "a default of its base"
    finally:
        Mine.gain = 1.0
    assert Helped.source() == before
    from creditscope import _rule

    text = _rule._text(Helped)
    assert "def _helper" in text and "self.gain * rng.normal" in text


def test_parameters_are_keys_of_recipes(tmp_path: Path) -> None:
    short = SMALL | {"train.epochs": 1}
    found = cs.run(short, rules=["bp", Mine, Mine(gain=2.0)], out=tmp_path, progress=False)
    assert [run.id for run in found] == ["bp-s1", "mine-gain1.0-s1", "mine-gain2.0-s1"]
    assert [run.recipe.get("rule.gain") for run in found] == [None, 1.0, 2.0]
    credits = [np.linalg.norm(saved(run.path, "credit.0")) for run in found[1:]]
    assert credits[1] == pytest.approx(2 * credits[0], rel=0.2)
    # A registered rule may be named by any recipe.
    swept = cs.Recipe(short | {"rule.name": "mine", "rule.gain": [0.5, 4.0]})
    assert swept.runs == ["mine-gain0.5-s1", "mine-gain4.0-s1"]
    with pytest.raises(cs.RuleError, match="no parameter 'gian'"):
        Mine(gian=1.0)


@pytest.mark.parametrize(
    ("credit", "words"),
    [
        (lambda seen: [seen.h[0], seen.h[1], seen.h[2][:, :3]], r"block 1: its credit has the shape \(128, 3\), .*\(128, 16\)"),
        (lambda seen: [seen.h[0], np.where(seen.h[1] > seen.h[1].min(), 1, np.nan), seen.h[2]], r"block 0: its credit, of shape \(128, 16\), is NaN"),
        (lambda seen: seen.h[:2], "gives 2 arrays: it must give a list of 3"),
        (lambda seen: seen.e @ np.zeros(3), "ValueError: matmul.*test_rules.py, line"),
    ],
)
def test_wrong_credit_stops_the_run_with_words(tmp_path: Path, credit: object, words: str) -> None:
    class Wrong(cs.Rule):
        name = "wrong"
        version = "1"

        def credit(self, seen: cs.Seen) -> object:  # type: ignore[override]
            return credit(seen) if seen.step == 2 else seen.h  # type: ignore[operator]

    with pytest.raises(cs.RunError, match=words):
        cs.run(SMALL | {"train.epochs": 1}, rules=[Wrong], out=tmp_path, progress=False)


def test_classes_that_cannot_be_rules_are_refused() -> None:
    class Nameless(cs.Rule):
        pass

    class Taken(cs.Rule):
        name = "dfa"
        version = "1"

    class Spaced(cs.Rule):
        name = "my rule"
        version = "1"

    class Keyed(cs.Rule):
        name = "keyed"
        version = "1"
        penalty = 1.0

    class Built(cs.Rule):
        name = "built"

        def __init__(self, size: int) -> None:
            self.size = size

    for rule, words in [
        (Nameless, "no name"),
        (Taken, "built-in rule"),
        (Spaced, "letters, digits"),
        (Keyed, "already a key"),
        (Built, "__init__"),
        (int, "extends"),
    ]:
        with pytest.raises(cs.RuleError, match=words):
            cs.register(rule)


def test_it_is_audited_with_fresh_feedback_for_chance(tmp_path: Path) -> None:
    found = cs.run(SMALL | {"rule.frozen": [False, True]}, rules=["dfa", Mine], out=tmp_path, progress=False)
    audit = cs.audit(found.paths, samples=128, save=False).to_dict()
    by_run = {one["subject"]["id"]: one for one in audit["audits"]}
    for run in ("dfa-s1", "mine-s1"):
        units = by_run[run]["units"]
        kinds = [{null["kind"] for null in unit["here"]["nulls"]} for unit in units]
        assert all("fresh_feedback" in kind for kind in kinds), (run, kinds)
        assert all(unit["here"]["rho"]["value"]["state"] == "defined" for unit in units)

    class Still(cs.Rule):
        name = "still"
        version = "1"

        def credit(self, seen: cs.Seen) -> list[np.ndarray]:
            return [h - h.mean(1, keepdims=True) for h in seen.h]

    [still] = cs.run(SMALL, rules=[Still], out=tmp_path / "still", progress=False)
    [one] = cs.audit(still.path, samples=128, save=False).to_dict()["audits"]
    assert all(null["kind"] != "fresh_feedback" for unit in one["units"] for null in unit["here"]["nulls"])


def test_a_fault_in_an_audit_is_an_error(tmp_path: Path) -> None:
    class Fickle(Mine):
        name = "fickle"
        version = "1"
        broken = [False]

        def credit(self, seen: cs.Seen) -> list[np.ndarray]:
            if self.broken[0]:
                raise ZeroDivisionError("planted")
            return super().credit(seen)

    [run] = cs.run(SMALL, rules=[Fickle], out=tmp_path, progress=False)
    Fickle.broken[0] = True
    with pytest.raises(cs.CreditscopeError, match="fickle.*ZeroDivisionError: planted"):
        cs.audit(run.path, samples=64, save=False)


def test_the_command_line_lists_judges_and_draws_its_runs(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    cs.run(SMALL | {"rule.frozen": [False, True]}, rules=["bp", Mine], out=runs, progress=False)
    assert "mine-s1" in program("runs", "list", runs).stdout
    assert "Python" in program("runs", "show", runs / "mine-s1").stdout
    judged = program("audit", runs)
    assert judged.returncode in (0, 1), judged.stderr
    assert "lives in Python" in judged.stdout
    drawn = program("figure", "cifar-accuracy", "--from", runs, "--out", tmp_path, "--format", "svg")
    assert drawn.returncode == 0 and "mine" in (tmp_path / "cifar-accuracy.svg").read_text()
    refused = program("run", runs / "mine-s1" / "recipe.toml", "--out", tmp_path / "again")
    assert refused.returncode == 2 and "Python" in refused.stderr, refused.stderr
