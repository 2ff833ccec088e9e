"""PyTorch's training step of the other networks and of the bridges, one thread, as a child process that takes turns.

It says {"ready": true}, then answers one JSON line for each line read:

    {"case": "vit", "steps": 5}  ->  {"ms": [5 numbers]}

Cases: `vit` and `resnet` under backpropagation, `state_bridge` and `credit_bridge` on resmlp d = 256, L = 4. Eager, fused
AdamW, batch 128, a fixed random batch. The bridges are batched over layers and copies as one would do for speed.
"""

import json
import os
import sys
import time

os.environ["OMP_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = "1"  # read when torch is imported

import torch
import torch.nn.functional as F
from torch import nn

from learner import CLASSES, INPUTS, Learner, output_error, threads
from resnet import ResNet
from vit import Vit

BATCH, WARM_UP = 128, 3
D, BLOCKS, WIDTH, COPIES, NOISE, TEMPERATURE, EMA = 256, 4, 256, 8, 0.1, 0.1, 0.995


def adamw(parameters):
    return torch.optim.AdamW(parameters, lr=1e-3, weight_decay=0.01, fused=True)


class Whole:
    """A network under backpropagation."""

    def __init__(self, net):
        self.net, self.optimiser = net, adamw(net.parameters())
        self.x, self.y = torch.randn(BATCH, 3, 32, 32), torch.randint(0, CLASSES, (BATCH,))

    def step(self):
        self.optimiser.zero_grad(set_to_none=True)
        F.cross_entropy(self.net(self.x), self.y).backward()
        self.optimiser.step()


def perceptron(outputs, activation):
    inputs = D + 8 + CLASSES
    return nn.Sequential(
        nn.Linear(inputs, WIDTH), activation(), nn.Linear(WIDTH, WIDTH), activation(), nn.Linear(WIDTH, outputs)
    )


class Bridge(Learner):
    """What both bridges share: local updates of the units, and a net of their own."""

    def __init__(self, outputs, activation):
        super().__init__("bp", D, BLOCKS)
        self.bridge = perceptron(outputs, activation)
        self.own = adamw(self.bridge.parameters())
        times = torch.arange(BLOCKS + 1) / BLOCKS
        angles = torch.pi * times[:, None] * 2.0 ** torch.arange(4)
        self.times = torch.stack([angles.sin(), angles.cos()], 2).flatten(1)
        self.x, self.y = torch.randn(BATCH, INPUTS), torch.randint(0, CLASSES, (BATCH,))

    def read(self, net, h, layers, error):
        """The net at states of these layers, layer after layer, however many rows each has."""
        rows = len(h) // len(layers)
        times = self.times[layers].repeat_interleave(rows, 0)
        told = error.repeat(len(h) // len(error), 1)
        return net(torch.cat([F.layer_norm(h, (D,)), times, told], 1))

    def step(self):
        self.optimiser.zero_grad(set_to_none=True)
        embedded, branches, last = self.body(self.x)
        last.requires_grad_()
        logits, loss = self.head(last, self.y)
        loss.backward()
        states = [embedded.detach()]
        for branch in branches:
            states.append(states[-1] + branch.detach())
        error = output_error(logits.detach(), self.y)
        credit = self.learn(states, error, loss, last.grad * BATCH)
        units = [credit[0], *credit]
        scale = lambda a: a / ((a.pow(2).mean(1, keepdim=True).sqrt() + 1e-6) * BATCH)
        torch.autograd.backward([embedded, *branches], [scale(a) for a in units])
        self.optimiser.step()


class StateBridge(Bridge):
    def __init__(self):
        super().__init__(D, nn.GELU)

    def learn(self, states, error, loss, p):
        h = torch.cat(states[:BLOCKS]).requires_grad_()
        scale = states[-1].pow(2).mean().sqrt()
        predicted = scale * self.read(self.bridge, h, list(range(BLOCKS)), error)
        target = states[-1].repeat(BLOCKS, 1)
        off = ((predicted - target).pow(2).sum(1) / (target.pow(2).sum(1) + 1e-12)).mean()
        losses = F.cross_entropy(self.net.top(predicted), self.y.repeat(BLOCKS), reduction="sum")
        (credit,) = torch.autograd.grad(losses, h, retain_graph=True)
        self.own.zero_grad(set_to_none=True)
        for parameter, gradient in zip(self.bridge.parameters(), torch.autograd.grad(off, self.bridge.parameters())):
            parameter.grad = gradient
        self.own.step()
        return credit.split(BATCH)


class CreditBridge(Bridge):
    def __init__(self):
        super().__init__(BLOCKS + 2, nn.GELU)
        self.slow = perceptron(BLOCKS + 2, nn.GELU)
        self.slow.load_state_dict(self.bridge.state_dict())

    def value(self, net, h, layers, error):
        """The sum of the output for all times and that of each row's own."""
        out = self.read(net, h, layers, error)
        own = 1 + torch.tensor(layers).repeat_interleave(len(h) // len(layers))
        return out[:, 0] + out.gather(1, own[:, None])[:, 0]

    def targets(self, states, error, losses):
        with torch.no_grad():
            follow = []
            for l in range(1, BLOCKS + 1):
                h = states[l].repeat(COPIES, 1)
                h = h + NOISE * h.pow(2).mean(1, keepdim=True).sqrt() * torch.randn_like(h)
                value = self.value(self.slow, h, [l], error).reshape(COPIES, BATCH)
                follow.append(-TEMPERATURE * ((-value / TEMPERATURE).logsumexp(0) - torch.tensor(COPIES).log()))
            return torch.cat([*follow, losses])

    def learn(self, states, error, loss, p):
        with torch.no_grad():
            losses = F.cross_entropy(self.net.top(states[-1]), self.y, reduction="none")
        # Only the slope at the last state is matched, so only that one is differentiated again.
        below, last = torch.cat(states[:-1]).requires_grad_(), states[-1].detach().requires_grad_()
        values = self.value(self.bridge, below, list(range(BLOCKS)), error)
        value = self.value(self.bridge, last, [BLOCKS], error)
        (slopes,) = torch.autograd.grad(values.sum(), below, retain_graph=True)
        (slope,) = torch.autograd.grad(value.sum(), last, create_graph=True)
        wrong = torch.cat([values, value]) - self.targets(states, error, losses)
        follow = wrong.pow(2).sum() / BATCH / losses.pow(2).mean()
        match = ((slope - p).pow(2).sum(1) / (p.pow(2).sum(1) + 1e-30)).mean()
        self.own.zero_grad(set_to_none=True)
        (follow + match).backward(inputs=list(self.bridge.parameters()))
        self.own.step()
        with torch.no_grad():
            torch._foreach_lerp_(list(self.slow.parameters()), list(self.bridge.parameters()), 1 - EMA)
        return slopes.split(BATCH)


CASES = {
    "vit": lambda: Whole(Vit()),
    "resnet": lambda: Whole(ResNet()),
    "state_bridge": StateBridge,
    "credit_bridge": CreditBridge,
}


def main():
    threads(1)
    cases = {}

    def answer(command):
        name = command["case"]
        if name not in cases:
            cases[name] = CASES[name]()
            for _ in range(WARM_UP):
                cases[name].step()
        times = []
        for _ in range(command["steps"]):
            start = time.perf_counter()
            cases[name].step()
            times.append(1e3 * (time.perf_counter() - start))
        return {"ms": times}

    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        try:
            reply = answer(json.loads(line))
        except Exception as error:  # whatever it is, the other side must get its line
            reply = {"error": f"{type(error).__name__}: {error}".splitlines()[0]}
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
