"""XiongjieDai/GPU-Benchmarks-on-LLM-Inference: README.md, llama-bench of May 2024 on RunPod. Of one
GPU only: on several the layers are split, which is no tensor parallelism. Prompts and what is written
after none, 512 and 4096 tokens of each."""

GPUS = {"3070 8GB": "RTX-3070", "3080 10GB": "RTX-3080", "4070 Ti 12GB": "RTX-4070-Ti",
        "4080 16GB": "RTX-4080", "3090 24GB": "RTX-3090", "4090 24GB": "RTX-4090",
        "RTX A6000 48GB": "A6000", "RTX 6000 Ada 48GB": "RTX-6000-Ada", "A40 48GB": "A40",
        "L40S 48GB": "L40S", "A100 PCIe 80GB": "A100-PCIe-80GB", "A100 SXM 80GB": "A100-80GB",
        "H100 PCIe 80GB": "H100-PCIe"}
MODELS = {"8B F16": ("llama-8b", "16bit"), "8B Q4_K_M": ("llama-8b", "int4"),
          "70B F16": ("llama-70b", "16bit"), "70B Q4_K_M": ("llama-70b", "int4")}
COLUMNS = {2: ("alone", 512), 4: ("alone", 4096), 6: ("prompt", 512), 8: ("prompt", 4096)}


def collect(collected):
    repository = collected.repository("XiongjieDai", "GPU-Benchmarks-on-LLM-Inference")
    source = repository.source("README.md")
    gpu = None
    for line in repository.text("README.md").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) < 10:
            continue
        gpu = GPUS.get(cells[0]) if cells[0] else gpu
        if gpu is None or cells[1] not in MODELS:
            continue
        network, weights = MODELS[cells[1]]
        for column, (kind, tokens) in COLUMNS.items():
            if cells[column] != "OOM":
                prompt, output = (tokens, 1) if kind == "prompt" else (1, tokens)
                collected.decode(kind, network, weights, "16bit", gpu, 1, "", 1, prompt, output,
                                 float(cells[column]), "llama.cpp", source)
