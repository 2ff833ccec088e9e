"""The notebooks of the documents, executed."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import ROOT

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


def test_there_are_notebooks() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["your-model", "your-rule"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_notebook_runs_from_top_to_bottom(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nbformat = pytest.importorskip("nbformat", reason="needs nbformat")
    nbclient = pytest.importorskip("nbclient", reason="needs nbclient")
    pytest.importorskip("ipykernel", reason="needs ipykernel")
    notebook = nbformat.read(path, as_version=4)
    if any("import torch" in cell.source for cell in notebook.cells):
        pytest.importorskip("torch", reason="needs PyTorch")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    # Threads of such small products wait for each other longer than they compute.
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    # Audits and figures are shown as such, also where a notebook is not trusted: no script, pictures inside <img>.
    shown = [output.get("data", {}) for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    html = "".join(data.get("text/html", "") for data in shown)
    assert "<table" in html and "<script" not in html and "<svg" not in html
    for kept, made in zip(nbformat.read(path, as_version=4).cells, notebook.cells):
        if kept.cell_type == "code":
            # Warnings are the machine's, not the notebook's.
            counts = [sum(output.get("name") != "stderr" for output in cell.outputs) for cell in (kept, made)]
            assert counts[0] == counts[1], f"{path.name} was committed before it was run: {kept.source}"
