"""Credit and lesson of the two bridges, once more in plain autograd.

    python bridges.py OUT_DIR

Writes OUT_DIR/bridges.safetensors: a small residual MLP, a bridge net for each rule, and in float64 the credit of every block
and the gradient of what the bridge net learns from. PyTorch takes the second derivatives of the credit bridge by itself.
"""

import argparse
import math
import pathlib

import torch
from safetensors.torch import save_file
from torch import nn

from network import Network

INPUTS, D, BLOCKS, CLASSES, ROWS, WIDTH = 7, 12, 3, 5, 6, 9
SCALE, EMA_SHIFT = 1.7, 0.03


def times(t):
    """Sine and cosine of 2^k pi t for k = 0..3."""
    angles = [2.0**k * math.pi * t for k in range(4)]
    return torch.tensor([f(a) for a in angles for f in (math.sin, math.cos)])


def perceptron(inputs, outputs, activation):
    return nn.Sequential(
        nn.Linear(inputs, WIDTH), activation(), nn.Linear(WIDTH, WIDTH), activation(), nn.Linear(WIDTH, outputs)
    )


def read(net, h, l, s):
    """The bridge net at h_l."""
    rows = len(h)
    normed = nn.functional.layer_norm(h, (D,))
    return net(torch.cat([normed, times(l / BLOCKS).expand(rows, -1), s], 1))


def value_at(net, h, l, s):
    """The credit bridge's value at h_l."""
    outputs = read(net, h, l, s)
    return outputs[:, 0] + outputs[:, 1 + l]


def hidden(net, x):
    h = [net.embed(x)]
    for block in net.blocks:
        h.append(net.advance(h[-1], block(h[-1])))
    return h


def loss_of(logits, y):
    return nn.functional.cross_entropy(logits, y, reduction="none")


def gradients(value, net):
    return torch.autograd.grad(value, list(net.parameters()))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out", type=pathlib.Path)
    out = parser.parse_args().out
    torch.set_default_dtype(torch.float64)
    torch.manual_seed(11)
    net = Network("resmlp", D, BLOCKS, INPUTS, CLASSES, w2_std=0.3)
    x, y = torch.randn(ROWS, INPUTS), torch.randint(CLASSES, (ROWS,))
    with torch.no_grad():
        h = [state.clone() for state in hidden(net, x)]
    last = h[-1].clone().requires_grad_()
    logits = net.top(last)
    losses = loss_of(logits, y)
    (p,) = torch.autograd.grad(losses.sum(), last)
    losses = losses.detach()
    e = (torch.softmax(logits, 1) - nn.functional.one_hot(y, CLASSES)).detach()
    tensors = {"x": x, "labels": y}
    tensors |= {f"param/{name}": value for name, value in net.state_dict().items()}

    for condition, s in (("error", e), ("gradient", p / p.pow(2).mean(1, keepdim=True).sqrt())):
        # State bridge: predicts the last state; credit is the gradient of the loss of what it predicts.
        bridge = perceptron(D + 8 + s.shape[1], D, nn.GELU)
        error = 0.0
        for l in range(BLOCKS):
            state = h[l].clone().requires_grad_()
            predicted = SCALE * read(bridge, state, l, s)
            error = error + ((predicted - h[-1]).pow(2).sum(1) / (h[-1].pow(2).sum(1) + 1e-12)).mean() / BLOCKS
            (credit,) = torch.autograd.grad(loss_of(net.top(predicted), y).sum(), state, retain_graph=True)
            tensors[f"state_bridge/{condition}/credit/{l}"] = credit
        tensors[f"state_bridge/{condition}/error"] = error.detach()[None]
        for i, (parameter, gradient) in enumerate(zip(bridge.parameters(), gradients(error, bridge))):
            tensors[f"state_bridge/{condition}/net/{i}"] = parameter.detach()
            tensors[f"state_bridge/{condition}/grad/{i}"] = gradient

        # Credit bridge without noise: the value follows that of the slow copy at the next state, and the gradient at the last
        # state is matched to the true one. The value is the sum of an output for all times and one for its own.
        bridge = perceptron(D + 8 + s.shape[1], BLOCKS + 2, nn.GELU)
        slow = perceptron(D + 8 + s.shape[1], BLOCKS + 2, nn.GELU)
        slow.load_state_dict({k: v + EMA_SHIFT for k, v in bridge.state_dict().items()})
        learned = 0.0
        for l in range(BLOCKS + 1):
            state = h[l].clone().requires_grad_()
            value = value_at(bridge, state, l, s)
            with torch.no_grad():
                target = losses if l == BLOCKS else value_at(slow, h[l + 1], l + 1, s)
            learned = learned + (value - target).pow(2).mean() / losses.pow(2).mean()
            (credit,) = torch.autograd.grad(value.sum(), state, create_graph=True)
            if l < BLOCKS:
                tensors[f"credit_bridge/{condition}/credit/{l}"] = credit.detach()
            else:
                size = p.pow(2).sum(1)
                learned = learned + ((credit - p).pow(2).sum(1) / (size + 1e-6 * size.mean())).mean()
        for i, (parameter, gradient) in enumerate(zip(bridge.parameters(), gradients(learned, bridge))):
            tensors[f"credit_bridge/{condition}/net/{i}"] = parameter.detach()
            tensors[f"credit_bridge/{condition}/grad/{i}"] = gradient

    out.mkdir(parents=True, exist_ok=True)
    save_file({name: value.contiguous().clone() for name, value in tensors.items()}, out / "bridges.safetensors")


if __name__ == "__main__":
    main()
