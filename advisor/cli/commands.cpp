// The command table: the program's table of contents, in the order a user meets them.
#include <array>

#include "advisor/cli/command.h"

namespace rightsize::cli {
namespace {

constexpr std::array table{
    Command{
        "doctor",
        "",
        "what this machine is, and which limits can be imposed here",
        "rightsize doctor\nrightsize doctor --bench --bench-folder demo\nrightsize doctor -o json",
        run_doctor},
    Command{"networks",
            "[NAME|FILE ...]",
            "networks, built in or yours, with parameters, FLOPs and memory",
            "rightsize networks\nrightsize networks resnet50 vgg16 --batch 32 --precision fp16\n"
            "rightsize networks config.json --sequence 4096\nrightsize networks --onnx model.onnx",
            run_networks},
    Command{"gpus",
            "[NAME]",
            "GPUs: rates, memory, and which published figures there are",
            "rightsize gpus\nrightsize gpus A100",
            run_gpus},
    Command{"dataset",
            "make|inspect PATH",
            "make a data set like the originals, or look into one",
            "rightsize dataset make demo/data --items 1000\n"
            "rightsize dataset inspect demo/data/train.rec",
            run_dataset},
    Command{"profile",
            "[NETWORK] [-- PROGRAM ARGUMENTS...]",
            "measure one workload, or your own program, under limits",
            "rightsize profile resnet50 --engine cpu --cpus 1 --seconds 10\n"
            "rightsize profile resnet50 --as aws/g4dn.xlarge --disk gp3:500GiB\n"
            "rightsize profile resnet50 --serve --qps 10 --max-batch 8 --max-delay 5ms --cpus 1\n"
            "rightsize profile --data recordio --data-path train.rec --differential\n"
            "rightsize profile --cpus 1,2 --steps 'regex:step (\\d+)' -- python3 train.py",
            run_profile},
    Command{"campaign",
            "FILE.toml",
            "measure a batch of runs; resumes where it stopped",
            "rightsize campaign examples/demo/campaign.toml\n"
            "rightsize campaign examples/demo/campaign.toml --dry-run\n"
            "rightsize campaign examples/demo/campaign.toml --section decode --set seconds=3 "
            "--time 1m\n"
            "rightsize campaign examples/demo/campaign.toml --slurm --tasks 8 --dry-run",
            run_campaign},
    Command{"records",
            "list|show|export|import|check [ID|FILE]",
            "look at the stored runs, or carry them to another machine",
            "rightsize records list\nrightsize records show 0123\n"
            "rightsize records export records.jsonl\nrightsize records import fio.json",
            run_records},
    Command{"fit",
            "[RECORDS.jsonl...]",
            "fit the model to the records and show its error",
            "rightsize fit\nrightsize fit examples/measurements/demo.jsonl --model model.json",
            run_fit},
    Command{"validate",
            "[RECORDS.jsonl...]",
            "predicted against measured, on runs kept out of the fit",
            "rightsize validate\nrightsize validate --published\n"
            "rightsize validate examples/measurements/founding.jsonl --carried",
            run_validate},
    Command{"predict",
            "[JOB.toml]",
            "throughput on a machine, measured or not: limits, bottleneck, interval",
            "rightsize predict --data recordio --gpu-rate 1400 --cpus 8 --memory 32GiB\n"
            "rightsize predict --network resnet50 --precision fp16 --batch 128 --data synthetic "
            "--machine gpu=V100:8,link=nvlink\n"
            "rightsize predict examples/demo/job.toml --machine "
            "gpu=A100:1,vcpus=12,memory=85GiB,disk=gp3:500GiB\n"
            "rightsize predict examples/service/job.toml --machine aws/g5.xlarge\n"
            "rightsize predict --batch-file examples/predict/rows.csv -o csv",
            run_predict},
    Command{"simulate",
            "[JOB.toml]",
            "play one setting item by item: stalls and utilisation; or a fleet serving requests",
            "rightsize simulate --data recordio --gpu-rate 1400 --cpus 8 --memory 32GiB\n"
            "rightsize simulate examples/demo/job.toml --machine "
            "gpu=V100:4,vcpus=32,memory=244GiB,disk=gp3:500GiB --trace trace.json\n"
            "rightsize simulate --network resnet50 --precision fp16 --machine gpu=T4:2 --serve "
            "--qps 800 --max-batch 16 --max-delay 5ms --p99 50ms\n"
            "rightsize simulate examples/service/job.toml --machine aws/g5.xlarge\n"
            "rightsize simulate --spot --hours 40h --interruptions 0.05 --longest-life 24h "
            "--price 1.10",
            run_simulate},
    Command{"size",
            "[JOB.toml]",
            "the least vCPUs, memory and disk that keep a GPU busy",
            "rightsize size examples/demo/job.toml --gpu H100\n"
            "rightsize size examples/service/job.toml --gpu A10G\n"
            "rightsize size --network alexnet --data lmdb --batch 256 --gpu P100 --stack era",
            run_size},
    Command{"advise",
            "JOB.toml [JOB.toml...]",
            "which machine to rent for a job, what it costs, and why",
            "rightsize advise examples/demo/job.toml\n"
            "rightsize advise examples/demo/job.toml --deadline 12h --infra 'aws/us-*' -o json\n"
            "rightsize advise examples/demo/job.toml --current p4d.24xlarge --runs-per-month 30",
            run_advise},
    Command{"explain",
            "JOB.toml [INSTANCE]",
            "why: from the cost down to each law, and what would change it",
            "rightsize explain examples/demo/job.toml\n"
            "rightsize explain examples/demo/job.toml g6e.xlarge -o json\n"
            "rightsize explain examples/service/job.toml --infra aws",
            run_explain},
    Command{"what-if",
            "JOB.toml [INSTANCE] KEY=VALUE...",
            "one instance with other vCPUs, memory, disk, batch, GPU or price",
            "rightsize what-if examples/demo/job.toml vcpus=+8\n"
            "rightsize what-if examples/demo/job.toml g6e.xlarge price=-20% disk=gp3:500GiB\n"
            "rightsize what-if examples/service/job.toml g4dn.xlarge qps=x2 p99=100ms",
            run_what_if},
    Command{"compare",
            "JOB.toml A B",
            "two instances side by side, and where the answer flips",
            "rightsize compare examples/demo/job.toml g6e.xlarge p5.4xlarge\n"
            "rightsize compare examples/demo/job.toml aws/g6e.xlarge gcp/g2-standard-8 -o md",
            run_compare},
    Command{"export",
            "JOB.toml",
            "the chosen machine as a SkyPilot, Kubernetes, Terraform or Slurm file",
            "rightsize export examples/demo/job.toml --to skypilot --out-file task.yaml\n"
            "rightsize export examples/demo/job.toml --infra aws --option 2 --to slurm\n"
            "rightsize export examples/demo/job.toml --option aws/g6e.xlarge --to terraform\n"
            "rightsize export examples/service/job.toml --infra aws --to kubernetes",
            run_export},
    Command{"verify",
            "JOB.toml",
            "emulate the chosen machine here, run the job on it, compare with the prediction",
            "rightsize verify examples/demo/job.toml --data-path demo/data/train.rec\n"
            "rightsize verify examples/demo/job.toml --option 2 --data-path demo/data/train.rec\n"
            "rightsize verify examples/service/job.toml --infra aws",
            run_verify},
    Command{"report",
            "JOB.toml | ANSWER.json... | RUNS.jsonl",
            "the answer with its evidence, or runs, as one HTML file or Markdown",
            "rightsize report examples/demo/job.toml --html report.html --md report.md\n"
            "rightsize report examples/measurements/demo.jsonl --html runs.html",
            run_report},
    Command{"prices",
            "list|show|import|export|check [FILE...]",
            "the price tables: what is in them, how old, what is wrong with them",
            "rightsize prices list\nrightsize prices show --infra 'aws/us-east-1' --gpu A100\n"
            "rightsize prices import instances.json --as-of 2026-11-02 -o csv --out-file my.csv\n"
            "rightsize prices import catalogs/v8/aws/vms.csv --discount 12% -o csv\n"
            "rightsize advise JOB.toml --prices my.csv\n"
            "rightsize prices export --format skypilot --provider aws --out-file vms.csv\n"
            "rightsize prices check my.csv",
            run_prices},
    Command{"shell",
            "[JOB.toml]",
            "interactive sizing: settings, tables whose rows have numbers, Tab, history",
            "rightsize shell examples/demo/job.toml\nrightsize shell < script",
            run_shell},
    Command{"serve",
            "[FOLDER]",
            "questions and answers in a browser, and by HTTP for programs",
            "rightsize serve examples\nrightsize serve examples --port 0 --quiet\n"
            "rightsize serve jobs --host 0.0.0.0 --name sizing.example.org --prices acme.csv\n"
            "curl -H \"Authorization: Bearer $RIGHTSIZE_TOKEN\" "
            "'http://127.0.0.1:8434/advise?infra=aws&o=json' --data-binary @job.toml",
            run_serve},
    Command{"completion",
            "bash|zsh|fish",
            "what your shell needs to complete commands, flags and names",
            "rightsize completion bash > ~/.local/share/bash-completion/completions/rightsize\n"
            "source <(rightsize completion zsh)\n"
            "rightsize completion fish > ~/.config/fish/completions/rightsize.fish",
            run_completion},
    Command{"complete", "LINE", "what may follow on a line (internal)", "", run_complete, true},
    Command{"shard", "", "a task of campaign --slurm (internal)", "", run_shard_command, true},
    Command{"worker", "", "one run in a fresh process (internal)", "", run_worker_command, true},
};

}  // namespace

std::span<const Command> commands() {
  return table;
}

}  // namespace rightsize::cli
