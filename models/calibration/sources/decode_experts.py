"""Published rates of mixtures of experts, to which of the law experts_rate alone was set: output
tokens/s of everybody in flight, as in decode_recent.py.

pytorch-labs/gpt-fast: mixtral-moe/README.md at 056f8fb439, one sequence alone on A100s of 80 GB, held
to 330 W and joined as a hybrid cube mesh; a prompt of 5 tokens, 200 written (generate.py's own).
vLLM: buildkite.com/vllm/performance-benchmark/builds/9515, 2026-11-22, mean latency of a batch of 8,
32 tokens in and 128 out: 1917.44 ms.
Baseten: baseten.co/blog/faster-mixtral-inference-with-tensorrt-llm-and-quantization, 2026-11-23, one
sequence of 512 and 128 tokens on an A100 (of 80 GB, as int8 weights take 47): 81 "perceived" tokens/s.
NVIDIA/TensorRT-LLM: docs/source/performance/perf-overview.md at 00f37686aa, largest load in FP8, with
attention by data and experts by expert parallelism; and docs/source/blogs/
Best_perf_practice_on_DeepSeek-R1_in_TensorRT-LLM.md at 01c4ece911, "H200 max-throughput", the same
of DeepSeek-R1 with 1024 callers."""

from sources.tensorrt_llm import LENGTHS, SOURCE

GPT_FAST = "pytorch-labs/gpt-fast mixtral-moe/README.md@056f8fb439"
BUILDKITE = "buildkite.com/vllm/performance-benchmark builds/9515@2026-11-22"
BASETEN = "baseten.co/blog faster-mixtral-inference-with-tensorrt-llm-and-quantization@2026-11-23"
DEEPSEEK = ("NVIDIA/TensorRT-LLM docs/source/blogs/"
            "Best_perf_practice_on_DeepSeek-R1_in_TensorRT-LLM.md@01c4ece911")
ALONE = {("16bit", 2): 78.75, ("16bit", 4): 118.23, ("16bit", 8): 203.69, ("int8", 1): 56.04,
         ("int8", 2): 99.91, ("int8", 4): 149.53, ("int8", 8): 218.48}
MOST = {  # of eight GPUs; None: not published
    "H200": [30429, 42821, 26852, 28026, 23789, 22061, 3331, 16672, 3623, 1876],
    "H100": [None, 19658, 12447, 18351, 14898, 15136, None, 9924, 3225, None],
}


def collect(collected):
    for (weights, gpus), rate in ALONE.items():
        collected.decode("alone", "mixtral-8x7b", weights, "16bit", "A100-80GB", gpus, "NVLink", 1, 5,
                         200, rate, "gpt-fast", GPT_FAST)
    collected.decode("some", "mixtral-8x7b", "16bit", "16bit", "H200", 2, "NVSwitch", 8, 32, 128,
                     round(8 * 128 / 1.91744, 1), "vLLM", BUILDKITE)
    collected.decode("alone", "mixtral-8x7b", "int8", "16bit", "A100-80GB", 1, "", 1, 512, 128, 81,
                     "TensorRT-LLM", BASETEN)
    collected.decode("some", "deepseek-v3", "fp8", "16bit", "H200", 8, "NVSwitch", 1024, 1024, 2048,
                     11489.3, "TensorRT-LLM", DEEPSEEK)
    for gpu, rates in MOST.items():
        for (prompt, output), rate in zip(LENGTHS, rates, strict=True):
            if rate is not None:
                collected.decode("most", "qwen3-235b", "fp8", "fp8", gpu, 8, "NVSwitch", 0, prompt,
                                 output, rate, "TensorRT-LLM", SOURCE)
