"""Runs for the trackers that people have. The command line has more: `creditscope export --help`."""

from __future__ import annotations

import hashlib
from typing import Any, Literal

from ._errors import UsageError
from ._runs import Runs

__all__ = ["to_wandb"]


def to_wandb(
    runs: Runs,
    *,
    project: str = "creditscope",
    mode: Literal["online", "offline", "disabled", "shared"] | None = None,
    **options: Any,
) -> list[str]:
    """Sends runs to Weights & Biases, and returns their ids there.

    Every epoch is a step, under the names that TensorBoard gets: `test/accuracy`, `cosine/block_3`. Undefined values are left
    out; `believable/cosine/block_3` says where a value can be believed. Seeds of one thing share a group. An id follows from
    training and data, so a run that is sent again is continued and not doubled. `mode="offline"` writes to disk for
    `wandb sync`; further keywords go to `wandb.init`.
    """
    try:
        import wandb
    except ImportError as error:
        raise UsageError("there is no package wandb here: install it with `pip install wandb`") from error
    verdicts = dict(zip(*(runs.verdicts()[column] for column in ("run", "verdict"))))
    names = [run.id for run in runs]
    ids = []
    for index, (run, (name, group, key)) in enumerate(zip(runs, runs._core.names())):
        ids.append(hashlib.sha256(key.encode()).hexdigest()[:16])
        about = {"project": project, "mode": mode, "id": ids[-1], "resume": "allow", "name": name, "group": group}
        with wandb.init(config=run.recipe, tags=[run.rule], **{**about, **options}) as sent:
            for epoch, values in runs._core.course(index):
                sent.log(dict(values), step=epoch)
            if names.count(run.id) == 1 and run.id in verdicts:
                sent.summary["verdict"] = str(verdicts[run.id])
    return ids
