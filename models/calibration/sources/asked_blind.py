"""Figures that were asked for before any table held them (asked_blind.csv, with what was answered).

Of one GPU, without those that time a server or copies from the host and back (ilkarman,
clip-as-service), a rounded remark (oumi), programs that nobody runs any more (Theano, Neon) and an
older PyTorch's of the same card and layout.
"""
import csv
import pathlib

TABLE = pathlib.Path(__file__).parent.parent / "asked_blind.csv"
LEFT_OUT = ("ilkarman/", "jina-ai/", "oumi-ai/", "benchmark-infer-amp-nchw-pt113-cu117-rtx3090")
GONE = {"Theano", "Neon"}
# What follows the framework's name, by the beginning of the source.
PUBLISHERS = {
    "tensorpack/": "tensorpack", "aizvorski/": "aizvorski", "e-bug/": "e-bug", "horovod/": "Horovod",
    "aws-samples/": "aws-samples", "stanford-futuredata/": "DAWNBench",
    "huggingface/pytorch-image-models": "timm NCHW", "Oneflow-Inc/": "", "PaddlePaddle/": "FleetX",
    "alibaba/BladeDISC": "BladeDISC", "bytedance/": "effective transformer",
    "deepspeedai/": "DeepSpeed's tutorial", "AlibabaPAI/": "torchacc", "facebookresearch/": "ToMe",
    "tlkh/": "tlkh"}
GPUS = {"P100-PCIe": "P100", "V100-16GB": "V100", "V100-32GB": "V100"}
ERA = {"TensorFlow": "TensorFlow 1", "Keras": "TensorFlow 1"}
TODAY = {"DeepSpeed": "PyTorch DeepSpeed"}


def framework_of(row):
    name = row["framework"]
    name = (ERA if row["stack"] == "era" else TODAY).get(name, name)
    if "dynamo" in row["source"]:
        return "PyTorch compile"
    publisher = next(whose for begins, whose in PUBLISHERS.items() if row["source"].startswith(begins))
    if row["framework"] == "Keras":
        publisher += " Keras"
    return f"{name} ({publisher})" if publisher else name


def collect(collected):
    with open(TABLE, newline="", encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            if (row["gpus"] != "1" or row["framework"] in GONE or
                    any(part in row["source"] for part in LEFT_OUT)):
                continue
            collected.rate(row["network"], row["phase"], row["precision"],
                           GPUS.get(row["gpu"], row["gpu"]), int(row["batch"]),
                           float(row["items_per_s"]), framework_of(row), row["source"],
                           int(row["sequence"]), row["stack"])
