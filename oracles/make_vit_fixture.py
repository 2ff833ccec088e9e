"""Makes the PyTorch fixture that Creditscope's vision transformer is tested against.

    python make_vit_fixture.py OUT_DIR

One fixed batch is pushed through a small transformer by plain autograd in float64, and
OUT_DIR/vit.safetensors records

    param/{name}  x  labels           where the case starts
    h/{l}  f/{l}  logits              states, branches and logits
    p/{l}                             gradient of each sample's cross-entropy by its h_l
    grad/{name}                       gradient of the mean cross-entropy

Sizes are odd on purpose: planes are not square, heads and tokens no multiple of a vector's width.
Every starting value is a float32 number held in a float64, so that a single-precision run starts
at the same point. The script checks its own results before it writes them (see `check`).
"""

import argparse
import json
import pathlib

import torch
import torch.nn.functional as F
from safetensors.torch import save_file

from make_fixtures import distance, normal, require
from vit import Vit

SIZES = dict(channels=2, height=6, width=9, patch=3, d=9, blocks=2, heads=3, mlp=14, classes=5)
BATCH, SEED = 3, 3


def starting_point():
    """Parameters and batch. Nothing is left at its default, zero or one: a forgotten bias, a
    LayerNorm weight used twice or a transposed matrix must all show."""
    g = torch.Generator().manual_seed(SEED)

    def parameter(name, shape):
        if name.endswith("bias"):
            return normal(g, *shape, std=0.2)
        if len(shape) == 1:  # a LayerNorm's weight
            return normal(g, *shape, mean=1.0, std=0.3)
        # Scores of attention far from equal, so that its softmax matters.
        return normal(g, *shape, std=0.8 if "qkv" in name else 0.4)

    start = {k: parameter(k, v.shape) for k, v in Vit(**SIZES).state_dict().items()}
    x = normal(g, BATCH, SIZES["channels"], SIZES["height"], SIZES["width"])
    return start, x, torch.randint(0, SIZES["classes"], (BATCH,), generator=g)


def record(net, x, labels):
    """States, branches, logits, and the gradients of each sample's loss by its states."""
    h, f = [net.bottom(x)], []
    for block in net.blocks:
        f.append(block(h[-1]))
        h.append(h[-1] + f[-1])
    logits = net.top(h[-1])
    p = torch.autograd.grad(F.cross_entropy(logits, labels, reduction="sum"), h, retain_graph=True)
    gradients = torch.autograd.grad(F.cross_entropy(logits, labels), list(net.parameters()))
    tensors = {"logits": logits}
    for kind, group in (("h", h), ("f", f), ("p", p)):
        tensors.update({f"{kind}/{l}": value for l, value in enumerate(group)})
    tensors.update({f"grad/{k}": g for (k, _), g in zip(net.named_parameters(), gradients)})
    return tensors


def check(net, tensors, x, labels):
    """What must hold by definition, whatever the numbers are."""
    require(distance(tensors["logits"], net(x)) == 0, "logits")
    # A convolution over patches is the same embedding.
    weight = net.embed.weight.reshape(SIZES["d"], SIZES["channels"], SIZES["patch"], SIZES["patch"])
    tokens = F.conv2d(x, weight, net.embed.bias, stride=SIZES["patch"]).flatten(2).transpose(1, 2)
    tokens = torch.cat([net.cls_token.expand(BATCH, -1, -1), tokens], dim=1) + net.pos_embed
    require(distance(tensors["h/0"], tokens) < 1e-14, "h_0 is not a convolution")
    # Attention, spelled out for one head of one sample.
    block, d = net.blocks[0], SIZES["d"]
    size = d // SIZES["heads"]
    qkv, mixed = block.qkv(block.ln1(tensors["h/0"]))[1].split(d, dim=1), []
    for head in range(SIZES["heads"]):
        part = slice(head * size, (head + 1) * size)
        q, k, v = (values[:, part] for values in qkv)
        mixed.append(torch.softmax(q @ k.T / size**0.5, dim=1) @ v)
    spelled = block.proj(torch.cat(mixed, dim=1))
    require(distance(block.attention(block.ln1(tensors["h/0"]))[1], spelled) < 1e-13, "attention")
    # p_l against central differences of the rest of the network.
    for l in range(SIZES["blocks"] + 1):
        direction = normal(torch.Generator().manual_seed(l), *tensors[f"h/{l}"].shape)

        def loss_at(h):
            for block in net.blocks[l:]:
                h = h + block(h)
            return F.cross_entropy(net.top(h), labels, reduction="sum")

        with torch.no_grad():
            ahead, behind = (loss_at(tensors[f"h/{l}"] + step * direction) for step in (1e-5, -1e-5))
        slope = (ahead - behind) / 2e-5
        require(abs(slope - (tensors[f"p/{l}"] * direction).sum()) < 1e-7, f"p_{l} against central differences")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out_dir", type=pathlib.Path)
    out_dir = parser.parse_args().out_dir
    out_dir.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    start, x, labels = starting_point()
    net = Vit(**SIZES).double()
    net.load_state_dict(start, strict=True)
    tensors = record(net, x, labels)
    check(net, tensors, x, labels)
    # The same in float32: where that is far off, no correct program in single precision could be near.
    single = Vit(**SIZES)
    single.load_state_dict(start, strict=True)
    worst = max(distance(value, tensors[key]) for key, value in record(single, x.float(), labels).items())
    require(worst < 2e-6, f"float32 differs by {worst:.1e}")
    tensors.update({"x": x, "labels": labels, **{f"param/{k}": v for k, v in start.items()}})
    about = json.dumps(dict(torch=torch.__version__, seed=SEED, options=dict(SIZES, batch=BATCH)), sort_keys=True)
    path = out_dir / "vit.safetensors"
    save_file({k: v.detach().clone().contiguous() for k, v in tensors.items()}, path, metadata={"oracle": about})
    path.chmod(0o644)  # safetensors leaves it private
    print(f"{path}: {len(tensors)} tensors, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
