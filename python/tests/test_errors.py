"""Errors: the right class, and remedies in Python's words that exist."""

from __future__ import annotations

import inspect
from pathlib import Path

import numpy as np
import pytest
from conftest import SMALL

import creditscope as cs
from creditscope import _core


def test_recipes_refuse_slips() -> None:
    with pytest.raises(cs.RecipeError, match="did you mean `net.blocks`"):
        cs.Recipe({"net.block": 2})
    with pytest.raises(cs.RecipeError, match=r"`train.epochs` is `three` \(string\)"):
        cs.Recipe({"train.epochs": "three"})
    with pytest.raises(cs.RecipeError, match="does not apply"):
        cs.Recipe({"rule.name": "bp", "rule.beta": 0.1}).runs
    with pytest.raises(cs.RecipeError, match="is of a type"):
        cs.Recipe({"seed": object()})  # type: ignore[dict-item]
    with pytest.raises(cs.RecipeError, match="too large"):
        cs.Recipe({"seed": 2**70})
    with pytest.raises(cs.RecipeError, match=r"template\(all=True\)"):
        cs.Recipe({"zzzzzzzz": 1})
    with pytest.raises(ValueError):
        cs.Recipe.parse("seed = ")
    recipe = cs.Recipe({"seed": np.arange(2).tolist(), "net.d": np.int64(16), "rule.frozen": np.bool_(True)})
    assert recipe.runs == ["bp-frozen-s0", "bp-frozen-s1"]


def test_runs_that_are_there_are_not_overwritten(trained: cs.Runs) -> None:
    folder = trained[0].path.parent
    with pytest.raises(cs.RunError, match=r"\(resume=True, out=DIR\)"):
        cs.run(SMALL, out=folder, progress=False)
    again = cs.run(SMALL, out=folder, resume=True, progress=False)
    assert [run.id for run in again] == [run.id for run in trained]
    with pytest.raises(cs.RunError, match="another recipe"):
        cs.run(SMALL | {"net.d": 24}, out=folder, resume=True, progress=False)


def test_data_that_are_missing_say_where_to_get_them(tmp_path: Path) -> None:
    with pytest.raises(cs.DataError, match="creditscope data fetch cifar10"):
        cs.run(SMALL | {"data.name": "cifar10"}, out=tmp_path / "out", data=tmp_path, progress=False)
    assert not (tmp_path / "out").exists()


def test_a_run_that_diverges_is_warned_about(tmp_path: Path) -> None:
    wild = SMALL | {"net.name": "student", "rule.name": "bp", "rule.frozen": False, "net.alpha": 0.0, "optim.lr": 1e6}
    with pytest.warns(cs.CreditscopeWarning, match="its record says so"):
        runs = cs.run(wild, out=tmp_path, progress=False)
    assert runs[0].status == "stopped"


def test_dumps_name_the_tensor_and_the_keyword(tmp_path: Path) -> None:
    p = np.ones((4, 3))
    with pytest.raises(cs.DumpError, match="mean_over"):
        cs.audit({"h.0": p, "p.0": p}, mean_over=4)
    with pytest.raises(cs.DumpError, match=r"accuracy=X"):
        cs.audit({"h.0": p, "p.0": p}, accuracy=31.0)
    with pytest.raises(cs.DumpError, match="h.0"):
        cs.audit({"h.0": np.array(["a"]), "p.0": p})
    with pytest.raises(FileNotFoundError):
        cs.audit(tmp_path / "none.npz")
    (tmp_path / "text.npz").write_text("no archive")
    with pytest.raises(cs.DumpError):
        cs.audit(tmp_path / "text.npz")


def test_keywords_that_do_not_apply_are_refused(trained: cs.Runs, tmp_path: Path) -> None:
    arrays = {"h.0": np.ones((4, 3))}
    with pytest.raises(cs.UsageError, match="samples= is for runs"):
        cs.audit(arrays, samples=4)
    with pytest.raises(cs.UsageError, match="accuracy= is for dumps"):
        cs.audit(trained.paths, accuracy=0.3)
    with pytest.raises(cs.UsageError, match="draws=-1"):
        cs.audit(arrays, draws=-1)


def test_remedies_are_keywords_and_calls_that_exist() -> None:
    keywords = {name for call in (cs.audit, cs.run, cs.figure) for name in inspect.signature(call).parameters}
    for remedy in _core.remedies():
        if remedy.startswith("creditscope."):
            place: object = cs
            for name in remedy.removeprefix("creditscope.").split("(")[0].split("."):
                place = getattr(place, name)
        else:
            assert remedy.removeprefix("without ").split("=")[0] in keywords, remedy


def test_all_errors_have_one_base() -> None:
    errors = [getattr(cs, name) for name in cs.__all__ if name.endswith("Error")]
    assert len(errors) > 8 and all(issubclass(error, cs.CreditscopeError) for error in errors)
