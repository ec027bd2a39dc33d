"""The networks of torch_peer.py that torchvision does not have, as kernels/networks has them.

make(name, batch, sequence, device) gives a module, its input and its labels, on that device.
"""
import torch
from torch import nn
from torch.nn import functional


class AlexNet(nn.Module):
    """Krizhevsky et al. 2012 in one column of two groups, as kernels/networks/alexnet.cpp."""

    def __init__(self):
        super().__init__()

        def conv(c, k, kernel, stride=1, pad=0, groups=1):
            return [nn.Conv2d(c, k, kernel, stride, pad, groups=groups), nn.ReLU(inplace=True)]

        norm = [nn.LocalResponseNorm(5, 1e-4, 0.75, 1.0)]
        pool = [nn.MaxPool2d(3, 2)]
        self.features = nn.Sequential(
            *conv(3, 96, 11, 4), *norm, *pool,
            *conv(96, 256, 5, 1, 2, 2), *norm, *pool,
            *conv(256, 384, 3, 1, 1), *conv(384, 384, 3, 1, 1, 2), *conv(384, 256, 3, 1, 1, 2),
            *pool, nn.Flatten())
        self.classifier = nn.Sequential(
            nn.Linear(9216, 4096), nn.ReLU(inplace=True), nn.Dropout(0.5),
            nn.Linear(4096, 4096), nn.ReLU(inplace=True), nn.Dropout(0.5),
            nn.Linear(4096, 1000))

    def forward(self, x):
        return self.classifier(self.features(x))


def attend(q, k, v, causal):
    if hasattr(functional, "scaled_dot_product_attention"):
        return functional.scaled_dot_product_attention(q, k, v, is_causal=causal)
    scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5  # before PyTorch 2
    if causal:
        hidden = torch.ones(scores.shape[-2:], dtype=torch.bool, device=q.device).triu(1)
        scores = scores.masked_fill(hidden, -torch.inf)
    return scores.softmax(-1) @ v


class Attention(nn.Module):
    def __init__(self, width, heads, causal):
        super().__init__()
        self.heads, self.causal = heads, causal
        self.qkv = nn.Linear(width, 3 * width)
        self.projection = nn.Linear(width, width)

    def forward(self, x):
        items, positions, width = x.shape
        q, k, v = (part.view(items, positions, self.heads, -1).transpose(1, 2)
                   for part in self.qkv(x).chunk(3, dim=-1))
        y = attend(q, k, v, self.causal)
        return self.projection(y.transpose(1, 2).reshape(items, positions, width))


def feed_forward(width, approximate):
    return nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(approximate=approximate),
                         nn.Linear(4 * width, width))


class PreNormBlock(nn.Module):
    """GPT-2's: the norms inside the branches."""

    def __init__(self, width, heads):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = Attention(width, heads, causal=True)
        self.feed_forward = feed_forward(width, "tanh")

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.feed_forward(self.norm2(x))


class PostNormBlock(nn.Module):
    """BERT's: the norms behind the sums, dropout at the end of the branches."""

    def __init__(self, width, heads):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width, 1e-12), nn.LayerNorm(width, 1e-12)
        self.attention = Attention(width, heads, causal=False)
        self.feed_forward = feed_forward(width, "none")
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        x = self.norm1(x + self.drop(self.attention(x)))
        return self.norm2(x + self.drop(self.feed_forward(x)))


class Gpt2(nn.Module):
    vocabulary = 50257

    def __init__(self, sequence, width=768, layers=12, heads=12):
        super().__init__()
        self.tokens = nn.Embedding(self.vocabulary, width)
        self.positions = nn.Embedding(1024, width)
        self.register_buffer("order", torch.arange(sequence), persistent=False)
        self.blocks = nn.Sequential(*(PreNormBlock(width, heads) for _ in range(layers)))
        self.norm = nn.LayerNorm(width)

    def forward(self, ids):
        x = self.blocks(self.tokens(ids) + self.positions(self.order))
        return functional.linear(self.norm(x), self.tokens.weight).flatten(0, 1)


class Bert(nn.Module):
    vocabulary = 30522

    def __init__(self, sequence, width=768, layers=12, heads=12):
        super().__init__()
        self.words = nn.Embedding(self.vocabulary, width)
        self.positions = nn.Embedding(512, width)
        self.segments = nn.Embedding(2, width)
        self.register_buffer("order", torch.arange(sequence), persistent=False)
        self.register_buffer("first", torch.zeros(1, dtype=torch.long), persistent=False)
        self.norm = nn.LayerNorm(width, 1e-12)
        self.drop = nn.Dropout(0.1)
        self.blocks = nn.Sequential(*(PostNormBlock(width, heads) for _ in range(layers)))
        self.transform = nn.Sequential(nn.Linear(width, width), nn.GELU(),
                                       nn.LayerNorm(width, 1e-12))
        self.bias = nn.Parameter(torch.zeros(self.vocabulary))

    def forward(self, ids):
        x = self.words(ids) + self.positions(self.order) + self.segments(self.first)
        x = self.transform(self.blocks(self.drop(self.norm(x))))
        return functional.linear(x, self.words.weight, self.bias).flatten(0, 1)


class Ptb(nn.Module):
    """The language models of the Penn Treebank; the state carries over from step to step."""
    vocabulary = 10000
    sizes = {"ptb-small": (200, 0.0), "ptb-medium": (650, 0.5), "ptb-large": (1500, 0.65)}

    def __init__(self, name, batch):
        super().__init__()
        width, dropped = self.sizes[name]
        self.drop = nn.Dropout(dropped)
        self.embedding = nn.Embedding(self.vocabulary, width)
        self.lstm = nn.LSTM(width, width, 2, batch_first=True, dropout=dropped)
        self.softmax = nn.Linear(width, self.vocabulary)
        for state in ("output", "cell"):
            self.register_buffer(state, torch.zeros(2, batch, width), persistent=False)

    def forward(self, ids):
        x = self.drop(self.embedding(ids))
        output, cell = self.output.to(x.dtype), self.cell.to(x.dtype)
        x, (output, cell) = self.lstm(x, (output, cell))
        self.output.copy_(output.detach())
        self.cell.copy_(cell.detach())
        return self.softmax(self.drop(x)).flatten(0, 1)


def of_tokens(network, batch, sequence, device):
    network = network.to(device)
    ids = torch.randint(0, network.vocabulary, (batch, sequence), device=device)
    labels = torch.randint(0, network.vocabulary, (batch * sequence,), device=device)
    return network, ids, labels


def of_images(name, batch, device):
    size = 227 if name == "alexnet" else 299 if name == "inception-v3" else 224
    if name == "alexnet":
        network = AlexNet()
    elif name == "inception-v3":
        import torchvision
        network = torchvision.models.inception_v3(aux_logits=False, init_weights=True)
    else:
        import torchvision
        name = {"vit-b16": "vit_b_16", "mobilenet-v2": "mobilenet_v2"}.get(name, name)
        network = getattr(torchvision.models, name)()
    images = torch.randn(batch, 3, size, size, device=device)
    labels = torch.randint(0, 1000, (batch,), device=device)
    return (network.to(device).to(memory_format=torch.channels_last),
            images.to(memory_format=torch.channels_last), labels)


def make(name, batch, sequence, device="cuda"):
    if name == "gpt2":
        return of_tokens(Gpt2(sequence or 1024), batch, sequence or 1024, device)
    if name == "bert-base":
        return of_tokens(Bert(sequence or 512), batch, sequence or 512, device)
    if name in Ptb.sizes:
        sequence = sequence or (20 if name == "ptb-small" else 35)
        return of_tokens(Ptb(name, batch), batch, sequence, device)
    return of_images(name, batch, device)
