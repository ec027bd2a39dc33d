"""Makes trained_*/ of this folder: run with Debian's python3-torch (1.13.1) and python3-onnx.

Small networks of the families that the engines train, exported by PyTorch's own exporter with their
starting weights, and the losses of twenty steps of PyTorch's own training from there (train mode,
FP32, SGD with momentum 0.9 or AdamW, weight decay 1e-4, the same batch again and again).
    python3 export_trained.py FOLDER
"""
import os
import sys

import torch
from onnx import numpy_helper
from torch import nn

import export_transformers

STEPS = 20


def conv_bn(inputs, outputs, kernel, stride=1, groups=1, act=nn.ReLU):
    layers = [nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False),
              nn.BatchNorm2d(outputs)]
    return layers + ([act()] if act else [])


class Bottleneck(nn.Module):
    """ResNet's: 1x1, 3x3 with the stride, 1x1, and the input beside them."""

    def __init__(self, inputs, inner, outputs, stride):
        super().__init__()
        self.branch = nn.Sequential(*conv_bn(inputs, inner, 1), *conv_bn(inner, inner, 3, stride),
                                    *conv_bn(inner, outputs, 1, act=None))
        self.beside = nn.Sequential(*conv_bn(inputs, outputs, 1, stride, act=None))

    def forward(self, x):
        return torch.relu(self.branch(x) + self.beside(x))


class ResNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(*conv_bn(3, 8, 7, 2), nn.MaxPool2d(3, 2, 1))
        self.blocks = nn.Sequential(Bottleneck(8, 6, 24, 1), Bottleneck(24, 8, 32, 2))
        self.pool, self.head = nn.AdaptiveAvgPool2d(1), nn.Linear(32, 5)

    def forward(self, x):
        return self.head(torch.flatten(self.pool(self.blocks(self.stem(x))), 1))


class Inverted(nn.Module):
    """MobileNetV2's: wide inside, one window a channel, a linear end."""

    def __init__(self, width, outputs, stride):
        super().__init__()
        self.branch = nn.Sequential(*conv_bn(width, 3 * width, 1, act=nn.ReLU6),
                                    *conv_bn(3 * width, 3 * width, 3, stride, 3 * width, nn.ReLU6),
                                    *conv_bn(3 * width, outputs, 1, act=None))
        self.sums = stride == 1 and width == outputs

    def forward(self, x):
        return x + self.branch(x) if self.sums else self.branch(x)


class MobileNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(*conv_bn(3, 8, 3, 2, act=nn.ReLU6), Inverted(8, 8, 1),
                                      Inverted(8, 12, 2), Inverted(12, 12, 1))
        self.head = nn.Linear(12, 5)

    def forward(self, x):
        return self.head(self.features(x).mean([2, 3]))


class Inception(nn.Module):
    """Branches side by side, as GoogLeNet's."""

    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 8, 5, 2), nn.ReLU())
        self.one = nn.Sequential(nn.Conv2d(8, 4, 1), nn.ReLU())
        self.three = nn.Sequential(nn.Conv2d(8, 4, 1), nn.ReLU(), nn.Conv2d(4, 6, 3, padding=1), nn.ReLU())
        self.pooled = nn.Sequential(nn.MaxPool2d(3, 1, 1), nn.Conv2d(8, 4, 1), nn.ReLU())
        self.head = nn.Linear(14, 5)

    def forward(self, x):
        x = self.stem(x)
        x = torch.cat([self.one(x), self.three(x), self.pooled(x)], 1)
        return self.head(torch.flatten(nn.functional.avg_pool2d(x, 9), 1))


class Vgg(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
                                    nn.Conv2d(8, 12, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
                                    nn.Flatten(), nn.Linear(12 * 5 * 5, 24), nn.ReLU(), nn.Linear(24, 5))

    def forward(self, x):
        return self.layers(x)


class Gated(nn.Module):
    """MobileNetV3's: an inverted bottleneck whose channels are weighed, with hard functions."""

    def __init__(self, width, inner):
        super().__init__()
        self.wide = nn.Sequential(*conv_bn(width, inner, 1, act=nn.Hardswish),
                                  *conv_bn(inner, inner, 5, 1, inner, nn.Hardswish))
        self.gate = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Conv2d(inner, 8, 1), nn.ReLU(),
                                  nn.Conv2d(8, inner, 1), nn.Hardsigmoid())
        self.end = nn.Sequential(*conv_bn(inner, width, 1, act=None))

    def forward(self, x):
        y = self.wide(x)
        return x + self.end(y * self.gate(y))


class MobileNetV3(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(*conv_bn(3, 8, 3, 2, act=nn.Hardswish), Gated(8, 16), Gated(8, 24))
        self.head = nn.Sequential(nn.Linear(8, 20), nn.Hardswish(), nn.Linear(20, 5))

    def forward(self, x):
        return self.head(self.features(x).mean([2, 3]))


class Shuffled(nn.Module):
    """ShuffleNetV2's: half of the channels go on untouched, then both halves are mixed."""

    def __init__(self, width):
        super().__init__()
        half = width // 2
        self.branch = nn.Sequential(*conv_bn(half, half, 1), *conv_bn(half, half, 3, 1, half, None),
                                    *conv_bn(half, half, 1))

    def forward(self, x):
        first, second = x.chunk(2, dim=1)
        x = torch.cat([first, self.branch(second)], 1)
        n, c, h, w = x.shape
        return x.view(n, 2, c // 2, h, w).transpose(1, 2).contiguous().view(n, c, h, w)


class ShuffleNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(*conv_bn(3, 12, 3, 2), nn.MaxPool2d(3, 2, 1), Shuffled(12),
                                      Shuffled(12))
        self.head = nn.Linear(12, 5)

    def forward(self, x):
        return self.head(self.features(x).mean([2, 3]))


class ChannelNorm(nn.LayerNorm):
    def forward(self, x):
        return super().forward(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)


class Mixed(nn.Module):
    """ConvNeXt's: one window a channel, then features mixed position by position."""

    def __init__(self, width):
        super().__init__()
        self.window = nn.Conv2d(width, width, 7, padding=3, groups=width)
        self.norm = nn.LayerNorm(width, eps=1e-6)
        self.mix = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x):
        y = self.mix(self.norm(self.window(x).permute(0, 2, 3, 1)))
        return x + y.permute(0, 3, 1, 2)


class ConvNext(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 8, 4, 4), ChannelNorm(8, eps=1e-6), Mixed(8),
                                      ChannelNorm(8, eps=1e-6), nn.Conv2d(8, 12, 2, 2), Mixed(12))
        self.norm, self.head = ChannelNorm(12, eps=1e-6), nn.Linear(12, 5)

    def forward(self, x):
        x = nn.functional.adaptive_avg_pool2d(self.features(x), 1)
        return self.head(torch.flatten(self.norm(x), 1))


class Darknet(nn.Module):
    """Leaky and exponential rectifiers."""

    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(*conv_bn(3, 8, 3, act=lambda: nn.LeakyReLU(0.1)), nn.MaxPool2d(2),
                                    *conv_bn(8, 12, 3, act=lambda: nn.ELU(0.7)), nn.AdaptiveAvgPool2d(1),
                                    nn.Flatten(), nn.Linear(12, 5))

    def forward(self, x):
        return self.layers(x)


def one_bias(lstm):
    """Our LSTM has the sum of PyTorch's two biases, which would learn twice as fast: one stands still."""
    for name, parameter in lstm.named_parameters():
        parameter.requires_grad_(not name.startswith("bias_hh"))
    return lstm


class TextClassifier(nn.Module):
    """Two bidirectional LSTMs; where the second has come to in either direction is read."""

    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(40, 6)
        self.lstm = one_bias(nn.LSTM(6, 5, num_layers=2, bidirectional=True, batch_first=True))
        self.head = nn.Linear(10, 5)

    def forward(self, ids):
        _, (states, _) = self.lstm(self.table(ids))
        return self.head(torch.cat([states[-2], states[-1]], 1))


class LanguageModel(nn.Module):
    """PTB's: two LSTMs, and the next word at every position."""

    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(40, 6)
        self.lstm = one_bias(nn.LSTM(6, 7, num_layers=2, batch_first=True))
        self.head = nn.Linear(7, 40)

    def forward(self, ids):
        return self.head(self.lstm(self.table(ids))[0])


def losses_of(model, inputs, labels, adam, rate):
    model.train()
    parameters = model.parameters()
    optimizer = (torch.optim.AdamW(parameters, lr=rate, weight_decay=1e-4) if adam else
                 torch.optim.SGD(parameters, lr=rate, momentum=0.9, weight_decay=1e-4))
    losses = []
    for _ in range(STEPS):
        optimizer.zero_grad()
        scores = model(inputs)
        loss = nn.functional.cross_entropy(scores.flatten(0, -2), labels.flatten())
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return torch.tensor(losses)


def save(folder, name, model, inputs, labels, adam=False, rate=0.01):
    place = os.path.join(folder, "trained_" + name)
    os.makedirs(place, exist_ok=True)
    model.eval()
    # PRESERVE keeps normalisations apart from the convolutions that they could be folded into.
    torch.onnx.export(model, (inputs,), os.path.join(place, "model.onnx"), input_names=["x"],
                      output_names=["scores"], opset_version=13, do_constant_folding=False,
                      training=torch.onnx.TrainingMode.PRESERVE)
    losses = losses_of(model, inputs, labels, adam, rate)
    for file, tensor in (("input_0", inputs), ("labels", labels), ("losses", losses)):
        with open(os.path.join(place, file + ".pb"), "wb") as out:
            out.write(numpy_helper.from_array(tensor.numpy(), file).SerializeToString())
    print(f"{name}: {losses[0]:.4f} to {losses[-1]:.4f}")


def main(folder):
    torch.manual_seed(11)
    images, labels = torch.randn(4, 3, 24, 24), torch.randint(0, 5, (4,))
    save(folder, "resnet", ResNet(), images, labels)
    save(folder, "mobilenet", MobileNet(), images, labels)
    save(folder, "inception", Inception(), images[:, :, :21, :21].contiguous(), labels, rate=0.05)
    save(folder, "vgg", Vgg(), images[:, :, :20, :20].contiguous(), labels, rate=0.05)
    ids = torch.randint(0, 40, (3, 9))
    gpt2 = export_transformers.Gpt2()
    save(folder, "gpt2", gpt2, ids, torch.randint(0, 40, (3, 9)), adam=True, rate=0.003)
    vit = export_transformers.Vit()
    save(folder, "vit", vit, images[:, :, :12, :12].contiguous(), labels, adam=True, rate=0.003)
    torch.manual_seed(12)
    save(folder, "mobilenetv3", MobileNetV3(), images, labels, rate=0.02)
    save(folder, "shufflenet", ShuffleNet(), images, labels, rate=0.02)
    save(folder, "convnext", ConvNext(), images, labels, adam=True, rate=0.003)
    save(folder, "darknet", Darknet(), images[:, :, :16, :16].contiguous(), labels, rate=0.02)
    torch.manual_seed(13)
    ids = torch.randint(0, 40, (4, 9))
    save(folder, "text_classifier", TextClassifier(), ids, labels, rate=0.1)
    save(folder, "lstm_language", LanguageModel(), ids, torch.randint(0, 40, (4, 9)), rate=0.1)


if __name__ == "__main__":
    main(sys.argv[1])
