#!/usr/bin/env python3
"""Collects published rates of image classifiers that no constant is fitted to: timm's into timm_images.csv,
those of further families into timm_families.csv, those of NVIDIA and PaddleClas into other_images.csv, timm's of
encoders of images into vision_encoders.csv.
ask_images.py asks them.

usage: models/calibration/collect_images.py MIRRORS

MIRRORS holds clones as <owner>+<name>/repo, as for collect.py. Each row names its source and commit.
"""
import pathlib
import sys

from sources import nvidia_efficientnet, paddleclas_images, timm_encoders, timm_families, timm_images
from sources.published import Collected

TABLES = {"timm_images.csv": (timm_images,), "vision_encoders.csv": (timm_encoders,),
          "timm_families.csv": (timm_families,), "other_images.csv": (nvidia_efficientnet, paddleclas_images)}
for table, sources in TABLES.items():
    collected = Collected(pathlib.Path(sys.argv[1]))
    for source in sources:
        source.collect(collected)
    name = pathlib.Path(__file__).parent / table
    with open(name, "w", encoding="utf-8") as out:
        for line in [Collected.RATES, *collected.rates]:
            out.write(",".join(str(value) for value in line) + "\n")
    print(f"{name.name}: {len(collected.rates)} rows")
