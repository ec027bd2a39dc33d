"""QwenLM/Qwen: README.md, "Profiling of Memory and Speed".

LoRA and Q-LoRA (GPTQ in 4 bits) of rank 64 on all linear layers with gradient checkpointing
(finetune.py, finetune/finetune_lora_single_gpu.sh), on A100 of 80 GB, one sequence at a time; an
iteration is eight of them. 72B by ZeRO stage 3 on four GPUs, whose memory is stated in sum.
"""
import re

PATH = "README.md"
LENGTHS = [256, 512, 1024, 2048, 4096, 8192]
CELL = re.compile(r"([\d.]+)G / ([\d.]+)s/it")
SEQUENCES_AN_ITERATION = 8


def collect(collected):
    repository = collected.repository("QwenLM", "Qwen")
    text = repository.text(PATH)
    text = text[text.index("### Profiling of Memory and Speed"):]
    size = ""
    for row in text.split("<tr>"):
        named = re.search(r"<th rowspan=\"\d\">([\d.]+B)</th>", row)
        size = named.group(1).lower() if named else size
        method = re.search(r"<td>(LoRA|Q-LoRA|LoRA \+ Deepspeed Zero3)</td>", row)
        cells = CELL.findall(row)
        if not method or len(cells) != len(LENGTHS):
            continue
        gpus = 4 if "Zero3" in method.group(1) else 1
        adapter = "qlora:64" if method.group(1).startswith("Q") else "lora:64"
        for length, (gigabytes, seconds) in zip(LENGTHS, cells):
            tokens_per_s = SEQUENCES_AN_ITERATION * length / float(seconds)
            collected.adapt(f"networks/qwen-{size}.json", length, 1, "A100-80GB", gpus, adapter,
                            "blocks", round(tokens_per_s, 1),
                            round(float(gigabytes) / gpus, 2), "PyTorch", repository.source(PATH))
