#include "advisor/assumptions.h"

#include <algorithm>

#include <fmt/format.h>

#include "advisor/candidate/disk_choice.h"
#include "advisor/candidate/network_facts.h"
#include "advisor/candidate/sound_words.h"
#include "advisor/data_path_words.h"
#include "advisor/idle_hours.h"
#include "advisor/query/job_defaults.h"
#include "advisor/query/own_rate_words.h"
#include "advisor/tokens/token_service.h"
#include "advisor/tokens/weights_taken.h"
#include "advisor/training_assumptions.h"
#include "kernels/longer_sequence.h"
#include "kernels/networks/encoder_decoder/encoder_decoder.h"
#include "kernels/onnx/onnx.h"

namespace rightsize {
namespace {

// Of every answer of a job that computes.
std::vector<std::string> assumptions_of_computing(const Query& query) {
  const bool writes = query.phase == Phase::infer && is_encoder_decoder(query.network);
  return {
      "the GPU's own speed is a published figure or scaled from published figures, unless it was "
      "measured: see each option's source; it is " +
          framework_words(query.stack, query.framework),
      "3 GiB of host memory per GPU process, and two shards of 5 GB of a transformer's weights on "
      "their way in; 1 GiB of GPU memory for context and workspaces",
      "gradients are exchanged layer by layer behind the backward pass, over NVLink or Infinity "
      "Fabric where the GPU has it, else over PCIe through the host, by whatever is fastest there",
      writes ? "the host takes up to some milliseconds for each token that is written, by whose "
               "program it is; its work of launching kernels otherwise is not counted"
             : "the host's work of launching GPU kernels is not counted: it was not measured here",
      "copies to the GPU run at 12 GB/s each"};
}

const char* assumed_disk_words(const Recommendation& answer) {
  const bool left_out =
      std::any_of(answer.options.begin(), answer.options.end(), [](const Option& option) {
        return disk_pricing(option.disk, option.disk_class) == DiskPricing::not_billed;
      });
  return left_out
             ? "where a provider's table has no disk prices, a disk of 500 MB/s is assumed: "
               "billed at 0.10 USD per GiB and month beside machines priced in USD, or in what "
               "a rate was given for, and not billed beside others"
             : "where a provider's table has no disk prices, a disk of 500 MB/s at 0.10 USD "
               "per GiB and month is assumed, and billed";
}

// Of every answer.
std::vector<std::string> usual_assumptions(const Recommendation& answer) {
  const auto& query = answer.query;
  const bool writes = query.phase == Phase::preprocess;
  auto all = writes ? std::vector<std::string>{} : assumptions_of_computing(query);
  const auto* disks =
      writes ? "disks hold the data set, what is written and 20 GiB more; a volume's bandwidth is "
               "one for both; a month is 730 h"
             : "disks hold the data set, beside it a transformer's weights and state, and 20 GiB "
               "more; a month is 730 h";
  for (const auto* one :
       {disks,
        assumed_disk_words(answer),
        "local NVMe reads 2 GB/s and 240,000 IOPS on every provider (Alibaba's published figure)",
        "spot machines: a checkpoint is the parameters and the optimizer, at the speed of the "
        "disk; a new start takes 5 minutes and reading that back, unless [spot] says otherwise",
        "no boot disk is billed: the 20 GiB more of a rented disk stand for it; machines that "
        "read from their own NVMe, or read no data, have none on the bill, though providers that "
        "bill disks apart bill it",
        "not counted: boot, copying the data set in, checkpoints under way of machines that stay, "
        "and what an instance lets through to its disks where no table says (Azure, GCE's A3 and "
        "G4)"}) {
    all.emplace_back(one);
  }
  return all;
}

// What the machines, and what lies beside them, add.
void assume_of_machines(Recommendation& answer) {
  assume_of_whole_months(answer);
  if (answer.query.nodes_max > 1) {
    answer.assumptions.push_back(
        answer.query.network_between.fabric
            ? "each machine has a disk for the whole data set and reads its share of it; the "
              "network between them is as --net says"
            : "each machine has a disk for the whole data set and reads its share of it; they are "
              "joined by what their type keeps up, as far as a table says (network.csv), else by "
              "25 Gb/s Ethernet: --net says otherwise");
  }
  if (!answer.query.data_at.empty()) {
    answer.assumptions.push_back(fmt::format(
        "the data set lies at {} and is copied to each machine once: its storage is billed for as "
        "long as the machines are{}, and what leaves it as if nothing else had left it that month; "
        "the time of the copy is not counted",
        answer.query.data_at,
        answer.chosen && answer.chosen->price_per_month ? ", by whole months," : ""));
  }
}

// What the work adds.
void assume_of_work(const Model& model, Recommendation& answer) {
  for (auto& sentence : own_rate_sentences(answer.query)) {
    answer.assumptions.push_back(std::move(sentence));
  }
  for (auto& sentence : data_path_assumptions(model, answer.query)) {
    answer.assumptions.push_back(std::move(sentence));
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
        "has the fewest; they bring their inputs decoded; the network between "
        "caller and machine is not counted");
  }
  if (answer.query.phase == Phase::train) {
    answer.assumptions.push_back("epochs after the first read what the page cache does not hold");
  }
}

void assume_of_sound(Recommendation& answer) {
  if (!hears(answer.query.network)) {
    return;
  }
  const bool of_job = answer.chosen && !answer.query.serves();
  answer.assumptions.push_back(sound_left_out(of_job ? answer.chosen->throughput.value : 0));
}

// Of what a config.json says; an ONNX file's own are told where it is looked at, and take long.
void assume_of_network(const Query& query, std::vector<std::string>& assumptions) {
  for (const auto& words :
       {query.tokens ? published_words(*query.tokens, query.network) : published_words(query),
        known_words(query)}) {
    if (!words.empty()) {
      assumptions.push_back(words);
    }
  }
  if (!is_onnx_path(query.network)) {
    const auto notes = make_network(query.network, query.sequence, query.phase).notes;
    assumptions.insert(assumptions.end(), notes.begin(), notes.end());
  }
}

void assume_of_tokens(const Model& model, Recommendation& answer) {
  const auto& rates = model.gpu_rates;
  const bool written =
      answer.query.tokens && std::any_of(rates.begin(), rates.end(), [&](const MeasuredRate& rate) {
        return rate.phase == Phase::decode && rate.network == answer.query.network;
      });
  if (written) {
    answer.assumptions.emplace_back(own_tokens_words);
  }
}

}  // namespace

void add_assumptions(const Model& model, Recommendation& answer) {
  const bool has_experts =
      answer.chosen && answer.chosen->tokens && answer.chosen->tokens->server.work.expert_bytes > 0;
  answer.assumptions = answer.query.tokens ? token_assumptions(*answer.query.tokens, has_experts)
                                           : usual_assumptions(answer);
  if (!answer.data_path_note.empty()) {
    answer.assumptions.push_back(answer.data_path_note);
  }
  assume_of_tokens(model, answer);
  assume_of_network(answer.query, answer.assumptions);
  assume_of_sound(answer);
  assume_of_machines(answer);
  if (const auto& [cost, time] = answer.query.objective; cost > 0 && time > 0) {
    answer.assumptions.push_back(
        fmt::format("best by {} is the least cost^{:.3g} x time^{:.3g}: a hundredth less time is "
                    "worth {:.3g} hundredths of the cost, whatever the units",
                    to_string(answer.query.objective),
                    cost,
                    time,
                    time / cost));
  }
  if (!answer.query.currency_stated && answer.query.currency != Query{}.currency) {
    answer.assumptions.push_back(
        fmt::format("counted in {}, which every offer asked about is priced in: --currency says "
                    "otherwise",
                    answer.query.currency));
  }
  for (const auto& [from, rate] : answer.query.rates) {
    answer.assumptions.push_back(fmt::format(
        "1 {} is {} {}, {}", from, Money(rate.rate_nanos, rate.to).decimal(), rate.to, rate.as_of));
  }
  assume_of_work(model, answer);
  add_training_assumptions(answer);
}

}  // namespace rightsize
