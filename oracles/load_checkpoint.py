"""Loads a Creditscope checkpoint into PyTorch and writes the logits it gives.

    python load_checkpoint.py --checkpoint checkpoint.safetensors --inputs x.safetensors --out logits.safetensors \\
        --network resmlp --d 256 --blocks 4 --inputs-size 3072 --classes 10 [--no-out-ln] [--no-skip] [--alpha 0.5]

The file of inputs holds `x`, [n, inputs]; the file written holds `logits`, [n, classes]. The
weights go through `load_state_dict(strict=True)`: a missing, extra or misshapen one is a failure.
The network runs in the checkpoint's own precision. Exit code 1 and one line on failure.
"""

import argparse
import sys

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from network import Network

# What a checkpoint holds beside the weights: moments, fixed feedback, state of the rule.
NOT_WEIGHTS = ("optim.", "feedback.", "rule.", "credit.")


class Failure(Exception):
    pass


def read(path):
    try:
        return load_file(path)
    except (OSError, SafetensorError) as error:
        raise Failure(f"{path}: {error}") from error


def load_weights(net, path):
    weights = {k: v for k, v in read(path).items() if not k.startswith(NOT_WEIGHTS)}
    precisions = {v.dtype for v in weights.values()}
    if len(precisions) > 1:
        raise Failure(f"{path}: weights of several types: {sorted(map(str, precisions))}")
    # load_state_dict would convert silently; a checkpoint must be used as it is.
    for precision in precisions:
        if precision not in (torch.float32, torch.float64):
            raise Failure(f"{path}: weights are {precision}, expected float32 or float64")
        net.to(precision)
    try:
        net.load_state_dict(weights, strict=True)
    except RuntimeError as error:
        raise Failure(f"{path}: {' '.join(str(error).split())}") from error


def run(options):
    net = Network(
        options.network,
        d=options.d,
        blocks=options.blocks,
        inputs=options.inputs_size,
        classes=options.classes,
        out_ln=not options.no_out_ln,
        skip=not options.no_skip,
        alpha=options.alpha,
    )
    load_weights(net, options.checkpoint)
    x = read(options.inputs).get("x")
    if x is None:
        raise Failure(f"{options.inputs}: no tensor named x")
    if x.dim() != 2 or x.shape[1] != options.inputs_size:
        raise Failure(f"{options.inputs}: x is {list(x.shape)}, expected [n, {options.inputs_size}]")
    with torch.no_grad():
        logits = net(x.to(net.embed.weight.dtype))
    try:
        save_file({"logits": logits.contiguous()}, options.out)
    except (OSError, SafetensorError) as error:
        raise Failure(f"{options.out}: {error}") from error


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--checkpoint", required=True)
    parser.add_argument("--inputs", required=True, help="safetensors file with x")
    parser.add_argument("--out", required=True, help="safetensors file to write logits to")
    parser.add_argument("--network", required=True, choices=["resmlp", "student"])
    parser.add_argument("--d", type=int, required=True)
    parser.add_argument("--blocks", type=int, required=True)
    parser.add_argument("--inputs-size", type=int, required=True, help="features of one sample")
    parser.add_argument("--classes", type=int, required=True)
    parser.add_argument("--no-out-ln", action="store_true")
    parser.add_argument("--no-skip", action="store_true")
    parser.add_argument("--alpha", type=float, default=0.5)
    torch.set_num_threads(1)
    try:
        run(parser.parse_args())
    except Failure as failure:
        sys.exit(f"load_checkpoint: {failure}")


if __name__ == "__main__":
    main()
