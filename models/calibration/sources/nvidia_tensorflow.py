"""NVIDIA/DeepLearningExamples: what TensorFlow 1 published there beside ResNet-50: ResNeXt-101 and
SE-ResNeXt-101, training and answering.

The V100 of 32 GB repeats the one of 16. Of the curves over the minibatch 1, 8, 32 and 128. Its BERT
answering questions is left out: an estimator hands it each minibatch, 11 ms on top of a T4's 7.
"""
import re

from sources.published import cells_of

CNNS = {"resnext101-32x4d": "TensorFlow/Classification/ConvNets/resnext101-32x4d",
        "se-resnext101-32x4d": "TensorFlow/Classification/ConvNets/se-resnext101-32x4d"}
MACHINES = {"DGX A100": "A100", "DGX-1 (8x V100 16": "V100", "DGX-1 (1x V100 16": "V100",
            "T4 (1x T4": "T4"}
BATCHES = {1, 8, 32, 128}


def gpu_in(heading):
    found = [gpu for name, gpu in MACHINES.items() if name in heading]
    return found[0] if found else None


def xla_or_not(told):
    return "TensorFlow XLA" if "XLA" in told else "TensorFlow"


def cnn_inference(text):
    """Yields GPU, precision, framework, minibatch and images per second."""
    gpu = precision = framework = None
    for line in text.split("\n"):
        if line.startswith("#"):
            gpu = gpu_in(line) if "Inference performance" in line else None
        told = re.match(r"\*\*(TF32|FP32|Mixed Precision) Inference Latency(.*)\*\*", line)
        if told:
            precision = "fp16" if told[1].startswith("Mixed") else told[1].lower()
            framework = xla_or_not(told[2])
        cells = cells_of(line)
        if gpu and len(cells) == 6 and cells[0].isdigit() and int(cells[0]) in BATCHES:
            yield gpu, precision, framework, int(cells[0]), float(cells[1].split()[0])


def cnn_training(text):
    """The same, of one GPU."""
    gpu, frameworks = None, []
    for line in text.split("\n"):
        if line.startswith("#"):
            gpu = gpu_in(line) if "Training performance" in line else None
        cells = cells_of(line)
        if gpu and "Batch Size / GPU" in cells:
            frameworks = [xla_or_not(cell) for cell in cells[2:4]]
        elif gpu and len(cells) > 4 and cells[0] == "1":
            full, narrow = re.findall(r"(\d+) \(", cells[1])
            yield gpu, "tf32" if gpu == "A100" else "fp32", frameworks[0], int(full), rate_of(cells[2])
            yield gpu, "fp16", frameworks[1], int(narrow), rate_of(cells[3])


def rate_of(cell):
    return float(cell.split()[0])


def collect(collected):
    repository = collected.repository("NVIDIA", "DeepLearningExamples")
    for network, path in CNNS.items():
        text, source = repository.text(f"{path}/README.md"), repository.source(path)
        for phase, rows in (("infer", cnn_inference(text)), ("train", cnn_training(text))):
            for gpu, precision, framework, batch, rate in rows:
                collected.rate(network, phase, precision, gpu, batch, rate, framework, source)
