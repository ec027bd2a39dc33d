#!/usr/bin/env python3
"""Asks a rightsize for published rates of image classifiers and says how far its answers are, by family, by
file and by what the GPU did.

usage: models/calibration/ask_images.py RIGHTSIZE [--figures FILE] [--unnamed] [--rows] [--only WORD]...

FILE is timm_images.csv, timm_families.csv, other_images.csv or vision_encoders.csv (collect_images.py); no constant is
fitted to any. The program is named (--unnamed: not). What is refused is listed with the reason.
"""
import argparse
import csv
import io
import math
import pathlib
import re
import subprocess
import sys

here = pathlib.Path(__file__).parent
parser = argparse.ArgumentParser(usage=__doc__.split("\n")[3][7:])
parser.add_argument("rightsize")
parser.add_argument("--figures", default="timm_images.csv")
parser.add_argument("--unnamed", action="store_true")
parser.add_argument("--rows", action="store_true")
parser.add_argument("--only", action="append", default=[])
asked = parser.parse_args()


def matches(row):
    return all(any(word in value for value in row.values()) for word in asked.only)


def program(row):
    return row["framework"].split(" (")[0]


def family(row):
    name = re.sub(r"-w?(24|16|8|384|512)$", "", row["network"].split(":")[0])
    return re.sub(r"-(b\d|[sml]|atto|femto|pico|nano|tiny|small|medium|base|large|huge|giant)$|-?\d+d?(-2)?$|"
                  r"-(ti|[sblh])\d+$", "", name)


def file_of(row):
    return row["source"].split(" ")[1].split("@")[0].split("/")[-1]


def answers(figures):
    question = io.StringIO()
    writer = csv.writer(question, lineterminator="\n")
    writer.writerow(["network", "phase", "precision", "batch", "gpu", "framework"])
    for row in figures:
        writer.writerow([row["network"], row["phase"], row["precision"], row["batch"], row["gpu"],
                         "" if asked.unnamed else program(row)])
    run = subprocess.run([asked.rightsize, "predict", "--batch-file", "-", "-o", "csv"], input=question.getvalue(),
                         capture_output=True, text=True, check=False)
    rows = list(csv.DictReader(io.StringIO(run.stdout)))
    if len(rows) != len(figures):
        sys.exit(f"{asked.rightsize} answered {len(rows)} of {len(figures)} rows: {run.stderr}")
    return rows


def show(name, found):
    logs = sorted(math.log(told / published) for published, told, _ in found)
    sizes = sorted(abs(math.expm1(log)) for log in logs)
    inside = sum(held for *_, held in found) / len(found)
    print(f"| {name} | {len(found)} | {math.exp(logs[len(logs) // 2]):.2f} | {sizes[len(sizes) // 2]:.0%} | "
          f"{sizes[math.ceil(0.9 * len(sizes)) - 1]:.0%} | {inside:.0%} |")


with open(here / asked.figures, newline="", encoding="utf-8") as stream:
    figures = [row for row in csv.DictReader(stream) if matches(row)]
groups = {}
refused = {}
for row, answer in zip(figures, answers(figures)):
    published = float(row["items_per_s"])
    if answer["status"] != "ok":
        reason = next(answer[key] for key in ("reason", "caution", "status") if answer.get(key))
        refused[reason] = refused.get(reason, 0) + 1
        if asked.rows:
            print(*row.values(), reason)
        continue
    told, low, high = (float(answer[key]) for key in ("throughput", "low", "high"))
    held = low <= published <= high
    if asked.rows:
        print(row["network"], row["phase"], row["precision"], row["gpu"], "b" + row["batch"], row["framework"],
              published, f"{told / published:.2f} ({low / published:.2f} .. {high / published:.2f})")
    work = f"{program(row)}, {row['phase']}, {row['precision']}"
    for name in (file_of(row), f"**{family(row)}**", f"**{family(row)}, {work}**", f"{row['network']}, {work}",
                 f"{row['gpu']}, {work}", "**all**"):
        groups.setdefault(name, []).append((published, told, held))
print("| figures of | figures | told by published, median | median error | P90 | inside |\n|---|--:|--:|--:|--:|--:|")
for name in sorted(groups):
    show(name, groups[name])
for reason, count in sorted(refused.items()):
    print(f"\nrefused: {count}, {reason}")
