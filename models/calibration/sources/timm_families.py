"""huggingface/pytorch-image-models: results/benchmark-*.csv of GPUs, the rows of families that came after
timm_images.py's: Swin, Swin V2, MaxViT, BEiT, EVA-02, MobileNetV4, RegNetX, what became of ResNet and ViT, the
small and the second ConvNeXt. At another image size than the network's own it is asked as NAME:size=PIXELS."""
import re

from sources.timm_images import CARDS, NAME, framework_of

REGNETS = {f"regnet{kind}_{size}": f"regnet{kind}-{size}" for kind, sizes in
           {"x": "002 004 006 008 016 032 040 064 080 120 160 320",
            "y": "002 004 006 008 040 064 120 640 1280"}.items() for size in sizes.split()}
NETWORKS = {
    **REGNETS,
    **{f"convnext_{size}": f"convnext-{size}" for size in ("atto", "femto", "pico", "nano")},
    **{f"convnextv2_{size}": f"convnext-v2-{size}"
       for size in ("atto", "femto", "pico", "nano", "tiny", "small", "base", "large", "huge")},
    **{name: name.replace("_", "-") for name in
       ("resnet26", "resnet50d", "resnet101d", "seresnet50", "wide_resnet101_2", "seresnext50_32x4d",
        "resnext101_32x8d", "resnext101_64x4d")},
    **{f"swin_{size}_patch4_window7_224": f"swin-{size}" for size in ("tiny", "small", "base", "large")},
    **{f"swin_{size}_patch4_window12_384": f"swin-{size}-384" for size in ("base", "large")},
    **{f"swinv2_{size}_window{side}_256": f"swinv2-{size}-w{side}"
       for size in ("tiny", "small", "base") for side in (8, 16)},
    "swinv2_large_window12to16_192to256": "swinv2-large-w16",
    **{f"swinv2_{size}_window12to24_192to384": f"swinv2-{size}-w24" for size in ("base", "large")},
    **{f"maxvit_{size}_tf_{side}": f"maxvit-{size}{'' if side == 224 else f'-{side}'}"
       for size in ("tiny", "small", "base", "large") for side in (224, 384, 512)},
    **{f"mobilenetv4_conv_{size}": f"mobilenet-v4-{size}" for size in ("small", "medium", "large")},
    "vit_tiny_patch16_224": "vit-ti16", "vit_base_patch32_224": "vit-b32", "vit_base_patch8_224": "vit-b8",
    "vit_tiny_patch16_384": "vit-ti16", "vit_small_patch16_384": "vit-s16", "vit_base_patch16_384": "vit-b16",
    "vit_large_patch16_384": "vit-l16", "vit_large_patch32_384": "vit-l32",
    **{f"beit_{size}_patch16_{side}": f"beit-{size}" for size in ("base", "large") for side in (224, 384)},
    **{f"eva02_{size}_patch14_{side}": f"eva02-{size}"
       for size in ("tiny", "small", "base", "large") for side in (224, 336, 448)},
    "eva_giant_patch14_224": "eva-giant",
    "samvit_base_patch16": "sam-vit-b", "samvit_large_patch16": "sam-vit-l", "samvit_huge_patch16": "sam-vit-h",
    "resnet50": "resnet50", "resnet101": "resnet101", "convnext_tiny": "convnext-tiny",
    "convnext_base": "convnext-base", "convnext_large": "convnext-large",
    **{f"efficientnet_b{i}": f"efficientnet-b{i}" for i in range(5)},
}
OWN_SIZES = {"sam-vit-b": 1024, "sam-vit-l": 1024, "sam-vit-h": 1024, "swin-base-384": 384,
             "swin-large-384": 384, "mobilenet-v4-medium": 256, "mobilenet-v4-large": 384,
             "eva02-base": 448, "eva02-large": 448, "efficientnet-b1": 240, "efficientnet-b2": 260,
             "efficientnet-b3": 300, "efficientnet-b4": 380}  # of all others by their name, or 224
ASKED_BEFORE = re.compile(r"resnet(50|101)$|convnext-(tiny|base|large)$|efficientnet-b\d$")  # at their own size


def own_size(network):
    named = re.search(r"-w(\d+)$", network)
    if named:
        return 384 if named.group(1) == "24" else 256
    last = network.split("-")[-1]
    return OWN_SIZES.get(network, int(last) if last in ("384", "512") else 224)


def asked(network, size):
    if size == own_size(network):
        return None if ASKED_BEFORE.match(network) else network
    return f"{network}:size={size}"


def collect(collected):
    repository = collected.repository("huggingface", "pytorch-image-models")
    for path in (f"results/{name}" for name in repository.paths("results")):
        told = NAME.fullmatch(path)
        if told is None:
            continue
        kind, precision, layout, _, card, compiled = told.groups()
        for row in repository.table(path):
            network = NETWORKS.get(row["model"].split(".")[0])
            name = asked(network, int(row[f"{kind}_img_size"])) if network else None
            if name:
                collected.rate(name, kind, "bf16" if "bf16" in precision else "fp16", CARDS[card],
                               int(float(row[f"{kind}_batch_size"])), float(row[f"{kind}_samples_per_sec"]),
                               framework_of(layout, compiled, False), repository.source(path))
