"""mosaicml/llm-foundry: scripts/train/benchmarking/README.md."""

PATH = "scripts/train/benchmarking/README.md"


def rows(repository):
    """The cells of every row of figures; a micro-batch is the step between two exchanges."""
    for line in repository.text(PATH).splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) > 15 and cells[1].isdigit():
            yield cells


# MosaicML's MPT-125M is GPT-2's size and shape: 12 layers of 768; with ALiBi, a vocabulary of 50368
# and FlashAttention. Sharded over eight GPUs, two micro-batches or more a step. Up to the 1024
# positions that GPT-2 has learned; mixed precision only (on 40 GB all is in bf16).
def collect_rates(repository, collected):
    for cells in rows(repository):
        if cells[:1] + cells[2:4] == ["125m", "8", "a100_80gb"] and int(cells[1]) <= 1024:
            collected.rate("gpt2", "train", "fp16", "A100-80GB", int(cells[7]),
                           float(cells[12]) / int(cells[1]), "PyTorch (Mosaic)",
                           repository.source(PATH), int(cells[1]))


# Those that shard all (FULL_SHARD), in 16 bits; "bf16" has its optimizer in bf16 too. The network
# between nodes is stated for A100 alone.
def collect_sharded(repository, collected):
    gpu = {"h100_80gb": "H100", "a100_80gb": "A100-80GB", "a100_40gb": "A100"}
    for cells in rows(repository):
        if cells[0] == "125m" or cells[14] not in ("amp_bf16", "bf16") or cells[16] != "FULL_SHARD":
            continue
        nodes = int(cells[2]) // 8
        links = "NVLink" if nodes == 1 else "NVLink; IB 3200" if cells[3].startswith("h") \
            else "NVLink; RoCE 1600"
        collected.shard("mpt-" + cells[0], int(cells[1]), int(cells[7]), gpu[cells[3]],
                        int(cells[2]), nodes, links, "sharded",
                        "blocks" if cells[17] == "True" else "none",
                        "fp32" if cells[14] == "amp_bf16" else "bf16", float(cells[12]), "",
                        "PyTorch (Mosaic)", repository.source(PATH))


def collect(collected):
    repository = collected.repository("mosaicml", "llm-foundry")
    collect_rates(repository, collected)
    collect_sharded(repository, collected)
