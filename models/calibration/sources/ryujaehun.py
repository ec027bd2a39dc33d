"""ryujaehun/pytorch-gpu-benchmark: torchvision's networks at batch 12, forward and backward.

Each step copies its images from pageable memory and waits: 7.2 MB of FP32, 2.4 ms at 3 GB/s. Only
steps of which that is less than a twentieth are taken. No optimizer; FP16 is of all tensors. An A100
of theirs waits for launches at this batch (ResNet-50 in FP16 at 0.4 of others' rates): left out.
"""
import csv
import io
import statistics

NETWORKS = {"resnet50": "resnet50", "resnet101": "resnet101", "resnet152": "resnet152",
            "vgg11": "vgg11", "vgg16": "vgg16", "vgg19": "vgg19", "mobilenet_v2": "mobilenet-v2",
            "resnext50_32x4d": "resnext50-32x4d"}
FILES = {  # of a GPU: the file's name around precision and purpose, its words for FP32 and training
    "GTX-1080-Ti": ("1080TI/GeForce GTX 1080 Ti_{}_model_{}_benchmark.csv", "single", "training"),
    "Titan-V": ("TitanV/TITAN V_{}_model_{}_benchmark.csv", "single", "training"),
    "Titan-Xp": ("TITANXP/TITAN Xp_1_gpus__{}_model_{}_benchmark.csv", "float", "train"),
    "Titan-RTX": ("TitanRTX/TITAN RTX_1_gpus__{}_model_{}_benchmark.csv", "float", "train"),
    "RTX-2080-Ti": ("2080ti(2)/GeForce RTX 2080 Ti_1_gpus__{}_model_{}_benchmark.csv", "float",
                    "train"),
}
BATCH = 12
LONG_MS = {"fp32": 48, "fp16": 24}


def collect(collected):
    repository = collected.repository("ryujaehun", "pytorch-gpu-benchmark")
    for gpu, (pattern, single, train) in FILES.items():
        for word, precision in ((single, "fp32"), ("half", "fp16")):
            path = "results/" + pattern.format(word, train)
            header, *steps = csv.reader(io.StringIO(repository.text(path)))
            for column, name in enumerate(header):
                if name not in NETWORKS:
                    continue
                ms = statistics.median(float(step[column]) for step in steps if step)
                if ms >= LONG_MS[precision]:
                    collected.rate(NETWORKS[name], "forward_backward", precision, gpu, BATCH,
                                   round(1e3 * BATCH / ms, 1), "PyTorch (ryujaehun)",
                                   repository.source(path))
