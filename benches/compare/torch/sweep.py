"""Several runs of one epoch, one after the other in one process; each ends with a checkpoint and a record.

    python sweep.py DATA_FOLDER OUT_FOLDER --threads 1 --runs bp:1,fa:1,dfa:2
"""

import argparse
import json
import pathlib

import torch

from learner import threads
from training import Data, run


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data")
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--runs", required=True, help="rule:seed, separated by commas")
    given = parser.parse_args()
    threads(given.threads)
    data = Data(given.data)
    for name in given.runs.split(","):
        rule, seed = name.split(":")
        records, learner = run(data, rule, int(seed), 1)
        folder = given.out / f"{rule}-s{seed}"
        folder.mkdir(parents=True)
        (folder / "metrics.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
        state = {"net": learner.net.state_dict(), "optimiser": learner.optimiser.state_dict()}
        torch.save(state | {"feedback": learner.feedback}, folder / "checkpoint.pt")


if __name__ == "__main__":
    main()
