#!/usr/bin/env python3
"""The same step in PyTorch: channels last, one captured CUDA graph, FP32 masters, as it is and
through torch.compile, of which the faster counts.

One JSON line per batch: {"peer": "torch", "network", "phase", "precision", "batch", "compiled",
"items_per_s", "step_ms", "memory_bytes"}. Counts the device's time by events, as the GPU engine's
compute_s does. A language model's items are sequences; --sequence changes their length.
FP16 has a static loss scale: torch.amp's scaler asks the host, which a captured graph cannot.
"""
import argparse
import json
import statistics
import sys

import torch
from torch import nn

import torch_networks

TRANSFORMERS = ("gpt2", "bert-base", "vit-b16")  # trained with AdamW, the others with SGD


def make_step(name, network, forward, images, labels, phase, precision):
    dtype = {"fp16": torch.float16, "bf16": torch.bfloat16}.get(precision)
    scale = 1024.0 if precision == "fp16" else 1.0
    loss_of = nn.CrossEntropyLoss()

    def loss():
        with torch.autocast("cuda", dtype=dtype, enabled=dtype is not None, cache_enabled=False):
            return loss_of(forward(images), labels)

    if phase == "infer":
        def infer():
            with torch.no_grad():
                loss()
        return infer
    if name in TRANSFORMERS:
        optimizer = torch.optim.AdamW(network.parameters(), lr=1e-5, weight_decay=1e-4,
                                      capturable=True, fused=True)
    else:
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


def run(args, batch, compiled):
    torch.cuda.reset_peak_memory_stats()
    network, images, labels = torch_networks.make(args.network, batch, args.sequence)
    network.train(args.phase == "train")
    forward = torch.compile(network) if compiled else network
    graph = capture(make_step(args.network, network, forward, images, labels, args.phase,
                              args.precision))
    step = measure(graph, args.seconds)
    return {"compiled": compiled, "items_per_s": batch / step, "step_ms": step * 1e3,
            "memory_bytes": torch.cuda.max_memory_allocated()}


def fastest(args, batch):
    """As it is, or compiled where that runs and is faster."""
    plain = run(args, batch, compiled=False)
    if args.compile == "never":
        return plain
    torch.cuda.empty_cache()
    try:
        compiled = run(args, batch, compiled=True)
    except Exception as error:  # a compiler of its own, with failures of its own
        return plain | {"compile": str(error).splitlines()[0][:200] if str(error) else "failed"}
    return min(plain, compiled, key=lambda record: record["step_ms"])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--network", default="resnet50")
    parser.add_argument("--phase", choices=["train", "infer"], default="train")
    parser.add_argument("--precision", choices=["fp32", "tf32", "fp16", "bf16"], default="fp32")
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--sequence", type=int, default=0, help="tokens per item; 0: the network's")
    parser.add_argument("--compile", choices=["both", "never"], default="both")
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
            record |= fastest(args, batch)
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
