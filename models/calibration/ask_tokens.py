#!/usr/bin/env python3
"""Asks a rightsize for published rates of so many sequences in flight and says how far its answers are
from them.

usage: models/calibration/ask_tokens.py RIGHTSIZE [--figures FILE] [--default] [--write]

FILE has the columns of asked_blind_gpt_oss.csv; what is asked is a list of texts without end by GPUs
that share a copy. Weights are asked for as the row says, or as the network is published (--default).
--write puts the answers into the file's last columns.
"""
import argparse
import csv
import json
import math
import pathlib
import statistics
import subprocess

here = pathlib.Path(__file__).parent
parser = argparse.ArgumentParser(usage=__doc__.split("\n")[4][7:])
parser.add_argument("rightsize")
parser.add_argument("--figures", default="asked_blind_gpt_oss.csv")
parser.add_argument("--default", action="store_true")
parser.add_argument("--write", action="store_true")
asked = parser.parse_args()


def answer(row):
    words = [asked.rightsize, "predict", "--network", row["network"], "--phase", "decode", "--precision", "bf16",
             "--prompt-tokens", row["prompt_tokens"], "--output-tokens", row["output_tokens"], "--batch",
             row["sequences"], "--tensor-parallel", row["gpus"], "--framework", row["software"], "--machine",
             f"gpu={row['gpu']}:{row['gpus']},vcpus=96,memory=1TiB", "-o", "json"]
    if not asked.default:
        words += ["--weights", {"16bit": "16 bits"}.get(row["weights"], row["weights"])]
    run = subprocess.run(words, capture_output=True, text=True, check=True)
    texts = json.loads(run.stdout)["throughput"]
    return [round(texts[end] * int(row["output_tokens"]), 1) for end in ("value", "low", "high")]


with open(here / asked.figures, encoding="utf-8") as file:
    rows = list(csv.DictReader(file))
errors, inside = [], 0
for row in rows:
    told, low, high = row["predicted"], row["low"], row["high"] = answer(row)
    published = float(row["tokens_per_s"])
    errors.append(abs(math.expm1(math.log(told / published))))
    inside += low <= published <= high
    print(f"{row['network']:14} {row['gpu']:>8} x{row['gpus']} {row['sequences']:>5} of "
          f"{row['prompt_tokens']:>5}/{row['output_tokens']:<5} {published:9.1f} {told / published:6.2f} {row['software']}")
print(f"{len(rows)} rates: median error {statistics.median(errors):.0%}, {inside} inside the interval")
if asked.write:
    with open(here / asked.figures, "w", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
