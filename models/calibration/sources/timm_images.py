"""huggingface/pytorch-image-models: results/benchmark-*.csv of GPUs, the rows of EfficientNet, MobileNetV3,
ConvNeXt, DenseNet, RegNetY, ViT and Wide ResNet at the image size of the built-in network. DeiT-S is ViT-S/16.
"tf_" networks pad as TensorFlow does, worked out at run time; where both forms are there both are taken."""
import re

NETWORKS = {
    **{f"efficientnet_b{i}": f"efficientnet-b{i}" for i in range(8)},
    **{f"efficientnetv2_{size}": f"efficientnet-v2-{size}" for size in "sml"},
    **{f"mobilenetv3_{size}_100": f"mobilenet-v3-{size}" for size in ("large", "small")},
    **{f"convnext_{size}": f"convnext-{size}" for size in ("tiny", "small", "base", "large")},
    **{f"densenet{depth}": f"densenet{depth}" for depth in (121, 169, 201)},
    **{f"regnety_{size}": f"regnety-{size}" for size in ("016", "032", "160", "320")},
    "regnety_080_tv": "regnety-080",
    "vit_small_patch16_224": "vit-s16", "deit_small_patch16_224": "vit-s16",
    "vit_large_patch16_224": "vit-l16", "vit_huge_patch14_224": "vit-h14",
    "wide_resnet50_2": "wide-resnet50-2",
}
SIZES = {"efficientnet-b1": 240, "efficientnet-b2": 260, "efficientnet-b3": 300, "efficientnet-b4": 380,
         "efficientnet-b5": 456, "efficientnet-b6": 528, "efficientnet-b7": 600, "efficientnet-v2-s": 384,
         "efficientnet-v2-m": 480, "efficientnet-v2-l": 480}  # of all others 224
CARDS = {"rtx3090": "RTX-3090", "rtx4090": "RTX-4090", "4090": "RTX-4090", "5090": "RTX-5090",
         "pro6000maxq": "RTX-PRO-6000-Max-Q"}
NAME = re.compile(r"results/benchmark-(train|infer)-(amp|amp_bf16|bf16)-(nchw|nhwc)-pt(\d+)-cu\d+-(\w+?)(-dynamo)?\.csv")


def framework_of(layout, compiled, padded):
    publisher = "timm" + (" NCHW" if layout == "nchw" and not compiled else "") + (" tf" if padded else "")
    return f"PyTorch{' compile' if compiled else ''} ({publisher})"


def collect(collected):
    repository = collected.repository("huggingface", "pytorch-image-models")
    for path in (f"results/{name}" for name in repository.paths("results")):
        told = NAME.fullmatch(path)
        if told is None:
            continue
        kind, precision, layout, _, card, compiled = told.groups()
        for row in repository.table(path):
            model = row["model"].split(".")[0]
            network = NETWORKS.get(model.removeprefix("tf_"))
            if network and int(row[f"{kind}_img_size"]) == SIZES.get(network, 224):
                collected.rate(network, kind, "bf16" if "bf16" in precision else "fp16", CARDS[card],
                               int(float(row[f"{kind}_batch_size"])), float(row[f"{kind}_samples_per_sec"]),
                               framework_of(layout, compiled, model.startswith("tf_")), repository.source(path))
