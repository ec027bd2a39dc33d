"""sgl-project/sgl-cookbook: SGLang's own benchmarks of one request after the other, by eight GPUs of a node that
share the network (--tp 8): the first scenario of each page that runs without speculation and with attention by
heads. What is stated is the time a token, the mean of all requests."""
import re

FOLDER = "docs/autoregressive/"
# The page, the network, its weights, the GPUs as the page says. GLM-4.6 has the shapes of GLM-4.5.
PAGES = (("DeepSeek/DeepSeek-R1.md", "deepseek-v3", "fp8", "B200"),
         ("DeepSeek/DeepSeek-V3_1.md", "deepseek-v3", "fp8", "MI300X"),
         ("GLM/GLM-4.6.md", "glm-4.5", "16bit", "B200"),
         ("Llama/Llama3.1.md", "llama-70b", "16bit", "A100-80GB"),
         ("OpenAI/GPT-OSS.md", "gpt-oss-120b", "mxfp4", "B200"),
         ("Qwen/Qwen3.md", "qwen3-235b", "16bit", "B200"),
         ("Qwen/Qwen3-Coder.md", "qwen3-coder-480b-a35b", "fp8", "MI300X"))


def collect(collected):
    repository = collected.repository("sgl-project", "sgl-cookbook")
    for page, network, weights, gpu in PAGES:
        text = repository.text(FOLDER + page)
        hardware = re.search(r"^- Hardware: (.*)$", text, re.M).group(1)
        assert gpu.split("-")[0] in hardware and "8x" in hardware, page
        result = re.search(r"Max request concurrency: +1 *\n(.*?)={20}", text, re.S).group(1)
        value = lambda name: float(re.search(rf"{name}[^:]*: +([\d.]+)", result).group(1))
        requests = value("Successful requests")
        links = "Infinity Fabric" if gpu.startswith("MI") else "NVLink"
        collected.decode("alone", network, weights, "16bit", gpu, 8, links, 1,
                         round(value("Total input tokens") / requests),
                         round(value("Total generated tokens") / requests),
                         round(1000 / value("Mean TPOT"), 2), "SGLang",
                         repository.source(FOLDER + page) + " (time a token)")
