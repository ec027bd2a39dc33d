"""Rates of networks whose layers keep states, which no constant is fitted to: Vultr's of Nemotron 3 Nano
by vLLM 0.16 (2048 tokens in, 512 out), at the concurrency where it saturates, and at 32 by its mean times
to the first token and between tokens; Lambda's of Nemotron 3 Super by vLLM, and of Qwen3-Coder-Next and
Qwen3.5 in two tables, of vLLM and SGLang, of which the stored pages do not say which is which (8192 in,
1024 out, 32 at once, 512 requests). As they stood in stored pages in November 2026; caches of 16 bits are
assumed."""

VULTR = ("docs.vultr.com inference-cookbook/cuda/benchmarks/results-overview of 2026-03-11 "
         "(vLLM 0.16; caches assumed{})")
LAMBDA = "lambda.ai/inference-models {} of 2026 ({})"
NANO = "nemotron-3-nano-30b-a3b"
FIRST_S, BETWEEN_S = 0.206, 0.00786  # at 32


def collect(collected):
    def nano(weights, gpus, sequences, rate, how=""):
        collected.decode("some", NANO, weights, "16bit", "B200", gpus, "NVSwitch" if gpus > 1 else "",
                         sequences, 2048, 512, rate, "vLLM", VULTR.format(how))

    def many(network, weights, gpu, gpus, rate, software, page, how):
        collected.decode("some", network, weights, "16bit", gpu, gpus, "NVSwitch" if gpus > 1 else "",
                         32, 8192, 1024, rate, software, LAMBDA.format(page, how))

    nano("fp8", 2, 512, 18829)
    nano("nvfp4", 1, 512, 15575)
    nano("fp8", 2, 32, round(32 * 512 / (FIRST_S + 511 * BETWEEN_S), 1),
         "; 32 x 512 / (206 ms + 511 x 7.86 ms)")
    for weights, gpu, gpus, rate in (("nvfp4", "B200", 1, 1517), ("nvfp4", "B200", 2, 2057),
                                     ("fp8", "B200", 2, 1847), ("fp8", "H100", 2, 1116),
                                     ("16bit", "A100-80GB", 4, 553)):
        many("nemotron-3-super-120b-a12b", weights, gpu, gpus, rate, "vLLM",
             "nvidia/nvidia-nemotron-3-super-120b-a12b", "caches assumed")
    tables = (("vLLM", "first", (1877, 1810, 1069), 1269), ("SGLang", "second", (1721, 2180, 851), 1268))
    for software, which, rates, _ in tables:
        for (gpu, gpus), rate in zip((("B200", 2), ("H100", 4), ("A100-80GB", 4)), rates):
            many("qwen3-next-80b-a3b", "16bit", gpu, gpus, rate, software, "qwen/qwen3-coder-next",
                 f"{which} of two tables")
    for software, which, _, rate in tables:
        many("qwen3.5-397b-a17b", "16bit", "B200", 8, rate, software, "Qwen/Qwen3.5-397B-A17B",
             f"{which} of two tables")
