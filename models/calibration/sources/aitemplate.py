"""facebookincubator/AITemplate: READMEs of its examples, an A100 of 40 GB, FP16 throughout, next to
PyTorch 1.12. A service of one picture and of full minibatches: 1, 8, 32 and 256 of each table."""
import re

from sources.published import cells_of

BATCHES = {1, 8, 32, 256}
EXAMPLES = {"examples/01_resnet-50/README.md": "resnet50", "examples/03_bert/README.md": "bert-base",
            "examples/04_vit/README.md": "vit-b16"}
SEQUENCES = {128, 384}


def collect(collected):
    repository = collected.repository("facebookincubator", "AITemplate")
    for path, network in EXAMPLES.items():
        here, sequence = True, 0
        for line in repository.text(path).split("\n"):
            if line.startswith("##"):
                here = "A100" in line
            told = re.match(r"- Sequence length (\d+)", line)
            sequence = int(told[1]) if told else sequence
            if line.startswith("- vit_"):
                here = here and "base_patch16_224" in line
            cells = cells_of(line)
            if not here or not cells or not cells[0].isdigit() or int(cells[0]) not in BATCHES:
                continue
            if network == "bert-base" and sequence not in SEQUENCES:
                continue
            for framework, rate in (("PyTorch (AITemplate)", cells[2]), ("AITemplate", cells[4])):
                if rate != "OOM":
                    collected.rate(network, "infer", "fp16", "A100", int(cells[0]), float(rate), framework,
                                   repository.source(path), sequence)
