"""bigscience-workshop/bigscience: train/tr11-176B-ml/chronicles-prequel.md, the trials before BLOOM.

GPT of 177 to 196 billion parameters by Megatron-DeepSpeed on Jean Zay's A100 of 80 GB, eight a node,
four Omni-Path lines of 100 Gb/s: tensor x pipeline parallel, the optimizer's state shared by the
copies (ZeRO stage 1), blocks run again, 2048 tokens. Those of 64 heads, whose width and depth are
said; a table whose seconds and TFLOP/s changed places is left out. Matrices of a GPT block are as large as those of the Llama blocks in networks/bigscience-*.json.
"""
import re

PATH = "train/tr11-176B-ml/chronicles-prequel.md"
BUILT = {("14336", "72"), ("13824", "84"), ("12288", "96"), ("13312", "84"), ("13824", "78")}


def collect(collected):
    repository = collected.repository("bigscience-workshop", "bigscience")
    hidden = layers = ""
    columns = []
    text = repository.text(PATH)
    for line in text[text.index("## 48 node contenders"):].splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not line.startswith("|"):
            hidden = (re.findall(r"NHIDDEN=(\d+)", line) or [hidden])[0]
            layers = (re.findall(r"NLAYERS=(\d+)", line) or [layers])[0]
        elif cells[0] == "Nodes":
            columns = cells
        elif len(cells) == len(columns) and cells[0].isdigit():
            row = dict(zip(columns, cells))
            if (hidden, layers) not in BUILT or row.get("NHEADS", "64") != "64" \
                    or "DP" not in row or "ZS" in row or not row["Sec/it"]:
                continue
            nodes = int(row["Nodes"])
            memory = row["Mem"].removesuffix("GB")
            if int(row["DP"]) * int(row["TP"]) * int(row["PP"]) != 8 * nodes:
                continue
            figure = [
                f"networks/bigscience-{hidden}x{layers}.json", 2048, "A100-80GB", 8 * nodes, nodes,
                "NVLink; IB 400", int(row["TP"]), int(row["PP"]), int(row["MBS"]), 1,
                int(row["GBS"]), "blocks", float(row["Sec/it"]), memory, "PyTorch",
                repository.source(PATH)]
            if figure not in collected.parallel:  # later tables show earlier rows again
                collected.parallel.append(figure)
