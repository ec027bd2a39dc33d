#!/usr/bin/env python3
"""Counts how long prompts and outputs are in the traces of language models that a provider published
into token_lengths.csv (mean, standard deviation, correlation) and token_length_quantiles.csv.

usage: models/calibration/collect_lengths.py MIRRORS

MIRRORS holds clones as <owner>+<name>/repo, as for collect.py.
"""
import csv
import pathlib
import statistics
import subprocess
import sys

REPOSITORY = "Azure/AzurePublicDataset"
TRACES = {"conversation": "data/AzureLLMInferenceTrace_conv.csv",
          "code": "data/AzureLLMInferenceTrace_code.csv"}
QUANTILES = 200
HERE = pathlib.Path(__file__).parent


def git(mirrors, *arguments):
    folder = pathlib.Path(mirrors) / REPOSITORY.replace("/", "+") / "repo"
    return subprocess.run(["git", f"--git-dir={folder}", *arguments], check=True, text=True,
                          capture_output=True).stdout


def main(mirrors):
    commit = git(mirrors, "rev-parse", "HEAD").strip()
    moments, quantiles = [], []
    for trace, path in TRACES.items():
        rows = list(csv.DictReader(git(mirrors, "show", f"{commit}:{path}").splitlines()))
        lengths = {"prompt": [int(row["ContextTokens"]) for row in rows],
                   "output": [int(row["GeneratedTokens"]) for row in rows]}
        together = statistics.correlation(*lengths.values())
        for of, tokens in lengths.items():
            moments.append([trace, of, len(tokens), f"{statistics.mean(tokens):.1f}",
                            f"{statistics.pstdev(tokens):.1f}", f"{together:.2f}",
                            f"{REPOSITORY} {path}@{commit} (CC BY 4.0; requests of 16 November 2023)"])
            tokens.sort()
            for i in range(QUANTILES):
                share = (i + 0.5) / QUANTILES
                quantiles.append([trace, of, share, tokens[int(share * len(tokens))]])
    for name, head, rows in (
            ("token_lengths.csv",
             ["trace", "of", "sequences", "mean", "stddev", "correlation", "source"], moments),
            ("token_length_quantiles.csv", ["trace", "of", "share", "tokens"], quantiles)):
        with open(HERE / name, "w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows([head] + rows)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
