"""Figures that stand alone in a README, a gist or an issue, as they were published.

nanoGPT's are left out: its 250 and 135 ms were taken before it had fused attention."""

# Network, sequence, phase, precision, GPU, minibatch, items per second, stack, framework, source.
RTX_2080 = "ggg17226/rtx2080-dl-benchmark benchmark-tf.md@40fe533cfd"  # synthetic; overclocked, 8 GB
RATES_OF_TENSORFLOW_1_11 = [  # at 32 and 64 pictures
    ("vgg11", 240.60, 260.31), ("vgg16", 126.27, None), ("vgg19", 108.83, None),
    ("googlenet", 468.09, 515.9), ("alexnet-owt", 1546.52, 2103.99), ("inception-v3", 133.04, 146.95),
    ("resnet18", 411.48, 459.15), ("resnet34", 263.17, 300.79), ("resnet50", 178.01, 192.91),
    ("resnet101", 108.99, None)]
ORT = "microsoft/onnxruntime onnxruntime/python/tools/transformers/README.md@00b595e389"
ORT_MS = [("fp32", 1, {128: 3.11, 256: 5.37, 512: 10.74}), ("fp16", 1, {256: 1.95, 512: 3.36}),
          ("fp32", 4, {128: 9.13, 256: 17.95, 512: 38.15}), ("fp16", 4, {128: 2.66, 256: 4.40, 512: 9.76})]
HUGGING_FACE = "huggingface/transformers docs: benchmarks (PyTorch 1.4; 2020-06-29)"
RESNET_18 = "libingwei/AI-Infer-Acc release v0.1.0"
RESNET_18_MS = [("fp32", 1, 2.26), ("fp16", 1, 1.01), ("fp32", 32, 25.76), ("fp16", 32, 8.02)]
MMDEPLOY = "open-mmlab/mmdeploy docs/en/03-benchmark/benchmark.md@0111e1f10f"  # TensorRT 7.2
MMDEPLOY_MS = [("resnet50", 2.97, 1.26), ("resnext50-32x4d", 4.31, 1.42)]
JAX = "NVIDIA/JAX-Toolbox rosetta/rosetta/projects/vit/README.md@00eff412ec"  # of eight GPUs; bf16
JAX_VIT = [("A100-80GB", 7200.38), ("H100", 11669.52)]
WORDS = "pytorch/examples issue 95"  # word_language_model of March 2017: the small network of PTB


def collect(collected):
    for network, *rates in RATES_OF_TENSORFLOW_1_11:
        for batch, rate in zip((32, 64), rates):
            if rate:
                collected.rate(network, "train", "fp32", "RTX-2080", batch, rate, "TensorFlow 1", RTX_2080,
                               stack="era")
    for precision, batch, times in ORT_MS:
        for sequence, ms in times.items():
            collected.rate("bert-base", "infer", precision, "V100-PCIe", batch, round(1e3 * batch / ms, 2),
                           "ONNX Runtime", ORT, sequence)
    for sequence, seconds in ((128, 0.018), (512, 0.088)):
        collected.rate("bert-base", "infer", "fp32", "Titan-RTX", 8, round(8 / seconds, 2),
                       "PyTorch (Hugging Face)", HUGGING_FACE, sequence)
    for precision, batch, ms in RESNET_18_MS:
        collected.rate("resnet18", "infer", precision, "T4", batch, round(1e3 * batch / ms, 1), "TensorRT",
                       RESNET_18)
    for network, *times in MMDEPLOY_MS:
        for precision, ms in zip(("fp32", "fp16"), times):
            collected.rate(network, "infer", precision, "T4", 1, round(1e3 / ms, 1), "TensorRT", MMDEPLOY)
    for gpu, rate in JAX_VIT:
        collected.rate("vit-b16", "train", "fp16", gpu, 512, round(rate / 8, 1), "JAX", JAX)
    collected.rate("ptb-small", "train", "fp32", "GTX-1070", 20, round(20e3 / 9.44, 1), "PyTorch 0.1", WORDS,
                   20, stack="era")
