"""NVIDIA/DeepLearningExamples: BERT of TensorFlow 2, fine-tuned on SQuAD, answering.

Base and large without the masked-language head. The V100 of 32 GB repeats the one of 16.
"""
import re

HARDWARE = {"V100 16GB": "V100", "A100 80GB": "A100-80GB", "T4 16GB": "T4"}
PATH = "TensorFlow2/LanguageModeling/BERT"


def gpu_in(heading):
    named = re.search(r"\(1x ([VAT]\d+ \d+GB)\)", heading)
    return HARDWARE.get(named[1]) if named and "inference performance" in heading else None


def rows(text):
    """Yields GPU, size, precision, sequence, batch and sequences/s: a table of each size."""
    gpu = size = precision = None
    for line in text.split("\n"):
        if line.startswith("##### "):
            gpu = gpu_in(line)
        named = re.match(r"BERT-?(base|large) (FP16|FP32|TF32)", line, re.I)
        if named:
            size, precision = named[1].lower(), named[2].lower()
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if gpu and size and cells[0] in ("128", "384"):
            yield gpu, size, precision, int(cells[0]), int(cells[1]), float(cells[2])


def collect(collected):
    repository = collected.repository("NVIDIA", "DeepLearningExamples")
    for gpu, size, precision, sequence, batch, rate in rows(repository.text(f"{PATH}/README.md")):
        collected.rate(f"bert-{size}", "infer", precision, gpu, batch, rate,
                       "TensorFlow (NVIDIA BERT)", repository.source(PATH), sequence)
