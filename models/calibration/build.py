#!/usr/bin/env python3
"""Builds gpus.csv, gpu_rates.csv and cpu_speed.csv from the collected published figures.

usage: models/calibration/build.py ../shared/data

Figures only, each row with its source. Fields hold no commas, so that a reader can split.
"""
import csv
import pathlib
import statistics
import sys

data = pathlib.Path(sys.argv[1])
here = pathlib.Path(__file__).parent


def rows(name):
    with open(data / name, newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def plain(text):
    return text.replace(",", ";").strip()


def write(name, header, lines):
    with open(here / name, "w", encoding="utf-8") as out:
        out.write(",".join(header) + "\n")
        for line in lines:
            out.write(",".join(str(value) for value in line) + "\n")
    print(f"{name}: {len(lines)} rows")


# K80 and M60 boards hold two dies; a cloud "K80" is one die, and so are the published figures.
def die(row, field):
    value = float(row[field]) if row[field] else 0.0
    return value / int(row["dies_per_board"]) if value else ""


SHORT = {
    "P100-PCIe-16GB": "P100", "P100-SXM2": "P100-SXM2", "V100-SXM2-16GB": "V100",
    "V100-PCIe-16GB": "V100-PCIe", "A100-SXM4-40GB": "A100", "A100-SXM4-80GB": "A100-80GB",
    "A100-PCIe-40GB": "A100-PCIe", "A100-PCIe-80GB": "A100-PCIe-80GB",
    "H100-SXM5-80GB": "H100", "H100-PCIe-80GB": "H100-PCIe", "H200-SXM-141GB": "H200",
    "B200-SXM": "B200", "RTX PRO 6000 Blackwell Server": "RTX-PRO-6000",
    "GTX Titan X (Maxwell)": "TitanX-Maxwell", "GTX 980 Ti": "GTX-980-Ti", "GTX 1080": "GTX-1080",
    "GTX 1080 Ti": "GTX-1080-Ti", "RTX 2080 Ti": "RTX-2080-Ti", "RTX 4090": "RTX-4090",
    "Quadro M6000": "M6000",
}
# No plain FP32 rate was published next to these in our table; the tensor rate and the memory are.
gpu_lines = []
for row in rows("gpus.csv"):
    name = SHORT.get(row["gpu"], row["gpu"])
    gpu_lines.append((name, row["arch"], die(row, "fp32_tflops"), row["tf32_tensor_tflops"],
                      row["fp16_tensor_tflops"], die(row, "mem_gb"), die(row, "mem_bw_gbs"),
                      float(row["tdp_w"]) / int(row["dies_per_board"]) if row["tdp_w"] else "",
                      row["nvlink_gbs_total"], plain(row["source"])))
write("gpus.csv", ["gpu", "arch", "fp32_tflops", "tf32_tflops", "fp16_tflops", "memory_gb",
                   "bandwidth_gbs", "tdp_w", "nvlink_gbs", "source"], gpu_lines)

ALIAS = {"P100-SXM2": "P100-SXM2", "P100": "P100", "V100-SXM2-16GB": "V100", "V100-16GB": "V100",
         "V100-32GB": "V100", "V100": "V100", "V100 16GB": "V100", "A100-40GB": "A100",
         "A100-80GB": "A100-80GB", "T4": "T4", "K80": "K80", "M60": "M60", "M40": "M40",
         "GeForce GTX 1080": "GTX-1080", "GeForce GTX 1080 Ti": "GTX-1080-Ti",
         "GeForce GTX TITAN X": "TitanX-Maxwell", "1080 Ti": "GTX-1080-Ti",
         "2080 Ti": "RTX-2080-Ti", "P4": "P4"}
NETWORK = {"resnet-50": "resnet50", "resnet-50 v1.5": "resnet50", "alexnet": "alexnet"}
PRECISION = {"fp32": "fp32", "tf32": "tf32", "amp-fp16": "fp16", "fp16": "fp16", "amp": "fp16"}
rate_lines = []
for row in rows("published_throughput.csv"):
    network = NETWORK.get(row["workload"].lower())
    gpu = ALIAS.get(row["gpu"])
    precision = PRECISION.get(row["precision"].lower())
    if not (network and gpu and precision) or row["phase"] not in ("train", "infer"):
        continue
    if row["gpus"] != "1" or row["unit"] != "images/s" or not row["batch_per_gpu"]:
        continue
    stack = "current" if "DeepLearningExamples" in row["source"] else "era"
    rate_lines.append((network, row["phase"], precision, gpu, int(float(row["batch_per_gpu"])),
                       float(row["throughput"]), stack, plain(row["framework"]),
                       plain(row["source"])))
rate_lines = sorted(set(rate_lines))
write("gpu_rates.csv", ["network", "phase", "precision", "gpu", "batch", "items_per_s", "stack",
                        "framework", "source"], rate_lines)

# CoreMark per vCPU by EC2 family: all threads of the instance loaded at once, so SMT is included.
per_family = {}
models = {}
for row in rows("ec2_cpu/ec2_measured.csv"):
    if not row["coremark_iter_s"] or not row["threads"]:
        continue
    family = row["instance_type"].split(".")[0]
    per_family.setdefault(family, []).append(float(row["coremark_iter_s"]) / int(row["threads"]))
    if row["cpu_model"]:
        models[family] = row["cpu_model"]
# CPUs that call themselves only "AMD EPYC" in a virtual machine are known by family and model
# (AMD's public identification: 19h/11h is Genoa, 1Ah/02h Turin, 19h/01h Milan).
CPUID = {"m7a": "family 25 model 17", "m8a": "family 26 model 2", "m6a": "family 25 model 1"}
cpu_lines = [(family, round(statistics.median(values), 1), len(values),
              plain(models.get(family, "")), CPUID.get(family, ""),
              "vantage-sh/ec2instances.info @4ef36cd2 measured Jan 2026")
             for family, values in sorted(per_family.items())]
write("cpu_speed.csv", ["family", "coremark_per_vcpu", "instances", "cpu_model", "cpuid",
                         "source"], cpu_lines)
