#!/usr/bin/env python3
"""Collects published rates of language models token by token into decode_rates.csv, and those that
came later, which no constant is fitted to, into decode_recent.csv, those of mixtures of experts into
decode_experts.csv, those of 500 sequences at once into decode_crowd.csv, those of small networks into decode_small.csv,
those of networks whose layers keep states into decode_hybrids.csv,
those of one sequence alone, of small networks and mixtures, into decode_one.csv.

usage: models/calibration/collect_decode.py MIRRORS

MIRRORS holds clones as <owner>+<name>/repo, as for collect.py; TensorRT-LLM's table stands in
sources/tensorrt_llm.py as it was published. Each row names its source and commit.
"""
import pathlib
import sys

from sources import (asked_blind_decode, decode_experts, decode_gpustack, decode_hybrids, decode_one,
                     decode_recent, decode_small, gpt_fast, llama_cpp, mlc_llm, qwen_speed, sglang_cookbook,
                     tensorrt_llm)
from sources.published import Collected

TABLES = {"decode_rates.csv": (gpt_fast.collect, llama_cpp.collect, mlc_llm.collect,
                               tensorrt_llm.collect, asked_blind_decode.collect),
          "decode_recent.csv": (decode_recent.collect,),
          "decode_experts.csv": (decode_experts.collect,),
          "decode_crowd.csv": (decode_gpustack.collect,),
          "decode_small.csv": (decode_small.collect,),
          "decode_hybrids.csv": (decode_hybrids.collect,),
          "decode_one.csv": (qwen_speed.collect, sglang_cookbook.collect,
                             decode_one.collect)}
for table, sources in TABLES.items():
    collected = Collected(pathlib.Path(sys.argv[1]))
    for collect in sources:
        collect(collected)
    name = pathlib.Path(__file__).parent / table
    with open(name, "w", encoding="utf-8") as out:
        for line in [Collected.DECODE, *collected.decoded]:
            out.write(",".join(str(value) for value in line) + "\n")
    print(f"{name.name}: {len(collected.decoded)} rows")
