"""The package itself: what it needs, what it declares, and that it says the truth."""

from __future__ import annotations

import doctest
import importlib
import linecache
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

import creditscope as cs

tomllib = pytest.importorskip("tomllib", reason="Python 3.11 or newer reads TOML")


def read(name: str) -> dict:
    return tomllib.loads((ROOT / name).read_text(encoding="utf-8"))


def test_profiles_are_those_of_the_program() -> None:
    ours, theirs = read("python/Cargo.toml")["profile"], read("Cargo.toml")["profile"]
    # The benches are no part of the package.
    theirs["release"]["package"].pop("creditscope-benches")
    assert ours == theirs


def test_versions_of_package_and_program_agree() -> None:
    assert cs.__version__ == read("Cargo.toml")["workspace"]["package"]["version"]
    assert read("python/Cargo.toml")["package"]["version"] == cs.__version__


def test_numpy_is_the_only_dependency() -> None:
    assert read("pyproject.toml")["project"]["dependencies"] == ["numpy>=1.26"]
    code = "import sys, creditscope; print([m for m in ('torch', 'jax', 'pandas', 'polars', 'tqdm', 'matplotlib') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_public_name_is_there_and_documented() -> None:
    for name in cs.__all__:
        value = getattr(cs, name)
        assert name == "__version__" or value.__doc__, name


MODULES = sorted(
    f"creditscope.{module.name}" for module in pkgutil.iter_modules(cs.__path__) if module.name not in ("_core", "jax", "torch")
)


@pytest.mark.parametrize("name", ["creditscope", *MODULES])
def test_examples_of_docstrings_run(name: str) -> None:
    module = importlib.import_module(name)
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    assert doctest.testmod(module, optionflags=flags).failed == 0


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_code_of_the_page_runs(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    monkeypatch.chdir(tmp_path)
    for index, block in enumerate(blocks):
        if "import torch" in block:
            pytest.importorskip("torch", reason="needs PyTorch")
        if "import jax" in block:
            pytest.importorskip("jax", reason="needs JAX")
        # A rule is known by the source of its methods, which a notebook keeps like this.
        file = f"<block {index} of {page}>"
        monkeypatch.setitem(linecache.cache, file, (len(block), None, block.splitlines(keepends=True), file))
        exec(compile(block, file, "exec"), {"__name__": "__main__"})


def test_stubs_are_those_of_the_extension() -> None:
    pytest.importorskip("mypy", reason="mypy checks the stubs")
    line = [sys.executable, "-m", "mypy.stubtest", "creditscope._core"]
    done = subprocess.run(line, capture_output=True, text=True, check=False, cwd=ROOT / "python" / "tests")
    assert done.returncode == 0, done.stdout + done.stderr
