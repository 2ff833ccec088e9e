"""PyTorch's training step, one thread, as a child process that a driver interleaves with ours.

It says {"ready": true, "torch": ..., "threads": 1}, then answers one JSON line for each line read:

    {"case": "bp", "d": 256, "blocks": 4, "optim": "fused", "steps": 20}  ->  {"ms": [20 numbers]}

`case` is bp or dfa, `optim` is default or fused (AdamW). A case is made at its first command,
warmed up by 3 steps that are not timed, and kept. A command that cannot be done is answered by
{"error": ...}; the end of the input ends the process.

A step is zero_grad, forward, credit, backward and AdamW on a fixed random batch: no data loading.
"""

import json
import os
import pathlib
import sys
import time

os.environ["OMP_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = "1"  # read when torch is imported
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "oracles"))

import torch
import torch.nn.functional as F

from network import Network

BATCH, INPUTS, CLASSES, WARM_UP = 128, 3072, 10, 3


class Case:
    def __init__(self, case, d, blocks, optim):
        torch.manual_seed(0)
        self.loss = {"bp": self.loss_bp, "dfa": self.loss_dfa}[case]
        fused = {"default": {}, "fused": {"fused": True}}[optim]
        self.net = Network("resmlp", d=d, blocks=blocks, inputs=INPUTS, classes=CLASSES)
        self.optimiser = torch.optim.AdamW(self.net.parameters(), lr=1e-3, weight_decay=0.01, **fused)
        self.feedback = [torch.randn(d, CLASSES) / CLASSES**0.5 for _ in range(blocks)]
        self.x, self.labels = torch.randn(BATCH, INPUTS), torch.randint(0, CLASSES, (BATCH,))
        for _ in range(WARM_UP):
            self.step()

    def loss_bp(self):
        return F.cross_entropy(self.net(self.x), self.labels)

    def loss_dfa(self):
        """One objective whose single backward pass is the local update of every unit."""
        net = self.net
        h0 = net.embed(self.x)
        h, residuals = h0.detach(), []
        for block in net.blocks:
            residuals.append(block(h))
            h = (h + residuals[-1]).detach()
        logits = net.top(h)
        with torch.no_grad():
            error = logits.softmax(1) - F.one_hot(self.labels, CLASSES)
            credits = [error @ B.T for B in self.feedback]
            credits = [a / (a.pow(2).mean(1, keepdim=True).sqrt() + 1e-6) for a in credits]
        loss = F.cross_entropy(logits, self.labels) + (h0 * credits[0]).sum(1).mean()
        for f, a in zip(residuals, credits):
            loss = loss + (f * a).sum(1).mean()
        return loss

    def step(self):
        self.optimiser.zero_grad(set_to_none=True)
        self.loss().backward()
        self.optimiser.step()

    def timed_step(self):
        start = time.perf_counter()
        self.step()
        return 1e3 * (time.perf_counter() - start)


def main():
    torch.set_num_threads(1)
    torch.set_num_interop_threads(1)
    cases = {}

    def answer(command):
        key = command["case"], command["d"], command["blocks"], command.get("optim", "default")
        if key not in cases:
            cases[key] = Case(*key)
        return {"ms": [round(cases[key].timed_step(), 4) for _ in range(command["steps"])]}

    print(json.dumps({"ready": True, "torch": torch.__version__, "threads": torch.get_num_threads()}), flush=True)
    for line in sys.stdin:
        try:
            reply = answer(json.loads(line))
        except Exception as error:  # whatever it is, the driver must get its line
            reply = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
