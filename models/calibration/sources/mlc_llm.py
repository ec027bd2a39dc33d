"""mlc-ai/llm-perf-bench: README.md, one sequence alone, October 2023: a prompt of 7 tokens, 256 written.
GPUs joined over PCIe; the A100s hold 35 billion parameters of 16 bits each, so they have 80 GB. Of the
four programs two are tensor parallel: MLC LLM and vLLM; on several GPUs llama.cpp and Exllama split the
layers."""

MODELS = {"Llama2-7B": "llama-2-7b", "Llama2-13B": "llama-2-13b", "Llama2-70B": "llama-2-70b",
          "CodeLlama-34B": "codellama-34b"}
GPUS = {"RTX 4090": "RTX-4090", "A100": "A100-PCIe-80GB", "A10G": "A10G"}
SECTIONS = {"### Single GPU, 4-bit": ("int4", {2: "MLC LLM", 3: "Exllama V2", 4: "llama.cpp"}),
            "### Multiple NVIDIA GPUs, FP16": ("16bit", {2: "MLC LLM", 5: "vLLM"}),
            "### Multiple NVIDIA GPUs, 4-bit": ("int4", {2: "MLC LLM", 5: "vLLM"})}


def collect(collected):
    repository = collected.repository("mlc-ai", "llm-perf-bench")
    source = repository.source("README.md")
    section, model = None, None
    for line in repository.text("README.md").splitlines():
        section = line.strip() if line.startswith("#") else section
        cells = [cell.strip().strip("*") for cell in line.strip().strip("|").split("|")]
        if section not in SECTIONS or len(cells) < 5:
            continue
        model = MODELS.get(cells[0], model)
        name, _, gpus = cells[1].partition(" x ")
        if name not in GPUS:
            continue
        weights, columns = SECTIONS[section]
        for column, software in columns.items():
            if column < len(cells) and cells[column] != "N/A":
                collected.decode("alone", model, weights, "16bit", GPUS[name], int(gpus or 1),
                                 "PCIe" if gpus else "", 1, 7, 256, float(cells[column]), software,
                                 source)
