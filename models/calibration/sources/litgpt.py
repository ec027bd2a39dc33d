"""Lightning-AI/litgpt: tutorials/resource-tables.md and config_hub/finetune/README.md.

Memory of LoRA on queries and values, nothing run again, all in bf16; 10^9 bytes that tensors took.
Sequences are Alpaca's: of the longest here, or cut at 512, so that times say little and are left
out. Quantised by bitsandbytes with double quantisation, or without it in the second table.
"""

TABLES = "tutorials/resource-tables.md"
HUB = "config_hub/finetune/README.md"
LONGEST = 1304
NETWORKS = {"7 B": "networks/llama-2-7b.json", "13 B": "networks/llama-2-13b.json"}
HUB_NETWORKS = {"llama-2-7b": "networks/llama-2-7b.json", "llama-3.1-8b": "llama-8b",
                "mistral-7b": "networks/mistral-7b.json"}


def cells_of(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def gib(text):
    return round(float(text.split()[0]) * 1e9 / 2**30, 2)


def collect(collected):
    repository = collected.repository("Lightning-AI", "litgpt")
    for line in repository.text(TABLES).split("## Finetuning with Adapter")[0].splitlines():
        cells = cells_of(line)
        if cells[0] in NETWORKS and cells[1] == "Llama 2" and cells[5].endswith("GB") \
                and cells[2] in ("None", "bnb.nf4-dq"):
            kind = "lora" if cells[2] == "None" else "qlora"
            collected.adapt(NETWORKS[cells[0]], LONGEST, int(cells[3]), "A100", 1,
                            kind + ":8:q_proj+v_proj", "none", "", gib(cells[5]), "LitGPT",
                            repository.source(TABLES))
    for line in repository.text(HUB).splitlines():
        cells = cells_of(line)
        folder, _, config = cells[0].partition("/")
        if folder in HUB_NETWORKS and cells[5] == "1xA10G" and cells[8].endswith("GB"):
            kind = config.removesuffix(".yaml")
            collected.adapt(HUB_NETWORKS[folder], int(cells[3]), int(cells[4]), "A10G", 1,
                            kind + ":32:q_proj+v_proj", "none", "", gib(cells[8]), "LitGPT",
                            repository.source(HUB))
