"""Figures that stand alone, found after noted.py's; as they were published.

PyTorch lets convolutions use TF32 from Ampere on, other products (since 1.12) not: what calls itself
FP32 there is TF32 of a ResNet and FP32 of a ViT. Of two memory layouts the faster.
"""
# Hugging Face: milliseconds without and with torch.compile, PyTorch 2.0.1, one picture again and again.
HUGGING_FACE = "huggingface/transformers docs/source/en/perf_torch_compile.md@0559c47bd9"
COMPILED_MS = {  # by minibatch: ViT-B/16 as it is, compiled; ResNet-50 likewise
    "A100": {1: (9.325, 7.584, 6.531, 4.124), 4: (14.832, 14.499, 6.657, 4.268),
             16: (40.944, 40.010, 7.018, 5.024)},
    "V100": {1: (10.495, 6.00, 6.484, 3.820), 4: (15.181, 14.501, 6.109, 4.731),
             16: (52.209, 51.633, 14.857, 12.089)},
    "T4": {1: (16.520, 15.786, 6.031, 4.321), 4: (43.653, 43.626, 13.039, 11.388),
           16: (163.914, 160.907, 44.114, 37.604)}}
# TensorRT at FP16, one picture, without copies.
SUPER_GRADIENTS = "Deci-AI/super-gradients documentation/source/model_zoo.md@e0ccacf886"
SUPER_GRADIENTS_MS = [("vit-b16", 4.46), ("resnet18", 0.52), ("resnet34", 0.92), ("resnet50", 1.03),
                      ("mobilenet-v2", 0.46)]
# ResNet-50 on a V100 (SXM2): training at 128, one picture, milliseconds.
SANDEEPKUMAR = "sandeepkumar-skb/pytorch_experiments torchvision_exp/README.md@84f7ac840b"
SANDEEPKUMAR_MS = [("train", "fp32", 128, 342.37, "PyTorch (sandeepkumar)"),
                   ("train", "fp16", 128, 110.93, "PyTorch (sandeepkumar)"),
                   ("infer", "fp32", 1, 10.42, "PyTorch (sandeepkumar)"),
                   ("infer", "fp16", 1, 13.43, "PyTorch (sandeepkumar)"),
                   ("infer", "fp32", 1, 2.29, "TensorRT (sandeepkumar)"),
                   ("infer", "fp16", 1, 1.09, "TensorRT (sandeepkumar)")]
# ResNet-50 on an RTX 4090, 8 pictures; what it says of TensorRT has copies from the host in it.
XHIROGA = "xhiroga/til software-engineering/nvidia/tensorrt/README.md@c0d70f74"
XHIROGA_MS = [("PyTorch (xhiroga)", 4.404), ("PyTorch compile (xhiroga)", 3.225)]
# ImageNet through PyTorch's example, FP32, milliseconds a picture over an epoch. Of the RTX 2080 Ti the
# mean of two makes. ResNet-18, at 750 pictures per second, is left out for its loader.
CGNORTHCUTT = "cgnorthcutt/cnn-gpu-benchmarks README.md@eb762d8"
CGNORTHCUTT_MS = [
    ("RTX-2080-Ti", "resnet152", 32, 8.875), ("RTX-2080-Ti", "resnet101", 64, 5.92),
    ("RTX-2080-Ti", "resnet50", 64, 3.82), ("Titan-RTX", "resnet152", 32, 8.34),
    ("Titan-RTX", "resnet101", 64, 5.64), ("Titan-RTX", "resnet50", 64, 3.56),
    ("Titan-RTX", "resnet152", 128, 7.66), ("Titan-RTX", "resnet152", 64, 7.95),
    ("Titan-RTX", "resnet101", 128, 5.44), ("Titan-RTX", "resnet50", 256, 3.41),
    ("Titan-RTX", "resnet50", 128, 3.42)]
# A100 of 40 GB, what the calculation alone makes ("p_core"), PyTorch 1.8 and TensorRT 8.5.
FLAGPERF = "FlagOpen/FlagPerf {}/README.md@1b5a030398"
FLAGPERF_RATES = [
    ("resnet50", "train", "tf32", 256, 799, "PyTorch (FlagPerf)", "training/nvidia/resnet50-pytorch"),
    ("mobilenet-v2", "train", "tf32", 512, 1243.7, "PyTorch (FlagPerf)",
     "training/nvidia/mobilenetv2-pytorch"),
    ("resnet50", "infer", "fp16", 256, 12698.7, "TensorRT (FlagPerf)", "inference/benchmarks/resnet50"),
    ("resnet50", "infer", "tf32", 256, 6091.6, "TensorRT (FlagPerf)", "inference/benchmarks/resnet50"),
    ("resnet50", "infer", "fp16", 256, 4723.0, "TensorRT (Torch-TensorRT)",
     "inference/benchmarks/resnet50")]


def collect_compiled(collected):
    for gpu, by_batch in COMPILED_MS.items():
        for batch, milliseconds in by_batch.items():
            cases = [(network, framework) for network in ("vit-b16", "resnet50")
                     for framework in ("PyTorch (Hugging Face)", "PyTorch compile (Hugging Face)")]
            for (network, framework), ms in zip(cases, milliseconds):
                precision = "tf32" if gpu == "A100" and network == "resnet50" else "fp32"
                collected.rate(network, "infer", precision, gpu, batch, round(1e3 * batch / ms, 2),
                               framework, HUGGING_FACE)


def collect(collected):
    collect_compiled(collected)
    for network, ms in SUPER_GRADIENTS_MS:
        collected.rate(network, "infer", "fp16", "T4", 1, round(1e3 / ms, 1), "TensorRT (Deci)",
                       SUPER_GRADIENTS)
    for phase, precision, batch, ms, framework in SANDEEPKUMAR_MS:
        collected.rate("resnet50", phase, precision, "V100", batch, round(1e3 * batch / ms, 2), framework,
                       SANDEEPKUMAR)
    for framework, ms in XHIROGA_MS:
        collected.rate("resnet50", "infer", "tf32", "RTX-4090", 8, round(8e3 / ms, 1), framework, XHIROGA)
    for gpu, network, batch, ms in CGNORTHCUTT_MS:
        collected.rate(network, "train", "fp32", gpu, batch, round(1e3 / ms, 2), "PyTorch (cgnorthcutt)",
                       CGNORTHCUTT)
    for network, phase, precision, batch, rate, framework, path in FLAGPERF_RATES:
        collected.rate(network, phase, precision, "A100", batch, float(rate), framework,
                       FLAGPERF.format(path))
