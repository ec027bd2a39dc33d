"""PaddlePaddle/PaddleClas: docs/zh_CN/models/ImageNet1k/*.md, Paddle Inference with TensorRT 8.0 on T4
and V100: milliseconds of minibatches of 1, 4 and 8. Its AlexNet is the one-tower network. GoogLeNet is
left out: its table says 224 pixels on one card and 299 on the other; so are ResNeXt and SE-ResNeXt, whose
groups ran outside the engine, as slowly at FP16 as at FP32."""
import re

from sources.published import cells_of

UNDER = "docs/zh_CN/models/ImageNet1k"
NETWORKS = {
    "ResNet.md": {"ResNet18": "resnet18", "ResNet34": "resnet34", "ResNet50": "resnet50",
                  "ResNet101": "resnet101", "ResNet152": "resnet152"},
    "VGG.md": {"VGG11": "vgg11", "VGG16": "vgg16", "VGG19": "vgg19"},
    "Inception.md": {"InceptionV3": "inception-v3"}, "MobileNetV2.md": {"MobileNetV2": "mobilenet-v2"},
    "Others.md": {"AlexNet": "alexnet-owt"}, "ViT.md": {"ViT_base_patch16_224": "vit-b16"},
}
COLUMNS = [(precision, batch) for precision in ("fp16", "fp32") for batch in (1, 4, 8)]


def collect(collected, tables=None):
    repository = collected.repository("PaddlePaddle", "PaddleClas")
    for name, networks in (tables or NETWORKS).items():
        path, gpu = f"{UNDER}/{name}", None
        for line in repository.text(path).split("\n"):
            if line.startswith("#"):
                told = re.search(r"(V100|T4) GPU", line)
                gpu = told[1] if told else None
            cells = cells_of(line)
            if gpu is None or not cells or cells[0] not in networks:
                continue
            columns = COLUMNS if gpu == "T4" else COLUMNS[3:]
            for (precision, batch), ms in zip(columns, cells[2:]):
                if ms != "-":
                    collected.rate(networks[cells[0]], "infer", precision, gpu, batch,
                                   round(1e3 * batch / float(ms), 2), "TensorRT (Paddle)",
                                   repository.source(path))
