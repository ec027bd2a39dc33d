"""XHMY/torch_benchmark: README.md, torchvision's networks trained at 64 pictures by SGD.

Pictures are drawn on the GPU; FP16 is of all tensors. PyTorch lets convolutions use TF32 from Ampere
on, other products not (2.1 and 2.5 as they come): ResNet-50 in "float32" is TF32 there, ViT FP32.
Of the RTX 4090 the run on Linux, not the one inside Windows. The H200's name is of a MIG slice of all
seven, so it is whole. vgg13 is not a network here.
"""
import re

NETWORKS = {"resnet50": "resnet50", "vit_b_16": "vit-b16"}
GPUS = {"NVIDIA GeForce RTX 4090": "RTX-4090", "NVIDIA TITAN RTX": "Titan-RTX",
        "NVIDIA H100 80GB HBM3": "H100", "NVIDIA H200 MIG 7g.141gb": "H200"}
WITHOUT_TF32 = {"Titan-RTX"}
ROW = re.compile(r"\d+ +(\w+) +(True|False) +224 +(\d+) +([\d.]+)")


def precision_of(network, half, gpu):
    if half:
        return "fp16"
    return "tf32" if network == "resnet50" and gpu not in WITHOUT_TF32 else "fp32"


def collect(collected):
    repository = collected.repository("XHMY", "torch_benchmark")
    gpu, windows = None, False
    for line in repository.text("README.md").split("\n"):
        named = re.match(r"GPU\s*: (.+)", line)
        gpu = GPUS.get(named[1].strip()) if named else gpu
        windows = "WSL2" in line if line.startswith("Platform") else windows
        row = ROW.match(line)
        if row and gpu and not windows and row[1] in NETWORKS:
            network = NETWORKS[row[1]]
            collected.rate(network, "train", precision_of(network, row[2] == "True", gpu), gpu,
                           int(row[3]), round(float(row[4]), 2), "PyTorch (XHMY)",
                           repository.source("README.md"))
