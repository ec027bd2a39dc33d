"""pytorch/torchtune: README.md, Llama 3.1 and 3.2 with packed sequences, compiled.

Adapters on all linear layers but the keys', of rank 8, or 16 of the 70B (recipes/configs); blocks
are run again; of several GPUs the tokens of all, sharded. The 3B's memory is with activations in
the host's, so it is left out, and so is the 405B, whose configuration is not stated.
"""

PATH = "README.md"
LAYERS = "q_proj+v_proj+o_proj+gate_proj+up_proj+down_proj"
GPUS = {"1x 4090": ("RTX-4090", 1), "1x A6000": ("A6000", 1), "8x A100": ("A100-80GB", 8)}
NETWORKS = {"Llama 3.1 8B": ("llama-8b", 8), "Llama 3.1 70B": ("llama-70b", 16)}


def collect(collected):
    repository = collected.repository("pytorch", "torchtune")
    source = repository.source(PATH)
    for line in repository.text(PATH).splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) == 5 and cells[0] in NETWORKS and cells[1] in ("LoRA", "QLoRA"):
            network, rank = NETWORKS[cells[0]]
            gpu, gpus = GPUS[cells[2]]
            collected.adapt(network, 2048, 2, gpu, gpus, f"{cells[1].lower()}:{rank}:{LAYERS}",
                            "blocks", float(cells[4]) / gpus, float(cells[3].split()[0]),
                            "PyTorch compile", source)
        if len(cells) == 5 and cells[0].startswith(("[LoRA]", "[QLoRA]")):
            kind = cells[0][1:cells[0].index("]")].lower()
            collected.adapt("networks/llama-3.2-3b.json", 4096, 2, "A100-80GB", 1,
                            f"{kind}:8:{LAYERS}", "blocks", float(cells[3]), "",
                            "PyTorch compile", source)
