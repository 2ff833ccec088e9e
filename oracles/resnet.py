"""The convolutional network `resnet` of Creditscope, written as a PyTorch user would write it.

Stem: conv 3x3 of stride 2, BatchNorm, ReLU. Block: f(h) = BN2 conv2 relu BN1 conv1 h, added to h without a
ReLU behind the sum. A block that begins a stage halves the side and doubles the channels; there
h_{l+1} = f(h) = BN2 conv2 relu BN1 conv1 h + BN_short short(h). Head: mean over the positions, then linear.

`state_dict()` has the names that Creditscope writes into its checkpoints, and `num_batches_tracked` besides, an
integer that a vector of floats cannot hold. Strict loading works all the same: BatchNorm fills that counter in by
itself when it loads a plain dictionary, which has no version. With a fixed momentum nothing reads it.
"""

import os
import warnings

import torch.nn.functional as F
from torch import nn

os.environ["CUDA_VISIBLE_DEVICES"] = ""
warnings.filterwarnings("ignore", message="CUDA initialization")


class Stem(nn.Module):
    def __init__(self, channels, d):
        super().__init__()
        self.conv = nn.Conv2d(channels, d, 3, stride=2, padding=1, bias=False)
        self.bn = nn.BatchNorm2d(d)

    def forward(self, x):
        return F.relu(self.bn(self.conv(x)))


class Block(nn.Module):
    """The branch f; `skip` says whether it is added to its input."""

    def __init__(self, before, after):
        super().__init__()
        self.skip = before == after
        stride = 1 if self.skip else 2
        self.conv1 = nn.Conv2d(before, after, 3, stride=stride, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(after)
        self.conv2 = nn.Conv2d(after, after, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(after)
        if not self.skip:
            self.short = nn.Conv2d(before, after, 1, stride=2, bias=False)
            self.bn_short = nn.BatchNorm2d(after)

    def forward(self, h):
        f = self.bn2(self.conv2(F.relu(self.bn1(self.conv1(h)))))
        return f if self.skip else f + self.bn_short(self.short(h))


class ResNet(nn.Module):
    def __init__(self, channels=3, d=16, blocks=6, classes=10):
        super().__init__()
        wide = [d * 2 ** (l * 3 // blocks) for l in range(blocks)]
        self.stem = Stem(channels, d)
        self.blocks = nn.ModuleList(Block(before, after) for before, after in zip([d, *wide], wide))
        self.out_head = nn.Linear(wide[-1] if wide else d, classes)

    def states(self, x):
        """h_0 ... h_L."""
        h = [self.stem(x)]
        for block in self.blocks:
            f = block(h[-1])
            h.append(h[-1] + f if block.skip else f)
        return h

    def top(self, h):
        return self.out_head(h.mean((2, 3)))

    def forward(self, x):
        return self.top(self.states(x)[-1])
