"""Rates of one sequence at a time that issues and pages tell, beside Qwen's own (qwen_speed.py), as they
were read there; the law's constants of blocks, experts and hosts are set to some of the rows
(models/README.md says to which), the rest are held out."""

TENSTORRENT = "https://github.com/tenstorrent/tt-inference-server/issues/{} ({} in 128 out 1024; vLLM of {})"
BLOG = ("NVIDIA/TensorRT-LLM docs/source/blogs/tech_blog/"
        "blog01_Pushing_Latency_Boundaries_Optimizing_DeepSeek-R1_Performance_on_NVIDIA_B200_GPUs.md"
        "@476ae55939 ({}; attention in bf16)")
SHISA = "llama-bench of RTX PRO 6000 (code index id 43444007762; build 6413; Q4_K_M)"

# Transformers 5 as it is by default: grouped_mm for prompts, batched_mm for tokens, nothing compiled. Of
# 64 new tokens the decoding is of 63. The GPU is that of the pull request they are from (42697).
EXPERTS = "huggingface.co/datasets/docs-benchmarks/experts-backends {} (Qwen1.5-MoE-A2.7B; an A100 assumed)"


def collect(collected):
    def alone(network, weights, gpu, gpus, prompt, output, rate, software, source):
        collected.decode("alone", network, weights, "16bit", gpu, gpus, "NVLink" if gpus > 1 else "",
                         1, prompt, output, rate, software, source)

    for network, gpu, rate, issue, when in (("qwen3-0.6b", "A100-80GB", 238.85, 340, "2025-06"),
                                            ("qwen3-1.7b", "A100-80GB", 213.67, 340, "2025-06"),
                                            ("qwen3-14b", "A100-80GB", 35.47, 340, "2025-07"),
                                            ("qwen3-30b-a3b", "A100-80GB", 103.37, 340, "2025-07"),
                                            ("qwen3-4b", "RTX-4090", 96.05, 394, "2025-11")):
        alone(network, "16bit", gpu, 1, 128, 1024, rate, "vLLM",
              TENSTORRENT.format(issue, network, when).replace(",", ";"))
    alone("deepseek-v3", "nvfp4", "B200", 8, 1024, 2048, 67, "TensorRT-LLM", BLOG.format("baseline"))
    alone("deepseek-v3", "nvfp4", "B200", 8, 1024, 2048, 111, "TensorRT-LLM",
          BLOG.format("without MTP; later"))
    alone("deepseek-v3", "fp8", "H200", 8, 128, 256, 30.29, "SGLang",
          "https://github.com/sgl-project/sglang/pull/2643 (0.4.1.post2; its first weeks)")
    alone("qwen3-30b-a3b", "int4", "RTX-PRO-6000", 1, 1, 128, 251.04, "llama.cpp", SHISA)
    alone("gpt-oss-120b", "mxfp4", "RTX-PRO-6000", 1, 1, 128, 193.3, "llama.cpp", SHISA)
    alone("llama-2-7b", "int4", "RTX-PRO-6000", 1, 1, 128, 278.95, "llama.cpp", SHISA)
    alone("llama-70b", "int4", "RTX-PRO-6000", 1, 1, 128, 34.05, "llama.cpp", SHISA)
    alone("qwen3-30b-a3b", "int4", "RTX-5090", 1, 1, 128, 352.06, "llama.cpp",
          "ggml-org/llama.cpp discussion 17621 (2025-11-30)")
    alone("qwen3-30b-a3b", "int4", "RTX-5090", 1, 1, 128, 246.96, "llama.cpp",
          "ggml-org/llama.cpp discussion 17621 (2025-11-30; without fusion)")
    for sequences, prompt, seconds in ((1, 16, 2.15236), (1, 128, 2.14245), (4, 128, 2.18420)):
        collected.decode("alone" if sequences == 1 else "some", "qwen1.5-moe-a2.7b", "16bit", "16bit",
                         "A100-80GB", 1, "", sequences, prompt, 64, round(sequences * 63 / seconds, 2),
                         "Hugging Face", EXPERTS.format(f"experts_benchmark_bs{sequences}_seq{prompt}.csv"))
