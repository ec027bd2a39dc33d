"""mosaicml/llm-foundry: scripts/train/benchmarking/README.md."""

# MosaicML's MPT-125M is GPT-2's size and shape: 12 layers of 768; with ALiBi, a vocabulary of 50368
# and FlashAttention. Sharded over eight GPUs, two micro-batches or more a step. Up to the 1024
# positions that GPT-2 has learned; mixed precision only (on 40 GB all is in bf16).
def collect(collected):
    repository = collected.repository("mosaicml", "llm-foundry")
    path = "scripts/train/benchmarking/README.md"
    for line in repository.text(path).splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) > 15 and cells[:1] + cells[2:4] == ["125m", "8", "a100_80gb"] \
                and int(cells[1]) <= 1024:
            collected.rate("gpt2", "train", "fp16", "A100-80GB", int(cells[7]),
                           float(cells[12]) / int(cells[1]), "PyTorch (Mosaic)",
                           repository.source(path), int(cells[1]))
