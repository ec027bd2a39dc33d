"""NVIDIA/TensorRT: demo/BERT/README.md, one GPU, FP16, milliseconds on average; inputs are on the GPU.

The cards changed with the releases, so three commits: TensorRT 10.7 for L4 and L40S, 8.5 for A100, A30
and T4, 7.2 for V100. Of ten minibatches four.
"""
import re

from sources.published import cells_of

PATH = "demo/BERT/README.md"
COMMITS = {"37c01d419f": ("L4", "L40S"), "1d6bf36034": ("A100", "A30", "T4"), "ab20a8ac26": ("V100",)}
BATCHES = {1, 8, 32, 128}


def collect(collected):
    repository = collected.repository("NVIDIA", "TensorRT")
    for commit, gpus in COMMITS.items():
        gpu = size = None
        for line in repository.text(PATH, commit).split("\n"):
            named = re.match(r"#+ Inference performance:? NVIDIA (\w+)", line, re.I)
            gpu = named[1] if named else gpu
            if line.startswith("##### "):
                bert = re.match(r"##### BERT (base|large)", line, re.I)
                size = bert[1].lower() if bert else None
            cells = cells_of(line)
            if gpu not in gpus or size is None or len(cells) != 8 or cells[0] not in ("128", "384"):
                continue
            batch = int(cells[1])
            if batch in BATCHES:
                collected.rate(f"bert-{size}", "infer", "fp16", gpu, batch,
                               round(1e3 * batch / float(cells[7]), 2), "TensorRT",
                               repository.source(PATH, commit), int(cells[0]))
