#!/usr/bin/env python3
"""How far the answers were from the figures that were asked blind (asked_blind.csv,
asked_blind_decode.csv; asked_blind_again.csv and asked_blind_training.csv of November 2026), by kind: median and P90 error, and
how many lay inside their 90 % intervals.

usage: models/calibration/blind_errors.py
"""
import csv
import math
import pathlib

here = pathlib.Path(__file__).parent
LAST_YEAR = 2019  # as the helper who asked drew the line


def rows(name):
    with open(here / name, newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def show(name, figures, field):
    errors = sorted(abs(float(row["predicted"]) / float(row[field]) - 1) for row in figures)
    inside = sum(float(row["low"]) <= float(row[field]) <= float(row["high"]) for row in figures)
    p90 = errors[math.ceil(0.9 * len(errors)) - 1]
    print(f"{name:36} {len(figures):4} median {100 * errors[len(errors) // 2]:5.1f} %  "
          f"P90 {100 * p90:5.1f} %  inside {inside} ({100 * inside / len(figures):.0f} %)")


def show_deviation(name, figures, field):
    """What 1.645 times of holds nine tenths of ln(predicted / published): any_log_sd's measure."""
    logs = sorted(abs(math.log(float(row["predicted"]) / float(row[field]))) for row in figures)
    tenth = logs[min(len(logs), math.ceil(0.9 * (len(logs) + 1))) - 1]
    print(f"{name:36} {len(logs):4} nine tenths within 1.645 times {tenth / 1.645:.2f}")


def by(name, figures, key, field):
    groups = {}
    for row in figures:
        groups.setdefault(key(row), []).append(row)
    for group in sorted(groups):
        show(f"{name}{group}", groups[group], field)


def age_of(row):
    gpus = "one GPU" if row["gpus"] == "1" else "several GPUs"
    return f"{gpus}, {'to' if int(row['year']) <= LAST_YEAR else 'after'} {LAST_YEAR}"


rates = rows("asked_blind.csv")
show("rates", rates, "items_per_s")
by("", rates, lambda row: "one GPU" if row["gpus"] == "1" else "several GPUs", "items_per_s")
by("", rates, age_of, "items_per_s")
tokens = rows("asked_blind_decode.csv")
show("tokens", tokens, "tokens_per_s")
show_deviation("tokens", tokens, "tokens_per_s")
tokens = [row for row in tokens if not row["source"].startswith("premAI-io/")]
show("tokens, without premAI", tokens, "tokens_per_s")
show_deviation("tokens, without premAI", tokens, "tokens_per_s")
by("  ", tokens, lambda row: f"{row['software']}, {row['kind']}", "tokens_per_s")
# `standing`: after answers had been seen, rows were withdrawn (another card than their label says, broken
# half precision), replaced, or excluded (the publication contradicts itself). Both ways are shown.
again = rows("asked_blind_again.csv")
counted = [row for row in again if row["standing"] in ("counted", "replacement")]
show("again", counted, "published")
by("", counted, lambda row: row["kind"], "published")
first = [row for row in again if row["standing"] in ("counted", "excluded", "withdrawn")]
show("again, as first chosen", first, "published")
by("first: ", first, lambda row: row["kind"], "published")
print(f"again, not answered: {sum(row['standing'] == 'unanswered' for row in again)}")
# Training of language models by 12 publishers; `recalled`: what the helper knew by heart of two papers.
training = rows("asked_blind_training.csv")
counted = [row for row in training if row["standing"] == "counted"]
show("training", counted, "published")
by("", counted, lambda row: row["kind"], "published")
show("training, recalled", [row for row in training if row["standing"] == "recalled"], "published")
print(f"training, not answered: {sum(row['standing'] == 'unanswered' for row in training)}")
# Asked once more where first nothing was known of divided experts, or of adapters beside shared layers; not blind
# any more, but nothing was set to them beside the experts' interval.
again = [row for row in training if row["standing"] == "again"]
by("asked again: ", again, lambda row: row["kind"], "published")
# Programs of Hugging Face's libraries as they come (advisor/candidate/plain_programs.h): of those asked blind the
# mixed ones of NVIDIA's DGX Cloud and of Neural Nova, and the two of plain_training.csv, which were not blind.
BLIND_AND_PLAIN = ("NVIDIA DGX Cloud: NVIDIA/dgxc-benchmarking hf-", "Neural Nova:")
times = sorted(float(row["predicted"]) / float(row["published"]) for row in counted
               if row["source"].startswith(BLIND_AND_PLAIN))
plain = [float(row["predicted"]) / float(row["sequences_per_s"]) for row in rows("plain_training.csv")]
print(f"plain programs of Hugging Face's libraries: {times[0]:.1f} to {times[-1]:.1f} times slower than told asked blind, "
      f"{min(plain):.1f} to {max(plain):.1f} of {len(plain)} Alpacas")
