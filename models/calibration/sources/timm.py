"""huggingface/pytorch-image-models: results/*.csv."""

# timm: forward passes of torchvision-like networks. Of the two memory layouts the faster one that
# PyTorch's users are told to take (channels last); compiled code chooses its own.
TIMM_NETWORKS = {
    "resnet18": "resnet18", "resnet34": "resnet34", "resnet50": "resnet50",
    "resnet101": "resnet101", "resnet152": "resnet152", "resnet200": "resnet200",
    "resnext101_32x4d": "resnext101-32x4d", "seresnext101_32x4d": "se-resnext101-32x4d",
    "vgg11": "vgg11", "vgg16": "vgg16", "vgg19": "vgg19", "inception_v3": "inception-v3",
    "mobilenetv2_100": "mobilenet-v2", "vit_base_patch16_224": "vit-b16",
}
TIMM_FILES = {
    "benchmark-train-amp-nhwc-pt112-cu113-rtx3090": ("RTX-3090", "train", "PyTorch (timm)"),
    "benchmark-infer-amp-nhwc-pt240-cu124-rtx3090": ("RTX-3090", "infer", "PyTorch (timm)"),
    "benchmark-infer-amp-nhwc-pt240-cu124-rtx4090": ("RTX-4090", "infer", "PyTorch (timm)"),
    "benchmark-infer-amp-nchw-pt240-cu124-rtx4090-dynamo": ("RTX-4090", "infer", "PyTorch compile"),
    "benchmark-infer-amp-nchw-pt291-cu130-5090-dynamo": ("RTX-5090", "infer", "PyTorch compile"),
    "benchmark-infer-amp-nchw-pt291-cu128-4090-dynamo": ("RTX-4090", "infer", "PyTorch compile"),
    "benchmark-infer-amp-nchw-pt291-cu130-pro6000maxq-dynamo":
        ("RTX-PRO-6000-Max-Q", "infer", "PyTorch compile"),
}


def collect(collected):
    repository = collected.repository("huggingface", "pytorch-image-models")
    for name, (gpu, kind, framework) in TIMM_FILES.items():
        path = f"results/{name}.csv"
        for row in repository.table(path):
            network = TIMM_NETWORKS.get(row["model"].split(".")[0])
            size = 299 if network == "inception-v3" else 224
            if network and int(row[f"{kind}_img_size"]) == size:
                collected.rate(network, kind, "fp16", gpu, int(float(row[f"{kind}_batch_size"])),
                               float(row[f"{kind}_samples_per_sec"]), framework,
                               repository.source(path))
