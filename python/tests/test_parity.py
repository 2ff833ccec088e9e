"""Python and the command line give the same: audits, runs, figures."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from conftest import SMALL, assert_same_run, program, toml

import creditscope as cs


def timeless(text: str) -> str:
    """The text of audits without the time that each took."""
    found, count = re.subn(r'"seconds": [0-9.e-]+', "", text)
    assert count > 0
    return found


def test_audits_of_runs_are_those_of_the_command_line(trained: cs.Runs) -> None:
    folder = trained[0].path.parent
    options = ["--samples", 64, "--directions", 4, "--draws", 3]
    line = program("audit", folder, "--json", *options)
    assert line.returncode == 0, line.stderr
    found = cs.audit(folder, samples=64, directions=4, draws=3)
    assert timeless(found.json()) == timeless(line.stdout)
    # What the command line has measured is kept, and what Python measures is the same.
    again = cs.audit(trained.paths, samples=64, directions=4, draws=3, again=True, save=False)
    assert timeless(again.json()) == timeless(line.stdout)
    text = program("audit", folder, *options).stdout
    # The same page, but for the spelling of remedies and a last line about flags.
    assert text.splitlines()[:8] == repr(found).splitlines()[:8] and len(text.splitlines()) > 8
    assert timeless(cs.audit(folder, log=True).json()) == timeless(program("audit", folder, "--json", "--log").stdout)


def test_audits_of_dumps_and_of_arrays_are_those_of_the_command_line(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    n, d, classes = 96, 10, 4
    arrays: dict[str, np.ndarray] = {f"h.{l}": rng.normal(size=(n, d)).astype(np.float32) for l in range(3)}
    arrays |= {f"p.{l}": rng.normal(size=(n, d)) for l in range(3)}
    head, labels = rng.normal(size=(classes, d)), rng.integers(0, classes, n)
    odds = np.exp(arrays["h.2"] @ head.T)
    # The gradient at h_L is that of the cross-entropy, or the dump would be refused.
    arrays["p.2"] = (odds / odds.sum(axis=1, keepdims=True) - np.eye(classes)[labels]) @ head
    arrays |= {"a.embed": rng.normal(size=(n, d)), "a.0": arrays["p.1"] + rng.normal(size=(n, d)), "a.1": arrays["p.2"]}
    arrays |= {"labels": labels, "head.weight": head}
    file = tmp_path / "dump.npz"
    np.savez(file, **arrays)
    line = program("audit", file, "--json", "--accuracy", 0.5, "--frozen-accuracy", 0.25)
    assert line.returncode == 0, line.stderr
    options = {"accuracy": 0.5, "frozen_accuracy": 0.25}
    from_file, from_memory = cs.audit(file, **options), cs.audit(arrays, name="dump", **options)
    assert timeless(from_file.json()) == timeless(line.stdout)
    on_disk, in_memory = from_file.to_dict(), from_memory.to_dict()
    for found in (on_disk, in_memory):
        # A file has a hash.
        assert found["audits"][0].pop("subject")["id"] == "dump"
        found["audits"][0].pop("seconds")
    assert on_disk == in_memory


def test_tensors_are_arrays(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch makes the tensors")
    values = torch.randn(4, 32, 6, generator=torch.Generator().manual_seed(3), dtype=torch.bfloat16)
    halves = {"h.0": values[0], "h.1": values[1], "p.0": values[2], "p.1": values[3], "a.0": values[3].T.contiguous().T}
    wide = {name: value.float().numpy() for name, value in halves.items()}
    one, other = timeless(cs.audit(halves).json()), timeless(cs.audit(wide).json())
    assert one == other


def test_runs_are_those_of_the_command_line(trained: cs.Runs, tmp_path: Path) -> None:
    recipe = tmp_path / "small.toml"
    recipe.write_text(toml(SMALL))
    out = tmp_path / "out"
    line = program("run", recipe, "--out", out, "--quiet", "--jobs", 1, "--threads", 2)
    assert line.returncode == 0, line.stderr
    assert sorted(run.id for run in trained) == sorted(path.name for path in out.iterdir())
    for run in trained:
        assert_same_run(run.path, out / run.id)


def test_a_recipe_without_a_name_has_that_of_its_file(tmp_path: Path) -> None:
    keys = {key: value for key, value in SMALL.items() if key != "name"} | {"rule.name": "bp", "rule.frozen": False}
    recipe = tmp_path / "my study.toml"
    recipe.write_text(toml(keys))
    assert cs.Recipe(recipe).name == "my-study"
    trained = cs.run(recipe, out=tmp_path / "a", progress=False)
    assert program("run", recipe, "--out", tmp_path / "b", "--quiet").returncode == 0
    assert_same_run(trained[0].path, tmp_path / "b" / "bp-s1")


def test_figures_are_those_of_the_command_line(trained: cs.Runs, tmp_path: Path) -> None:
    figure = cs.figure("verdicts", trained)
    assert program("figure", "verdicts", "--from", *trained.paths, "--out", tmp_path / "line").returncode == 0
    figure.save(tmp_path / "python")
    names = {path.name for path in (tmp_path / "line").iterdir()}
    assert names == {f"verdicts.{ending}" for ending in ("pdf", "png", "svg", "csv")}
    for name in names:
        assert (tmp_path / "line" / name).read_bytes() == (tmp_path / "python" / name).read_bytes(), name
