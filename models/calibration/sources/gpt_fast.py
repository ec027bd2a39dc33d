"""pytorch-labs/gpt-fast: README.md, "Benchmarks": one sequence alone on A100s of 80 GB, held to 330 W
and joined as a hybrid cube mesh; a prompt of 5 tokens, 200 written (generate.py's own)."""

MODELS = {"Llama-2-7B": "llama-2-7b", "Llama-2-70B": "llama-2-70b", "Llama-3.1-8B": "llama-8b",
          "Llama-3.1-70B": "llama-70b", "Llama-3.1-405B": "llama-405b"}
WEIGHTS = {"Base": "16bit", "8-bit": "int8", "4-bit (G=32)": "int4"}
# Section, and the GPUs of a row that names a technique instead.
SECTIONS = {"## Benchmarks": 1, "### Tensor Parallelism": 0, "### Tensor Parallelism + Quantization": 8}


def collect(collected):
    repository = collected.repository("pytorch-labs", "gpt-fast")
    source = repository.source("README.md")
    section, model, seen = None, None, set()
    for line in repository.text("README.md").splitlines():
        section = line.strip() if line.startswith("#") else section
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if section not in SECTIONS or len(cells) < 3:
            continue
        model = MODELS.get(cells[0], model)
        counted = cells[1].isdigit()
        if not (counted or cells[1] in WEIGHTS) or cells[2] == "OOM":
            continue
        gpus = int(cells[1]) if counted else SECTIONS[section]
        weights = "16bit" if counted else WEIGHTS[cells[1]]
        if (model, weights, gpus) in seen:  # stands in two of the tables
            continue
        seen.add((model, weights, gpus))
        collected.decode("alone", model, weights, "16bit", "A100-80GB", gpus, "NVLink", 1, 5, 200,
                         float(cells[2]), "gpt-fast", source)
