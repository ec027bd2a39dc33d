"""NVIDIA/DeepLearningExamples: PyTorch/Classification/ConvNets/efficientnet/README.md, EfficientNet-B0 and B4
of PyTorch 21.03 on A100 80GB and V100: training by one GPU, whose minibatches configs.yml has, and inference.
The trainings of B4 on V100 32GB are left out: eight of them were 17.6 times as fast as one."""
from sources.published import cells_of

PATH = "PyTorch/Classification/ConvNets/efficientnet/README.md"
B0, B4 = "efficientnet-b0", "efficientnet-b4"
# The GPU of a heading, its two precisions, and the minibatches of both (configs.yml: DGXA100, DGX1V-16G, DGX1V-32G).
TRAININGS = {
    "Training performance: NVIDIA A100 (8x A100 80GB)": ("A100-80GB", ("tf32", "fp16"), {B0: (256, 256), B4: (64, 128)}),
    "Training performance: NVIDIA DGX-1 (8x V100 16GB)": ("V100", ("fp32", "fp16"), {B0: (64, 128), B4: (16, 32)}),
    "Training performance: NVIDIA DGX-1 (8x V100 32GB)": ("V100", ("fp32", "fp16"), {B0: (128, 256)}),
}
INFERENCES = {"Inference performance: NVIDIA A100 (1x A100 80GB)": "A100-80GB",
              "Inference performance: NVIDIA V100 (1x V100 16GB)": "V100"}
PRECISIONS = {"TF32 Inference Latency": "tf32", "FP32 Inference Latency": "fp32",
              "Mixed Precision Inference Latency": "fp16"}


def images(cell):
    return float(cell.removesuffix(" img/s"))


def collect(collected):
    repository = collected.repository("NVIDIA", "DeepLearningExamples")
    source = repository.source(PATH)
    training, gpu, precision = None, "", None
    for line in repository.text(PATH).split("\n"):
        if line.startswith("####"):
            heading = line.strip("# ")
            training, gpu = TRAININGS.get(heading), INFERENCES.get(heading, gpu)
            precision = PRECISIONS.get(heading)
        cells = cells_of(line)
        if cells and precision and cells[0] in (B0, B4):
            collected.rate(cells[0], "infer", precision, gpu, int(cells[1]), images(cells[2]), "PyTorch (NVIDIA)",
                           source)
        elif cells and training and cells[1] == "1" and cells[0] in training[2]:
            for trained, batch, cell in zip(training[1], training[2][cells[0]], cells[2:]):
                collected.rate(cells[0], "train", trained, training[0], batch, images(cell), "PyTorch (NVIDIA)",
                               source)
