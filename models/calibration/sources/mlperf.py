"""mlcommons/training_results_*: ResNet-50 by MXNet in NVIDIA's containers, MLPerf Training 1.0 to 4.0.

Machines alone, of eight GPUs behind NVSwitch or of two to four on PCIe: what the GPUs make together,
by their number, so with the exchange that the backward pass hides. The rate is the median of what the
log prints while it trains, real images by DALI; of several submissions of a GPU and minibatch the
median. Cards held to another power than their kind's (A100 of 500 W) are left out.
"""
import json
import re
import statistics

ROUNDS = ("v1.0", "v1.1", "v2.0", "v2.1", "v3.0", "v3.1", "v4.0")
GPUS = (  # what a submission calls it
    (r"A100-PCIe-40GB", "A100-PCIe"), (r"A100-PCIe-80GB", "A100-PCIe-80GB"),
    (r"A100-SXM4?-40GB", "A100"), (r"A100-SXM4?-80GB", "A100-80GB"), (r"H100-PCIe-80GB", "H100-PCIe"),
    (r"H100-SXM5?-80GB", "H100"), (r"H200-SXM5?-141GB", "H200"), (r"L40S$", "L40S"), (r"A30$", "A30"),
    (r"A10G$", "A10G"), (r"RTX A5000$", "A5000"))
MOST_ON_PCIE = 4
POWERFUL = re.compile(r"500W|CTS")
PRINTED = re.compile(r'"(?:throughput|imgs_sec)": ([\d.]+)|Speed: ([\d.]+) samples')


def gpu_of(system):
    name = system.get("accelerator_model_name", "")
    found = [gpu for pattern, gpu in GPUS if re.search(pattern, name.split(" (")[0], re.I)]
    return found[0] if found and not POWERFUL.search(name) else None


def per_gpu(log, gpus):
    """Images per second and the minibatch of one GPU, None where the log does not tell."""
    rates = [float(one or other) for one, other in PRINTED.findall(log)]
    batch = re.search(r'"d_batch_size", "value": (\d+)', log)
    if batch is None or len(rates) < 3:
        return None
    return int(batch[1]), statistics.median(rates[1:]) / gpus


def collect(collected):
    found = {}
    for edition in ROUNDS:
        repository = collected.repository("mlcommons", f"training_results_{edition}")
        for path in repository.paths():
            named = re.fullmatch(r"([^/]+)/results/([^/]+)/resnet/result_0.txt", path)
            system = f"{named[1]}/systems/{named[2]}.json" if named else ""
            if not named or system not in repository.paths():
                continue
            told = json.loads(repository.text(system))
            gpu, gpus = gpu_of(told), int(float(told.get("accelerators_per_node") or 0))
            switched = "SXM" in told.get("accelerator_model_name", "")
            if gpu is None or int(float(told["number_of_nodes"])) != 1 or \
                    (gpus > MOST_ON_PCIE and not switched):
                continue
            rate = per_gpu(repository.text(path), gpus)
            if rate is not None:
                found.setdefault((gpu, rate[0]), []).append((rate[1], repository.source(path)))
    for (gpu, batch), rates in sorted(found.items()):
        rates.sort()
        rate, source = rates[len(rates) // 2]
        collected.rate("resnet50", "train", "fp16", gpu, batch, round(rate, 1), "MXNet (MLPerf)", source)
