"""pytorch/torchtitan: benchmarks/*.md, Llama 3.1 8B by FSDP alone.

H100 with 96 GB of HBM2e at 2.4 TB/s and 500 W, NVLink, 400 Gb/s a GPU between hosts. Rates with
Float8 are left out, memory is not: it is the same within 0.2 GiB beside bf16 (table 1). "selective"
recomputes some operations of a block and keeps others. Memory is what PyTorch's allocator reserved.
"""

PATH = "benchmarks/llama3_h100_202412_torchtitan.md"
H200 = "benchmarks/llama3-8b_h200_202506_trainy-whitefiber.md"


def cells_of(line):
    return [cell.strip().replace(",", "") for cell in line.strip().strip("|").split("|")]


def collect(collected):
    repository = collected.repository("pytorch", "torchtitan")
    table, gpus = "", 0
    for line in repository.text(PATH).splitlines():
        if line.startswith("**Table"):
            table = line[8]
            gpus = 128 if " 128 GPUs" in line else 8
        cells = cells_of(line)
        if table in "13" and cells[0].startswith("FSDP"):
            compiled = "compile" in cells[0]
            rate = "" if "Float8" in cells[0] else float(cells[1])
            collected.shard("llama-8b", 8192, 2, "H100", gpus, gpus // 8, "NVLink; IB 3200",
                            "sharded", "selective", "fp32", rate, float(cells[2]),
                            "PyTorch compile" if compiled else "PyTorch", repository.source(PATH))
        if table == "2" and cells[0] == "FSDP 8 CP 1":
            collected.shard("llama-8b", int(cells[1]), 1, "H100", gpus, 1, "NVLink", "sharded",
                            "blocks", "fp32", "", float(cells[3]), "PyTorch compile",
                            repository.source(PATH))
    for line in repository.text(H200).splitlines():
        cells = cells_of(line)
        if cells[0] in ("4", "8") and len(cells) == 3:
            nodes = int(cells[0])
            collected.shard("llama-8b", 8192, 2, "H200", 8 * nodes, nodes, "NVLink; IB 3200",
                            "sharded", "selective", "fp32", "", float(cells[2]),
                            "PyTorch compile", repository.source(H200))
