"""sitar-lab/NeuSight: scripts/asplos/label/*, the times its predictions are held against.

BERT-large of Hugging Face at 512 tokens in FP32, attention layer by layer ("eager"), one layer timed
kernel by kernel and taken 24 times: what the host adds is left out. Training is forward and backward.
Of GPT-2 only the large one, which is not built in. Those with "fusion" are torch.compile's.
"""
import json
import re

UNDER = "scripts/asplos/label"
GPUS = {"NVIDIA_H100_80GB_HBM3": "H100", "NVIDIA_L4": "L4", "Tesla_T4": "T4", "Tesla_P4": "P4",
        "Tesla_P100-PCIE-16GB": "P100", "Tesla_V100-PCIE-32GB": "V100-PCIe",
        "NVIDIA_A100-PCIE-40GB": "A100-PCIe", "NVIDIA_A100_80GB_PCIe": "A100-PCIe-80GB"}
FILE = re.compile(r"([^/]+)/bert_large-(inf|train)-512-(\d+)(-fusion)?\.json")


def collect(collected):
    repository = collected.repository("sitar-lab", "NeuSight")
    for path in repository.paths(UNDER):
        named = FILE.fullmatch(path)
        if not named or named[1] not in GPUS:
            continue
        ms = json.loads(repository.text(f"{UNDER}/{path}"))["e2e_latency"]
        batch = int(named[3])
        collected.rate("bert-large", "infer" if named[2] == "inf" else "forward_backward", "fp32",
                       GPUS[named[1]], batch, round(1e3 * batch / ms, 3),
                       "PyTorch compile" if named[4] else "PyTorch (NeuSight)",
                       repository.source(f"{UNDER}/{path}"), 512)
