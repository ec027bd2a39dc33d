#!/usr/bin/env python3
"""Asks a rightsize for published rates of models that make pictures or write, and says how far its answers are.

usage: models/calibration/ask_models.py RIGHTSIZE [--figures FILE] [--unnamed] [--rows] [--memory] [--only WORD]...

FILE (pictures.csv) has the columns of collected_rates.csv, the memory that its publisher saw and how many GPUs
answered by themselves; rates are one GPU's (pictures_quantized.csv too, whose matrices lie in fewer bits). Or it is
pictures_training.csv, denoisers trained by several GPUs, or pictures_adapters.csv, whose adapters alone are. Or it is
encoder_decoders.csv: Whisper, T5 and BART, of one GPU where they write and of all where they are trained. The
program is named (--unnamed: not). What is refused is listed with the reason. --memory: instead, what one picture
takes of a GPU, by the answer and by what its publisher saw of PyTorch.
"""
import argparse
import csv
import io
import json
import math
import pathlib
import subprocess
import sys

here = pathlib.Path(__file__).parent
parser = argparse.ArgumentParser(usage=__doc__.split("\n")[2][7:])
parser.add_argument("rightsize")
parser.add_argument("--figures", default="pictures.csv")
parser.add_argument("--unnamed", action="store_true")
parser.add_argument("--rows", action="store_true")
parser.add_argument("--memory", action="store_true")
parser.add_argument("--only", action="append", default=[])
asked = parser.parse_args()


# Programs that no calibration knows are asked as those that work as they do.
ALIKE = {"Marian": "CTranslate2", "SGLang": "TensorRT", "vLLM": "TensorRT"}


def bare(framework):
    name = framework.split(" (")[0]
    return ALIKE.get(name, name)


def matches(row):
    return all(any(word in value for value in row.values()) for word in asked.only)


def trains(row):
    return "publisher" in row


def program(row):
    if trains(row):
        return "NeMo" if "NeMo" in row["publisher"] else "PyTorch"
    return bare(row["framework"])


def publisher(row):
    return row["publisher"] if trains(row) else row["framework"]


def answers(figures):
    question = io.StringIO()
    writer = csv.writer(question, lineterminator="\n")
    writer.writerow(["network", "sequence", "phase", "precision", "batch", "gpu", "gpus", "nodes", "interconnect",
                     "framework", "adapter", "recompute"])
    for row in figures:
        several = [row["gpus"], row["nodes"], row.get("net", "ib:200")] if "nodes" in row else [1, 1, ""]
        writer.writerow([row["network"], row.get("sequence", 0), row.get("phase", "train"), row["precision"], row["batch"], row["gpu"],
                         *several, "" if asked.unnamed else program(row), row.get("adapter", ""),
                         row.get("recompute", "")])
    run = subprocess.run([asked.rightsize, "predict", "--batch-file", "-", "-o", "csv"], input=question.getvalue(),
                         capture_output=True, text=True, check=False)
    rows = list(csv.DictReader(io.StringIO(run.stdout)))
    if len(rows) != len(figures):
        sys.exit(f"{asked.rightsize} answered {len(rows)} of {len(figures)} rows: {run.stderr}")
    return rows


def show_memory(rows):
    shares = []
    for row in rows:
        if row.get("peak_gib") and row["batch"] == "1" and program(row).startswith("PyTorch"):
            run = subprocess.run([asked.rightsize, "predict", "--network", row["network"], "--phase", row["phase"],
                                  "--precision", row["precision"], "--batch", "1", "--machine", f"gpu={row['gpu']}",
                                  "-o", "json"], capture_output=True, text=True, check=True)
            told = json.loads(run.stdout)["gpu_memory_needed_gib"]
            shares.append(told / float(row["peak_gib"]))
            print(row["network"], row["precision"], row["gpu"], row["framework"], row["peak_gib"], f"{shares[-1]:.2f}")
    print(f"{len(shares)} seen, told at {min(shares):.2f} to {max(shares):.2f}, median {sorted(shares)[len(shares) // 2]:.2f}")


def show(name, found):
    logs = sorted(math.log(told / published) for published, told, _ in found)
    sizes = sorted(abs(math.expm1(log)) for log in logs)
    inside = sum(held for *_, held in found) / len(found)
    print(f"| {name} | {len(found)} | {math.exp(logs[len(logs) // 2]):.2f} | {sizes[len(sizes) // 2]:.0%} | "
          f"{sizes[math.ceil(0.9 * len(sizes)) - 1]:.0%} | {inside:.0%} |")


with open(here / asked.figures, newline="", encoding="utf-8") as stream:
    figures = [row for row in csv.DictReader(stream) if matches(row)]
if asked.memory:
    show_memory(figures)
    sys.exit()
groups = {}
refused = {}
for row, answer in zip(figures, answers(figures)):
    published = float(row["images_per_s" if trains(row) else "items_per_s"])
    if answer["status"] != "ok":
        reason = next(answer[key] for key in ("reason", "caution", "status") if answer.get(key))
        refused[reason] = refused.get(reason, 0) + 1
        if asked.rows:
            print(*row.values(), reason)
        continue
    told, low, high = (float(answer[key]) for key in ("throughput", "low", "high"))
    held = low <= published <= high
    if asked.rows:
        several = f"{row['gpus']}/{row['nodes']}" if "nodes" in row else ""
        print(row["network"], row["precision"], row["gpu"], several, "b" + row["batch"], publisher(row), published,
              f"{told / published:.2f} ({low / published:.2f} .. {high / published:.2f})")
    model = row["network"].split(":")[0].removesuffix("-denoiser").removesuffix("-training")
    for name in (publisher(row), f"{program(row)}, {row['gpu']}, {row['precision']}",
                 f"**{model}, {program(row)}, {row['precision']}**", "**all**"):
        groups.setdefault(name, []).append((published, told, held))
print("| figures of | figures | told by published, median | median error | P90 | inside |\n|---|--:|--:|--:|--:|--:|")
for name in sorted(groups):
    show(name, groups[name])
for reason, count in sorted(refused.items()):
    print(f"\nrefused: {count}, {reason}")
