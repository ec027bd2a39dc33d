"""Oneflow-Inc/DLPerf: ResNet-50 and BERT-base by many frameworks on one cluster.

Four machines of eight V100-SXM2-16GB, InfiniBand of 100 Gb/s. Left out: MindSpore and PaddlePaddle,
whose mixed precision of 2020 was a beginning; TensorFlow's BERT in mixed precision without XLA, which
spends half its time on casts (NVIDIA's scripts switch XLA on); runs that waited for their data.
"""
import re

SHEETS = {  # README of: network, sequence, framework
    "MxNet/BERT": ("bert-base", 128, "MXNet (gluon-nlp)"),
    "MxNet/Classification/RN50v1b": ("resnet50", 0, "MXNet (gluon-cv)"),
    "NVIDIADeepLearningExamples/MxNet/Classification/RN50v1.5": ("resnet50", 0, "MXNet (NVIDIA)"),
    "NVIDIADeepLearningExamples/PyTorch/BERT": ("bert-base", 128, "PyTorch (NVIDIA)"),
    "NVIDIADeepLearningExamples/PyTorch/resnet50v1.5": ("resnet50", 0, "PyTorch (NVIDIA)"),
    "NVIDIADeepLearningExamples/TensorFlow/Classification/ConvNets/resnet50v1.5":
        ("resnet50", 0, "TensorFlow"),
    "NVIDIADeepLearningExamples/TensorFlow/LanguageModeling/BERT": ("bert-base", 128, "TensorFlow"),
    "PyTorch/resnet50v1.5": ("resnet50", 0, "PyTorch (examples)"),
    "TensorFlow/bert": ("bert-base", 128, "TensorFlow (models)"),
    "TensorFlow/resnet50v1.5": ("resnet50", 0, "TensorFlow (models)"),
}
ROW = re.compile(r"\s*\| *(\d+) +\| *(\d+) +\| *[\d.]+ +\|")
HEADING = re.compile(r"\s*(#|- #)")


def waited_for_data(path, precision, heading):
    return "worker=8" in heading or (path == "MxNet/Classification/RN50v1b" and precision == "fp16")


def casts_alone(network, framework, precision, heading):
    return network == "bert-base" and framework.startswith("TensorFlow") and precision == "fp16" \
        and not with_xla(heading)


def with_xla(heading):
    return re.search(r"with ?xla", heading) is not None and "without" not in heading


def with_xla_name(framework):
    name, _, publisher = framework.partition(" ")
    return f"{name} XLA {publisher}".strip()


def rows(text):
    """Yields precision, batch, heading, nodes, GPUs of all nodes, samples/s."""
    precision, batch, heading, again = None, None, "", False
    for line in text.split("\n"):
        if HEADING.match(line):
            named = re.search(r"\b(FP32|FP16|AMP)\b", line)
            if named:
                precision = "fp32" if named[1] == "FP32" else "fp16"
            again = "真实数据" in line or (again and not named)  # real against synthetic data: a rerun
            sized = re.search(r"batch[_ ]size ?= ?(\d+)", line, re.I)
            if sized:
                batch, heading = int(sized[1]), line
        if not ROW.match(line) or not precision or not batch or again:
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        nodes = int(cells[0])
        gpus = nodes * int(cells[1]) if len(cells) == 5 else int(cells[1])
        yield precision, batch, heading, nodes, gpus, float(cells[-2])


def collect(collected):
    repository = collected.repository("Oneflow-Inc", "DLPerf")
    for path, (network, sequence, framework) in SHEETS.items():
        one = None
        for precision, batch, heading, nodes, gpus, rate in rows(
                repository.text(f"{path}/README.md")):
            if waited_for_data(path, precision, heading) \
                    or casts_alone(network, framework, precision, heading):
                continue
            name = with_xla_name(framework) if with_xla(heading) else framework
            source = repository.source(path)
            if gpus == 1:
                one = rate
                collected.rate(network, "train", precision, "V100", batch, rate, name, source,
                               sequence)
            elif one:
                links = "NVLink" if nodes == 1 else "NVLink; InfiniBand 100 Gb/s"
                collected.several(network, precision, batch, "V100", gpus, nodes, links, one, rate,
                                  name, source, sequence)
