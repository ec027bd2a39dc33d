#!/usr/bin/env python3
"""Asks a rightsize for published rates and says how far its answers are from them.

usage: models/calibration/ask.py RIGHTSIZE RATES.csv [--framework] [--from ROW]

RATES.csv has the columns of collected_rates.csv. A binary built before figures were collected has
not seen them: this is the honest test of the law. --framework tells whose figure it is. --from skips
the rows before it (of data, from 1): those that the binary's own tables held already.
"""
import argparse
import csv
import io
import math
import subprocess
import sys
from collections import defaultdict

PHASE = {"forward": "infer", "forward_backward": "train"}

parser = argparse.ArgumentParser(usage=__doc__.split("\n")[2][7:])
parser.add_argument("rightsize")
parser.add_argument("rates")
parser.add_argument("--framework", action="store_true")
parser.add_argument("--from", dest="first", type=int, default=1)
asked = parser.parse_args()

with open(asked.rates, newline="", encoding="utf-8") as stream:
    figures = list(csv.DictReader(stream))[asked.first - 1:]
question = io.StringIO()
writer = csv.writer(question, lineterminator="\n")
writer.writerow(["network", "sequence", "phase", "precision", "batch", "gpu", "stack"])
for figure in figures:
    bare = figure["framework"].split(" (")[0].removesuffix(" XLA")
    writer.writerow([figure["network"], figure["sequence"], PHASE.get(figure["phase"], figure["phase"]),
                     figure["precision"], figure["batch"], figure["gpu"],
                     bare if asked.framework else figure["stack"]])
answer = subprocess.run([asked.rightsize, "predict", "--batch-file", "-", "-o", "csv"],
                        input=question.getvalue(), capture_output=True, text=True, check=False)
rows = list(csv.DictReader(io.StringIO(answer.stdout)))
if len(rows) != len(figures):
    sys.exit(f"{asked.rightsize} answered {len(rows)} of {len(figures)} rows: {answer.stderr}")
errors = defaultdict(list)
for figure, row in zip(figures, rows):
    source = figure["source"].split(" ")[0]
    if row["status"] != "ok":
        errors[f"{source}: {row['status']}"].append((math.nan, False))
        continue
    rate = float(figure["items_per_s"])
    inside = float(row["low"]) <= rate <= float(row["high"])
    for group in (source, "all"):
        errors[group].append((abs(float(row["throughput"]) / rate - 1), inside))
print("| source | figures | median error | P90 error | inside 90% interval |\n|---|--:|--:|--:|--:|")
for source, found in sorted(errors.items()):
    values = sorted(error for error, _ in found)
    share = sum(inside for _, inside in found) / len(found)
    print(f"| {source} | {len(values)} | {values[len(values) // 2]:.1%} | "
          f"{values[math.ceil(0.9 * len(values)) - 1]:.1%} | {share:.0%} |")
