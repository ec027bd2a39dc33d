"""NVIDIA/DeepLearningExamples: engines that serve. ResNet-50 by Paddle with TensorRT, one GPU, the
pictures prepared; BERT-large at 384 tokens behind Triton, one request at a time, by PyTorch's scripts,
ONNX Runtime and TensorRT in FP16."""
import re

from sources.published import cells_of

RESNET = "PaddlePaddle/Classification/RN50v1.5/README.md"
BERT = "PyTorch/LanguageModeling/BERT/triton/large/README.md"
BATCHES = {1, 8, 32, 256}
MACHINES = {"A100 80GB": "A100-80GB", "A30": "A30", "A10 ": "A10", "T4": "T4", "V100 32GB": "V100"}
BACKENDS = {"ONNX Runtime": "ONNX Runtime", "PyTorch": "PyTorch TorchScript",
            "NVIDIA TensorRT": "TensorRT (Triton)"}


def gpu_in(text):
    found = [gpu for name, gpu in MACHINES.items() if name in text]
    return found[0] if found else None


def collect_resnet(collected, repository):
    gpu = precision = None
    for line in repository.text(RESNET).split("\n"):
        if line.startswith("#"):
            gpu = gpu_in(line) if line.startswith("#### Paddle-TRT performance") else None
        told = re.match(r"\*\*(\w+) Inference Latency\*\*", line)
        precision = told[1].lower() if told else precision
        cells = cells_of(line)
        if gpu and precision != "int8" and cells and cells[0].isdigit() and int(cells[0]) in BATCHES:
            collected.rate("resnet50", "infer", precision, gpu, int(cells[0]), float(cells[1].split()[0]),
                           "TensorRT (Paddle)", repository.source(RESNET))


def collect_bert(collected, repository):
    gpu = framework = None
    for line in repository.text(BERT).split("\n"):
        told = re.match(r"#+ (?:Offline: (.+), (ONNX Runtime|PyTorch|NVIDIA TensorRT) with FP16)?(.*)", line)
        if told:
            alone = told[1] is not None and not told[3]
            gpu, framework = (gpu_in(told[1]), BACKENDS[told[2]]) if alone else (None, None)
        cells = cells_of(line)
        if gpu and len(cells) > 10 and cells[0].isdigit():
            collected.rate("bert-large", "infer", "fp16", gpu, int(cells[0]), float(cells[2]), framework,
                           repository.source(BERT), 384)


def collect(collected):
    repository = collected.repository("NVIDIA", "DeepLearningExamples")
    collect_resnet(collected, repository)
    collect_bert(collected, repository)
