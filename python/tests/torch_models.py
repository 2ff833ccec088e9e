"""The network of our runs in PyTorch, plain and with direct feedback in its backward pass."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "oracles"))

import resnet  # noqa: E402
import vit  # noqa: E402

# Threads of such small products wait for each other longer than they compute.
torch.set_num_threads(1)


def checkpoint(run: Path) -> dict[str, Tensor]:
    """The tensors of a run's checkpoint."""
    content = (run / "checkpoint.safetensors").read_bytes()
    end = 8 + int.from_bytes(content[:8], "little")
    header = json.loads(content[8:end])
    header.pop("__metadata__", None)
    kinds = {"F32": np.float32, "F64": np.float64, "U8": np.uint8, "I64": np.int64}
    found = {}
    for name, entry in header.items():
        low, high = entry["data_offsets"]
        values = np.frombuffer(content[end + low : end + high], dtype=kinds[entry["dtype"]])
        found[name] = torch.from_numpy(values.copy().reshape(entry["shape"]))
    return found


class Block(nn.Module):
    """A residual block, which returns the stream or only its branch."""

    def __init__(self, d: int, form: str) -> None:
        super().__init__()
        self.ln, self.w1, self.w2 = nn.LayerNorm(d), nn.Linear(d, d), nn.Linear(d, d)
        self.form = form

    def forward(self, h: Tensor) -> Tensor:
        branch = self.w2(nn.functional.gelu(self.w1(self.ln(h))))
        return h + branch if self.form == "stream" else branch


class Resmlp(nn.Module):
    """h_0 = embed(x), h_{l+1} = h_l + f_l(h_l), logits = out_head(out_ln(h_L))."""

    def __init__(self, inputs: int, d: int, blocks: int, classes: int, form: str = "stream") -> None:
        super().__init__()
        self.embed = nn.Linear(inputs, d)
        self.blocks = nn.ModuleList([Block(d, form) for _ in range(blocks)])
        self.out_ln, self.out_head = nn.LayerNorm(d), nn.Linear(d, classes)
        self.form = form

    def forward(self, x: Tensor) -> Tensor:
        h = self.embed(x)
        for block in self.blocks:
            h = block(h) if self.form == "stream" else h + block(h)
        return self.out_head(self.out_ln(h))


class Direct(torch.autograd.Function):
    """Passes states on; backward, the error at the logits arrives through a fixed matrix in place of the gradient."""

    @staticmethod
    def forward(ctx, h, feedback, kept):  # type: ignore[no-untyped-def,override]
        ctx.feedback, ctx.kept = feedback, kept
        return h.view_as(h)

    @staticmethod
    def backward(ctx, gradient):  # type: ignore[no-untyped-def,override]
        return ctx.kept["e"] @ ctx.feedback.T.to(ctx.kept["e"].dtype), None, None


class Output(torch.autograd.Function):
    """Keeps the error at the logits."""

    @staticmethod
    def forward(ctx, logits, kept):  # type: ignore[no-untyped-def,override]
        ctx.kept = kept
        return logits.view_as(logits)

    @staticmethod
    def backward(ctx, gradient):  # type: ignore[no-untyped-def,override]
        ctx.kept["e"] = gradient
        return gradient, None


class Dfa(Resmlp):
    """The same network, whose backward pass is direct feedback alignment."""

    def __init__(self, inputs: int, d: int, blocks: int, classes: int) -> None:
        super().__init__(inputs, d, blocks, classes)
        self.feedback = nn.ParameterList([nn.Parameter(torch.randn(d, classes), requires_grad=False) for _ in range(blocks)])

    def forward(self, x: Tensor) -> Tensor:
        kept: dict[str, Tensor] = {}
        h = Direct.apply(self.embed(x), self.feedback[0], kept)
        for block, feedback in zip(self.blocks, self.feedback):
            h = Direct.apply(block(h), feedback, kept)
        return Output.apply(self.out_head(self.out_ln(h)), kept)


def twin(kind: type[Resmlp], run: Path, **options: str) -> Resmlp:
    """The network of a trained run."""
    saved = checkpoint(run)
    d, inputs = saved["embed.weight"].shape
    blocks = sum(name.endswith(".w1.weight") and name.startswith("blocks.") for name in saved)
    model = kind(inputs, d, blocks, len(saved["out_head.bias"]), **options)
    model.load_state_dict({name: saved[name] for name in model.state_dict()})
    return model


class Bottom(nn.Module):
    """What a transformer does before its blocks, as a module: its output is h_0."""

    def __init__(self, net: vit.Vit) -> None:
        super().__init__()
        self.net = [net]

    def forward(self, x: Tensor) -> Tensor:
        return self.net[0].bottom(x)


class Transformer(vit.Vit):
    """Of the digits: images of one channel."""

    def __init__(self, saved: dict[str, Tensor]) -> None:
        d, inputs = saved["embed.weight"].shape
        blocks = sum(name.endswith(".qkv.weight") for name in saved if name.startswith("blocks."))
        side = int(inputs**0.5)
        mlp = len(saved["blocks.0.fc1.bias"])
        super().__init__(channels=1, height=8, width=8, patch=side, d=d, blocks=blocks, heads=2, mlp=mlp, classes=len(saved["out_head.bias"]))
        self.stem = Bottom(self)
        self.load_state_dict({name: saved[name] for name in self.state_dict()})

    def forward(self, x: Tensor) -> Tensor:
        h = self.stem(x.reshape(-1, 1, 8, 8))
        for block in self.blocks:
            h = h + block(h)
        return self.top(h)


class Convolutional(resnet.ResNet):
    """Of the digits: images of one channel."""

    def __init__(self, saved: dict[str, Tensor]) -> None:
        blocks = sum(name.endswith(".conv1.weight") for name in saved if name.startswith("blocks."))
        super().__init__(channels=1, d=len(saved["stem.bn.weight"]), blocks=blocks, classes=len(saved["out_head.bias"]))
        counted = {name: value for name, value in self.state_dict().items() if name.endswith("num_batches_tracked")}
        self.load_state_dict({name: saved[name] for name in self.state_dict() if name not in counted} | counted)

    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x.reshape(-1, 1, 8, 8))
