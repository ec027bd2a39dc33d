#!/usr/bin/env python3
"""Builds scaling.csv and cpu_rates.csv from the collected published figures.

usage: models/calibration/build_scaling.py ../shared/data

scaling.csv: throughput on several GPUs next to one GPU of the same publisher, network, precision and
batch per GPU. cpu_rates.csv: networks on CPUs alone. Figures only, each row with its source.
"""
import csv
import pathlib
import sys

data = pathlib.Path(sys.argv[1])
here = pathlib.Path(__file__).parent
with open(data / "published_throughput.csv", newline="", encoding="utf-8") as stream:
    rows = list(csv.DictReader(stream))

NETWORK = {"resnet-50": "resnet50", "resnet-50 v1.5": "resnet50", "resnet-152": "resnet152",
           "resnet-101": "resnet101", "resnet-34": "resnet34", "resnet-18": "resnet18",
           "inceptionv3": "inception-v3", "alexnet": "alexnet", "vgg16": "vgg16",
           "vgg19": "vgg19", "inception-bn": "inception-bn", "bert-large": "bert-large",
           "resnext101-32x4d": "resnext101-32x4d", "cifar10_cnn": "cifar10-cnn",
           "mnist_cnn": "mnist-cnn", "mnist_mlp": "mnist-mlp",
           "imdb_bidirectional_lstm": "imdb-lstm", "lstm_text_generation": "text-lstm"}
GPU = {"K80": "K80", "P100": "P100", "V100": "V100", "V100-16GB": "V100", "V100-32GB": "V100",
       "A100-40GB": "A100", "A100-80GB": "A100-80GB"}
PRECISION = {"fp32": "fp32", "tf32": "tf32", "amp-fp16": "fp16"}


def plain(text):
    return text.replace(",", ";").strip()


def write(name, header, lines):
    with open(here / name, "w", encoding="utf-8") as out:
        out.write(",".join(header) + "\n")
        for line in lines:
            out.write(",".join(str(value) for value in line) + "\n")
    print(f"{name}: {len(lines)} rows")


def sequence(row):
    for part in row["notes"].split(";"):
        if "seq_len" in part:
            return int(part.split()[-1])
    return 384 if "SQuAD" in row["notes"] else 0


def key(row):
    return (row["source"], row["workload"], row["framework"], row["precision"],
            row["batch_per_gpu"], row["gpu"], row["unit"], sequence(row),
            "SQuAD" in row["notes"])


def links(row):
    text = row["interconnect"]
    if "p2.16xlarge" in text:  # its GPUs have peer access; 20 Gb/s between instances
        return "PCIe p2p; ethernet 20"
    if "1 GPU per node" in text:
        return "ethernet 10"
    return "PCIe" if text == "consolidated" else text


# NVIDIA's pre-training of BERT on A100 adds up gradients of many minibatches before it exchanges
# them: so many sequences on all GPUs together, by sequence length (its README's "accumulated batch").
ACCUMULATED = {128: 65536, 512: 32768}


def batch_between_exchanges(row):
    batch = int(float(row["batch_per_gpu"]))
    if row["gpu"] == "A100-80GB" and "pre-training" in row["notes"]:
        return ACCUMULATED[sequence(row)] // int(row["gpus"])
    return batch


NAMED = {"MxNet": "MXNet (NVIDIA)"}  # as build.py

single = {}
for row in rows:
    if row["phase"] == "train" and row["gpus"] == "1" and row["nodes"] == "1":
        single.setdefault(key(row), float(row["throughput"]))
scaling = []
for row in rows:
    network = NETWORK.get(row["workload"].lower())
    if row["phase"] != "train" or not row["gpus"].isdigit() or int(row["gpus"]) < 2:
        continue
    if not (network and row["gpu"] in GPU and row["precision"] in PRECISION):
        continue
    if "gavel" in row["source"] and network != "resnet50":  # its other jobs are other networks
        continue
    base = single.get(key(row))
    if not base or not row["batch_per_gpu"]:
        continue
    # Gavel counts steps of all GPUs together.
    scaling.append((network, PRECISION[row["precision"]], batch_between_exchanges(row),
                    sequence(row), GPU[row["gpu"]], int(row["gpus"]), int(row["nodes"]),
                    plain(links(row)), base, float(row["throughput"]), row["unit"],
                    NAMED.get(row["framework"], plain(row["framework"])), plain(row["source"])))
# What collect.py found elsewhere, in the same columns.
with open(here / "collected_scaling.csv", newline="", encoding="utf-8") as stream:
    collected = csv.reader(stream)
    next(collected)
    scaling += [(*row[:2], *map(int, row[2:4]), row[4], *map(int, row[5:7]), row[7],
                 *map(float, row[8:10]), *row[10:]) for row in collected]
write("scaling.csv", ["network", "precision", "batch", "sequence", "gpu", "gpus", "nodes",
                      "interconnect", "one_gpu_rate", "rate", "unit", "framework", "source"],
      sorted(set(scaling)))

INSTANCE = {"2": "large", "4": "xlarge", "8": "2xlarge", "16": "4xlarge", "36": "8xlarge"}
# fastText is left out: the study trained it on pairs of words, the built-in network is on words.
# Items of an epoch: those trained on, and those validated on, which cost a third.
ITEMS = {"cifar10-cnn": 50000 + 10000 / 3, "mnist-cnn": 60000 + 10000 / 3,
         "mnist-mlp": 60000 + 10000 / 3,
         "imdb-lstm": 25000 + 25000 / 3, "text-lstm": 200285}
cpu = []
for row in rows:
    network = NETWORK.get(row["workload"].lower())
    if row["gpus"] != "0" or not network or not row["vcpus"] or not row["batch_per_gpu"]:
        continue
    rate = float(row["throughput"])
    machine = "GCE n1-highcpu Broadwell @ 2.20GHz"
    if row["unit"] == "s_per_epoch":
        rate = ITEMS[network] / rate
    elif "2017-05" in row["notes"]:
        machine = "c4"
    else:
        machine = "c5"
    cpu.append((network, row["phase"], int(float(row["batch_per_gpu"])), int(row["vcpus"]), machine,
                round(rate, 3), "era", plain(row["framework"]), plain(row["source"])))
write("cpu_rates.csv", ["network", "phase", "batch", "vcpus", "cpu", "items_per_s", "stack",
                        "framework", "source"], sorted(set(cpu)))
