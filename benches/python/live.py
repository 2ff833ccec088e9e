"""Seconds, processor time and peak memory of a full audit of a dfa run's network: by the probe of the package, or in PyTorch alone."""

import json
import pathlib
import resource
import sys
import time

import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "compare" / "torch"))
import audit  # noqa: E402
import cifar  # noqa: E402

import creditscope as cs  # noqa: E402
import creditscope.torch  # noqa: E402, F401


class Stream(torch.nn.Module):
    """One block of the network, which returns the stream."""

    def __init__(self, net, block):
        super().__init__()
        self.branch, self.net = block, [net]

    def forward(self, h):
        return self.net[0].advance(h, self.branch(h))


class Model(torch.nn.Module):
    def __init__(self, net):
        super().__init__()
        self.embed, self.blocks = net.embed, torch.nn.ModuleList(Stream(net, block) for block in net.blocks)
        self.out_ln, self.out_head = net.out_ln, net.out_head

    def forward(self, x):
        h = self.embed(x)
        for block in self.blocks:
            h = block(h)
        return self.out_head(self.out_ln(h))


def main():
    side, run, data = sys.argv[1:]
    torch.manual_seed(0)
    images, labels = cifar.test_set(data)
    x, y = cifar.scaled(images[: audit.SAMPLES]), labels[: audit.SAMPLES]
    net, feedback, recorded = audit.load(run)
    begun, worked = time.perf_counter(), time.process_time()
    if side == "torch":
        audit.measure(net, feedback, recorded, x, y)
    else:
        matrices = [feedback[0], *feedback]
        rule = lambda matrices: lambda seen: [seen.e @ matrix.T for matrix in matrices]

        def redraw(_draw):
            fresh = [torch.randn_like(matrix) / audit.CLASSES**0.5 for matrix in feedback]
            return rule([fresh[0], *fresh])

        probe = cs.torch.Probe(Model(net), states=["embed", "blocks.*"], head="out_head", norm="out_ln")
        probe.audit(x, y, credit=rule(matrices), redraw=redraw, directions=audit.DIRECTIONS, draws=audit.DRAWS)
    seconds, processor = time.perf_counter() - begun, time.process_time() - worked
    print(json.dumps({"seconds": seconds, "processor": processor, "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))


main()
