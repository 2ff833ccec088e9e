"""The vision transformer of Creditscope, written as a PyTorch user would write it.

An image becomes patches, each a token; a class token comes first, and every token has a learned
position. A pre-LN block adds attention, then a perceptron with exact (erf) GELU; the head reads the
class token through a last LayerNorm. `state_dict()` has exactly the parameter names that Creditscope
writes into its checkpoints.
"""

import torch
import torch.nn.functional as F
from torch import nn

import network  # noqa: F401  (keeps PyTorch off the graphics card)


class Block(nn.Module):
    def __init__(self, d, heads, mlp):
        super().__init__()
        self.heads = heads
        self.ln1, self.qkv, self.proj = nn.LayerNorm(d), nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.ln2, self.fc1, self.fc2 = nn.LayerNorm(d), nn.Linear(d, mlp), nn.Linear(mlp, d)

    def attention(self, x):
        n, tokens, d = x.shape
        q, k, v = self.qkv(x).reshape(n, tokens, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(q, k, v)
        return self.proj(mixed.transpose(1, 2).reshape(n, tokens, d))

    def forward(self, h):
        """Everything that the block adds to h."""
        attn = self.attention(self.ln1(h))
        return attn + self.fc2(F.gelu(self.fc1(self.ln2(h + attn))))


class Vit(nn.Module):
    def __init__(self, channels=3, height=32, width=32, patch=4, d=128, blocks=4, heads=4, mlp=256, classes=10):
        super().__init__()
        self.patch = patch
        tokens = 1 + (height // patch) * (width // patch)
        self.cls_token = nn.Parameter(0.02 * torch.randn(1, 1, d))
        self.pos_embed = nn.Parameter(0.02 * torch.randn(1, tokens, d))
        self.embed = nn.Linear(channels * patch * patch, d)
        self.blocks = nn.ModuleList(Block(d, heads, mlp) for _ in range(blocks))
        self.out_ln, self.out_head = nn.LayerNorm(d), nn.Linear(d, classes)

    def bottom(self, x):
        """h_0 from images (N, channels, height, width)."""
        patches = F.unfold(x, self.patch, stride=self.patch).transpose(1, 2)
        tokens = torch.cat([self.cls_token.expand(len(x), -1, -1), self.embed(patches)], dim=1)
        return tokens + self.pos_embed

    def top(self, h):
        return self.out_head(self.out_ln(h[:, 0]))

    def forward(self, x):
        h = self.bottom(x)
        for block in self.blocks:
            h = h + block(h)
        return self.top(h)
