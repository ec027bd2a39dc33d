#!/usr/bin/env python3
"""The same step in PyTorch: channels last, one captured CUDA graph, FP32 masters.

One JSON line per batch: {"peer": "torch", "network", "phase", "precision", "batch", "items_per_s",
"step_ms", "memory_bytes"}. Counts the device's time by events, as the GPU engine's compute_s does.
FP16 has a static loss scale: torch.amp's scaler asks the host, which a captured graph cannot.
"""
import argparse
import json
import statistics
import sys

import torch
from torch import nn


class AlexNet(nn.Module):
    """Krizhevsky et al. 2012 in one column of two groups, as kernels/networks/alexnet.cpp."""

    def __init__(self):
        super().__init__()

        def conv(c, k, kernel, stride=1, pad=0, groups=1):
            return [nn.Conv2d(c, k, kernel, stride, pad, groups=groups), nn.ReLU(inplace=True)]

        norm = [nn.LocalResponseNorm(5, 1e-4, 0.75, 1.0)]
        pool = [nn.MaxPool2d(3, 2)]
        self.features = nn.Sequential(
            *conv(3, 96, 11, 4), *norm, *pool,
            *conv(96, 256, 5, 1, 2, 2), *norm, *pool,
            *conv(256, 384, 3, 1, 1), *conv(384, 384, 3, 1, 1, 2), *conv(384, 256, 3, 1, 1, 2),
            *pool, nn.Flatten())
        self.classifier = nn.Sequential(
            nn.Linear(9216, 4096), nn.ReLU(inplace=True), nn.Dropout(0.5),
            nn.Linear(4096, 4096), nn.ReLU(inplace=True), nn.Dropout(0.5),
            nn.Linear(4096, 1000))

    def forward(self, x):
        return self.classifier(self.features(x))


def make_network(name):
    if name == "alexnet":
        return AlexNet(), 227
    import torchvision
    return getattr(torchvision.models, name)(), 224


def make_step(network, images, labels, phase, precision):
    dtype = {"fp16": torch.float16, "bf16": torch.bfloat16}.get(precision)
    scale = 1024.0 if precision == "fp16" else 1.0
    loss_of = nn.CrossEntropyLoss()

    def loss():
        with torch.autocast("cuda", dtype=dtype, enabled=dtype is not None, cache_enabled=False):
            return loss_of(network(images), labels)

    if phase == "infer":
        def infer():
            with torch.no_grad():
                loss()
        return infer
    optimizer = torch.optim.SGD(network.parameters(), lr=1e-4, momentum=0.9, weight_decay=1e-4,
                                foreach=True)

    def train():
        optimizer.zero_grad(set_to_none=False)
        (loss() * scale).backward()
        if scale != 1.0:
            torch._foreach_mul_([p.grad for p in network.parameters()], 1 / scale)
        optimizer.step()
    return train


def capture(step):
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(4):
            step()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step()
    return graph


def measure(graph, seconds):
    """Median seconds of a replay."""
    def timed():
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        graph.replay()
        end.record()
        end.synchronize()
        return start.elapsed_time(end) * 1e-3

    for _ in range(5):
        timed()
    times, total = [], 0.0
    while total < seconds or len(times) < 10:
        times.append(timed())
        total += times[-1]
    return statistics.median(times)


def run(args, batch):
    torch.cuda.reset_peak_memory_stats()
    network, size = make_network(args.network)
    network = network.cuda().to(memory_format=torch.channels_last)
    network.train(args.phase == "train")
    images = torch.randn(batch, 3, size, size, device="cuda")
    images = images.to(memory_format=torch.channels_last)
    labels = torch.randint(0, 1000, (batch,), device="cuda")
    graph = capture(make_step(network, images, labels, args.phase, args.precision))
    step = measure(graph, args.seconds)
    return {"items_per_s": batch / step, "step_ms": step * 1e3,
            "memory_bytes": torch.cuda.max_memory_allocated()}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--network", default="resnet50")
    parser.add_argument("--phase", choices=["train", "infer"], default="train")
    parser.add_argument("--precision", choices=["fp32", "tf32", "fp16", "bf16"], default="fp32")
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("batches", type=int, nargs="+")
    args = parser.parse_args()
    torch.backends.cudnn.benchmark = True
    torch.backends.cudnn.allow_tf32 = args.precision == "tf32"
    torch.backends.cuda.matmul.allow_tf32 = args.precision == "tf32"
    failed = False
    for batch in args.batches:
        record = {"peer": "torch", "version": torch.__version__, "network": args.network,
                  "phase": args.phase, "precision": args.precision, "batch": batch}
        try:
            record |= run(args, batch)
        except torch.cuda.OutOfMemoryError as error:
            record |= {"status": "out_of_memory", "reason": str(error).splitlines()[0]}
        except RuntimeError as error:
            record |= {"status": "failed", "reason": str(error).splitlines()[0]}
            failed = True
        print(json.dumps(record), flush=True)
        torch.cuda.empty_cache()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
