"""What the collectors share: a clone to read from and the two tables to add to."""
import csv
import io
import subprocess


def cells_of(line):
    """The cells of a line of a Markdown table; none of any other line."""
    line = line.strip()
    return [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []


class Repository:
    """A bare clone or a clone's .git, as MIRRORS/<owner>+<name>/repo."""

    def __init__(self, mirrors, owner, name):
        path = mirrors / f"{owner}+{name}" / "repo"
        self.path = path / ".git" if (path / ".git").exists() else path
        self.name = f"{owner}/{name}"
        self.commit = self.git("rev-parse", "HEAD").strip()[:10]

    def git(self, *arguments):
        return subprocess.run(["git", "-C", self.path, *arguments], check=True,
                              capture_output=True, text=True, errors="replace").stdout

    def text(self, path, commit="HEAD"):
        return self.git("show", f"{commit}:{path}")

    def paths(self, under=""):
        return self.git("ls-tree", "-r", "--name-only", f"HEAD:{under}").split("\n")[:-1]

    def table(self, path):
        return list(csv.DictReader(io.StringIO(self.text(path))))

    def source(self, path, commit=""):
        return f"{self.name} {path}@{commit or self.commit}".replace(",", ";")


class Collected:
    """Rates of one GPU, of several next to one, and of language models token by token, in the columns
    of the CSV files."""

    RATES = ["network", "sequence", "phase", "precision", "gpu", "batch", "items_per_s", "stack",
             "framework", "source"]
    SCALING = ["network", "precision", "batch", "sequence", "gpu", "gpus", "nodes", "interconnect",
               "one_gpu_rate", "rate", "unit", "framework", "source"]
    SHARDED = ["network", "sequence", "batch", "gpu", "gpus", "nodes", "interconnect", "exchange",
               "recompute", "states", "tokens_per_s_per_gpu", "memory_gib", "framework", "source"]
    ADAPTED = SHARDED[:-4] + ["adapter"] + SHARDED[-4:]
    PARALLEL = ["network", "sequence", "gpu", "gpus", "nodes", "interconnect", "tensor", "pipeline",
                "micro_batch", "chunks", "global_batch", "recompute", "step_s", "memory_gib",
                "framework", "source"]
    DECODE = ["kind", "network", "weights", "caches", "gpu", "gpus", "interconnect", "sequences",
              "prompt_tokens", "output_tokens", "tokens_per_s", "software", "source"]

    def __init__(self, mirrors):
        self.mirrors = mirrors
        self.rates = []
        self.scaling = []
        self.sharded = []
        self.adapted = []
        self.parallel = []
        self.decoded = []

    def repository(self, owner, name):
        return Repository(self.mirrors, owner, name)

    def rate(self, network, phase, precision, gpu, batch, items_per_s, framework, source,
             sequence=0, stack="current"):
        self.rates.append([network, sequence, phase, precision, gpu, batch, items_per_s, stack,
                           framework, source])

    def several(self, network, precision, batch, gpu, gpus, nodes, links, one_gpu_rate, rate,
                framework, source, sequence=0):
        unit = "sequences/s" if sequence else "images/s"
        self.scaling.append([network, precision, batch, sequence, gpu, gpus, nodes, links,
                             one_gpu_rate, rate, unit, framework, source])

    # Large transformers in bf16: `batch` sequences a GPU between two exchanges; `recompute` none,
    # blocks or selective; `states` the optimizer's precision. What was not published is "".
    def shard(self, network, sequence, batch, gpu, gpus, nodes, links, exchange, recompute, states,
              tokens_per_s_per_gpu, memory_gib, framework, source):
        self.sharded.append([network, sequence, batch, gpu, gpus, nodes, links, exchange, recompute,
                             states, tokens_per_s_per_gpu, memory_gib, framework, source])

    # The same of low-rank adapters, trained alone; several GPUs of a node share the parameters.
    def adapt(self, network, sequence, batch, gpu, gpus, adapter, recompute, tokens_per_s_per_gpu,
              memory_gib, framework, source):
        self.adapted.append([network, sequence, batch, gpu, gpus, 1, "NVLink" if gpus > 1 else "",
                             "sharded", recompute, "fp32", adapter, tokens_per_s_per_gpu,
                             memory_gib, framework, source])

    # kind: alone (tokens/s written for one sequence), prompt (tokens/s read of one prompt), most
    # (tokens/s written for all sequences at the largest load; `sequences` 0: as many as fit).
    def decode(self, kind, network, weights, caches, gpu, gpus, links, sequences, prompt, output,
               tokens_per_s, software, source):
        self.decoded.append([kind, network, weights, caches, gpu, gpus, links, sequences, prompt,
                             output, tokens_per_s, software, source])
