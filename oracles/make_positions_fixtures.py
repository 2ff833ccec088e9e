"""Makes the PyTorch fixtures that rules on networks with positions, `vit` and `resnet`, are tested against.

    python make_positions_fixtures.py OUT_DIR

Feedback alignment, direct feedback alignment and sign symmetry train one batch of each network by plain autograd in
float64, BatchNorm in training, and OUT_DIR/{network}.safetensors records

    param/{name}  x  labels  feedback/fa.{l}  feedback/dfa.{l}      where the case starts
    {rule}/credit/{embed|l}                                         raw, before normalisation
    {rule}/grad/{name}                                              gradient of the update
    {rule}/eval/credit/{embed|l}                                    the same credit in evaluation (sign symmetry on resnet)
    fa/planted/p_last  fa/planted/credit/{embed|l}                  credit from any p_L (resnet)

What the specification leaves to choose is stated beside the code that does it. resnet's head takes the mean over positions,
so p_L is the same at all of them and cannot tell how credit gets from stage to stage: hence a p_L of random numbers besides.
Credits lie by sample, position (row by row) and feature. The script checks itself before it writes (see `check`).
"""

import argparse
import json
import pathlib

import torch
import torch.nn.functional as F
from safetensors.torch import save_file
from torch import nn

from make_fixtures import distance, normal, require
from resnet import ResNet
from vit import Vit

SEED, CLASSES = 5, 5
VIT = dict(channels=2, height=6, width=9, patch=3, d=6, blocks=3, heads=2, mlp=10, classes=CLASSES)
PATCHES = 6
# Stages of 2, 2 and 1 blocks: a block that keeps the size in the first and in a later one, and two that halve the side.
RESNET = dict(channels=1, d=2, blocks=5, classes=CLASSES)
NETWORKS = {"vit": (Vit, VIT, (4, 2, 6, 9)), "resnet": (ResNet, RESNET, (4, 1, 16, 16))}


def forward(net, x):
    """h_0 ... h_L and logits in one graph; a block that begins a stage has no skip connection."""
    h = [net.bottom(x) if isinstance(net, Vit) else net.stem(x)]
    for block in net.blocks:
        h.append(h[-1] + block(h[-1]) if getattr(block, "skip", True) else block(h[-1]))
    return h, net.top(h[-1])


def gradients(net, x, labels):
    """Gradient of the summed cross-entropy by every state: p, and in training through the batch's statistics as well."""
    h, logits = forward(net, x)
    return list(torch.autograd.grad(F.cross_entropy(logits, labels, reduction="sum"), h))


def by_position(state):
    """From PyTorch's order to samples, positions, features."""
    return state if state.dim() == 3 else state.permute(0, 2, 3, 1)


def only_class_token(a):
    return F.pad(a[:, None], (0, 0, 0, PATCHES))


def fa(net, x, labels, feedback, p_last=None):
    """Entry l of every rule's credit acts at h_l: entry 0 is the embedding's. delta_L is the gradient of the batch mean. A
    matrix acts on each position alike; between stages a position gives its credit to the four that it covers."""
    p = gradients(net, x, labels)
    credits = [(p[-1] if p_last is None else p_last) / len(x)]
    for l in reversed(range(len(feedback))):
        each = "ij,ntj->nti" if isinstance(net, Vit) else "ij,njrc->nirc"
        a = torch.einsum(each, feedback[l], credits[0])
        credits.insert(0, a if isinstance(net, Vit) else F.interpolate(a, size=p[l].shape[2:], mode="nearest"))
    return credits


def dfa(net, x, labels, feedback):
    """The error reaches the class token of a transformer (B is d x C), every feature at every position of a convolutional
    network (B is HWC x C, its rows in the order in which states lie); the embedding gets what block 0 gets."""
    h, logits = forward(net, x)
    error = (logits.softmax(1) - F.one_hot(labels, CLASSES)).detach()
    credits = []
    for B, state in zip(feedback, h[1:]):
        a, shape = error @ B.T, by_position(state).shape
        credits.append(only_class_token(a) if isinstance(net, Vit) else a.reshape(shape).permute(0, 3, 1, 2))
    return [credits[0], *credits]


def sign_symmetry(net, x, labels, feedback):
    """Every weight matrix and kernel of a block is used as it is on the way up and as R = mean|W| sign(W) on the way down,
    shortcuts between stages among them. All else on the way down is the network's own: LayerNorm, attention's shares,
    queries, keys and values, BatchNorm with the statistics of the pass, skip connections."""

    def other_way_down(layer, inputs, output):
        R = (layer.weight.abs().mean() * layer.weight.sign()).detach()
        down = F.linear(*inputs, R) if R.dim() == 2 else F.conv2d(*inputs, R, None, layer.stride, layer.padding)
        return (output - down).detach() + down

    layers = [layer for layer in net.blocks.modules() if isinstance(layer, (nn.Linear, nn.Conv2d))]
    handles = [layer.register_forward_hook(other_way_down) for layer in layers]
    credits = gradients(net, x, labels)
    for handle in handles:
        handle.remove()
    return credits


RULES = {"fa": fa, "dfa": dfa, "sign_symmetry": sign_symmetry}


def normalised(a):
    """Unit root mean square over all features of one sample; the 1e-6 lets tiny credit stay small."""
    return a / (a.pow(2).mean(tuple(range(1, a.dim())), keepdim=True).sqrt() + 1e-6)


def signals(net, rule, credits):
    """What each unit descends. Random feedback reaches the class token of a transformer, whose features are then those that
    count; h_0's class token has seen no image, so the embedding learns by the same signal at every token. Sign symmetry
    reaches all tokens by itself, and all their features count together."""
    if rule == "sign_symmetry" or not isinstance(net, Vit):
        return [normalised(a) for a in credits]
    embed, *blocks = (normalised(a[:, 0]) for a in credits)
    return [embed[:, None].expand(-1, 1 + PATCHES, -1), *map(only_class_token, blocks)]


def local_gradients(net, x, labels, at):
    """Every unit descends <its output, its signal>, summed over features and averaged over samples, its input held constant;
    the head sees the cross-entropy of a constant h_L."""
    h, _ = forward(net, x)
    objective = (h[0] * at[0]).sum() / len(x)
    for block, state, signal in zip(net.blocks, h, at[1:]):
        objective = objective + (block(state.detach()) * signal).sum() / len(x)
    objective = objective + F.cross_entropy(net.top(h[-1].detach()), labels)
    return dict(zip(dict(net.named_parameters()), torch.autograd.grad(objective, list(net.parameters()))))


def check(name, net, x, labels, feedback, planted):
    """What must hold by definition, whatever the numbers are. The network is not the same afterwards."""
    # Units that get the true gradient descend the loss.
    p = gradients(net, x, labels)
    exact = torch.autograd.grad(F.cross_entropy(net(x), labels), list(net.parameters()))
    for (key, g), g_exact in zip(local_gradients(net, x, labels, p).items(), exact):
        require(distance(g, g_exact) < 1e-12, f"{name}: {key} with the true gradient for a signal")
    # FA, spelled out at some positions of the second sample's embedding; in resnet 8 x 8 of them lie over 2 x 2.
    got, above = (by_position(a)[1] for a in (fa(net, x, labels, feedback["fa"], planted)[0], planted / len(x)))
    for place, top in [((0,), (0,)), ((2,), (2,))] if name == "vit" else [((3, 4), (0, 1)), ((7, 3), (1, 0))]:
        want = torch.linalg.multi_dot([*feedback["fa"], above[top]])
        require((got[place] - want).norm() <= 1e-13 * got.norm(), f"{name}: fa at {place}")
    require(name != "vit" or not p[-1][:, 1:].any(), "vit: the head reads another token")
    # Where the weights of a block are of one size, sign symmetry is backpropagation; elsewhere it is not.
    apart = distance(sign_symmetry(net, x, labels, None)[0], p[0])
    with torch.no_grad():
        for w in (w for w in net.blocks.parameters() if w.dim() > 1):
            w.copy_(0.3 * w.sign())
    same = max(map(distance, sign_symmetry(net, x, labels, None), gradients(net, x, labels)))
    require(apart > 0.1 and same < 1e-12, f"{name}: sign symmetry, {apart:.1e} and {same:.1e}")


def starting_point(kind, sizes, shape):
    """Nothing is left at its default, zero or one."""
    g = torch.Generator().manual_seed(SEED)

    def value(name, shape):
        centred = len(shape) > 1 or name.endswith(("bias", "running_mean"))  # else about 1, and a variance above 0
        return normal(g, *shape, std=0.5) if centred else normal(g, *shape, mean=1.0, std=0.3).abs() + 0.1

    net = kind(**sizes).double()
    start = {k: value(k, v.shape) for k, v in net.state_dict().items() if not k.endswith("num_batches_tracked")}
    x, labels = normal(g, *shape), torch.randint(0, CLASSES, shape[:1], generator=g)
    states = [by_position(h)[0] for h in forward(net, x)[0]]
    features = [h.shape[-1] for h in states]
    reached = features if kind is Vit else [h.numel() for h in states]
    fixed = [normal(g, low, high, std=high**-0.5) for low, high in zip(features, features[1:])]
    direct = [normal(g, size, CLASSES, std=CLASSES**-0.5) for size in reached[1:]]
    return start, x, labels, {"fa": fixed, "dfa": direct, "sign_symmetry": []}


def make(name, kind, sizes, shape):
    start, x, labels, feedback = starting_point(kind, sizes, shape)

    def build():
        net = kind(**sizes).double().train()
        net.load_state_dict(start, strict=True)
        return net

    planted = normal(torch.Generator().manual_seed(SEED + 1), *forward(build(), x)[0][-1].shape)
    check(name, build(), x, labels, feedback, planted)
    tensors = {"x": x, "labels": labels, **{f"param/{k}": v for k, v in start.items()}}
    tensors.update({f"feedback/{rule}.{l}": B for rule, Bs in feedback.items() for l, B in enumerate(Bs)})

    def keep(key, credits):
        units = ["embed", *range(len(credits) - 1)]
        tensors.update({f"{key}/credit/{unit}": by_position(a) for unit, a in zip(units, credits)})

    for rule, credit in RULES.items():
        credits = credit(build(), x, labels, feedback[rule])
        keep(rule, credits)
        descended = local_gradients(build(), x, labels, signals(build(), rule, credits))
        tensors.update({f"{rule}/grad/{k}": g for k, g in descended.items()})
    if kind is ResNet:
        keep("sign_symmetry/eval", sign_symmetry(build().eval(), x, labels, None))
        keep("fa/planted", fa(build(), x, labels, feedback["fa"], planted))
        tensors["fa/planted/p_last"] = by_position(planted)
    return {k: v.detach().clone().contiguous() for k, v in tensors.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out_dir", type=pathlib.Path)
    out_dir = parser.parse_args().out_dir
    out_dir.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    for name, (kind, sizes, shape) in NETWORKS.items():
        tensors = make(name, kind, sizes, shape)
        # One metadata key: safetensors does not promise an order of several, and the bytes should repeat.
        about = json.dumps(dict(torch=torch.__version__, seed=SEED, options=sizes, x=shape), sort_keys=True)
        path = out_dir / f"{name}.safetensors"
        save_file(tensors, path, metadata={"oracle": about})
        path.chmod(0o644)  # safetensors leaves it private
        print(f"{path}: {len(tensors)} tensors, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
