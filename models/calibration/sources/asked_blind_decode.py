"""Rates of tokens that were asked for before any table held them (asked_blind_decode.csv, with what
was answered).

Without those that exceed the memory's bandwidth (premAI) or have the prompt in them (TensorRT-LLM of
hamelsmu). `decode` are some sequences in flight, prompts apart.
"""
import csv
import pathlib

TABLE = pathlib.Path(__file__).parent.parent / "asked_blind_decode.csv"


def collect(collected):
    with open(TABLE, newline="", encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            hamelsmu = row["source"].startswith("hamelsmu/")
            if row["source"].startswith("premAI-io/") or (hamelsmu and row["software"] == "TensorRT-LLM"):
                continue
            kind = "some" if row["kind"] == "decode" else row["kind"]
            collected.decode(kind, row["network"], row["weights"], row["caches"], row["gpu"],
                             int(row["gpus"]), row["interconnect"], int(row["sequences"] or 0),
                             int(row["prompt_tokens"]), int(row["output_tokens"]),
                             float(row["tokens_per_s"]), row["software"], row["source"])
