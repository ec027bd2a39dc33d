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
# What the collected table leaves blank, and GPUs that clouds sell and it lacks: NVIDIA's data sheets
# and architecture white papers. Tensor rates are dense with FP32 accumulation, as frameworks use.
# AMD's Instinct: compute units of 64 lanes, FP32 in pairs, no TF32 (PyTorch for ROCm leaves it off), one
# die of MI250 and MI250X, as a server shows them; Infinity Fabric in the place of NVLink.
# gpu: arch, cores, fp32, tf32, fp16 TFLOPS, memory GB, bandwidth GB/s, TDP W, NVLink GB/s in total
SHEET = "NVIDIA data sheet; lanes and FP32 and bandwidth as in voidful/gpu-info-api gpu-data@2025-05-27"
RECALLED = "NVIDIA data sheet recalled; not looked up again"
# AMD's: units and memory of them all, and what else each figure goes by.
AMD_UNITS = "ROCm/ROCm docs/reference/gpu-arch-specs.rst@e396b489"
AMD_REST = {
    "MI210": "rates; bandwidth and power recalled; not looked up",
    "MI250": "conceptual/gpu-arch/mi250.md; power of huggingface.co/docs/optimum amdgpu/perf_hardware; one of a card's two dies",
    "MI250X": "stas00/ml-engineering compute/accelerator@744d01e1; power as MI250's; one of a card's two dies",
    "MI300X": "conceptual/gpu-arch/mi300.md; stas00/ml-engineering compute/accelerator@744d01e1",
    "MI325X": "stas00/ml-engineering compute/accelerator@744d01e1; memory of docs.vultr.com; power of ROCm/rocm-blogs@1a091819",
    "MI350X": "rates of MI355X at 2.2 of 2.4 GHz; clock; memory and power of wccftech.com (Hot Chips; August 2025)",
    "MI355X": "stas00/ml-engineering compute/accelerator@744d01e1; power of mlcommons/inference_results_v5.1@965182b0",
}
# AWS's chips, whose FP32 lanes are here the NeuronCores.
NEURON = {"Inferentia2": "inferentia2.rst and inf2-arch.rst", "Trainium": "trainium.rst and trn1-arch.rst",
          "Trainium2": "trainium2.rst"}
# Google's chips, whose FP32 lanes are here the TensorCores, and fp16 is bf16.
SCALING_BOOK = "jax-ml/scaling-book tpus.md@0819a7d"
TPU = {"TPU-v4": SCALING_BOOK, "TPU-v5e": "docs.cloud.google.com/tpu/docs/v5e",
       "TPU-v5p": f"{SCALING_BOOK}; memory as Google sells it", "TPU-v6e": "docs.cloud.google.com/tpu/docs/v6e"}
NOT_LOOKED_UP = {"K520", "GTX-1060", "TitanX-Pascal", "T4g", "A10G", "A16", "A30", "A40", "A800", "L40",
                 "L40S", "RTX-4070-Ti", "H20", "H800", "H100-NVL", "H200-NVL", "GH200", "GH200-144GB",
                 "RTX-PRO-6000", "RTX-PRO-6000-Max-Q", "A2", "V100S", "RTX-3080-Ti", "RTX-3090-Ti",
                 "RTX-4060-Ti", "B100", "B300", "GB200", "GB300"}
SHEETS = {
    "GTX-770": ("Kepler", 1536, 3.21, 0, 0, 2, 224.3, 230, 0),
    "GTX-Titan": ("Kepler", 2688, 4.5, 0, 0, 6, 288.4, 250, 0),
    "K520": ("Kepler", 1536, 2.448, 0, 0, 4, 160, 112, 0),
    "GTX-980": ("Maxwell", 2048, 4.981, 0, 0, 4, 224.4, 165, 0),
    "M4000": ("Maxwell", 1664, 2.572, 0, 0, 8, 192.3, 120, 0),
    "GTX-1060": ("Pascal", 1280, 4.375, 0, 0, 6, 192.2, 120, 0),
    "GTX-1070": ("Pascal", 1920, 6.463, 0, 0, 8, 256.3, 150, 0),
    "GTX-1080-Ti": ("Pascal", 3584, 11.34, 0, 0, 11, 484, 250, 0),
    "TitanX-Pascal": ("Pascal", 3584, 10.97, 0, 0, 12, 480, 250, 0),
    "Titan-Xp": ("Pascal", 3840, 12.15, 0, 0, 12, 547.6, 250, 0),
    "P4000": ("Pascal", 1792, 5.304, 0, 0, 8, 243.3, 105, 0),
    "P5000": ("Pascal", 2560, 8.873, 0, 0, 16, 288.5, 180, 0),
    "P6000": ("Pascal", 3840, 12.63, 0, 0, 24, 432.8, 250, 0),
    "GP100": ("Pascal", 3584, 10.34, 0, 20.7, 16, 716.8, 235, 80),
    "V100S": ("Volta", 5120, 16.4, 0, 130, 32, 1134, 250, 0),
    "Titan-V": ("Volta", 5120, 14.9, 0, 119.2, 12, 652.8, 250, 0),
    "RTX-2060": ("Turing", 1920, 6.451, 0, 25.8, 6, 336, 160, 0),
    "RTX-2070": ("Turing", 2304, 7.465, 0, 29.9, 8, 448, 175, 0),
    "RTX-2080": ("Turing", 2944, 10.07, 0, 40.3, 8, 448, 215, 0),
    "RTX-2080-Ti": ("Turing", 4352, 13.45, 0, 53.8, 11, 616, 250, 0),
    "Titan-RTX": ("Turing", 4608, 16.31, 0, 130.5, 24, 672, 280, 100),
    "T4g": ("Turing", 2560, 8.1, 0, 64.8, 16, 320, 70, 0),
    "RTX-4000": ("Turing", 2304, 7.119, 0, 57.0, 8, 416, 160, 0),
    "RTX-5000": ("Turing", 3072, 11.15, 0, 89.2, 16, 448, 230, 50),
    "RTX-6000": ("Turing", 4608, 16.31, 0, 130.5, 24, 672, 260, 100),
    "RTX-8000": ("Turing", 4608, 16.31, 0, 130.5, 48, 672, 260, 100),
    "RTX-3060": ("Ampere", 3584, 12.74, 12.7, 25.5, 12, 360, 170, 0),
    "RTX-3070": ("Ampere", 5888, 20.31, 20.3, 40.6, 8, 448, 220, 0),
    "RTX-3080": ("Ampere", 8704, 29.77, 29.8, 59.5, 10, 760.3, 320, 0),
    "RTX-3080-Ti": ("Ampere", 10240, 34.1, 34.1, 68.2, 12, 912.4, 350, 0),
    "RTX-3090-Ti": ("Ampere", 10752, 40.0, 40.0, 80.0, 24, 1008, 450, 112),
    "RTX-3090": ("Ampere", 10496, 35.58, 35.6, 71.2, 24, 936.2, 350, 112),
    "A2": ("Ampere", 1280, 4.5, 9, 18, 16, 200, 60, 0),
    "A10": ("Ampere", 9216, 31.2, 62.5, 125, 24, 600, 150, 0),
    "A10G": ("Ampere", 9216, 31.52, 35, 70, 24, 600, 300, 0),  # nvidia-smi on g5: 300 W
    "A16": ("Ampere", 1280, 4.5, 9, 17.9, 16, 200, 62, 0),
    "A30": ("Ampere", 3584, 10.3, 82, 165, 24, 933, 165, 200),
    "A40": ("Ampere", 10752, 37.4, 74.8, 149.7, 48, 696, 300, 112),
    "A800": ("Ampere", 6912, 19.5, 156, 312, 80, 2039, 400, 400),
    "A4000": ("Ampere", 6144, 19.2, 38.3, 76.7, 16, 448, 140, 0),
    "A5000": ("Ampere", 8192, 27.8, 55.6, 111.1, 24, 768, 230, 112),
    "A6000": ("Ampere", 10752, 38.7, 77.4, 154.8, 48, 768, 300, 112),
    "L40": ("Ada", 18176, 90.5, 90.5, 181, 48, 864, 300, 0),
    "L40S": ("Ada", 18176, 91.6, 183, 362, 48, 864, 350, 0),
    "RTX-4060-Ti": ("Ada", 4352, 22.1, 22.1, 44.1, 8, 288, 160, 0),
    "RTX-4070-Ti": ("Ada", 7680, 40.1, 40.1, 80.2, 12, 504.2, 285, 0),
    "RTX-4080": ("Ada", 9728, 48.7, 48.7, 97.5, 16, 716.8, 320, 0),
    "RTX-4090": ("Ada", 16384, 82.6, 82.6, 165.2, 24, 1008, 450, 0),
    "RTX-6000-Ada": ("Ada", 18176, 91.1, 182.1, 364.2, 48, 960, 300, 0),
    "H20": ("Hopper", 9984, 44, 74, 148, 96, 4000, 400, 900),
    "H800": ("Hopper", 16896, 66.9, 494.7, 989, 80, 3350, 700, 400),
    "H100-NVL": ("Hopper", 16896, 60, 417.5, 835.5, 94, 3938, 400, 600),
    "H200-NVL": ("Hopper", 16896, 60, 417.5, 835.5, 141, 4813, 600, 900),
    "GH200": ("Hopper", 16896, 66.9, 494.7, 989, 96, 4000, 700, 900),
    "GH200-144GB": ("Hopper", 16896, 66.9, 494.7, 989, 144, 4900, 700, 900),
    "RTX-PRO-6000": ("Blackwell", 24064, 120, 233.9, 467.8, 96, 1597, 600, 0),
    "RTX-PRO-6000-Max-Q": ("Blackwell", 24064, 110, 220, 440, 96, 1792, 300, 0),
    "RTX-5090": ("Blackwell", 21760, 104.8, 104.8, 209.5, 32, 1792, 575, 0),
    "B100": ("Blackwell", 18944, 60, 900, 1750, 192, 8000, 700, 1800),
    "B300": ("Blackwell", 18944, 70, 1125, 2250, 268, 8000, 1400, 1800),
    "GB200": ("Blackwell", 18944, 80, 1250, 2500, 186, 8000, 1200, 1800),
    "GB300": ("Blackwell", 20480, 77, 1250, 2500, 279, 8000, 1400, 1800),
    "MI210": ("CDNA2", 6656, 45.3, 0, 181, 64, 1638, 300, 0),
    "MI250": ("CDNA2", 6656, 45.3, 0, 181, 64, 1638, 280, 700),
    "MI250X": ("CDNA2", 7040, 47.9, 0, 191.5, 64, 1638, 280, 700),
    "MI300X": ("CDNA3", 19456, 163.4, 0, 1307.4, 192, 5300, 750, 896),
    "MI325X": ("CDNA3", 19456, 163.4, 0, 1307.4, 256, 6000, 1000, 896),
    "MI350X": ("CDNA4", 16384, 144.2, 0, 2306.9, 288, 8000, 1000, 1071),
    "MI355X": ("CDNA4", 16384, 157.3, 0, 2516.6, 288, 8000, 1400, 1071),
    "Inferentia2": ("NeuronCore-v2", 2, 47.5, 190, 190, 32, 820, 0, 192),
    "Trainium": ("NeuronCore-v2", 2, 47.5, 190, 190, 32, 820, 0, 384),
    "Trainium2": ("NeuronCore-v3", 8, 181, 667, 667, 96, 2900, 0, 1280),
    "TPU-v4": ("TPU-v4", 2, 0, 0, 275, 32, 1200, 0, 540),
    "TPU-v5e": ("TPU-v5e", 1, 0, 0, 197, 16, 819, 0, 400),
    "TPU-v5p": ("TPU-v5p", 2, 0, 0, 459, 95, 2800, 0, 1080),
    "TPU-v6e": ("TPU-v6e", 1, 0, 0, 918, 32, 1638, 0, 800),
}
CORES = {"B200": 18944}
FP16_WITHOUT_TENSOR_CORES = {"P100": 18.7, "P100-SXM2": 21.2}  # twice FP32, GP100's packed halves

# Stacked memory (HBM); the others have GDDR, or DDR.
STACKED = ("P100", "GP100", "V100", "Titan-V", "A100", "A30", "A800", "H100", "H200", "H20", "H800", "GH200",
           "B100", "B200", "B300", "GB200", "GB300", "MI210", "MI250", "MI250X", "MI300X", "MI325X", "MI350X",
           "MI355X", "Inferentia2", "Trainium", "Trainium2", "TPU")


def memory_of(name):
    return "hbm" if any(name == chip or name.startswith((chip + "-", chip + "S")) for chip in STACKED) else "gddr"


def source_of(name):
    if name in AMD_REST:
        return f"{AMD_UNITS}; {AMD_REST[name]}"
    if name in NEURON:
        return (f"aws-neuron/aws-neuron-sdk about-neuron/arch/neuron-hardware/{NEURON[name]}@81ce03ae; "
                "FP32 lanes: NeuronCores; per chip")
    if name in TPU:
        return f"{TPU[name]}; FP32 lanes: TensorCores; per chip; fp16: BF16"
    return RECALLED if name in NOT_LOOKED_UP else SHEET


gpu_lines = {}
for row in rows("gpus.csv"):
    name = SHORT.get(row["gpu"], row["gpu"])
    gpu_lines[name] = (
        name, row["arch"], die(row, "cuda_cores") or CORES.get(name, ""), die(row, "fp32_tflops"),
        row["tf32_tensor_tflops"],
        row["fp16_tensor_tflops"] or FP16_WITHOUT_TENSOR_CORES.get(name, ""), die(row, "mem_gb"),
        die(row, "mem_bw_gbs"), float(row["tdp_w"]) / int(row["dies_per_board"]) if row["tdp_w"] else "",
        row["nvlink_gbs_total"], memory_of(name), plain(row["source"]))
for name, sheet in SHEETS.items():
    gpu_lines[name] = (name, *(value or "" for value in sheet), memory_of(name), source_of(name))
write("gpus.csv", ["gpu", "arch", "cores", "fp32_tflops", "tf32_tflops", "fp16_tflops", "memory_gb",
                   "bandwidth_gbs", "tdp_w", "link_gbs", "memory", "source"], gpu_lines.values())

ALIAS = {"P100-SXM2": "P100-SXM2", "P100": "P100", "V100-SXM2-16GB": "V100", "V100-16GB": "V100",
         "V100-32GB": "V100", "V100": "V100", "V100 16GB": "V100", "A100-40GB": "A100",
         "A100-80GB": "A100-80GB", "T4": "T4", "K80": "K80", "M60": "M60", "M40": "M40",
         "GeForce GTX 1080": "GTX-1080", "GeForce GTX 1080 Ti": "GTX-1080-Ti",
         "GeForce GTX TITAN X": "TitanX-Maxwell", "TITAN X (Pascal)": "TitanX-Pascal",
         "1080 Ti": "GTX-1080-Ti", "2080 Ti": "RTX-2080-Ti", "P4": "P4"}
NETWORK = {"resnet-50": "resnet50", "resnet-50 v1.5": "resnet50", "alexnet": "alexnet",
           "resnet-18": "resnet18", "resnet-34": "resnet34", "resnet-101": "resnet101",
           "resnet-152": "resnet152", "resnet-200": "resnet200", "vgg16": "vgg16", "vgg19": "vgg19",
           "googlenet-v1": "googlenet", "vgg (unspecified in doc)": "vgg11", "inceptionv3": "inception-v3",
           "inception-bn": "inception-bn", "resnext101-32x4d": "resnext101-32x4d",
           "se-resnext101-32x4d": "se-resnext101-32x4d", "bert-large": "bert-large"}
PRECISION = {"fp32": "fp32", "tf32": "tf32", "amp-fp16": "fp16", "fp16": "fp16", "amp": "fp16"}
UNITS = {"images/s", "sequences/s", "steps/s"}


# What a source means where its words mean something else elsewhere.
def network_of(row):
    name = row["workload"].lower()
    if name == "alexnet" and "mxnet" in row["source"]:
        return "alexnet-mxnet"
    if name == "resnet-18" and "gavel" in row["source"]:
        return None  # CIFAR-10 whose loader is the limit: 231 images/s on a K80 at batch 128
    return NETWORK.get(name)


def phase_of(row):
    if "forward+backward" in row["notes"]:
        return "forward_backward"
    return "forward" if "jcjohnson" in row["source"] else row["phase"]


# Sequences of BERT: as noted; fine-tuning on SQuAD is at 384.
def sequence_of(row):
    if "BERT" not in row["workload"]:
        return 0
    noted = [part.split()[1] for part in row["notes"].split("; ") if part.startswith("seq_len")]
    return int(noted[0]) if noted else 384


def framework_of(row):
    name = plain(row["framework"])
    name += " (Gavel)" if "gavel" in row["source"] else ""
    name = "MXNet (NVIDIA)" if name == "MxNet" else name  # of its container, as it spells it
    name += " (NVIDIA)" if name == "PyTorch" and "NVIDIA" in row["source"] else ""
    return name + " XLA" if "XLA" in row["notes"] else name


# 2014 to early 2016, before cuDNN 5 brought Winograd's convolutions, or without cuDNN: another
# library than either stack means. ASP is structured sparsity.
def out_of_scope(row):
    if row["framework"] == "MxNet" and row["gpu"] == "A100-80GB" and row["phase"] == "infer" \
            and float(row["batch_per_gpu"]) <= 8:
        return True  # falls from batch 4 to 8, and 0.7 ms at batch 1: another way of timing
    if row["workload"] == "Inception-BN" and row["precision"] == "fp16":
        return True  # MXNet's symbol knows no dtype: the very figures of fp32
    if "BERT" in row["workload"] and "seq_len 512" in row["notes"]:
        return True  # binned by length (NVIDIA's LDDL): shorter than 512, 1.4 times the FLOP/s at 128
    words = row["framework"] + row["notes"] + row["source"]
    return any(word in words for word in ("cuDNN 4", "no cuDNN", "ASP", "soumith", "NVIDIA/caffe",
                                          "scoring pretrained model", "dist_device_sync"))


# NVIDIA's training tables name no batch where the run used the one of their scripts, large enough
# for the plateau: assumed here, and said in the source.
ASSUMED_BATCH = {"resnet50": (256, 128), "resnext101-32x4d": (128, 64), "se-resnext101-32x4d": (128, 64)}


ACCUMULATED_BERT_BATCH = 64  # of which the printed 4096 is made up on a V100 of 32 GB


def batch_of(row, network, precision):
    if "accumulated batch" in row["notes"]:
        return ACCUMULATED_BERT_BATCH, " (batch assumed)"
    if row["batch_per_gpu"]:
        return int(float(row["batch_per_gpu"])), ""
    if row["phase"] == "train" and "DeepLearningExamples" in row["source"] and network in ASSUMED_BATCH:
        narrow, full = ASSUMED_BATCH[network]
        large = narrow if precision == "fp16" or "A100" in row["gpu"] else full
        return large, " (batch assumed)"
    return None, ""


rate_lines = []
for row in rows("published_throughput.csv"):
    network = network_of(row)
    gpu = ALIAS.get(row["gpu"])
    precision = PRECISION.get(row["precision"].lower())
    if not (network and gpu and precision) or row["phase"] not in ("train", "infer"):
        continue
    if row["gpus"] != "1" or row["unit"] not in UNITS or out_of_scope(row):
        continue
    batch, assumed = batch_of(row, network, precision)
    if batch is None:
        continue
    rate = float(row["throughput"]) * (batch if row["unit"] == "steps/s" else 1)
    stack = "current" if "DeepLearningExamples" in row["source"] else "era"
    rate_lines.append((network, sequence_of(row), phase_of(row), precision, gpu, batch,
                       round(rate, 3), stack, framework_of(row), plain(row["source"]) + assumed))
# What collect.py found elsewhere, in the columns of gpu_rates.csv.
with open(here / "collected_rates.csv", newline="", encoding="utf-8") as stream:
    collected = csv.reader(stream)
    next(collected)
    rate_lines += [(row[0], int(row[1]), *row[2:5], int(row[5]), float(row[6]), *row[7:])
                   for row in collected]
rate_lines = sorted(set(rate_lines))
write("gpu_rates.csv", ["network", "sequence", "phase", "precision", "gpu", "batch", "items_per_s",
                        "stack", "framework", "source"], rate_lines)

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
# CPUs that call themselves only "AMD EPYC" or "Xeon Processor" in a virtual machine are known by
# family and model (AMD's public identification: 19h/11h is Genoa, 1Ah/02h Turin, 19h/01h Milan;
# Intel's: 6/6Ah is Ice Lake, 6/8Fh Sapphire Rapids, 6/CFh Emerald Rapids, 6/ADh Granite Rapids).
CPUID = {"m7a": "family 25 model 17", "m8a": "family 26 model 2", "m6a": "family 25 model 1",
         "m6i": "family 6 model 106", "m7i": "family 6 model 143", "i7ie": "family 6 model 207",
         "m8i": "family 6 model 173"}
cpu_lines = [(family, round(statistics.median(values), 1), len(values),
              plain(models.get(family, "")), CPUID.get(family, ""),
              "vantage-sh/ec2instances.info @4ef36cd2 measured Jan 2026")
             for family, values in sorted(per_family.items())]
write("cpu_speed.csv", ["family", "coremark_per_vcpu", "instances", "cpu_model", "cpuid",
                         "source"], cpu_lines)
