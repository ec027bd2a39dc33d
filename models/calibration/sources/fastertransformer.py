"""NVIDIA/FasterTransformer: docs/bert_guide.md and docs/vit_guide.md, one GPU, milliseconds.

BERT-base next to TensorFlow with XLA and to TorchScript, and its own times called from PyTorch, padding
left in; one sequence and 32. Its A100 has memory at 1215 MHz, so 40 GB; where a table is headed FP32 on
an Ampere card TF32 is off. ViT-B/16 at 224 pixels stands in the tables of 8 bits against FP16.
Sequences of 32 are left out: below two milliseconds the host's launches are what was timed.
"""
import re

from sources.published import cells_of

GPUS = {"A100": "A100", "T4": "T4", "V100": "V100", "A10": "A10"}
BESIDE = {"TensorFlow": "TensorFlow XLA (FasterTransformer)", "PyTorch": "PyTorch TorchScript"}
SHORTEST = 128
BATCHES = {1, 32}


def collect_bert(collected, repository, path):
    gpu = beside = None
    whole = False  # neither 8 bits nor sparse
    for line in repository.text(path).split("\n"):
        heading = re.match(r"#### BERT performance on (\w+) and (\w+)", line)
        if line.startswith("#"):
            gpu, beside = (GPUS[heading[1]], BESIDE[heading[2]]) if heading else (None, None)
        if line.startswith("* Performance on"):
            whole = "INT8" not in line and "sparsity" not in line
        cells = cells_of(line)
        if gpu is None or not whole or len(cells) < 5 or cells[2] not in ("FP32", "TF32", "FP16"):
            continue
        batch, sequence, precision = int(cells[0]), int(cells[1]), cells[2].lower()
        if sequence < SHORTEST or batch not in BATCHES:
            continue
        timed = [(beside, cells[3])]
        if beside.startswith("PyTorch"):
            timed.append(("FasterTransformer", cells[4]))
        for framework, ms in timed:
            collected.rate("bert-base", "infer", precision, gpu, batch, round(1e3 * batch / float(ms), 2),
                           framework, repository.source(path), sequence)


def collect_vit(collected, repository, path):
    gpu, column = None, None
    for line in repository.text(path).split("\n"):
        named = re.match(r"### ViT Performance on (\w+)", line)
        gpu = GPUS[named[1]] if named else gpu
        cells = cells_of(line)
        if "Batch_size" in cells:
            wanted = [i for i, cell in enumerate(cells) if cell.startswith("B_16-224 (FP16)")]
            column = wanted[0] if wanted else None
        elif gpu and column and cells and cells[0].isdigit():
            batch = int(cells[0])
            collected.rate("vit-b16", "infer", "fp16", gpu, batch,
                           round(1e3 * batch / float(cells[column]), 2), "FasterTransformer",
                           repository.source(path))


def collect(collected):
    repository = collected.repository("NVIDIA", "FasterTransformer")
    collect_bert(collected, repository, "docs/bert_guide.md")
    collect_vit(collected, repository, "docs/vit_guide.md")
