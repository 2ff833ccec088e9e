"""The two trained networks of Creditscope, written as a PyTorch user would write them.

`resmlp`:  f(h) = W2 gelu(W1 LN(h)), exact (erf) GELU, LayerNorm affine with eps 1e-5.
`student`: f(h) = W2 phi(W1 h), phi(z) = (1 - alpha) z + alpha tanh z, no LayerNorm anywhere.

Both are stacks h_0 = embed(x), h_{l+1} = h_l + f_l(h_l), logits = out_head(out_ln(h_L)).
`state_dict()` has exactly the parameter names that Creditscope writes into its checkpoints.
"""

import os
import warnings

import torch.nn.functional as F
from torch import nn

# Everything here is small and runs on the CPU. A CUDA build of PyTorch on a machine without a
# graphics card would say so at the first backward pass; that is no news.
os.environ["CUDA_VISIBLE_DEVICES"] = ""
warnings.filterwarnings("ignore", message="CUDA initialization")


class Block(nn.Module):
    def __init__(self, network, d, alpha, w2_std):
        super().__init__()
        self.student, self.alpha = network == "student", alpha
        if not self.student:
            self.ln = nn.LayerNorm(d)
        self.w1, self.w2 = nn.Linear(d, d), nn.Linear(d, d)
        nn.init.normal_(self.w2.weight, std=w2_std)
        nn.init.zeros_(self.w2.bias)

    def forward(self, h):
        if self.student:
            z = self.w1(h)
            return self.w2((1 - self.alpha) * z + self.alpha * z.tanh())
        return self.w2(F.gelu(self.w1(self.ln(h))))


class Network(nn.Module):
    def __init__(self, network, d, blocks, inputs, classes, out_ln=True, skip=True, alpha=0.5, w2_std=0.01):
        super().__init__()
        self.skip = skip
        self.embed = nn.Linear(inputs, d)
        self.blocks = nn.ModuleList(Block(network, d, alpha, w2_std) for _ in range(blocks))
        self.out_ln = nn.LayerNorm(d) if out_ln and network != "student" else nn.Identity()
        self.out_head = nn.Linear(d, classes)

    def advance(self, h, f):
        """h_{l+1} from h_l and f_l(h_l). The clone keeps h_{l+1} a node of its own without a
        skip connection, so that a gradient at h_{l+1} leaves out what acts on f_l directly."""
        return h + f if self.skip else f.clone()

    def top(self, h):
        return self.out_head(self.out_ln(h))

    def forward(self, x):
        h = self.embed(x)
        for block in self.blocks:
            h = self.advance(h, block(h))
        return self.top(h)
