#!/usr/bin/env python3
"""Collects published throughputs that ../shared/data lacks into collected_rates.csv, those of
several GPUs into collected_scaling.csv, and large transformers', sharded over GPUs, with their
memory into sharded.csv, adapters of large transformers into adapters.csv, and
tensor and pipeline parallel ones into parallel.csv.

usage: models/calibration/collect.py MIRRORS

MIRRORS holds clones as <owner>+<name>/repo of the repositories that sources/*.py name; TensorFlow's
of 2017, u39kun's and NikolasEnt's tables are small and stand there as they were published. The rates
are of one GPU, but for llm-foundry's eight, whose exchange is small beside a step of a million tokens.
Each row names its source and commit.
"""
import pathlib
import sys

from sources import (aitemplate, asked_blind, bigscience, cloud_torch7, dlperf, fastertransformer, gpt2_pods,
                     gpu_benchmark, internevo, kernl, lambda_pytorch, lambda_recent, lambda_tensorflow,
                     litgpt, mlperf, mosaic, neusight, nikolasent, noted, noted_later, nvidia_bert,
                     nvidia_serving, nvidia_tensorflow, paddleclas, qwen, ryujaehun, tensorflow_2017,
                     tensorrt_bert, timm, tlkh, torch_benchmark, torchtitan, torchtune,
                     transformer_deploy, u39kun)
from sources.published import Collected

here = pathlib.Path(__file__).parent


def write(name, header, table):
    with open(here / name, "w", encoding="utf-8") as out:
        for line in [header, *table]:
            out.write(",".join(str(value) for value in line) + "\n")
    print(f"{name}: {len(table)} rows")


collected = Collected(pathlib.Path(sys.argv[1]))
for source in (timm, lambda_pytorch, mosaic, tensorflow_2017, u39kun, dlperf, lambda_tensorflow,
               ryujaehun, nvidia_bert, torchtitan, internevo, qwen, litgpt, torchtune,
               bigscience, mlperf, neusight, tensorrt_bert, fastertransformer, nvidia_tensorflow,
               nvidia_serving, paddleclas, aitemplate, kernl, cloud_torch7, noted, lambda_recent,
               gpt2_pods, torch_benchmark, gpu_benchmark, nikolasent, tlkh, transformer_deploy,
               noted_later, asked_blind):
    source.collect(collected)
write("collected_rates.csv", Collected.RATES, collected.rates)
write("collected_scaling.csv", Collected.SCALING, collected.scaling)
write("sharded.csv", Collected.SHARDED, collected.sharded)
write("adapters.csv", Collected.ADAPTED, collected.adapted)
write("parallel.csv", Collected.PARALLEL, collected.parallel)
