"""Makes the transformers of this folder: run with Debian's python3-torch (1.13.1) and python3-onnx.

Modules written as the usual libraries write theirs, weights from a fixed seed, exported by PyTorch's
own exporter; the outputs beside them are what PyTorch computed.
    python3 export_transformers.py FOLDER
"""
import math
import os
import sys

import onnx
import torch
from onnx import numpy_helper
from torch import nn


class BertAttention(nn.Module):
    """Separate projections, an additive mask, the norm behind the sum."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.size = heads, width // heads
        self.query, self.key, self.value, self.dense = (nn.Linear(width, width) for _ in range(4))
        self.norm = nn.LayerNorm(width, eps=1e-12)

    def split(self, x):
        return x.view(x.size()[:-1] + (self.heads, self.size)).permute(0, 2, 1, 3)

    def forward(self, x, mask):
        q, k, v = self.split(self.query(x)), self.split(self.key(x)), self.split(self.value(x))
        scores = torch.matmul(q, k.transpose(-1, -2)) / math.sqrt(self.size) + mask
        x2 = torch.matmul(nn.functional.softmax(scores, dim=-1), v).permute(0, 2, 1, 3).contiguous()
        x2 = x2.view(x2.size()[:-2] + (self.heads * self.size,))
        return self.norm(self.dense(x2) + x)


class BertLayer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.attention = BertAttention(width, heads)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.norm = nn.LayerNorm(width, eps=1e-12)

    def forward(self, x, mask):
        x = self.attention(x, mask)
        return self.norm(self.down(nn.functional.gelu(self.up(x))) + x)


class Bert(nn.Module):
    def __init__(self, words=50, width=12, heads=3, layers=2, classes=4):
        super().__init__()
        self.words = nn.Embedding(words, width)
        self.types = nn.Embedding(2, width)
        self.positions = nn.Embedding(16, width)
        self.norm = nn.LayerNorm(width, eps=1e-12)
        self.register_buffer("position_ids", torch.arange(16).expand((1, -1)))
        self.layers = nn.ModuleList(BertLayer(width, heads) for _ in range(layers))
        self.pooler = nn.Linear(width, width)
        self.classifier = nn.Linear(width, classes)

    def forward(self, input_ids, attention_mask, token_type_ids):
        mask = (1.0 - attention_mask[:, None, None, :].to(torch.float32)) * torch.finfo(torch.float32).min
        positions = self.position_ids[:, : input_ids.size()[1]]
        x = self.words(input_ids) + self.types(token_type_ids) + self.positions(positions)
        x = self.norm(x)
        for layer in self.layers:
            x = layer(x, mask)
        return self.classifier(torch.tanh(self.pooler(x[:, 0])))


class Conv1D(nn.Module):
    """GPT-2's linear layer: the matrix the other way round, rows of all items together."""

    def __init__(self, out, width):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(width, out) * 0.2)
        self.bias = nn.Parameter(torch.randn(out) * 0.1)
        self.out = out

    def forward(self, x):
        return torch.addmm(self.bias, x.view(-1, x.size(-1)), self.weight).view(x.size()[:-1] + (self.out,))


class Gpt2Block(nn.Module):
    def __init__(self, width, heads, context):
        super().__init__()
        self.heads, self.width = heads, width
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention, self.projection = Conv1D(3 * width, width), Conv1D(width, width)
        self.up, self.down = Conv1D(4 * width, width), Conv1D(width, 4 * width)
        self.register_buffer(
            "bias", torch.tril(torch.ones((context, context), dtype=torch.uint8)).view(1, 1, context, context))

    def split(self, x):
        return x.view(x.size()[:-1] + (self.heads, self.width // self.heads)).permute(0, 2, 1, 3)

    def attend(self, x):
        q, k, v = (self.split(part) for part in self.attention(x).split(self.width, dim=2))
        scores = torch.matmul(q, k.transpose(-1, -2)) / (v.size(-1) ** 0.5)
        rows, columns = q.size(-2), k.size(-2)
        seen = self.bias[:, :, columns - rows : columns, :columns].to(torch.bool)
        scores = torch.where(seen, scores, torch.full([], torch.finfo(scores.dtype).min))
        x = torch.matmul(nn.functional.softmax(scores, dim=-1), v).permute(0, 2, 1, 3).contiguous()
        return self.projection(x.view(x.size()[:-2] + (self.width,)))

    def forward(self, x):
        x = x + self.attend(self.norm1(x))
        y = self.up(self.norm2(x))
        y = 0.5 * y * (1.0 + torch.tanh(math.sqrt(2.0 / math.pi) * (y + 0.044715 * torch.pow(y, 3.0))))
        return x + self.down(y)


class Gpt2(nn.Module):
    def __init__(self, words=40, width=8, heads=2, layers=2, context=16):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(words, width), nn.Embedding(context, width)
        self.blocks = nn.ModuleList(Gpt2Block(width, heads, context) for _ in range(layers))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, words, bias=False)
        self.head.weight = self.wte.weight

    def forward(self, input_ids):
        positions = torch.arange(0, input_ids.size(-1), dtype=torch.long).unsqueeze(0)
        x = self.wte(input_ids) + self.wpe(positions)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


class VitBlock(nn.Module):
    """One projection for all three, taken apart by reshape and permute, as timm does."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width, eps=1e-6), nn.LayerNorm(width, eps=1e-6)
        self.qkv, self.projection = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def attend(self, x):
        b, n, c = x.shape
        q, k, v = self.qkv(x).reshape(b, n, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4).unbind(0)
        weights = ((q * (c // self.heads) ** -0.5) @ k.transpose(-2, -1)).softmax(dim=-1)
        return self.projection((weights @ v).transpose(1, 2).reshape(b, n, c))

    def forward(self, x):
        x = x + self.attend(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class Vit(nn.Module):
    def __init__(self, width=12, heads=2, layers=2, classes=5):
        super().__init__()
        self.patches = nn.Conv2d(3, width, 4, 4)
        self.token = nn.Parameter(torch.randn(1, 1, width))
        self.positions = nn.Parameter(torch.randn(1, 10, width) * 0.5)
        self.blocks = nn.ModuleList(VitBlock(width, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(width, eps=1e-6)
        self.head = nn.Linear(width, classes)

    def forward(self, x):
        x = self.patches(x).flatten(2).transpose(1, 2)
        x = torch.cat((self.token.expand(x.shape[0], -1, -1), x), dim=1) + self.positions
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x)[:, 0])


class TorchEncoder(nn.Module):
    """PyTorch's own encoder layers, sequence first, and the mean over the positions."""

    def __init__(self, words=30, width=8, heads=2, classes=3):
        super().__init__()
        self.words = nn.Embedding(words, width)
        self.norm1 = nn.LayerNorm(width)
        self.attention = nn.MultiheadAttention(width, heads)
        self.norm2 = nn.LayerNorm(width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.head = nn.Linear(width, classes)

    def forward(self, tokens):
        x = self.words(tokens).transpose(0, 1)
        y = self.norm1(x)
        x = x + self.attention(y, y, y, need_weights=False)[0]
        x = x + self.down(torch.relu(self.up(self.norm2(x))))
        return self.head(x.transpose(0, 1).mean(dim=1))


class RmsNorm(nn.Module):
    def __init__(self, width, epsilon=1e-5):
        super().__init__()
        self.weight, self.epsilon = nn.Parameter(torch.ones(width)), epsilon

    def forward(self, x):
        variance = x.to(torch.float32).pow(2).mean(-1, keepdim=True)
        return self.weight * (x * torch.rsqrt(variance + self.epsilon)).to(x.dtype)


def rotate_half(x):
    first, second = x[..., : x.shape[-1] // 2], x[..., x.shape[-1] // 2 :]
    return torch.cat((-second, first), dim=-1)


def repeated(x, times):
    """A key-value head for each query head, as Hugging Face's repeat_kv."""
    batch, heads, length, size = x.shape
    if times == 1:
        return x
    return x[:, :, None, :, :].expand(batch, heads, times, length, size).reshape(batch, heads * times, length, size)


class LlamaAttention(nn.Module):
    def __init__(self, width, heads, kv_heads, size):
        super().__init__()
        self.heads, self.kv_heads, self.size = heads, kv_heads, size
        self.q_proj, self.o_proj = nn.Linear(width, heads * size, bias=False), nn.Linear(heads * size, width, bias=False)
        self.k_proj, self.v_proj = (nn.Linear(width, kv_heads * size, bias=False) for _ in range(2))

    def forward(self, x, cos, sin, mask):
        batch, length, _ = x.shape
        q = self.q_proj(x).view(batch, length, self.heads, self.size).transpose(1, 2)
        k = self.k_proj(x).view(batch, length, self.kv_heads, self.size).transpose(1, 2)
        v = self.v_proj(x).view(batch, length, self.kv_heads, self.size).transpose(1, 2)
        q, k = (q * cos) + (rotate_half(q) * sin), (k * cos) + (rotate_half(k) * sin)
        k, v = repeated(k, self.heads // self.kv_heads), repeated(v, self.heads // self.kv_heads)
        scores = torch.matmul(q, k.transpose(2, 3)) / math.sqrt(self.size) + mask
        shares = nn.functional.softmax(scores, dim=-1, dtype=torch.float32).to(q.dtype)
        x = torch.matmul(shares, v).transpose(1, 2).contiguous()
        return self.o_proj(x.reshape(batch, length, self.heads * self.size))


class LlamaBlock(nn.Module):
    def __init__(self, width, heads, kv_heads, size, inner):
        super().__init__()
        self.input_norm, self.post_norm = RmsNorm(width), RmsNorm(width)
        self.attention = LlamaAttention(width, heads, kv_heads, size)
        self.gate_proj, self.up_proj = nn.Linear(width, inner, bias=False), nn.Linear(width, inner, bias=False)
        self.down_proj = nn.Linear(inner, width, bias=False)

    def forward(self, x, cos, sin, mask):
        x = x + self.attention(self.input_norm(x), cos, sin, mask)
        y = self.post_norm(x)
        return x + self.down_proj(nn.functional.silu(self.gate_proj(y)) * self.up_proj(y))


class Llama(nn.Module):
    """Rotary positions, key-value heads shared by query heads, RMSNorm and SwiGLU, as Hugging Face's Llama."""

    def __init__(self, words=48, width=16, heads=4, kv_heads=2, size=6, inner=24, layers=2, base=10000.0):
        super().__init__()
        self.words = nn.Embedding(words, width)
        self.layers = nn.ModuleList(LlamaBlock(width, heads, kv_heads, size, inner) for _ in range(layers))
        self.norm, self.head = RmsNorm(width), nn.Linear(width, words, bias=False)
        self.register_buffer("inv_freq", 1.0 / (base ** (torch.arange(0, size, 2).float() / size)))

    def rotary(self, positions):
        frequencies = self.inv_freq[None, :, None].float().expand(positions.shape[0], -1, 1)
        angles = (frequencies @ positions[:, None, :].float()).transpose(1, 2)
        both = torch.cat((angles, angles), dim=-1)
        return both.cos().unsqueeze(1), both.sin().unsqueeze(1)

    def forward(self, input_ids):
        length = input_ids.shape[1]
        positions = torch.arange(length, device=input_ids.device).unsqueeze(0)
        mask = torch.full((length, length), torch.finfo(torch.float32).min).triu(1)[None, None, :, :]
        x = self.words(input_ids)
        cos, sin = self.rotary(positions)
        for layer in self.layers:
            x = layer(x, cos, sin, mask)
        return self.head(self.norm(x))


class CrossAttention(nn.Module):
    """Queries of some positions over keys and values of others' features: what is not mapped."""

    def __init__(self, words=30, width=8, heads=2, classes=3):
        super().__init__()
        self.words, self.others = nn.Embedding(words, width), nn.Linear(width, width)
        self.attention = BertAttention(width, heads)
        self.head = nn.Linear(width, classes)

    def forward(self, tokens):
        x = self.words(tokens)
        memory = torch.tanh(self.others(x))
        a = self.attention
        q, k, v = a.split(a.query(x)), a.split(a.key(memory)), a.split(a.value(memory))
        y = torch.matmul(nn.functional.softmax(torch.matmul(q, k.transpose(-1, -2)) / math.sqrt(a.size), dim=-1), v)
        y = y.permute(0, 2, 1, 3).contiguous()
        return self.head(a.dense(y.view(y.size()[:-2] + (8,)))[:, 0])


def save(folder, name, model, inputs, names, opset, dynamic=None):
    place = os.path.join(folder, name)
    os.makedirs(place, exist_ok=True)
    model.eval()
    with torch.no_grad():
        output = model(*inputs)
    torch.onnx.export(model, tuple(inputs), os.path.join(place, "model.onnx"), input_names=names,
                      output_names=["scores"], opset_version=opset, dynamic_axes=dynamic)
    for file, tensor in (("input_0", inputs[0]), ("output_0", output)):
        with open(os.path.join(place, file + ".pb"), "wb") as out:
            out.write(numpy_helper.from_array(tensor.numpy(), file).SerializeToString())


def randomised(model):
    """LayerNorm starts as the identity, which would hide a mistake."""
    for name, parameter in model.named_parameters():
        if "norm" in name:
            nn.init.normal_(parameter, mean=1.0 if name.endswith("weight") else 0.0, std=0.3)
    return model


def main(folder):
    torch.manual_seed(7)
    ids = torch.randint(0, 30, (3, 9))
    names = ["input_ids", "attention_mask", "token_type_ids"]
    open_axes = {name: {0: "batch", 1: "sequence"} for name in names} | {"scores": {0: "batch"}}
    ones, zeros = torch.ones_like(ids), torch.zeros_like(ids)
    save(folder, "bert", randomised(Bert()), (ids, ones, zeros), names, 13, open_axes)
    save(folder, "gpt2", randomised(Gpt2()), (ids,), ["input_ids"], 17,
         {"input_ids": {0: "batch"}, "scores": {0: "batch"}})
    save(folder, "vit", randomised(Vit()), (torch.randn(2, 3, 12, 12),), ["pixel_values"], 14,
         {"pixel_values": {0: "batch"}, "scores": {0: "batch"}})
    save(folder, "bert_fixed", randomised(Bert(layers=1)), (ids, ones, zeros), names, 17)
    save(folder, "vit_fixed", randomised(Vit(layers=1)), (torch.randn(2, 3, 12, 12),), ["x"], 14)
    save(folder, "torch_encoder", randomised(TorchEncoder()), (ids[:1],), ["tokens"], 16)
    llama_axes = {"input_ids": {0: "batch", 1: "sequence"}, "scores": {0: "batch", 1: "sequence"}}
    save(folder, "llama", randomised(Llama()), (ids,), ["input_ids"], 17, llama_axes)
    save(folder, "llama_fixed", randomised(Llama(heads=2, layers=1, base=500000.0)), (ids,), ["input_ids"], 16)
    save(folder, "cross_attention", CrossAttention(), (ids,), ["tokens"], 17)


if __name__ == "__main__":
    main(sys.argv[1])
