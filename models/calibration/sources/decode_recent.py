"""Rates published after those of decode_rates.csv were collected, asked of the law before it sees
them: output tokens/s of everybody in flight. `some`: so many callers, each with one sequence at a
time; nothing else was said of the load in between.

NVIDIA/TensorRT-LLM: docs/source/developer-guide/perf-overview.md at 03e27c7d5f, there per GPU.
NVIDIA NIM: docs.nvidia.com/nim/benchmarking/llm/1.0.0/performance.md, 2026-11-22, Llama 3.3 70B,
version 1.8.0 (TensorRT-LLM underneath), 5000 tokens in and 500 out.
vLLM: buildkite.com/vllm/performance-benchmark/builds/9515, 2026-11-22, mean latency of a batch of 8,
32 tokens in and 128 out: 833.421 ms and 2077.53 ms. One sequence on an A100 of 40 GB by vLLM 0.23:
johnmusgrave.com/p/vllm-throughput-latency-sweep-on, 2026-11-22."""

TENSORRT_LLM = "NVIDIA/TensorRT-LLM docs/source/developer-guide/perf-overview.md@03e27c7d5f"
NIM = "docs.nvidia.com/nim benchmarking/llm/1.0.0/performance.md@2026-11-22"
BUILDKITE = "buildkite.com/vllm/performance-benchmark builds/9515@2026-11-22"
SWEEP = "johnmusgrave.com/p vllm-throughput-latency-sweep-on@2026-11-22"

PER_GPU = {  # of two GPUs, by tokens in and out
    "H200": {(1000, 1000): 2587, (1024, 1024): 2582, (1024, 8192): 2009, (8192, 1024): 537,
             (32768, 1024): 120},
    "H100": {(1000, 1000): 2209, (8192, 1024): 398},
}
CALLERS = {1: 51.67, 5: 218.48, 25: 623.4, 50: 814.37, 100: 917.26, 150: 920.9, 200: 920.54,
           250: 920.12}
BATCH_SECONDS = {("llama-8b", 1): 0.833421, ("llama-70b", 4): 2.07753}


def collect(collected):
    for gpu, rates in PER_GPU.items():
        for (prompt, output), rate in rates.items():
            collected.decode("most", "llama-70b", "fp8", "fp8", gpu, 2, "NVSwitch", 0, prompt, output,
                             2 * rate, "TensorRT-LLM", TENSORRT_LLM)
    for callers, rate in CALLERS.items():
        collected.decode("some", "llama-70b", "fp8", "fp8", "H100", 2, "NVSwitch", callers, 5000, 500,
                         rate, "TensorRT-LLM", NIM)
    for (network, gpus), seconds in BATCH_SECONDS.items():
        collected.decode("some", network, "16bit", "16bit", "H200", gpus,
                         "NVSwitch" if gpus > 1 else "", 8, 32, 128, round(8 * 128 / seconds, 1),
                         "vLLM", BUILDKITE)
    collected.decode("alone", "llama-8b", "16bit", "16bit", "A100", 1, "", 1, 1024, 128, 75, "vLLM",
                     SWEEP)
