"""NVIDIA/TensorRT-LLM: docs/source/performance/perf-overview.md at 00f37686aa, output tokens/s at the
largest load: all requests there at once, as many in flight as TensorRT-LLM takes; weights, caches and
products in FP8. The table as published: input/output tokens, then the rate on each machine."""

SOURCE = ("NVIDIA/TensorRT-LLM docs/source/performance/perf-overview.md"
          "@00f37686aa")
LENGTHS = [(128, 128), (128, 2048), (128, 4096), (500, 2000), (1000, 1000), (1000, 2000), (2048, 128),
           (2048, 2048), (5000, 500), (20000, 2000)]
RATES = {
    ("llama-8b", "H200", 1): [27911, 26221, 18027, 20770, 17744, 16828, 3538, 12194, 3902, 1804],
    ("llama-8b", "H100", 1): [28312, 22714, 14325, 17660, 15220, 13899, 3450, 9305, 3459, 1351],
    ("llama-70b", "H200", 1): [3803, 4336, 2872, 3666, 2909, 2994, 442, 2003, 566, 283],
    ("llama-70b", "H100", 2): [6378, 6651, 4199, 5222, 4205, 4146, 762, 3082, 898, 437],
    ("llama-405b", "H200", 8): [3814, 5348, 4741, 4724, 3330, 3722, 456, 2948, 650, 505],
    ("llama-405b", "H100", 8): [3627, 4340, 3116, 3994, 2919, 2895, 453, 2296, 610, 345],
}


def collect(collected):
    for (network, gpu, gpus), rates in RATES.items():
        for (prompt, output), rate in zip(LENGTHS, rates, strict=True):
            collected.decode("most", network, "fp8", "fp8", gpu, gpus, "NVSwitch" if gpus > 1 else "",
                             0, prompt, output, rate, "TensorRT-LLM", SOURCE)
