"""Dumps of two small networks that Creditscope has never seen, made with the recipe in docs/foreign-runs.md.

    python dump_example.py OUT_DIR

OUT_DIR/healthy.safetensors: a residual mixer over 5 tokens of 18 channels, trained by backpropagation for some steps; its
credit is the true gradient. OUT_DIR/degenerate.npz: the same with blocks that have grown until the last LayerNorm leaves no
gradient (‖p_L‖/128 < 1e-7, growth above 50); its credit is a fixed random projection of the error. The script takes the code
from the page as it stands there, and checks what it made before it writes.
"""

import argparse
import pathlib
import re

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.torch import save_file
from torch import nn

SAMPLES, TOKENS, CHANNELS, CLASSES, BLOCKS = 1280, 5, 18, 7, 3
PAGE = pathlib.Path(__file__).parent.parent / "docs" / "foreign-runs.md"


def recipe():
    """`make_dump` and `add_loss_changes`, as the page has them."""
    names = {}
    for code in re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.S | re.M):
        exec(compile(code, str(PAGE), "exec"), names)
    return names["make_dump"], names["add_loss_changes"]


class Embed(nn.Module):
    """Patches of a signal in one channel."""

    def __init__(self):
        super().__init__()
        self.patches = nn.Conv1d(1, CHANNELS, kernel_size=6, stride=6)

    def forward(self, x):
        return self.patches(x[:, None]).transpose(1, 2)


class MixerBlock(nn.Module):
    """Mixes tokens, then channels, and adds the result to the stream."""

    def __init__(self, scale):
        super().__init__()
        self.tokens, self.channels, self.out = nn.Linear(TOKENS, TOKENS), nn.Linear(CHANNELS, 31), nn.Linear(31, CHANNELS)
        self.norm, self.scale = nn.LayerNorm(CHANNELS), scale

    def forward(self, h):
        mixed = F.relu(self.tokens(self.norm(h).transpose(1, 2))).transpose(1, 2)
        return h + self.scale * self.out(F.silu(self.channels(mixed)))


class Mixer(nn.Module):
    def __init__(self, scale):
        super().__init__()
        self.embed = Embed()
        self.blocks = nn.ModuleList(MixerBlock(scale * (1 + l)) for l in range(BLOCKS))
        self.out_ln = nn.LayerNorm([TOKENS, CHANNELS])
        self.head = nn.Linear(TOKENS * CHANNELS, CLASSES)

    def forward(self, x):
        h = self.embed(x)
        for block in self.blocks:
            h = block(h)
        return self.head(self.out_ln(h).flatten(1))


def task(generator):
    """Noisy signals, one frequency a class."""
    y = torch.randint(CLASSES, (SAMPLES,), generator=generator)
    time = torch.arange(6 * TOKENS) / (6 * TOKENS)
    x = torch.sin(2 * torch.pi * (1 + y[:, None]) * time) + 1.5 * torch.randn(SAMPLES, 6 * TOKENS, generator=generator)
    return x, y


def healthy(make_dump, add_loss_changes, x, y, test_x, test_y):
    net = Mixer(scale=1.0)
    optimiser = torch.optim.AdamW(net.parameters(), lr=2e-3)
    for _ in range(60):
        optimiser.zero_grad()
        F.cross_entropy(net(x), y).backward()
        optimiser.step()
    tensors = make_dump(net, net.embed, net.blocks, test_x, test_y, head=net.head, out_ln=net.out_ln)
    add_loss_changes(tensors, net, net.embed, net.blocks, test_x, test_y)
    # p is of each sample's own loss: a sample alone has the row that it has among the others.
    alone = make_dump(net, net.embed, net.blocks, test_x[3:4], test_y[3:4])
    assert all(torch.allclose(alone[f"p.{l}"][0], tensors[f"p.{l}"][3], rtol=1e-3, atol=1e-6) for l in range(BLOCKS + 1))
    # Backpropagation: the credit of each unit is the gradient at its output.
    credit = {"a.embed": tensors["p.0"].clone()}
    credit |= {f"a.{l}": tensors[f"p.{l + 1}"].clone() for l in range(BLOCKS)}
    return tensors | credit | {"epoch": torch.tensor(60)}


def degenerate(make_dump, x, y):
    net = Mixer(scale=3e6)
    error = torch.softmax(net(x).detach(), 1) - F.one_hot(y, CLASSES)
    project = lambda: (error @ torch.randn(CLASSES, TOKENS * CHANNELS) / CLASSES**0.5).reshape(-1, TOKENS, CHANNELS)
    credit = {l: project() for l in range(BLOCKS)}
    credit["embed"] = credit[0]
    tensors = make_dump(net, net.embed, net.blocks, x, y, credit, head=net.head, out_ln=net.out_ln)
    return tensors | {"epoch": torch.tensor(100)}


def medians(tensors, letter):
    return [tensors[f"{letter}.{l}"].double().flatten(1).norm(dim=1).median().item() for l in range(BLOCKS + 1)]


def growth(tensors):
    h = medians(tensors, "h")
    return max(after / before for before, after in zip(h, h[1:]))


def check(good, bad):
    for tensors in (good, bad):
        assert all(v.isfinite().all() for v in tensors.values() if v.is_floating_point()), "something is not finite"
        assert tensors["h.0"].shape == (SAMPLES, TOKENS, CHANNELS) == tensors["a.0"].shape
    assert growth(good) < 25 and medians(good, "p")[-1] / 128 > 1e-5, "the healthy network is not healthy"
    assert growth(bad) > 50 and medians(bad, "p")[-1] / 128 < 1e-7, "the degenerate network is healthy"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out", type=pathlib.Path)
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(30)
    torch.set_num_threads(1)
    make_dump, add_loss_changes = recipe()
    generator = torch.Generator().manual_seed(31)
    x, y = task(generator)
    test_x, test_y = task(generator)
    good = healthy(make_dump, add_loss_changes, x, y, test_x, test_y)
    bad = degenerate(make_dump, test_x, test_y)
    check(good, bad)
    save_file(good, out / "healthy.safetensors")
    np.savez(out / "degenerate.npz", **{k: v.numpy() for k, v in bad.items()})
    for name, tensors in (("healthy", good), ("degenerate", bad)):
        accuracy = (tensors["logits"].argmax(1) == tensors["labels"]).double().mean()
        p = medians(tensors, "p")[-1] / 128
        print(f"{name}: accuracy {accuracy:.3f}, growth {growth(tensors):.3g}, gradient at h_L (N = 128) {p:.3g}")


if __name__ == "__main__":
    main()
