"""lambdal/deeplearning-benchmark: pytorch/*.csv."""
import math
import re
import statistics

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


def collect_several(collected, rates, batches, precision, source):
    for name, (gpu, link) in LAMBDA_SEVERAL.items():
        row, one = rates[name], rates[LAMBDA_SINGLE[gpu]]
        gpus = number(row["num_gpu"])
        for column, (network, sequence) in LAMBDA_NETWORKS.items():
            batch = number(batches[LAMBDA_SINGLE[gpu]][column])
            if sequence and 2 * math.ceil(SQUAD_FEATURES / (batch * gpus)) < SQUAD_STEPS:
                continue
            collected.several(network, precision(gpu), batch, gpu, gpus, 1, link,
                              float(one[column]), float(row[column]), "PyTorch (Lambda)", source,
                              sequence)


def collect(collected):
    repository = collected.repository("lambdal", "deeplearning-benchmark")
    for table, tensor, plain in (("fp16", "fp16", "fp16"), ("fp32", "tf32", "fp32")):
        def precision(gpu):
            return plain if gpu in ("RTX-8000", "V100") else tensor

        path = f"pytorch/pytorch-train-throughput-{table}.csv"
        batches = {row["name_gpu"]: row
                   for row in repository.table(f"pytorch/pytorch-train-bs-{table}.csv")}
        rates = {row["name_gpu"]: row for row in repository.table(path)}
        source = repository.source(path)
        collect_several(collected, rates, batches, precision, source)
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
            collected.rate(network[0], "train", precision(gpu), gpu, batch,
                           statistics.median(values), "PyTorch (Lambda)", source, network[1])
