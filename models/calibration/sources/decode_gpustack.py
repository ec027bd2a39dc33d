"""Rates of today's language models under a crowd, asked blind; experts_rate was set to them after:
gpustack/gpustack docs/performance-lab, 500 sequences of one length sent at once to the program that
did best. Published is what is read and written together; a row has what is written of it. vLLM 0.10
to 0.11, SGLang 0.5, TensorRT-LLM 1.0 to 1.2; caches at 16 bits, experts of gpt-oss in MXFP4, which is
asked as int4."""
import re

FOLDER = "docs/performance-lab"
LENGTHS = {"Medium": (2000, 100), "Long": (4000, 200), "Very Long": (32000, 100)}
# network, its page, its weights, GPU, how many, who serves
PAGES = [("qwen3-14b", "qwen3-14b/a100", "16bit", "A100-80GB", 1, "TensorRT-LLM"),
         ("qwen3-14b", "qwen3-14b/h100", "fp8", "H100", 1, "SGLang"),
         ("qwen3-32b", "qwen3-32b/a100", "16bit", "A100-80GB", 1, "TensorRT-LLM"),
         ("qwen3-32b", "qwen3-32b/h100", "fp8", "H100", 1, "TensorRT-LLM"),
         ("deepseek-v3", "deepseek-r1/h200", "fp8", "H200", 8, "SGLang"),
         ("glm-4.5-air", "glm-4.5-air/a100", "16bit", "A100-80GB", 4, "SGLang"),
         ("glm-4.5-air", "glm-4.5-air/h100", "fp8", "H100", 4, "SGLang"),
         ("glm-4.5", "glm-4.x/h200", "fp8", "H200", 4, "SGLang"),
         ("gpt-oss-120b", "gpt-oss-120b/a100", "int4", "A100-80GB", 1, "vLLM"),
         ("gpt-oss-120b", "gpt-oss-120b/h100", "int4", "H100", 2, "vLLM"),
         ("gpt-oss-20b", "gpt-oss-20b/a100", "int4", "A100-80GB", 1, "vLLM"),
         ("gpt-oss-20b", "gpt-oss-20b/h100", "int4", "H100", 1, "vLLM"),
         ("qwen3-235b", "qwen3-235b-a22b/a100", "fp8", "A100-80GB", 4, "vLLM"),
         ("qwen3-235b", "qwen3-235b-a22b/h100", "fp8", "H100", 4, "vLLM")]


def collect(collected):
    repository = collected.repository("gpustack", "gpustack")
    for network, page, weights, gpu, gpus, software in PAGES:
        path = f"{FOLDER}/{page}.md"
        text = repository.text(path)
        for name, (prompt, output) in LENGTHS.items():
            row = re.search(rf"^\| \*\*{name} Prompt\*\* \|.*\|[^|]*Total TPS: ([\d.]+)", text, re.M)
            rate = float(row.group(1)) * output / (prompt + output)
            collected.decode("some", network, weights, "16bit", gpu, gpus,
                             "NVSwitch" if gpus > 1 else "", 500, prompt, output, round(rate, 1),
                             software, repository.source(path))
