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


if __name__ == "__main__":
    main(sys.argv[1])
