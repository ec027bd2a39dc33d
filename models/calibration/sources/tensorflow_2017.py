"""Google's benchmarks of TensorFlow 1, as they were published."""

# Synthetic data, images/s on 1, 2, 4 ... GPUs: network, batch per GPU, rates.
# tensorflow/docs_src/performance/benchmarks.md, May 2017: CUDA 8, cuDNN 5.1. AlexNet in
# tf_cnn_benchmarks is the one-tower network at 224 pixels. GCE and EC2 machines of eight K80 dies,
# DGX-1; then p2.8xlarge instances with parameter servers beside the workers.
TENSORFLOW = "tensorflow/tensorflow tensorflow/docs_src/performance/benchmarks.md@5984ffefd3"
TENSORFLOW_2017 = {
    ("P100-SXM2", "NVLink", "TensorFlow 1"): [
        ("inception-v3", 64, (142, 284, 569, 1131)), ("resnet50", 64, (219, 422, 852, 1734)),
        ("resnet152", 64, (91.8, 181, 356, 716)), ("alexnet-owt", 512, (2987, 5658, 10509, 17822)),
        ("vgg16", 64, (154, 295, 584, 1081)), ("inception-v3", 32, (128, 259, 520, 995)),
        ("resnet50", 32, (195, 368, 768, 1485)), ("resnet152", 32, (82.7, 160, 317, 632)),
        ("vgg16", 32, (144, 281, 549, 820))],
    ("K80", "PCIe", "TensorFlow 1 (GCE)"): [
        ("inception-v3", 64, (30.5, 57.8, 116, 227)), ("resnet50", 64, (51.9, 99.0, 195, 387)),
        ("resnet152", 32, (20.0, 38.2, 75.8, 148)), ("alexnet-owt", 512, (656, 1209, 2328, 4640)),
        ("vgg16", 32, (35.4, 64.8, 120, 234)), ("inception-v3", 32, (29.3, 55.0, 109, 216)),
        ("resnet50", 32, (49.5, 95.4, 183, 362))],
    ("K80", "PCIe p2p", "TensorFlow 1 (EC2)"): [
        ("inception-v3", 64, (30.8, 58.7, 117, 230)), ("resnet50", 64, (51.5, 98.0, 195, 384)),
        ("resnet152", 32, (19.7, 37.6, 74.9, 149)), ("alexnet-owt", 512, (684, 1244, 2479, 4853)),
        ("vgg16", 32, (36.3, 69.4, 141, 260)), ("inception-v3", 32, (29.9, 57.5, 114, 216)),
        ("resnet50", 32, (49.0, 94.1, 184, 355))],
}
TENSORFLOW_NODES = [  # one GPU, then 2, 4 and 8 machines of eight
    ("inception-v3", 64, 29.7, (459, 902, 1783)), ("resnet50", 64, 52.4, (751, 1388, 2744)),
    ("resnet152", 32, 19.4, (291, 565, 981))]


def collect(collected):
    for (gpu, link, framework), rows in TENSORFLOW_2017.items():
        for network, batch, (one, *several) in rows:
            collected.rate(network, "train", "fp32", gpu, batch, one, "TensorFlow 1", TENSORFLOW,
                           stack="era")
            for doubled, rate in enumerate(several, 1):
                collected.several(network, "fp32", batch, gpu, 2 ** doubled, 1, link, one, rate,
                                  framework, TENSORFLOW)
    for network, batch, one, several in TENSORFLOW_NODES:
        for doubled, rate in enumerate(several, 1):
            nodes = 2 ** doubled
            collected.several(network, "fp32", batch, "K80", 8 * nodes, nodes,
                              "PCIe p2p; ethernet 10", one, rate,
                              "TensorFlow 1 (dist parameter servers)", TENSORFLOW)
