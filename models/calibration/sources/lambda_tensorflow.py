"""lambdal/lambda-tensorflow-benchmark: tf_cnn_benchmarks with XLA, variables replicated.

Its AlexNet is the one-tower network at 224 pixels. FP32 on Ampere is TF32. Of several RTX 3080 and
3090 that build kept 0.1 (VGG-16, eight) to 0.9 of linear, PyTorch 0.9 of two (lambda_pytorch.py).
"""
import re

GPUS = {"RTX 3080": "RTX-3080", "A100 40GB PCIe": "A100-PCIe", "RTX A6000": "A6000",
        "RTX 3090": "RTX-3090", "RTX 2080Ti": "RTX-2080-Ti", "RTX 8000": "RTX-8000",
        "V100 32GB": "V100", "GTX 1080Ti": "GTX-1080-Ti"}
AMPERE = {"RTX-3080", "A100-PCIe", "A6000", "RTX-3090"}
NETWORKS = {"alexnet": "alexnet-owt", "inception3": "inception-v3", "resnet152": "resnet152",
            "resnet50": "resnet50", "vgg16": "vgg16"}
FRAMEWORK = "TensorFlow XLA (Lambda)"


def links(name, gpu):
    if gpu == "V100" or "NVLink" in name:
        return "NVLink"
    return "PCIe p2p" if gpu in ("A100-PCIe", "A6000", "RTX-8000") else "PCIe"


def collect(collected):
    repository = collected.repository("lambdal", "lambda-tensorflow-benchmark")
    for precision in ("fp32", "fp16"):
        path = f"tf-train-throughput-{precision}.csv"
        rates = {row["name_gpu"]: row for row in repository.table(path)}
        batches = {row["name_gpu"]: row
                   for row in repository.table(f"tf-train-bs-{precision}.csv")}
        for name, row in rates.items():
            card = re.sub(r"^\d+x ", "", name).replace(" NVLink", "")
            gpu, gpus = GPUS.get(card), int(row["num_gpu"])
            if not gpu:
                continue
            meant = "tf32" if precision == "fp32" and gpu in AMPERE else precision
            for column, network in NETWORKS.items():
                batch = int(batches[name][column])
                if gpus == 1:
                    collected.rate(network, "train", meant, gpu, batch, float(row[column]),
                                   FRAMEWORK, repository.source(path))
                elif batch == gpus * int(batches[card][column]):
                    collected.several(network, meant, batch // gpus, gpu, gpus, 1, links(name, gpu),
                                      float(rates[card][column]), float(row[column]), FRAMEWORK,
                                      repository.source(path))
