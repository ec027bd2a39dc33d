"""u39kun/deep-learning-benchmark: the tables of its README, as they were published."""

# Milliseconds at batch 16: VGG-16 evaluation, forward+backward; ResNet-152 likewise.
U39KUN = "u39kun/deep-learning-benchmark README.md@02ef743669"
U39KUN_MS = [
    ("Titan-V", "PyTorch 0.3", "fp32", 31.3, 108.8, 48.9, 180.2),
    ("Titan-V", "PyTorch 0.3", "fp16", 14.7, 74.1, 26.1, 115.9),
    ("GTX-1080-Ti", "PyTorch 0.3", "fp32", 39.3, 131.9, 57.8, 206.4),
    ("V100", "PyTorch 0.3", "fp32", 26.2, 83.5, 38.7, 136.5),
    ("V100", "PyTorch 0.3", "fp16", 12.6, 58.8, 21.7, 92.9),
    ("RTX-2080-Ti", "PyTorch 1.0", "fp32", 28.0, 95.5, 41.8, 142.5),
    ("RTX-2080-Ti", "PyTorch 1.0", "fp16", 19.1, 68.1, 25.0, 98.6),
    ("Titan-V", "TensorFlow 1", "fp32", 31.8, 157.2, 50.3, 269.8),
    ("Titan-V", "TensorFlow 1", "fp16", 16.1, 96.7, 28.4, 193.3),
    ("GTX-1080-Ti", "TensorFlow 1", "fp32", 43.4, 131.3, 69.6, 300.6),
    ("V100", "TensorFlow 1", "fp32", 24.0, 71.7, 39.4, 199.8),
    ("V100", "TensorFlow 1", "fp16", 13.6, 49.4, 22.6, 147.4),
    ("RTX-2080-Ti", "TensorFlow 1", "fp32", 28.8, 90.8, 43.6, 191.0),
    ("RTX-2080-Ti", "TensorFlow 1", "fp16", 18.7, 58.6, 25.8, 133.5),
]


def collect(collected):
    for gpu, framework, precision, *milliseconds in U39KUN_MS:
        cases = [("vgg16", "forward"), ("vgg16", "forward_backward"), ("resnet152", "forward"),
                 ("resnet152", "forward_backward")]
        for (network, phase), ms in zip(cases, milliseconds):
            collected.rate(network, phase, precision, gpu, 16, round(16e3 / ms, 2), framework,
                           U39KUN, stack="era")
