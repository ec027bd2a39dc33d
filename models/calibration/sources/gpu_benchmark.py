"""kai271828/gpu_benchmark: README.md, torchvision's ResNet-50 and ViT-B/16 trained by AdamW.

Timed from the minibatch on the GPU to the end of its step, so no loader is in it; narrow precision by
autocast, TF32 allowed to all from Ampere on; compiled means graphs of kernels too. The minibatch
follows from the card's memory (utils.py at the table's commit): half as large where compiled, twice
where narrow. What the table calls ViT-S is vit_b_16 in the program. An RTX 3090 Ti has no sheet here.
"""
from sources.published import cells_of

PATH = "README.md"
COMMIT = "3dec548"  # the last that changed the table
GPUS = {  # memory in GiB as CUDA tells it
    "GTX 1080 Ti": ("GTX-1080-Ti", 10.9), "RTX 2080 Ti": ("RTX-2080-Ti", 10.7),
    "RTX 3060": ("RTX-3060", 11.8), "RTX 3080": ("RTX-3080", 9.8), "RTX 3090": ("RTX-3090", 23.7),
    "RTX 4090": ("RTX-4090", 23.6), "RTX A6000": ("A6000", 47.5), "Tesla T4": ("T4", 14.7),
    "Tesla V100": ("V100", 31.7)}
WITHOUT_TF32 = {"GTX-1080-Ti", "RTX-2080-Ti", "T4", "V100"}
MIB_PER_PICTURE = {"resnet50": 50, "vit-b16": 100}
MOST = 128


def batch_of(network, memory_gib, narrow, compiled):
    share = 0.5 if memory_gib <= 12 else 0.6
    fits = min(int(memory_gib * share * 1024 / MIB_PER_PICTURE[network]), MOST)
    power = 1 << (fits.bit_length() - 1)
    return power // (2 if compiled else 1) * (2 if narrow else 1)


def collect(collected):
    repository = collected.repository("kai271828", "gpu_benchmark")
    gpu = None
    for line in repository.text(PATH, COMMIT).split("\n"):
        cells = cells_of(line)
        if len(cells) != 7:
            continue
        gpu = GPUS.get(cells[0].strip("*")) if cells[0] else gpu
        if gpu is None or cells[2] not in ("FP32", "FP16", "BF16"):
            continue
        name, memory = gpu
        narrow, compiled = cells[2] != "FP32", cells[3] == "✅"
        precision = "fp16" if narrow else "fp32" if name in WITHOUT_TF32 else "tf32"
        for network, rate in (("resnet50", cells[4]), ("vit-b16", cells[5])):
            collected.rate(network, "train", precision, name, batch_of(network, memory, narrow, compiled),
                           float(rate.replace(",", "")),
                           "PyTorch compile (kai271828)" if compiled else "PyTorch (kai271828)",
                           repository.source(PATH, COMMIT))
