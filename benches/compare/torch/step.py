"""PyTorch's training step, one thread, as a child process that the comparison takes turns with.

It says {"ready": true}, then answers one JSON line for each line read:

    {"rule": "bp", "d": 256, "blocks": 4, "arrangement": "fused", "steps": 20}  ->  {"ms": [20 numbers]}

An arrangement is `fused` or `default` (AdamW, eager) or `compile` (torch.compile, fused AdamW). A case is made at its
first command, warmed up by 3 steps that are not timed, and kept. What cannot be done is answered by {"error": why}; the
end of the input ends the process.

A step is zero_grad, forward, credit, backward and AdamW on a fixed random batch: no data loading.
"""

import json
import os
import sys
import time

os.environ["OMP_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = "1"  # read when torch is imported

import torch

from learner import CLASSES, INPUTS, Learner, threads

BATCH, WARM_UP = 128, 3


class Case:
    def __init__(self, rule, d, blocks, arrangement):
        fused = {"fused": True, "default": False, "compile": True}[arrangement]
        self.learner = Learner(rule, d, blocks, fused=fused, compiled=arrangement == "compile")
        self.batch = torch.randn(BATCH, INPUTS), torch.randint(0, CLASSES, (BATCH,))
        for _ in range(WARM_UP):
            self.timed_step()

    def timed_step(self):
        start = time.perf_counter()
        self.learner.step(*self.batch)
        return 1e3 * (time.perf_counter() - start)


def main():
    threads(1)
    cases = {}

    def answer(command):
        key = command["rule"], command["d"], command["blocks"], command["arrangement"]
        if key not in cases:
            cases[key] = Case(*key)
        return {"ms": [cases[key].timed_step() for _ in range(command["steps"])]}

    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        try:
            reply = answer(json.loads(line))
        except Exception as error:  # whatever it is, the other side must get its line
            reply = {"error": f"{type(error).__name__}: {error}".splitlines()[0]}
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
