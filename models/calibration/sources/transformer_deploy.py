"""ELS-RD/transformer-deploy: docs/benchmarks.md, 16 sequences of 384 tokens, mean milliseconds.

RoBERTa that classifies; its blocks are BERT's. Optimized ONNX Runtime runs in FP16. On an RTX 3090 it is
not told whether FP32 products were TF32's, so FP32 is of the T4 alone.
"""
import re

PATH = "docs/benchmarks.md"
NETWORKS = {"cardiffnlp/twitter-roberta-base-sentiment": "bert-base", "roberta-large-mnli": "bert-large"}
GPUS = {"Tesla T4": "T4", "NVIDIA GeForce RTX 3090": "RTX-3090"}
SOFTWARE = {"TensorRT (FP16)": ("TensorRT (ELS-RD)", "fp16"),
            "ONNX Runtime (vanilla)": ("ONNX Runtime (ELS-RD)", "fp32"),
            "ONNX Runtime (optimized)": ("ONNX Runtime (ELS-RD)", "fp16"),
            "Pytorch (FP32)": ("PyTorch (ELS-RD)", "fp32"), "Pytorch (FP16)": ("PyTorch (ELS-RD)", "fp16")}
BATCH, TOKENS = 16, 384


def collect(collected):
    repository = collected.repository("ELS-RD", "transformer-deploy")
    network = gpu = None
    for line in repository.text(PATH).split("\n"):
        model = re.match(r"convert_model -m (\S+)", line)
        network = NETWORKS.get(model[1]) if model else network
        card = re.match(r"Inference done on (.+)", line)
        gpu = GPUS.get(card[1]) if card else gpu
        timed = re.match(r"\[(.+?)\] mean=([\d.]+)ms", line)
        if timed and network and gpu:
            framework, precision = SOFTWARE[timed[1]]
            if precision == "fp16" or gpu == "T4":
                collected.rate(network, "infer", precision, gpu, BATCH,
                               round(1e3 * BATCH / float(timed[2]), 2), framework,
                               repository.source(PATH), TOKENS)
