"""tlkh/transformers-benchmarking: RoBERTa fine-tuned by PyTorch Lightning with Apex's fused AdamW.

RoBERTa's blocks are BERT's. Reviews are cut to the length told, and nearly all are longer. The time is
of Lightning's optimizer_step, which runs forward and backward too, over 300 steps. Its host takes
50 to 180 ms a step, as the steps of one sequence show: only those half as long again are taken.
"""
import re

GPUS = {"a100-40gb-400w": "A100", "v100-16gb-300w": "V100"}
NETWORKS = {"roberta-base": "bert-base", "roberta-large": "bert-large"}
STEP = re.compile(r"optimizer_step\s*\|\s*([\d.e-]+)")
LONG = 1.5


def step_seconds(repository, path):
    found = STEP.search(repository.text(path)) if path in repository.paths() else None
    return float(found[1]) if found else None


def collect(collected):
    repository = collected.repository("tlkh", "transformers-benchmarking")
    for folder, gpu in GPUS.items():
        for name, network in NETWORKS.items():
            for sequence in (128, 256, 512):
                under = f"results/{folder}/amp/{name}/{sequence}"
                host = step_seconds(repository, f"{under}-1/pl_profile.txt")
                for batch in (8, 32, 64, 128, 256):
                    path = f"{under}-{batch}/pl_profile.txt"
                    seconds = step_seconds(repository, path)
                    if seconds and seconds >= LONG * host:
                        collected.rate(network, "train", "fp16", gpu, batch, round(batch / seconds, 2),
                                       "PyTorch (tlkh)", repository.source(path), sequence)
