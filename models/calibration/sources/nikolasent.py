"""NikolasEnt/NikolasEnt.github.io: GeForce cards of five generations, as they were published.

2018: u39kun's test again, PyTorch 1.0 in NVIDIA's container, milliseconds at 16 pictures. 2022 and 2025:
timm's benchmark.py as it comes (tensors in PyTorch's own layout; it allows TF32, so "FP32" is TF32
from Ampere on), pictures per second at 256 unless the minibatch of a training is told.
"""
POST = "NikolasEnt/NikolasEnt.github.io _posts/{}"
OF_2018 = POST.format("2018-11-06-Benchmarking-RTX-2080-Ti-vs-Pascal-GPUs-with-DL-tasks.md@182fbed4ad")
OF_2022 = POST.format("2022-11-30-Four-gens-of-Nvidia-GPUs-compared.md@182fbed4ad")
OF_2025 = POST.format("2025-02-17-RTX5090-Benchmark.md@0c448eda44")

# VGG-16 evaluation, forward+backward; ResNet-152 likewise.
MS_2018 = [
    ("V100", "fp32", 21.4, 74.4, 36.9, 151.6), ("V100", "fp16", 11.9, 42.2, 30.4, 110.5),
    ("RTX-2080-Ti", "fp32", 28.4, 97.5, 42.7, 151.2), ("RTX-2080-Ti", "fp16", 19.3, 70.7, 25.0, 101.8),
    ("GTX-1080-Ti", "fp32", 39.6, 126.4, 59.0, 199.5), ("GTX-1080-Ti", "fp16", 36.4, 116.1, 49.4, 196.2),
    ("GTX-1070", "fp32", 65.9, 205.6, 102.4, 333.9), ("GTX-1070", "fp16", 61.2, 190.9, 86.1, 309.3)]
# VGG-16 evaluation, training; ResNet-50 likewise; the minibatch of both trainings.
TIMM = {
    (OF_2022, "PyTorch (NikolasEnt)"): [
        ("GTX-1080-Ti", "fp32", 405, 104, 685, 185, 96), ("GTX-1080-Ti", "fp16", 417, 94, 887, 235, 192),
        ("RTX-2080-Ti", "fp32", 513, 132, 912, 252, 96), ("RTX-2080-Ti", "fp16", 966, 309, 1995, 554, 192),
        ("RTX-3090", "tf32", 997, 285, 1708, 535, 256), ("RTX-3090", "fp16", 1394, 442, 3017, 890, 256),
        ("RTX-4090", "tf32", 1388, 457, 2310, 721, 256), ("RTX-4090", "fp16", 2359, 729, 4495, 1285, 256)],
    (OF_2025, "PyTorch (NikolasEnt)"): [
        ("RTX-3090", "tf32", 841.0, 260.8, 1679.9, 523.0, 256),
        ("RTX-3090", "fp16", 1387.6, 438.2, 2973.1, 888.7, 256),
        ("RTX-4090", "tf32", 1454.6, 456.5, 2433.1, 757.5, 256),
        ("RTX-4090", "fp16", 2418.6, 837.5, 4601.8, 1360.6, 256),
        ("RTX-5090", "tf32", 1867.5, 594.7, 3576.8, 1128.6, 256),
        ("RTX-5090", "fp16", 3350.1, 1161.0, 5741.6, 1623.9, 256)],
}


def collect(collected):
    for gpu, precision, *milliseconds in MS_2018:
        cases = [("vgg16", "forward"), ("vgg16", "forward_backward"), ("resnet152", "forward"),
                 ("resnet152", "forward_backward")]
        for (network, phase), ms in zip(cases, milliseconds):
            collected.rate(network, phase, precision, gpu, 16, round(16e3 / ms, 2),
                           "PyTorch 1.0 (NikolasEnt)", OF_2018, stack="era")
    for (source, framework), cards in TIMM.items():
        for gpu, precision, *rates, batch in cards:
            cases = [("vgg16", "infer", 256), ("vgg16", "train", batch), ("resnet50", "infer", 256),
                     ("resnet50", "train", batch)]
            for (network, phase, minibatch), rate in zip(cases, rates):
                collected.rate(network, phase, precision, gpu, minibatch, float(rate), framework, source)
