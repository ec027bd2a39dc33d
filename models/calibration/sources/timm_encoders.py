"""huggingface/pytorch-image-models: results/benchmark-infer-*.csv of GPUs, the rows of encoders of images that
end in a vector (CLIP's, SigLIP's and DINOv2's), at the size each was timed at; those with GELU as here, with
SigLIP's attention at the end, and without registers."""
import re

from sources.timm_images import CARDS, NAME, framework_of

SHAPES = {
    "vit_base_patch32_clip": "clip-vit-b32", "vit_base_patch16_clip": "clip-vit-b16",
    "vit_large_patch14_clip": "clip-vit-l14", "vit_huge_patch14_clip": "clip-vit-h14",
    "vit_gigantic_patch14_clip": "clip-vit-bigg14",
    "vit_base_patch16_siglip": "siglip-b16", "vit_large_patch16_siglip": "siglip-l16",
    "vit_so400m_patch14_siglip": "siglip-so400m14", "vit_so400m_patch16_siglip": "siglip-so400m16",
    "vit_small_patch14_dinov2": "dinov2-s14", "vit_base_patch14_dinov2": "dinov2-b14",
    "vit_large_patch14_dinov2": "dinov2-l14", "vit_giant_patch14_dinov2": "dinov2-g14",
}
MODEL = re.compile(r"(vit_[a-z0-9]+_patch\d+_(?:clip|siglip|dinov2))(_\d+)?")


def collect(collected):
    repository = collected.repository("huggingface", "pytorch-image-models")
    for path in (f"results/{name}" for name in repository.paths("results")):
        told = NAME.fullmatch(path)
        if told is None or told.group(1) != "infer":
            continue
        kind, precision, layout, _, card, compiled = told.groups()
        for row in repository.table(path):
            model = MODEL.fullmatch(row["model"].split(".")[0])
            network = SHAPES.get(model.group(1)) if model else None
            if network:
                collected.rate(f"{network}:size={row['infer_img_size']}", kind,
                               "bf16" if "bf16" in precision else "fp16", CARDS[card],
                               int(float(row["infer_batch_size"])), float(row["infer_samples_per_sec"]),
                               framework_of(layout, compiled, False), repository.source(path))
