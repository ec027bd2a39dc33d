"""lambdal/deeplearning-benchmark: the cards that lambda_pytorch.py's tables lack, H200, GH200 and B200.

The same trainings in a later container. Minibatches of GH200 and B200 stand in a table beside the
rates, those of the H200 in the script that ran. Of several machines with a card the median.
Left out: ResNet-50 in FP16 on the B200, as fast as on an H200 (3076 and 3079 images/s) and as in
TF32 (2967), which leaves tensor cores half of their rate: what held it was not the GPU.
"""
import re
import statistics

NETWORKS = {"resnet50": ("resnet50", 0), "bert_base_squad": ("bert-base", 384),
            "bert_large_squad": ("bert-large", 384)}
TABLED = {"LambdaCloud 1x GH200 96GB": "GH200", "LambdaCloud 1x B200 192GB SXM5": "B200"}
H200 = re.compile(r"_1xH200_140GB_SXM")
NOT_THE_GPU = {("B200", "resnet50", "fp16")}
SCRIPT = "pytorch/scripts/config_v2/config_pytorch_140GB.sh"


def batch_in(script, name, narrow):
    """SQuAD's is the third argument, of pictures an option; AMP is what pictures call FP16."""
    kind = ("AMP" if name == "resnet50" else "FP16") if narrow else "FP32"
    told = re.search(rf"PyTorch_{name}_{kind}_PARAMS=\((.*?)\n\s*\)", script, re.S)[1]
    option = re.search(r'--batch-size\s+"(\d+)"', told)
    return int(option[1] if option else re.findall(r'^\s*"([\d.]+)"$', told, re.M)[1])


def collect(collected):
    repository = collected.repository("lambdal", "deeplearning-benchmark")
    script = repository.text(SCRIPT)
    for table, precision in (("fp16", "fp16"), ("fp32", "tf32")):
        path = f"pytorch/csv_v1_v2/pytorch-train-throughput-{table}.csv"
        batches = {row["name_gpu"]: row
                   for row in repository.table(f"pytorch/csv_v1_v2/pytorch-train-bs-{table}.csv")}
        for row in repository.table(path):
            gpu = TABLED.get(row["name_gpu"])
            for column, (network, sequence) in NETWORKS.items() if gpu else ():
                if (gpu, network, precision) in NOT_THE_GPU:
                    continue
                batch = int(batches[row["name_gpu"]][column])
                collected.rate(network, "train", precision, gpu, batch, float(row[column]),
                               "PyTorch (Lambda)", repository.source(path), sequence)
        path = f"pytorch/pytorch-train-throughput-v2-{table}.csv"
        machines = [row for row in repository.table(path) if H200.search(row[""])]
        for column, (network, sequence) in NETWORKS.items():
            rate = statistics.median(float(row[column]) for row in machines)
            collected.rate(network, "train", precision, "H200",
                           batch_in(script, column, precision == "fp16"), rate, "PyTorch (Lambda)",
                           repository.source(path), sequence)
