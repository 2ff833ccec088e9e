"""Milliseconds of a training step by dfa: built in, or written in Python. With --save, writes the data instead."""

import json
import sys
import tempfile

import numpy as np

import creditscope as cs

INPUTS, CLASSES, BATCH, EPOCHS = 3072, 10, 128, 3


class Direct(cs.Rule):
    """Direct feedback alignment."""

    name = "direct"

    def setup(self, net, rng):
        self.feedback = [(rng.normal(size=(width, net.classes)) / net.classes**0.5).astype(np.float32) for width in net.states]

    def credit(self, seen):
        return [seen.e @ b.T for b in self.feedback]


def data(steps):
    rng = np.random.default_rng(0)
    part = lambda n: (rng.normal(size=(n, INPUTS)).astype(np.float32), np.arange(n) % CLASSES)
    return part(steps * BATCH), part(256)


def main():
    if sys.argv[1] == "--save":
        (x, y), (unseen, answers) = data(int(sys.argv[3]))
        np.savez(sys.argv[2], x_train=x, y_train=y, x_test=unseen, y_test=answers)
        print("null")
        return
    rule = Direct if sys.argv[1] == "python" else sys.argv[1]
    keys = {"net.d": 256, "net.blocks": 4, "train.batch": BATCH, "train.epochs": EPOCHS, "eval.samples": 128, "audit.every": 0, "seed": 1}
    steps = int(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        run = cs.run(keys, rules=[rule], data=data(steps), out=folder, jobs=1, threads=1, progress=False)[0]
        log = [json.loads(line) for line in (run.path / "metrics.jsonl").read_text().splitlines()]
    print(1000 * min(epoch["train_seconds"] for epoch in log[2:]) / steps)


main()
