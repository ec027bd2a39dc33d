#!/usr/bin/env python3
"""Asks a rightsize for published trainings of language models (programs.csv) and says how far its
answers are from them, by program, chip and precision.

usage: models/calibration/ask_programs.py RIGHTSIZE [--figures FILE] [--unnamed] [--own-memory] [--unfolded] [--rows] [--only WORD]...

A row is asked as its publisher ran it: machines, how GPUs share the network, recomputation, the items of
an update. Of the program its name is said, where one is known (--unnamed: not). What is refused is listed with the reason. FILE is
another table of these columns in this folder, as programs_instinct.csv or mixtures_training.csv. --own-memory: whether blocks run again is
left to rightsize. --unfolded: how many GPUs share an expert is not said, though a page or its recipe states it (column expert_tensor):
as many as share every other layer.
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
parser.add_argument("--figures", default="programs.csv")
parser.add_argument("--unnamed", action="store_true")
parser.add_argument("--own-memory", action="store_true")
parser.add_argument("--unfolded", action="store_true")
parser.add_argument("--rows", action="store_true")
parser.add_argument("--only", action="append", default=[])
asked = parser.parse_args()


def machine(row):
    gpus = int(row["gpus"]) // int(row["nodes"])
    link = "xgmi" if row["gpu"].startswith("MI") else "nvlink"
    nodes = f",nodes={row['nodes']}" if int(row["nodes"]) > 1 else ""
    return f"gpu={row['gpu']}:{gpus},link={link}{nodes}" + (f",net={row['net']}" if nodes and row["net"] else "")


def question(row):
    network = str(here / row["network"]) if row["network"].endswith(".json") else row["network"]
    words = ["predict", "--network", network, "--sequence", row["sequence"], "--phase", "train", "--precision",
             row["precision"], "--data", "synthetic", "--machine", machine(row), "-o", "json"]
    for flag, column in (("tensor", "tensor"), ("pipeline", "pipeline"), ("context", "context"), ("expert", "experts")):
        if row[column] not in ("", "1"):
            words += [f"--{flag}-parallel", row[column]]
    if row.get("expert_tensor") and not asked.unfolded:
        words += ["--expert-tensor-parallel", row["expert_tensor"]]
    if row["pipeline"] not in ("", "1") and row["virtual"]:
        words += ["--virtual-pipeline", row["virtual"]]
    shared = int(row["tensor"]) * int(row["pipeline"]) * int(row["context"]) > 1
    if row["global_batch"]:
        words += ["--global-batch", row["global_batch"]]
    if row["micro_batch"] and not (shared and row["global_batch"]):
        words += ["--batch", row["micro_batch"]]
    if row["exchange"]:
        words += ["--exchange", row["exchange"]]
    if row["recompute"] in ("none", "blocks") and not asked.own_memory:
        words += ["--recompute", "true" if row["recompute"] == "blocks" else "false"]
    if row.get("masters"):  # a column of mixtures_training.csv
        words += ["--master-weights", row["masters"]]
    if row["adapter"]:
        words += ["--adapter", row["adapter"]]
    return words + ([] if asked.unnamed or not row["program"] else ["--framework", row["program"]])


def answer(row):
    run = subprocess.run([asked.rightsize, *question(row)], capture_output=True, text=True, check=False)
    try:
        found = json.loads(run.stdout)
    except json.JSONDecodeError:
        return None, run.stderr.strip().split("\n")[0]
    if found.get("status") != "ok":
        return None, found.get("reason", "")
    scale = int(row["sequence"]) / int(row["gpus"])
    throughput = found["throughput"]
    return [scale * throughput[key] for key in ("value", "low", "high")], ""


def show(name, rows):
    logs = sorted(math.log(value[0] / published) for published, value in rows)
    sizes = sorted(abs(math.expm1(log)) for log in logs)
    inside = sum(value[1] <= published <= value[2] for published, value in rows)
    print(f"| {name} | {len(rows)} | {math.exp(logs[len(logs) // 2]):.2f} | {sizes[len(sizes) // 2]:.0%} | "
          f"{sizes[math.ceil(0.9 * len(sizes)) - 1]:.0%} | {inside / len(rows):.0%} |")


with open(here / asked.figures, newline="", encoding="utf-8") as stream:
    figures = [row for row in csv.DictReader(stream) if all(word in row.values() for word in asked.only)]
with ThreadPoolExecutor(2) as pool:
    answers = list(pool.map(answer, figures))
groups = {}
refused = 0
for row, (value, reason) in zip(figures, answers):
    published = float(row["tokens_per_s_per_gpu"])
    if asked.rows:
        made = f"{value[0] / published:5.2f} ({value[1] / published:.2f} .. {value[2] / published:.2f})" if value else reason
        print(row["program"], row["version"][-12:], pathlib.Path(row["network"]).stem, "s" + row["sequence"], row["precision"], row["gpu"],
              row["gpus"], *(f"{key[0]}{row[key]}" for key in ("tensor", "pipeline", "context", "virtual", "experts")
                             if row[key] not in ("", "1")),
              *(["f" + row["expert_tensor"]] if row.get("expert_tensor") and not asked.unfolded else []), f"b{row['micro_batch']}/{row['global_batch']}",
              row["recompute"], row["adapter"], row["tokens_per_s_per_gpu"], made, file=sys.stdout)
    if value is None:
        refused += 1
        continue
    moe = " mixture" if row["experts"] not in ("", "1") or "moe" in row["network"] else ""
    for name in (f"{row['program'] or 'none named'}, {row['gpu']}, {row['precision']}{moe}{' LoRA' if row['adapter'] else ''}",
                 f"**{row['precision']}**", "**all**"):
        groups.setdefault(name, []).append((published, value))
print("| program, GPU, precision | figures | told by published, median | median error | P90 | inside |")
print("|---|--:|--:|--:|--:|--:|")
for name in sorted(groups):
    show(name, groups[name])
print(f"\nrefused: {refused}")
