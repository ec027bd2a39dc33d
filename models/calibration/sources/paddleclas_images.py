"""PaddlePaddle/PaddleClas: the tables that paddleclas.py reads, of the networks added later. Its ViT_small is not
ViT-S/16 but timm's former one of 48.6 million parameters."""
from sources import paddleclas

NETWORKS = {
    "EfficientNet.md": {f"EfficientNetB{i}": f"efficientnet-b{i}" for i in range(8)},
    "MobileNetV3.md": {f"MobileNetV3_{size}_x1_0": f"mobilenet-v3-{size}" for size in ("large", "small")},
    "DenseNet.md": {f"DenseNet{depth}": f"densenet{depth}" for depth in (121, 169, 201)},
    "ViT.md": {"ViT_large_<br/>patch16_224": "vit-l16"}, "DeiT.md": {"DeiT_small_<br>patch16_224": "vit-s16"},
}


def collect(collected):
    paddleclas.collect(collected, NETWORKS)
