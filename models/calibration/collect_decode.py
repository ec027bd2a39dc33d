#!/usr/bin/env python3
"""Collects published rates of language models token by token into decode_rates.csv.

usage: models/calibration/collect_decode.py MIRRORS

MIRRORS holds clones as <owner>+<name>/repo, as for collect.py; TensorRT-LLM's table stands in
sources/tensorrt_llm.py as it was published. Each row names its source and commit.
"""
import pathlib
import sys

from sources import gpt_fast, llama_cpp, mlc_llm, tensorrt_llm
from sources.published import Collected

collected = Collected(pathlib.Path(sys.argv[1]))
for source in (gpt_fast, llama_cpp, mlc_llm, tensorrt_llm):
    source.collect(collected)
name = pathlib.Path(__file__).parent / "decode_rates.csv"
with open(name, "w", encoding="utf-8") as out:
    for line in [Collected.DECODE, *collected.decoded]:
        out.write(",".join(str(value) for value in line) + "\n")
print(f"{name.name}: {len(collected.decoded)} rows")
