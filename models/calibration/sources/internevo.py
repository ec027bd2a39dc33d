"""InternLM/InternEvo: doc/en/train_performance.md.

Rates: a 7B network by ZeRO stage 1 within a node (gradients are averaged, the optimizer alone is
shared), those with one micro-batch a step and no tensor parallelism. Memory: 7B and 20B with
"fsdp" on A800, recomputed, one sequence of 2048 tokens (configs/7B_sft.py).
"""

PATH = "doc/en/train_performance.md"
NETWORKS = {"7B": "networks/internlm-7b.json", "20B": "networks/internlm-20b.json"}


def collect(collected):
    repository = collected.repository("InternLM", "InternEvo")
    for line in repository.text(PATH).splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) == 11 and cells[0] == "1" and cells[7] == "1":
            gpus = int(cells[4])
            collected.shard(NETWORKS["7B"], int(cells[5]), int(cells[6]), "A100-80GB", gpus,
                            gpus // 8, "NVLink; RoCE 400" if gpus > 8 else "NVLink", "zero1",
                            "blocks" if cells[3] == "TRUE" else "none", "fp32", float(cells[9]),
                            "", "PyTorch (InternEvo)", repository.source(PATH))
        if len(cells) == 7 and cells[0] in NETWORKS and cells[3:6] == ["1", "1", "True"]:
            gpus = int(cells[1])
            collected.shard(NETWORKS[cells[0]], 2048, 1, "A800", gpus, max(1, gpus // 8),
                            "NVLink; RoCE 400" if gpus > 8 else "NVLink", "sharded", "blocks",
                            "fp32", "", float(cells[6]), "PyTorch (InternEvo)",
                            repository.source(PATH))
