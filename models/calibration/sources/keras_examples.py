"""minimaxir/keras-cntk-benchmark: v2/logs, Keras' examples with TensorFlow on K80 and P100, GCE, 2017.

Seconds an epoch, the median; the pictures and sequences lie in memory and each minibatch is handed over
by Python. An epoch ends with validation, whose items are counted as a third of one that is trained
(forward alone). Recurrent layers are cuDNN's. Left out: cifar10_cnn, whose one vCPU distorts pictures in
turn, mnist_mlp and imdb_fasttext, which the K80 and the P100 of that machine run hardly faster than it
hands them over, and CNTK.
"""
import statistics

EXAMPLES = {  # network, minibatch, trained and validated in an epoch
    "mnist_cnn": ("mnist-cnn", 128, 60000, 10000),
    "imdb_bidirectional_lstm": ("imdb-lstm", 32, 25000, 25000),
    "lstm_text_generation": ("text-lstm", 128, 200285, 0),
}
GPUS = {"k80": "K80", "p100": "P100"}


def collect(collected):
    repository = collected.repository("minimaxir", "keras-cntk-benchmark")
    for example, (network, batch, trained, validated) in EXAMPLES.items():
        for folder, gpu in GPUS.items():
            path = f"v2/logs/{folder}/{example}_tensorflow.csv"
            seconds = statistics.median(float(row["elapsed"]) for row in repository.table(path))
            collected.rate(network, "train", "fp32", gpu, batch,
                           round((trained + validated / 3) / seconds, 1), "TensorFlow (Keras)",
                           repository.source(path), stack="era")
