#!/usr/bin/env python3
"""Asks a rightsize for published rates of recommenders and says how far its answers are from them,
by program, network, phase and GPUs.

usage: models/calibration/ask_recommenders.py RIGHTSIZE [--figures FILE] [--unnamed] [--rows]

FILE is recommenders.csv, to which constants are set, or recommenders_unseen.csv, which had no part in
that. Of the program its name is said (--unnamed: not). Minibatches beyond 65536 samples nobody can ask
for: they are left out (recommendation_test has those of one GPU). V100 have 32 GB, NVLink links several.
"""
import argparse
import csv
import json
import math
import pathlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

here = pathlib.Path(__file__).parent
parser = argparse.ArgumentParser(usage=__doc__.split("\n")[3][7:])
parser.add_argument("rightsize")
parser.add_argument("--figures", default="recommenders.csv")
parser.add_argument("--unnamed", action="store_true")
parser.add_argument("--rows", action="store_true")
asked = parser.parse_args()


def answer(row):
    gpu = row["gpu"].replace("V100", "V100-32GB") + (",link=nvlink" if ":" in row["gpu"] else "")
    words = [asked.rightsize, "predict", "--network", row["network"], "--phase", row["phase"], "--precision",
             row["precision"], "--batch", row["batch"], "--data", "synthetic", "--machine", f"gpu={gpu}", "-o", "json"]
    program = row["framework"].split(" (")[0]
    if not asked.unnamed and program != "HugeCTR":  # whose habits no law knows
        words += ["--framework", program]
    run = subprocess.run(words, capture_output=True, text=True, check=False)
    try:
        found = json.loads(run.stdout)
    except json.JSONDecodeError:
        sys.exit(f"{' '.join(words)}: {run.stderr.strip()}")
    if found.get("status") != "ok":
        return None
    return [found["throughput"][key] for key in ("value", "low", "high")]


def show(name, rows):
    logs = sorted(math.log(value[0] / published) for published, value in rows)
    sizes = sorted(math.expm1(abs(log)) for log in logs)
    inside = sum(value[1] <= published <= value[2] for published, value in rows)
    print(f"| {name} | {len(rows)} | {math.exp(logs[len(logs) // 2]):.2f} | {sizes[len(sizes) // 2]:.0%} | "
          f"{sizes[math.ceil(0.9 * len(sizes)) - 1]:.0%} | {inside} |")


with open(here / asked.figures, newline="", encoding="utf-8") as stream:
    figures = [row for row in csv.DictReader(stream) if int(row["batch"]) <= 65536]
with ThreadPoolExecutor(2) as pool:
    answers = list(pool.map(answer, figures))
groups = {}
for row, value in zip(figures, answers):
    if value is None:
        print("refused:", *list(row.values())[:9])
        continue
    published = float(row["items_per_s"])
    if asked.rows:
        print(row["network"], row["phase"], row["precision"], row["gpu"], row["batch"], row["framework"],
              f"{value[0] / published:.2f} ({value[1] / published:.2f} .. {value[2] / published:.2f})")
    gpus = "several GPUs" if ":" in row["gpu"] else "one GPU"
    for name in (f"{row['framework']}, {row['network'].split(':')[0]}, {row['phase']}, {gpus}", "**all**"):
        groups.setdefault(name, []).append((published, value))
print("| program, network, phase | figures | told by published, median | median error | P90 | inside |")
print("|---|--:|--:|--:|--:|--:|")
for name in sorted(groups):
    show(name, groups[name])
