#!/usr/bin/env python3
"""Collects published throughputs that ../shared/data lacks into collected_rates.csv, and those of
several GPUs into collected_scaling.csv.

usage: models/calibration/collect.py MIRRORS

MIRRORS holds bare clones as <owner>+<name>/repo of huggingface/pytorch-image-models,
lambdal/deeplearning-benchmark and mosaicml/llm-foundry. TensorFlow's and u39kun's tables are small
and stand below as they were published. The rates are of one GPU, but for llm-foundry's eight, whose
exchange is small beside a step of a million tokens. Each row names its source and commit.
"""
import csv
import io
import math
import pathlib
import re
import statistics
import subprocess
import sys

mirrors = pathlib.Path(sys.argv[1])
here = pathlib.Path(__file__).parent
HEADER = ["network", "sequence", "phase", "precision", "gpu", "batch", "items_per_s", "stack",
          "framework", "source"]
SCALING_HEADER = ["network", "precision", "batch", "sequence", "gpu", "gpus", "nodes",
                  "interconnect", "one_gpu_rate", "rate", "unit", "framework", "source"]
lines = []
scaling_lines = []


class Repository:
    def __init__(self, owner, name):
        self.path = mirrors / f"{owner}+{name}" / "repo"
        self.name = f"{owner}/{name}"
        self.commit = self.git("rev-parse", "HEAD").strip()[:10]

    def git(self, *arguments):
        return subprocess.run(["git", "-C", self.path, *arguments], check=True,
                              capture_output=True, text=True).stdout

    def text(self, path):
        return self.git("show", f"HEAD:{path}")

    def table(self, path):
        return list(csv.DictReader(io.StringIO(self.text(path))))

    def source(self, path):
        return f"{self.name} {path}@{self.commit}"


def add(network, phase, precision, gpu, batch, items_per_s, stack, framework, source, sequence=0):
    lines.append([network, sequence, phase, precision, gpu, batch, items_per_s, stack, framework,
                  source])


# timm: forward passes of torchvision-like networks. Of the two memory layouts the faster one that
# PyTorch's users are told to take (channels last); compiled code chooses its own.
TIMM_NETWORKS = {
    "resnet18": "resnet18", "resnet34": "resnet34", "resnet50": "resnet50",
    "resnet101": "resnet101", "resnet152": "resnet152", "resnet200": "resnet200",
    "resnext101_32x4d": "resnext101-32x4d", "seresnext101_32x4d": "se-resnext101-32x4d",
    "vgg11": "vgg11", "vgg16": "vgg16", "vgg19": "vgg19", "inception_v3": "inception-v3",
    "mobilenetv2_100": "mobilenet-v2", "vit_base_patch16_224": "vit-b16",
}
TIMM_FILES = {
    "benchmark-train-amp-nhwc-pt112-cu113-rtx3090": ("RTX-3090", "train", "PyTorch (timm)"),
    "benchmark-infer-amp-nhwc-pt240-cu124-rtx3090": ("RTX-3090", "infer", "PyTorch (timm)"),
    "benchmark-infer-amp-nhwc-pt240-cu124-rtx4090": ("RTX-4090", "infer", "PyTorch (timm)"),
    "benchmark-infer-amp-nchw-pt240-cu124-rtx4090-dynamo": ("RTX-4090", "infer", "PyTorch compile"),
    "benchmark-infer-amp-nchw-pt291-cu130-5090-dynamo": ("RTX-5090", "infer", "PyTorch compile"),
}


def collect_timm():
    repository = Repository("huggingface", "pytorch-image-models")
    for name, (gpu, kind, framework) in TIMM_FILES.items():
        path = f"results/{name}.csv"
        for row in repository.table(path):
            network = TIMM_NETWORKS.get(row["model"].split(".")[0])
            size = 299 if network == "inception-v3" else 224
            if network and int(row[f"{kind}_img_size"]) == size:
                add(network, kind, "fp16", gpu, int(float(row[f"{kind}_batch_size"])),
                    float(row[f"{kind}_samples_per_sec"]), "current", framework,
                    repository.source(path))


# Lambda: NVIDIA's DeepLearningExamples run on many cards; SQuAD's sequences are of 384 tokens. Of
# several machines with the same card the median.
LAMBDA_GPUS = {
    "Quadro RTX 8000": "RTX-8000", "LambdaCloud V100 16GB": "V100", "RTX 3090": "RTX-3090",
    "LambdaCloud A10": "A10", "LambdaCloud A100 40GB PCIe": "A100-PCIe",
    "A100 80GB PCIe": "A100-PCIe-80GB", "A100 80GB SXM4": "A100-80GB",
    "RTX 6000 Ada": "RTX-6000-Ada", "RTX A6000": "A6000", "RTX 4090": "RTX-4090",
    "H100 80GB PCIe Gen5": "H100-PCIe", "H100 80GB SXM5": "H100",
}
LAMBDA_NETWORKS = {"resnet50": ("resnet50", 0), "bert_base_squad": ("bert-base", 384),
                   "bert_large_squad": ("bert-large", 384)}


# Machines of several: their own links (V100 and SXM modules have NVLink, the eights a switch).
LAMBDA_SEVERAL = {
    "LambdaCloud 2x V100 16GB": ("V100", "NVLink"), "LambdaCloud 4xV100 16GB": ("V100", "NVLink"),
    "LambdaCloud 8xV100 16GB": ("V100", "NVLink"), "2x RTX 6000 Ada": ("RTX-6000-Ada", "PCIe"),
    "4x RTX 6000 Ada": ("RTX-6000-Ada", "PCIe"), "8x RTX 6000 Ada": ("RTX-6000-Ada", "PCIe"),
    "2x RTX A6000": ("A6000", "PCIe"), "2x RTX 3090": ("RTX-3090", "PCIe"),
    "2x RTX 4090": ("RTX-4090", "PCIe"), "2x A100 80GB PCIe": ("A100-PCIe-80GB", "PCIe p2p"),
    "2x A100 80GB SXM4": ("A100-80GB", "NVSwitch"), "4x A100 80GB SXM4": ("A100-80GB", "NVSwitch"),
    "8x A100 80GB SXM4": ("A100-80GB", "NVSwitch"),
    "2x H100 80GB PCIe Gen5": ("H100-PCIe", "PCIe p2p"),
    "4x H100 80GB PCIe Gen5": ("H100-PCIe", "PCIe p2p"),
    "8x H100 80GB PCIe Gen5": ("H100-PCIe", "PCIe p2p"),
    "2x H100 80GB SXM5": ("H100", "NVSwitch"), "4x H100 80GB SXM5": ("H100", "NVSwitch"),
    "8x H100 80GB SXM5": ("H100", "NVSwitch"),
}
LAMBDA_SINGLE = {gpu: name for name, gpu in LAMBDA_GPUS.items()}
# Lambda divides SQUAD_STEPS by the time of two epochs, which with large batches have fewer steps.
SQUAD_FEATURES = 88641
SQUAD_STEPS = 100


def number(text):
    return int(float(text))


def lambda_several(rates, batches, precision, source):
    for name, (gpu, link) in LAMBDA_SEVERAL.items():
        row, one = rates[name], rates[LAMBDA_SINGLE[gpu]]
        gpus = number(row["num_gpu"])
        for column, (network, sequence) in LAMBDA_NETWORKS.items():
            batch = number(batches[LAMBDA_SINGLE[gpu]][column])
            if sequence and 2 * math.ceil(SQUAD_FEATURES / (batch * gpus)) < SQUAD_STEPS:
                continue
            scaling_lines.append([
                network, precision(gpu), batch, sequence, gpu, gpus, 1, link, float(one[column]), float(row[column]),
                "sequences/s" if sequence else "images/s", "PyTorch (Lambda)", source])


def collect_lambda():
    repository = Repository("lambdal", "deeplearning-benchmark")
    for table, tensor, plain in (("fp16", "fp16", "fp16"), ("fp32", "tf32", "fp32")):
        def precision(gpu):
            return plain if gpu in ("RTX-8000", "V100") else tensor

        path = f"pytorch/pytorch-train-throughput-{table}.csv"
        batches = {row["name_gpu"]: row
                   for row in repository.table(f"pytorch/pytorch-train-bs-{table}.csv")}
        rates = {row["name_gpu"]: row for row in repository.table(path)}
        source = repository.source(path)
        lambda_several(rates, batches, precision, source)
        found = {}
        for name, row in rates.items():
            # Several machines with the same H100: their median.
            bare = re.sub(r"^(LambdaCloud|Dell\w*|SMC|1CC|RAIDZ1) (?=H100)", "", name)
            gpu = LAMBDA_GPUS.get(bare)
            if gpu and number(row["num_gpu"]) == 1 and name in batches:
                for column, network in LAMBDA_NETWORKS.items():
                    key = (network, gpu, number(batches[name][column]))
                    found.setdefault(key, []).append(float(row[column]))
        for (network, gpu, batch), values in found.items():
            add(network[0], "train", precision(gpu), gpu, batch, statistics.median(values),
                "current", "PyTorch (Lambda)", source, network[1])


# MosaicML's MPT-125M is GPT-2's size and shape: 12 layers of 768; with ALiBi, a vocabulary of 50368
# and FlashAttention. Sharded over eight GPUs, two micro-batches or more a step. Up to the 1024
# positions that GPT-2 has learned; mixed precision only (on 40 GB all is in bf16).
def collect_mosaic():
    repository = Repository("mosaicml", "llm-foundry")
    path = "scripts/train/benchmarking/README.md"
    for line in repository.text(path).splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) > 15 and cells[:1] + cells[2:4] == ["125m", "8", "a100_80gb"] \
                and int(cells[1]) <= 1024:
            add("gpt2", "train", "fp16", "A100-80GB", int(cells[7]), float(cells[12]) / int(cells[1]),
                "current", "PyTorch (Mosaic)", repository.source(path), int(cells[1]))


# Synthetic data, images/s on 1, 2, 4 ... GPUs: network, batch per GPU, rates.
# tensorflow/docs_src/performance/benchmarks.md, May 2017: CUDA 8, cuDNN 5.1. AlexNet in
# tf_cnn_benchmarks is the one-tower network at 224 pixels. GCE and EC2 machines of eight K80 dies,
# DGX-1; then p2.8xlarge instances with parameter servers beside the workers.
TENSORFLOW = "tensorflow/tensorflow tensorflow/docs_src/performance/benchmarks.md@5984ffefd3"
TENSORFLOW_2017 = {
    ("P100-SXM2", "NVLink", "TensorFlow 1"): [
        ("inception-v3", 64, (142, 284, 569, 1131)), ("resnet50", 64, (219, 422, 852, 1734)),
        ("resnet152", 64, (91.8, 181, 356, 716)), ("alexnet-owt", 512, (2987, 5658, 10509, 17822)),
        ("vgg16", 64, (154, 295, 584, 1081)), ("inception-v3", 32, (128, 259, 520, 995)),
        ("resnet50", 32, (195, 368, 768, 1485)), ("resnet152", 32, (82.7, 160, 317, 632)),
        ("vgg16", 32, (144, 281, 549, 820))],
    ("K80", "PCIe", "TensorFlow 1 (GCE)"): [
        ("inception-v3", 64, (30.5, 57.8, 116, 227)), ("resnet50", 64, (51.9, 99.0, 195, 387)),
        ("resnet152", 32, (20.0, 38.2, 75.8, 148)), ("alexnet-owt", 512, (656, 1209, 2328, 4640)),
        ("vgg16", 32, (35.4, 64.8, 120, 234)), ("inception-v3", 32, (29.3, 55.0, 109, 216)),
        ("resnet50", 32, (49.5, 95.4, 183, 362))],
    ("K80", "PCIe p2p", "TensorFlow 1 (EC2)"): [
        ("inception-v3", 64, (30.8, 58.7, 117, 230)), ("resnet50", 64, (51.5, 98.0, 195, 384)),
        ("resnet152", 32, (19.7, 37.6, 74.9, 149)), ("alexnet-owt", 512, (684, 1244, 2479, 4853)),
        ("vgg16", 32, (36.3, 69.4, 141, 260)), ("inception-v3", 32, (29.9, 57.5, 114, 216)),
        ("resnet50", 32, (49.0, 94.1, 184, 355))],
}
TENSORFLOW_NODES = [  # one GPU, then 2, 4 and 8 machines of eight
    ("inception-v3", 64, 29.7, (459, 902, 1783)), ("resnet50", 64, 52.4, (751, 1388, 2744)),
    ("resnet152", 32, 19.4, (291, 565, 981))]


def scaling(network, batch, gpu, gpus, nodes, link, one, rate, framework, source):
    scaling_lines.append([network, "fp32", batch, 0, gpu, gpus, nodes, link, one, rate, "images/s",
                          framework, source])


def collect_tensorflow():
    for (gpu, link, framework), rows in TENSORFLOW_2017.items():
        for network, batch, (one, *several) in rows:
            add(network, "train", "fp32", gpu, batch, one, "era", "TensorFlow 1", TENSORFLOW)
            for doubled, rate in enumerate(several, 1):
                scaling(network, batch, gpu, 2 ** doubled, 1, link, one, rate, framework,
                        TENSORFLOW)
    for network, batch, one, several in TENSORFLOW_NODES:
        for doubled, rate in enumerate(several, 1):
            nodes = 2 ** doubled
            scaling(network, batch, "K80", 8 * nodes, nodes, "PCIe p2p; ethernet 10", one, rate,
                    "TensorFlow 1 (dist parameter servers)", TENSORFLOW)


# Milliseconds at batch 16: VGG-16 evaluation, forward+backward; ResNet-152 likewise.
U39KUN = "u39kun/deep-learning-benchmark README.md@02ef743669"
U39KUN_MS = [
    ("Titan-V", "PyTorch 0.3", "fp32", 31.3, 108.8, 48.9, 180.2),
    ("Titan-V", "PyTorch 0.3", "fp16", 14.7, 74.1, 26.1, 115.9),
    ("GTX-1080-Ti", "PyTorch 0.3", "fp32", 39.3, 131.9, 57.8, 206.4),
    ("V100", "PyTorch 0.3", "fp32", 26.2, 83.5, 38.7, 136.5),
    ("V100", "PyTorch 0.3", "fp16", 12.6, 58.8, 21.7, 92.9),
    ("RTX-2080-Ti", "PyTorch 1.0", "fp32", 28.0, 95.5, 41.8, 142.5),
    ("RTX-2080-Ti", "PyTorch 1.0", "fp16", 19.1, 68.1, 25.0, 98.6),
    ("Titan-V", "TensorFlow 1", "fp32", 31.8, 157.2, 50.3, 269.8),
    ("Titan-V", "TensorFlow 1", "fp16", 16.1, 96.7, 28.4, 193.3),
    ("GTX-1080-Ti", "TensorFlow 1", "fp32", 43.4, 131.3, 69.6, 300.6),
    ("V100", "TensorFlow 1", "fp32", 24.0, 71.7, 39.4, 199.8),
    ("V100", "TensorFlow 1", "fp16", 13.6, 49.4, 22.6, 147.4),
    ("RTX-2080-Ti", "TensorFlow 1", "fp32", 28.8, 90.8, 43.6, 191.0),
    ("RTX-2080-Ti", "TensorFlow 1", "fp16", 18.7, 58.6, 25.8, 133.5),
]


def collect_u39kun():
    for gpu, framework, precision, *milliseconds in U39KUN_MS:
        cases = [("vgg16", "forward"), ("vgg16", "forward_backward"), ("resnet152", "forward"),
                 ("resnet152", "forward_backward")]
        for (network, phase), ms in zip(cases, milliseconds):
            add(network, phase, precision, gpu, 16, round(16e3 / ms, 2), "era", framework, U39KUN)


def write(name, header, table):
    with open(here / name, "w", encoding="utf-8") as out:
        for line in [header, *table]:
            out.write(",".join(str(value) for value in line) + "\n")
    print(f"{name}: {len(table)} rows")


collect_timm()
collect_lambda()
collect_mosaic()
collect_tensorflow()
collect_u39kun()
write("collected_rates.csv", HEADER, lines)
write("collected_scaling.csv", SCALING_HEADER, scaling_lines)
