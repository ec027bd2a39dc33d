"""Any-Winter-4079/GPT-3-Small-Pretraining-Experiments: GPT-2 on 17 rented cards, one at a time.

1024 tokens, bfloat16, torch.compile over PyTorch's fused attention (2.8). A step adds up the
gradients of half a million tokens before its one update, so the rate is of forward and backward; the
tenth step's. RTX PRO 6000 is what RunPod calls the server's. Cards of which no data sheet is here
(RTX A4500, 4000 Ada and 2000 Ada) are left out, and those that did not start.
"""
import re

PATH = "versions/06-gpt-3-small-cuda-gpu-comparison.py"
GPUS = {"B200": "B200", "H200 SXM": "H200", "RTX PRO 6000": "RTX-PRO-6000", "H100 NVL": "H100-NVL",
        "H100 SXM": "H100", "H100 PCIe": "H100-PCIe", "L40": "L40", "L40S": "L40S",
        "RTX 6000 Ada": "RTX-6000-Ada", "RTX 5090": "RTX-5090", "L4": "L4",
        "A100 PCIe": "A100-PCIe-80GB", "A100 SXM": "A100-80GB", "A40": "A40", "RTX A6000": "A6000",
        "RTX A5000": "A5000", "RTX A4000": "A4000"}
TOKENS = 1024


def collect(collected):
    repository = collected.repository("Any-Winter-4079", "GPT-3-Small-Pretraining-Experiments")
    gpu = None
    for line in repository.text(PATH).split("\n"):
        card = re.match(r"# 1 x ([^|]+) \|", line)
        gpu = GPUS.get(card[1]) if card else gpu
        step = re.match(r"# step: 9 \| bs: (\d+) .* tok/s: ([\d,.]+)", line)
        if step and gpu:
            collected.rate("gpt2", "forward_backward", "fp16", gpu, int(step[1]),
                           round(float(step[2].replace(",", "")) / TOKENS, 3),
                           "PyTorch compile (Any-Winter)", repository.source(PATH), TOKENS)
