"""dmikushin/cnn-benchmarks: README.md, jcjohnson's Torch7 benchmark on cards that clouds rented in
2017: milliseconds forward, and forward with backward, of 16 pictures. Rows without cuDNN are left out,
and the GTX 1080 Ti, which jcjohnson has."""
import re

from sources.published import cells_of

NETWORKS = {"AlexNet": "alexnet", "Inception-V1": "googlenet", "VGG-16": "vgg16", "VGG-19": "vgg19",
            "ResNet-18": "resnet18", "ResNet-34": "resnet34", "ResNet-50": "resnet50",
            "ResNet-101": "resnet101", "ResNet-152": "resnet152", "ResNet-200": "resnet200"}
GPUS = {"Tesla V100": "V100", "Quadro P6000": "P6000", "Quadro P5000": "P5000", "Tesla M60": "M60",
        "Quadro M4000": "M4000", "Tesla K80": "K80", "GRID K520": "K520"}
BATCH = 16


def collect(collected):
    repository = collected.repository("dmikushin", "cnn-benchmarks")
    network = None
    for line in repository.text("README.md").split("\n"):
        named = re.match(r"## (.+)", line)
        network = NETWORKS.get(named[1]) if named else network
        cells = cells_of(line)
        if network is None or len(cells) != 5 or cells[0] not in GPUS or cells[1] == "None":
            continue
        for phase, ms in (("forward", cells[2]), ("forward_backward", cells[4])):
            collected.rate(network, phase, "fp32", GPUS[cells[0]], BATCH, round(1e3 * BATCH / float(ms), 2),
                           "Torch7 cuDNN " + cells[1].replace(".", ""), repository.source("README.md"),
                           stack="era")
