"""Rates of networks under 2 billion parameters with many sequences at once, which the host's bound of
laws/decode_host.cpp is held against and nothing is fitted to: huggingface/datatrove's benchmark of vLLM
0.15 on an H100, as it is by default and without speculation (documents of FineWeb-Edu rewritten; how
long they are is not published: assumed), and one of 256 sequences with 100 to 1024 tokens in and out,
drawn evenly, which are sent at once and not followed by others. In the mean 131 of these are in flight
until the longest is done, with 890 tokens each: asked as such."""
import re

DATATROVE = "examples/inference/benchmark/README.md"
NETWORKS = {"SmolLM2-135M-Instruct": "smollm2-135m", "SmolLM2-360M-Instruct": "smollm2-360m",
            "gemma-3-270m-it": "gemma-3-270m", "Qwen3-0.6B": "qwen3-0.6b",
            "gemma-3-1b-it": "gemma-3-1b", "SmolLM2-1.7B-Instruct": "smollm2-1.7b",
            "Qwen3-1.7B": "qwen3-1.7b"}
# As that README had them before its author's GPU was another.
OF_A100 = {"qwen3-0.6b": 7484.47, "llama-1b": 11112.51}


def collect(collected):
    repository = collected.repository("huggingface", "datatrove")
    source = repository.source(DATATROVE) + " (vLLM 0.15; lengths assumed)"
    for line in repository.text(DATATROVE).split("\n"):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) != 6 or cells[0] not in NETWORKS:
            continue
        add = lambda sequences, rate: collected.decode(
            "some", NETWORKS[cells[0]], "16bit", "16bit", "H100", 1, "", sequences, 1100, 600, rate,
            "vLLM", source)
        add(256, float(cells[2]))
        if re.fullmatch(r"mns=(\d+)", cells[5]):  # more at once, and nothing else
            add(int(cells[5][4:]), float(cells[3]))
    repository = collected.repository("limei1221", "nano-vllm")
    table = repository.text("README.md")
    rate = re.search(r"^\| vLLM +\| Qwen3-0.6B .*\| *([\d.]+) *\|$", table, re.M).group(1)
    at_once(collected, "qwen3-0.6b", "RTX-4090", float(rate), repository.source("README.md"))
    for network, rate in OF_A100.items():
        at_once(collected, network, "A100", rate, "limei1221/nano-vllm README.md of 2025")


def at_once(collected, network, gpu, rate, source):
    collected.decode("some", network, "16bit", "16bit", gpu, 1, "", 131, 560, 660, rate, "vLLM",
                     source)
