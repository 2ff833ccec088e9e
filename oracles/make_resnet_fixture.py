"""Makes the PyTorch fixture that Creditscope's convolutional network is tested against.

    python make_resnet_fixture.py OUT_DIR

A small network with a block of each kind is pushed through plain autograd in float64, and
OUT_DIR/resnet.safetensors records

    param/{name}  x  labels                            where the case starts
    eval/logits  eval/h/{l}  eval/p/{l}                evaluation: states, and the gradient of each sample's
                                                       cross-entropy there, by sample, row, column, channel
    train/logits  train/grad/{name}                    training: gradient of the mean cross-entropy
    train/after/{name}                                 running statistics after that pass

Every starting value is a float32 number held in a float64, so that a single-precision run starts at the same point.
The script checks its own results against differences before it writes them.
"""

import argparse
import json
import pathlib

import torch
import torch.nn.functional as F
from safetensors.torch import save_file

from resnet import ResNet

SIZES = dict(channels=2, d=2, blocks=4, classes=5)
SIDE, BATCH, SEED = 16, 4, 1


def normal(generator, *shape, mean=0.0, std=1.0):
    """Gaussian numbers that float32 represents exactly."""
    return (mean + std * torch.randn(*shape, generator=generator, dtype=torch.float64)).float().double()


def starting_point():
    """Nothing is left at its default, zero or one: a forgotten bias, a variance in place of a standard deviation
    or a kernel turned around must all show."""
    g = torch.Generator().manual_seed(SEED)

    def value(name, shape):
        if name.endswith("running_var"):
            return normal(g, *shape, std=0.5).abs() + 0.5
        if name.endswith(("bias", "running_mean")):
            return normal(g, *shape, std=0.2)
        if len(shape) == 1:  # a BatchNorm's weight
            return normal(g, *shape, mean=1.0, std=0.3)
        return normal(g, *shape, std=0.3)

    names = {k: v for k, v in ResNet(**SIZES).state_dict().items() if not k.endswith("num_batches_tracked")}
    start = {k: value(k, v.shape) for k, v in names.items()}
    x = normal(g, BATCH, SIZES["channels"], SIDE, SIDE)
    return start, x, torch.randint(0, SIZES["classes"], (BATCH,), generator=g)


def require(condition, what):
    if not condition:
        raise SystemExit(f"make_resnet_fixture: inconsistent: {what}")


def check(build, x, labels, gradient):
    """The training gradient against central differences, along one direction a tensor."""
    g = torch.Generator().manual_seed(SEED + 1)
    for name, recorded in gradient.items():
        v = normal(g, *recorded.shape)

        def loss_at(step):
            net = build().train()
            with torch.no_grad():
                net.get_parameter(name).add_(v, alpha=step)
                return F.cross_entropy(net(x), labels)

        slope = (loss_at(1e-6) - loss_at(-1e-6)) / 2e-6
        require(abs(slope - (recorded * v).sum()) < 1e-7, f"{name} against central differences")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out_dir", type=pathlib.Path)
    out_dir = parser.parse_args().out_dir
    out_dir.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    start, x, labels = starting_point()

    def build():
        net = ResNet(**SIZES).double()
        net.load_state_dict(start, strict=True)
        return net

    tensors = {"x": x, "labels": labels, **{f"param/{k}": v for k, v in start.items()}}

    net = build().eval()
    h = net.states(x)
    tensors["eval/logits"] = net.top(h[-1])
    p = torch.autograd.grad(F.cross_entropy(tensors["eval/logits"], labels, reduction="sum"), h)
    for l, (h_l, p_l) in enumerate(zip(h, p)):
        tensors[f"eval/h/{l}"], tensors[f"eval/p/{l}"] = h_l.permute(0, 2, 3, 1), p_l.permute(0, 2, 3, 1)

    net = build().train()
    tensors["train/logits"] = net(x)
    F.cross_entropy(tensors["train/logits"], labels).backward()
    gradient = {k: v.grad for k, v in net.named_parameters()}
    check(build, x, labels, gradient)
    tensors.update({f"train/grad/{k}": v for k, v in gradient.items()})
    tensors.update({f"train/after/{k}": v for k, v in net.state_dict().items() if "running" in k})

    # One metadata key: safetensors does not promise an order of several, and the bytes should repeat.
    about = dict(torch=torch.__version__, seed=SEED, options=dict(SIZES, side=SIDE, batch=BATCH))
    path = out_dir / "resnet.safetensors"
    tensors = {k: v.detach().clone().contiguous() for k, v in tensors.items()}
    save_file(tensors, path, metadata={"oracle": json.dumps(about, sort_keys=True)})
    path.chmod(0o644)  # safetensors leaves it private
    print(f"{path}: {len(tensors)} tensors, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
