#!/usr/bin/python3
"""Our CPU engine beside PyTorch's, on the same cores: `rightsize profile` and PyTorch in turns.

Needs Debian's python3-torch, python3-torchvision and libopenblas0-openmp (without that their products
are the reference BLAS's, many times slower); their convolutions are oneDNN's, as ours.
PyTorch does each step the ways its users would, and its fastest counts: as it is, channels last,
and for inference also frozen by TorchScript. Prints one row per step: the median rate of the turns
of each, and the median of the ratios turn by turn.
    tests/bench/torch_cpu.py [--threads 1] [--turns 3] [NETWORK:PHASE:BATCH[:SEQUENCE] ...]
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
STEPS = ("resnet50:train:8", "resnet50:infer:8", "vgg16:train:2", "vgg16:infer:2",
         "inception-v3:train:8", "inception-v3:infer:8", "alexnet:train:16", "alexnet:infer:16",
         "mobilenet-v2:train:8", "mobilenet-v2:infer:8", "vit-b16:infer:4", "resnet50:infer:1",
         "bert-base:train:2:128", "bert-base:infer:4:128", "gpt2:train:1:256",
         "gpt2:infer:2:256", "ptb-medium:train:20", "ptb-medium:infer:20")
TRANSFORMERS = ("gpt2", "bert-base", "vit-b16")  # trained with AdamW, the others with SGD


def train_step(network, inputs, labels, name):
    import torch
    loss_of = torch.nn.CrossEntropyLoss()
    if name in TRANSFORMERS:
        optimizer = torch.optim.AdamW(network.parameters(), lr=1e-5, foreach=True)
    else:
        optimizer = torch.optim.SGD(network.parameters(), lr=1e-4, momentum=0.9, weight_decay=1e-4,
                                    foreach=True)

    def step():
        optimizer.zero_grad(set_to_none=True)
        loss_of(network(inputs), labels).backward()
        optimizer.step()
    return step


def ways_of(name, phase, batch, sequence):
    """(way, step) of every way PyTorch's users would run it."""
    import torch
    import torch_networks
    for channels_last in (False, True):
        network, inputs, labels = torch_networks.make(name, batch, sequence, "cpu")
        images = inputs.dim() == 4
        if channels_last and not images:
            return
        layout = torch.channels_last if channels_last else torch.contiguous_format
        network.train(phase == "train")
        if images:
            network, inputs = network.to(memory_format=layout), inputs.to(memory_format=layout)
        way = "channels last" if channels_last else "as it is"
        if phase == "train":
            yield way, train_step(network, inputs, labels, name)
            continue
        yield way, lambda: network(inputs)
        if images:
            with torch.no_grad():
                frozen = torch.jit.freeze(torch.jit.trace(network, inputs))
                if channels_last:
                    yield "frozen, channels last", lambda: frozen(inputs)
                else:
                    yield "frozen", lambda: frozen(inputs)


def seconds_per_step(step, seconds):
    """Median of what steps took, after two that warm up."""
    for _ in range(2):
        step()
    times, end = [], time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 5:
        begin = time.perf_counter()
        step()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def run_torch(spec, threads, seconds, only):
    """One line of JSON: the fastest way and its items per second."""
    sys.path.insert(0, str(ROOT / "tests/kernels/gpu"))
    import torch
    torch.set_num_threads(threads)
    torch.manual_seed(1)
    name, phase, batch, sequence = spec
    best = None
    with torch.set_grad_enabled(phase == "train"):
        for way, step in ways_of(name, phase, batch, sequence):
            if only and way != only:
                continue
            rate = batch / seconds_per_step(step, seconds)
            best = max(best or (0, ""), (rate, way))
    print(json.dumps({"items_per_s": best[0], "way": best[1]}))


def peer(spec, threads, seconds, only):
    text = ":".join(map(str, spec))
    command = [sys.executable, __file__, "--run", text, "--threads", str(threads), "--seconds",
               str(seconds), "--only", only]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    result = json.loads(done.stdout)
    return result["items_per_s"], result["way"]


def ours(spec, seconds):
    """As many threads as cores that this process may run on."""
    name, phase, batch, sequence = spec
    command = [str(ROOT / "build/bin/rightsize"), "profile", name, "--engine", "cpu", "--phase", phase,
               "--batch", str(batch), "--seconds", str(seconds + 3), "--fresh", "--data", "synthetic",
               "-o", "json"]
    command += ["--sequence", str(sequence)] if sequence else []
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, RIGHTSIZE_DB=os.path.join(folder, "records.db"))
        done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    return json.loads(done.stdout)[0]["throughput"]["median"]


def spec_of(text):
    name, phase, batch, *sequence = text.split(":")
    return name, phase, int(batch), int(sequence[0]) if sequence else 0


def compare(spec, args):
    rates, way = [], ""
    for _ in range(args.turns):
        rate, way = peer(spec, args.threads, args.seconds, way)  # the first turn finds the way
        rates.append((ours(spec, args.seconds), rate))
    ratio = statistics.median(a / b for a, b in rates)
    mine, other = (statistics.median(column) for column in zip(*rates))
    name, phase, batch, sequence = spec
    size = f"{batch} x {sequence}" if sequence else str(batch)
    print(f"| {name} {phase}, {size} | {mine:.2f} | {other:.2f} | {way} | {ratio:.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--run", help=argparse.SUPPRESS)
    parser.add_argument("--only", default="", help=argparse.SUPPRESS)
    parser.add_argument("steps", nargs="*", default=STEPS)
    args = parser.parse_args()
    if args.run:
        run_torch(spec_of(args.run), args.threads, args.seconds, args.only)
        return
    cores = sorted(os.sched_getaffinity(0))[:args.threads]
    os.sched_setaffinity(0, cores)  # of the children too
    print("| step, batch | ours, items/s | PyTorch, items/s | its fastest | ratio |\n|---|---|---|---|---|")
    for text in args.steps:
        compare(spec_of(text), args)


if __name__ == "__main__":
    main()
