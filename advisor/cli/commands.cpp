// The command table: the program's table of contents, in the order a user meets them.
#include <array>

#include "advisor/cli/command.h"

namespace rightsize::cli {
namespace {

constexpr std::array table{
    Command{"doctor",
            "",
            "what this machine is, and which limits can be imposed here",
            "rightsize doctor\nrightsize doctor -o json",
            run_doctor},
    Command{"networks",
            "",
            "the built-in networks with parameters, FLOPs and memory",
            "rightsize networks\nrightsize networks -o csv\nrightsize networks --onnx model.onnx",
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
            "",
            "measure one workload under limits",
            "rightsize profile --network resnet50 --engine cpu --cpus 1 --seconds 10",
            run_profile},
    Command{"campaign",
            "FILE.toml",
            "measure a batch of runs; resumes where it stopped",
            "rightsize campaign examples/demo/campaign.toml\n"
            "rightsize campaign examples/demo/campaign.toml --dry-run",
            run_campaign},
    Command{"records",
            "list|export|import [FILE.jsonl]",
            "look at the stored runs, or carry them to another machine",
            "rightsize records list\nrightsize records export records.jsonl",
            run_records},
    Command{"fit",
            "[RECORDS.jsonl...]",
            "fit the model to the records and show its error",
            "rightsize fit\nrightsize fit examples/measurements/demo.jsonl --model model.json",
            run_fit},
    Command{"validate",
            "[RECORDS.jsonl...]",
            "predicted against measured, on runs kept out of the fit",
            "rightsize validate\nrightsize validate --published",
            run_validate},
    Command{"predict",
            "",
            "throughput of one setting: limits, bottleneck, interval",
            "rightsize predict --data recordio --gpu-rate 1400 --cpus 8 --memory 32GiB",
            run_predict},
    Command{"simulate",
            "",
            "play one setting item by item: stalls and utilisation",
            "rightsize simulate --data recordio --gpu-rate 1400 --cpus 8 --memory 32GiB",
            run_simulate},
    Command{"advise",
            "JOB.toml",
            "which machine to rent for a job, what it costs, and why",
            "rightsize advise examples/demo/job.toml\n"
            "rightsize advise examples/demo/job.toml --deadline 12h --infra 'aws/us-*' -o json",
            run_advise},
    Command{"report",
            "JOB.toml",
            "the answer with its evidence as one HTML file or Markdown",
            "rightsize report examples/demo/job.toml --html report.html --md report.md",
            run_report},
    Command{"prices",
            "list|show|check [FILE.csv]",
            "the price tables: what is in them, how old, what is wrong with them",
            "rightsize prices list\nrightsize prices show --infra 'aws/us-east-1' --gpu A100\n"
            "rightsize prices check my-prices.csv",
            run_prices},
    Command{"worker", "", "one run in a fresh process (internal)", "", run_worker_command, true},
};

}  // namespace

std::span<const Command> commands() {
  return table;
}

}  // namespace rightsize::cli
