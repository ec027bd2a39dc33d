"""torchvision's classifiers as ONNX test models, in the layout of the ONNX project's own: run with
Debian's python3-torch and python3-torchvision (and, beyond RAM, about 3 GB of disk).

Each gets weights from a fixed seed, running statistics of its own from four noisy images, and the
outputs that PyTorch computes for two others.
    python3 export_torchvision.py FOLDER [NAME ...]
    RIGHTSIZE_ONNX_TESTDATA=FOLDER RIGHTSIZE_ONNX_VERBOSE=1 build/bin/onnx_slow_test
"""
import os
import sys
import warnings

import torch
import torchvision
from onnx import numpy_helper

NAMES = ("alexnet", "convnext_tiny", "densenet121", "efficientnet_b0", "efficientnet_v2_s", "googlenet",
         "inception_v3", "mnasnet1_0", "mobilenet_v2", "mobilenet_v3_large", "mobilenet_v3_small",
         "regnet_x_400mf", "regnet_y_400mf", "resnet18", "resnet50", "resnext50_32x4d",
         "shufflenet_v2_x1_0", "squeezenet1_1", "swin_t", "vgg11_bn", "vit_b_16", "wide_resnet50_2")


def make(name):
    options = {"weights": None}
    if name in ("googlenet", "inception_v3"):
        options |= {"init_weights": True, "aux_logits": False} if name == "googlenet" else {
            "init_weights": False}
    return getattr(torchvision.models, name)(**options)


def save(path, name, tensor):
    with open(os.path.join(path, name + ".pb"), "wb") as out:
        out.write(numpy_helper.from_array(tensor.numpy(), name).SerializeToString())


def export(folder, name, opset):
    torch.manual_seed(5)
    model = make(name).train()
    for parameter in model.parameters():
        if not parameter.any():  # a head or a scale that starts at nothing hides what is behind it
            torch.nn.init.normal_(parameter, 0, 0.02)
    size = 299 if name == "inception_v3" else 224
    with torch.no_grad():
        model(torch.randn(4, 3, size, size))
    model.eval()
    place = os.path.join(folder, "torchvision", name)
    data = os.path.join(place, "test_data_set_0")
    os.makedirs(data, exist_ok=True)
    images = torch.randn(2, 3, size, size)
    torch.onnx.export(model, (images,), os.path.join(place, "model.onnx"), input_names=["images"],
                      output_names=["scores"], opset_version=opset,
                      dynamic_axes={"images": {0: "batch"}, "scores": {0: "batch"}})
    with torch.no_grad():
        scores = model(images)
    save(data, "input_0", images)
    save(data, "output_0", scores)
    print(f"{name}: opset {opset}", flush=True)


def main(folder, names):
    warnings.filterwarnings("ignore")
    for name in names or NAMES:
        export(folder, name, 15 if name.endswith("v3_small") else 13)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
