#include "advisor/premises.h"

#include <algorithm>
#include <ctime>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/cpu_law.h"
#include "advisor/data_home.h"
#include "advisor/job_defaults.h"
#include "pricing/check.h"

namespace rightsize {
namespace {

void add_evidence(const Evidence& evidence, Recommendation& answer) {
  const auto& model = evidence.model;
  answer.runs = model.runs;
  answer.model_error = model.cv_median_error;
  answer.model_p90_error = model.cv_p90_error;
  answer.machine = model.machine;
  answer.measured_at = model.measured_at;
  answer.tool_version = RIGHTSIZE_VERSION;
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  answer.generated_at = text;
  std::set<std::string> used;
  for (const auto& option : answer.options) {
    used.insert(option.price_source.substr(0, option.price_source.find(':')) + ", " +
                (option.price_as_of.empty() ? "undated" : option.price_as_of));
  }
  const auto data = stored_data(answer.query, evidence.catalog);
  if (data && !answer.options.empty()) {
    used.insert("object_storage.csv, " + data->storage->as_of);
  }
  answer.price_tables.assign(used.begin(), used.end());
}

// Of every answer of a job that computes.
std::vector<std::string> assumptions_of_computing(const Query& query) {
  return {
      "the GPU's own speed is a published figure or scaled from published figures, unless it was "
      "measured: see each option's source; it is " +
          framework_words(query.stack, query.framework),
      "3 GiB of host memory per GPU process, 1 GiB of GPU memory for context and workspaces",
      "gradients are exchanged layer by layer behind the backward pass, over NVLink where the GPU "
      "has it, else over PCIe through the host, by whatever is fastest there",
      "the host's work of launching GPU kernels is not counted: it was not measured here",
      "copies to the GPU run at 12 GB/s each"};
}

// Of every answer.
std::vector<std::string> usual_assumptions(const Query& query) {
  const bool writes = query.phase == Phase::preprocess;
  auto all = writes ? std::vector<std::string>{} : assumptions_of_computing(query);
  for (const auto* one :
       {writes
            ? "disks hold the data set, what is written and 20 GiB more; a volume's bandwidth is "
              "one for both; a month is 730 h"
            : "disks hold the data set and 20 GiB more; a month is 730 h",
        "where a provider's table has no disk prices, a disk of 500 MB/s at 0.10 USD per GiB and "
        "month is assumed, and billed",
        "local NVMe reads 2 GB/s and 240,000 IOPS on every provider (Alibaba's published figure)",
        "spot machines: a checkpoint is the parameters and the optimizer at 200 MB/s, a new start "
        "takes 5 minutes, unless [spot] says otherwise",
        "not counted: boot, copying the data set in, checkpoints of machines that stay, and what "
        "an instance lets through to its disks where no table says (Azure, GCE's A3 and G4)"}) {
    all.emplace_back(one);
  }
  return all;
}

// What the machines, and what lies beside them, add.
void assume_of_machines(Recommendation& answer) {
  if (answer.chosen && committed_hours(answer.chosen->market) > 0) {
    answer.assumptions.push_back(
        fmt::format("reserved: work is found for {} % of the hours of the term; each job bears its "
                    "share of the rest",
                    answer.query.utilisation_percent));
  }
  if (answer.query.nodes_max > 1) {
    answer.assumptions.push_back(
        answer.query.network_between.fabric
            ? "each machine has a disk for the whole data set and reads its share of it; the "
              "network between them is as --net says"
            : "each machine has a disk for the whole data set and reads its share of it; they are "
              "joined by 25 Gb/s Ethernet: --net says otherwise");
  }
  if (!answer.query.data_at.empty()) {
    answer.assumptions.push_back(fmt::format(
        "the data set lies at {} and is copied to each machine once: its storage is billed for the "
        "job's time, and what leaves it as if nothing else had left it that month; the time of the "
        "copy is not counted",
        answer.query.data_at));
  }
}

// What training of large networks adds: how memory is spared and layers are shared.
void assume_of_large_training(Recommendation& answer) {
  const auto any = [&](bool Option::*way) {
    return std::any_of(
        answer.options.begin(), answer.options.end(), [&](const Option& o) { return o.*way; });
  };
  if (any(&Option::sharded)) {
    answer.assumptions.push_back(
        "sharded: the GPUs divide parameters, gradients and optimizer among themselves, gather "
        "each block's weights for the forward and the backward pass and sum up its gradients, in "
        "the width the network computes in, while other blocks compute");
  }
  if (any(&Option::recompute)) {
    answer.assumptions.push_back(
        "recompute: each transformer block keeps its input alone and is run again in the backward "
        "pass");
  }
  if (answer.query.tensor_parallel > 1 || answer.query.pipeline_parallel > 1) {
    answer.assumptions.push_back(fmt::format(
        "{} GPUs share every layer (sequence parallelism, their sums not hidden) and {} stages the "
        "layers (1F1B, not interleaved), in micro-batches of 1 to 8 items, the fastest that fits",
        answer.query.tensor_parallel,
        answer.query.pipeline_parallel));
  }
  if (answer.query.adapters.any()) {
    answer.assumptions.push_back(fmt::format(
        "adapter {}: the network's own parameters are frozen in {}, without gradients or "
        "optimizer, and the adapters trained beside them, unfused as PEFT runs them",
        to_string(answer.query.adapters),
        answer.query.adapters.narrow ? "4 bits and widened for every product" : "16 bits"));
  }
}

// What the work adds.
void assume_of_work(Recommendation& answer) {
  if (answer.query.stack) {
    answer.assumptions.push_back(fmt::format(
        "decoding takes {:g} times the CPU of the loader that was measured, as frameworks' own of "
        "the {} stack do",
        loader_cost(*answer.query.stack),
        to_string(*answer.query.stack)));
  }
  if (answer.query.preprocess_on != PreprocessChoice::cpu) {
    answer.assumptions.push_back(
        "on the GPU, pictures are resized and normalised at 0.6 of its memory's bandwidth; the "
        "vCPUs, which decode, are spared 12 % of their work on JPEG and 80 % on raw datums (stage "
        "times of the demo's runs)");
  }
  if (answer.query.service) {
    answer.assumptions.push_back(
        "requests arrive at random (Poisson, in groups where burst says so), each at the GPU that "
        "has the fewest; without [data] they bring their inputs decoded; the network between "
        "caller and machine is not counted");
  }
  if (answer.query.phase == Phase::train) {
    answer.assumptions.push_back("epochs after the first read what the page cache does not hold");
  }
}

// Of an answer that chose, as the next three.
void warn_of_tokens(Recommendation& answer) {
  const auto& chosen = *answer.chosen;
  if (!chosen.tokens) {
    return;
  }
  if (const auto lacks =
          lacking_precision(answer.query.precision, chosen.tokens->server, chosen.gpu);
      !lacks.empty()) {
    answer.warnings.push_back(lacks);
  }
}

void warn_of_market(Recommendation& answer) {
  constexpr double idle = 0.15;
  if (answer.chosen->service && answer.chosen->service->point.utilisation < idle) {
    answer.warnings.push_back(
        fmt::format("so many machines stand {:.0f} % idle: the latency asked for is near the least "
                    "this machine can give, and their number hangs on the confidence; ask for more "
                    "time, or a faster machine",
                    100 * (1 - answer.chosen->service->point.utilisation)));
  }
  if (answer.chosen->spot) {
    const auto& spot = *answer.chosen->spot;
    const auto& assumed = answer.query.interruptions;
    answer.warnings.push_back(fmt::format(
        "spot: {:.3g} interruptions expected at {:g} per hour [{}], {:.0f} % chance of none; time "
        "and cost hold the mean of lost work and restarts",
        spot.interruptions,
        assumed.per_hour,
        assumed.stated ? "as [spot] says; what it does not say is assumed"
                       : "assumed, half or twice as many in the interval; [spot] in the job file "
                         "sets it",
        100 * spot.chance_of_none));
  } else if (answer.chosen->market == Market::spot) {
    answer.warnings.push_back("spot: a service of machines that are taken away loses requests");
  }
}

void warn_of_way(Recommendation& answer) {
  if (answer.chosen->nodes > 1 && !answer.query.serves()) {
    answer.warnings.push_back(
        fmt::format("{} machines train together, {}{}: {:.0f} % of so many that exchange nothing",
                    answer.chosen->nodes,
                    answer.chosen->exchange.empty() ? "nothing exchanged" : answer.chosen->exchange,
                    answer.chosen->exchange.empty() || answer.query.network_between.fabric
                        ? ""
                        : " [assumed; --net sets it]",
                    100 * answer.chosen->scaling_efficiency));
  }
  if (answer.chosen->sharded && answer.query.exchange != Exchange::sharded) {
    answer.warnings.push_back(fmt::format(
        "one {} has not the memory for parameters, gradients and optimizer: the training program "
        "has to share them out (FSDP, ZeRO stage 3), {:.0f} GiB a GPU then",
        answer.chosen->gpu,
        answer.chosen->gpu_memory_needed_gib));
  }
  if (answer.chosen->recompute && !answer.query.recompute) {
    answer.warnings.push_back(
        "activations do not fit otherwise: the training program has to run blocks again in the "
        "backward pass (activation checkpointing); the time holds it");
  }
  if (answer.chosen->preprocess_on_gpu) {
    answer.warnings.push_back(
        "pictures are resized and normalised on the GPU: the training program has to do so");
  }
}

// Of a book of another time age is the point; prices without a date are warned of apart.
void warn_of_age(Recommendation& answer) {
  constexpr std::size_t length_of_day = 10;
  const auto& as_of = answer.chosen->price_as_of;
  const auto days = days_between(as_of, answer.generated_at.substr(0, length_of_day));
  if (answer.query.book.find("era-") == std::string::npos && days &&
      *days > CheckOptions{}.old_days) {
    answer.warnings.push_back(
        fmt::format("the chosen price is of {}, {} days ago: check it before "
                    "you rent",
                    as_of.substr(0, length_of_day),
                    *days));
  }
}

void warn_of_price(const Catalog& catalog, Recommendation& answer) {
  warn_of_age(answer);
  if (committed_hours(answer.chosen->market) > 0) {
    answer.warnings.push_back(fmt::format(
        "{}: the bill is this job's share; what is signed for is {} hours of the machine",
        to_string(answer.chosen->market),
        committed_hours(answer.chosen->market)));
  }
  if (answer.chosen->price_source.find("assumed: ") != std::string::npos) {
    answer.warnings.push_back("the chosen price is assumed, as --reserved-discount says");
  }
  if (answer.chosen->disk.find("assumed") != std::string::npos) {
    answer.warnings.push_back("no disk price of " + answer.chosen->provider +
                              " is in the tables: the bill's disk line is assumed");
  }
  if (answer.chosen->price_as_of.empty() ||
      answer.chosen->price_as_of.find("undated") != std::string::npos) {
    answer.warnings.push_back("the chosen price carries no date: check it before you rent");
  }
  const auto& chosen = *answer.chosen;
  if (chosen.disk_gib > 0 && chosen.disk.find("assumed") == std::string::npos &&
      catalog.disk_cap(chosen.provider,
                       chosen.instance,
                       chosen.disk.substr(0, chosen.disk.find(' '))) == nullptr) {
    answer.warnings.push_back(
        fmt::format("no table says what {} lets through to its disks: they are taken at their own "
                    "speed",
                    chosen.instance));
  }
  const auto& billing = catalog.billing(answer.chosen->provider, answer.query.book);
  if (billing.basis == "assumed") {
    answer.warnings.push_back(
        fmt::format("that {} bills by the {} is assumed, not published in our tables",
                    answer.chosen->provider,
                    billing.granularity.count() <= 1    ? "second"
                    : billing.granularity.count() <= 60 ? "minute"
                                                        : "hour"));
  }
}

// Nothing is an option, and for some it is the GPU's memory: what the job may say otherwise.
void hint_at_memory(Recommendation& answer) {
  const auto short_of_memory = [](const Rejection& rejection) {
    return rejection.reason.starts_with("GPU memory too small");
  };
  const auto& query = answer.query;
  const auto& rejected = answer.rejected;
  if (!answer.options.empty() || std::none_of(rejected.begin(), rejected.end(), short_of_memory)) {
    return;
  }
  std::vector<std::string> ways{"a smaller batch_per_gpu"};
  if (has_backward(query.phase)) {
    const bool shares = query.tensor_parallel * query.pipeline_parallel > 1;
    if (query.recompute == false) {
      ways.emplace_back("recompute = true");
    }
    if (query.exchange && query.exchange != Exchange::sharded && !shares) {
      ways.emplace_back("exchange = \"sharded\"");
    }
    if (!query.adapters.narrow && !shares) {
      ways.emplace_back("adapter = \"qlora:16\", which trains adapters alone");
    }
    if (!shares && !query.adapters.any()) {
      ways.emplace_back("tensor_parallel = 8, for machines of 8 GPUs");
    }
    if (query.nodes_max == 1) {
      ways.emplace_back("--nodes-max 8, whose GPUs share the parameters");
    }
  }
  answer.warnings.push_back(fmt::format(
      "GPU memory is too small for the batch on some offers; may help: {}", fmt::join(ways, "; ")));
}

void add_warnings(const Catalog& catalog, Recommendation& answer) {
  if (!answer.chosen) {
    hint_at_memory(answer);
    return;
  }
  warn_of_tokens(answer);
  warn_of_market(answer);
  warn_of_way(answer);
  warn_of_price(catalog, answer);
  if (!answer.ties.empty()) {
    answer.warnings.push_back(
        fmt::format("{} other option{} cannot be told apart from the chosen one on cost",
                    answer.ties.size(),
                    answer.ties.size() == 1 ? "" : "s"));
  }
}

}  // namespace

void add_premises(const Evidence& evidence, Recommendation& answer) {
  add_evidence(evidence, answer);
  const bool has_experts =
      answer.chosen && answer.chosen->tokens && answer.chosen->tokens->server.work.expert_bytes > 0;
  answer.assumptions = answer.query.tokens ? token_assumptions(*answer.query.tokens, has_experts)
                                           : usual_assumptions(answer.query);
  assume_of_machines(answer);
  assume_of_work(answer);
  assume_of_large_training(answer);
  add_warnings(evidence.catalog, answer);
}

}  // namespace rightsize
