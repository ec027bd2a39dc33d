"""A small training loop that knows nothing of rightsize: logistic regression by stochastic gradient
descent, in plain Python. `rightsize profile -- python3 examples/command/train.py` measures it as it
is, by the steps that it prints."""
import math
import random

FEATURES = 64
BATCH = 32


def sample(rng, truth):
    x = [rng.gauss(0, 1) for _ in range(FEATURES)]
    margin = sum(a * b for a, b in zip(x, truth))
    return x, 1.0 if margin + rng.gauss(0, 0.5) > 0 else 0.0


def step(weights, batch, rate):
    gradient = [0.0] * FEATURES
    loss = 0.0
    for x, y in batch:
        p = 1 / (1 + math.exp(-sum(a * b for a, b in zip(x, weights))))
        loss -= math.log(p if y else 1 - p)
        for i, xi in enumerate(x):
            gradient[i] += (p - y) * xi
    for i, g in enumerate(gradient):
        weights[i] -= rate * g / len(batch)
    return loss / len(batch)


def main():
    rng = random.Random(1)
    truth = [rng.gauss(0, 1) for _ in range(FEATURES)]
    data = [sample(rng, truth) for _ in range(2048)]
    weights = [0.0] * FEATURES
    for number in range(1, 1_000_000):
        loss = step(weights, rng.sample(data, BATCH), 0.1)
        if number % 10 == 0:
            print(f"step {number} loss {loss:.4f}")


if __name__ == "__main__":
    main()
