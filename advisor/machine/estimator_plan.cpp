// How an Estimator turns a Configuration into laws and a setting. What GPUs and the host decide of
// it is in estimator_gpu.cpp, estimator_cpu.cpp and estimator_host.cpp.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/candidate/epoch.h"
#include "advisor/candidate/host_cpus.h"
#include "advisor/candidate/host_memory.h"
#include "advisor/candidate/lmdb_pictures.h"
#include "advisor/candidate/own_loader.h"
#include "advisor/candidate/plain_programs.h"
#include "advisor/candidate/refusal.h"
#include "advisor/candidate/stored_pictures.h"
#include "advisor/candidate/update_share.h"
#include "advisor/machine/estimator.h"
#include "advisor/machine/idle_words.h"
#include "advisor/machine/one_thread_note.h"
#include "advisor/query/job_work.h"
#include "advisor/query/query_data.h"
#include "advisor/query/writing_words.h"
#include "advisor/tokens/weights_taken.h"
#include "kernels/work.h"

namespace rightsize {
namespace {

constexpr std::int64_t smallest_data_set_pixels = 64 * 64;  // smaller pictures live in memory

std::string unit_of(const Network& network, const NetworkStep& step) {
  return step.writing.of_texts()                              ? "texts/s"
         : step.phase == Phase::decode                        ? "tokens/s"
         : network.hears()                                    ? "clips/s"
         : looks_up_tables(network)                           ? "samples/s"
         : network.reads_tokens() && !makes_pictures(network) ? "sequences/s"
                                                              : "img/s";
}

bool in_memory(DataFormat data, const Network& network) {
  if (looks_up_tables(network) || data == DataFormat::tokens) {
    return data == DataFormat::synthetic;
  }
  return data == DataFormat::synthetic || data == DataFormat::mnist || data == DataFormat::cifar ||
         network.reads_tokens() || network.input.positions() < smallest_data_set_pixels;
}

// Of one node.
Workload workload_of(const Configuration& asked, const Network& network, int batch) {
  Workload workload;
  workload.network = asked.network;
  workload.phase = asked.phase;
  workload.batch = batch * std::max(1, asked.machine.gpus_per_node);
  const bool reads = asked.phase != Phase::decode && !in_memory(asked.data, network);
  workload.data = reads ? asked.data : DataFormat::synthetic;
  workload.shuffle = asked.shuffle;
  return workload;
}

// What no machine could do; "" where there is nothing.
std::string why_not_asked(const Configuration& asked, const Network& network) {
  if (auto reason = why_not_in_phase(network, asked.phase); !reason.empty()) {
    return reason;
  }
  const auto& machine = asked.machine;
  if (auto reason = machine.gpu.empty() ? why_not_on_cpus(asked) : ""; !reason.empty()) {
    return reason;
  }
  if (auto few = host_cpus_shortage(machine.vcpus, machine.gpu.empty() ? 0 : machine.gpus_per_node);
      !few.empty()) {
    return few;
  }
  for (auto* misfit_of : {sharing_misfit, tuning_misfit, writing_misfit}) {
    if (const auto misfit = misfit_of(asked)) {
      return fmt::format("{}: expected {}", misfit->key, misfit->expected);
    }
  }
  return asked.phase == Phase::decode ? "" : why_unread(network, asked.network, asked.data);
}

void note_encoded_pictures(const Configuration& asked,
                           DataFormat read,
                           const NetworkFacts& known,
                           Answer& answer) {
  const auto bytes = static_cast<double>(asked.bytes) / static_cast<double>(asked.items);
  if (auto encoded = encoded_in_lmdb(read, bytes, known.input_bytes); !encoded.empty()) {
    answer.notes.push_back(std::move(encoded));
  }
  if (auto small = too_small_pictures(
          known, read, asked.bytes, asked.items, asked.of_job ? "[data] bytes" : "--bytes");
      !small.empty()) {
    answer.warn(std::move(small));
  }
}

}  // namespace

// As stated, or the best that may be used; nullopt with the reason where none fits.
std::optional<int> Estimator::choose_batch(const Configuration& asked,
                                           const NetworkFacts& facts,
                                           Answer& answer) {
  const auto batch = asked.batch             ? asked.batch
                     : asked.batches.empty() ? batch_that_fits(asked, facts)
                                             : fastest_batch(asked);
  if (!batch) {
    answer.verdict = Verdict::out_of_memory;
    answer.reason = std::string(gpu_memory_too_small) + " for any batch";
    answer.ways_out = ways_to_fit(asked, 1);
    return std::nullopt;
  }
  answer.batch = *batch;
  if (asked.batches.size() > 1 && !asked.batch) {
    answer.notes.push_back(fmt::format(
        "batch {}: the fastest here of the job's {}", *batch, fmt::join(asked.batches, ", ")));
  } else if (!asked.batch && asked.batches.empty()) {
    answer.notes.push_back(fmt::format("batch not stated: {}{} is used",
                                       *batch,
                                       asked.machine.gpu.empty()  ? ""
                                       : asked.writing.of_texts() ? " a copy"
                                                                  : " a GPU"));
  }
  return batch;
}

// The vCPUs and the disk alone; the network that the pictures are for has no part in it.
std::optional<Estimator::Plan> Estimator::plan_preprocessing(const Configuration& asked,
                                                             Answer& answer) {
  if (!asked.machine.gpu.empty() || !asked.machine.vcpus || asked.machine.nodes > 1) {
    answer.reason = !asked.machine.gpu.empty() ? no_gpu_preprocesses
                    : !asked.machine.vcpus     ? "vCPUs are not stated: nothing would preprocess"
                                               : "preprocessing on several nodes is not modelled";
    return std::nullopt;
  }
  Plan plan;
  plan.unit = "img/s";
  answer.precision = Precision::fp32;
  answer.batch = 1;
  auto& work = plan.setting.workload;
  work.phase = Phase::preprocess;
  work.data = asked.data;
  work.output = asked.writes;
  work.shuffle = asked.shuffle;
  plan_host(asked, plan, answer);
  if (!answer.reason.empty()) {
    return std::nullopt;
  }
  answer.verdict = Verdict::ok;
  plan.source = Source::scaled;
  plan.setting.disk_write_bytes_per_s = plan.setting.disk.bytes_per_s;  // one for both directions
  plan_data(asked, plan, answer);
  if (!memory_holds(host_memory_bytes(plan.setting, 0, 0, 0), asked, plan, answer)) {
    return std::nullopt;
  }
  plan.laws = laws_of(model_of(plan), work);
  choose_disk(asked, plan, answer);
  if (const auto note = one_thread_note(plan.laws, plan.setting); !note.empty()) {
    answer.notes.push_back(note);
  }
  plan.length =
      asked.epochs ? std::optional(JobLength{static_cast<double>(asked.items), 1}) : std::nullopt;
  return plan;
}

namespace {

void note_cache_length(const Configuration& asked, const Network& network, Answer& answer) {
  if (asked.phase == Phase::decode && asked.sequence == 0 && !asked.writing.of_texts()) {
    answer.notes.push_back(fmt::format(
        "no cache length is stated: each sequence has as many tokens in its cache as the network "
        "can have, {} [assumed]; --sequence says how many",
        network.input.positions()));
  }
}

// Of the network and the work, before it is known where it runs.
void note_work(const Configuration& asked, const Network& network, Answer& answer) {
  note_cache_length(asked, network, answer);
  auto& notes = answer.notes;
  if (auto published = published_words(asked); !published.empty()) {
    notes.push_back(std::move(published));
  }
  if (auto known = known_words(asked); !known.empty() && !asked.machine.gpu.empty()) {
    notes.push_back(std::move(known));
  }
  if (auto slower = slower_plain_programs(network, asked); !slower.empty()) {
    notes.push_back(std::move(slower));
  }
  notes.insert(notes.end(), network.notes.begin(), network.notes.end());
  const auto idle = idle_words(asked, network);
  notes.insert(notes.end(), idle.begin(), idle.end());
}

void set_length(const Configuration& asked, double epochs, Estimator::Plan& plan, Answer& answer) {
  const int batch = plan.setting.workload.batch;
  const auto update = with_update_shared(asked, asked.machine.gpus(), answer.batch);
  plan.length = JobLength{items_of_epoch(asked.items, plan.nodes, asked.phase, batch), epochs};
  if (auto beyond = update_beyond_data(
          asked.items, asked.phase, std::int64_t{batch} * plan.nodes * update.accumulate);
      !beyond.empty()) {
    answer.notes.push_back(std::move(beyond));
  }
  plan.set_moving(plan.setting.disk);
}

}  // namespace

std::optional<Estimator::Plan> Estimator::plan(const Configuration& asked, Answer& answer) {
  answer.precision = asked.precision;  // until the accelerator says what it has
  switch (work_of(asked)) {
    case JobWork::preprocessing:
      return plan_preprocessing(asked, answer);
    case JobWork::program:
      return plan_program(asked, answer);
    case JobWork::network:
      break;
  }
  return plan_network(asked, answer);
}

std::optional<Estimator::Plan> Estimator::plan_network(const Configuration& asked, Answer& answer) {
  const NetworkFacts* known = facts(asked, answer);
  if (known == nullptr) {
    return std::nullopt;
  }
  if (auto reason = why_not_asked(asked, known->network); !reason.empty()) {
    answer.reason = std::move(reason);
    return std::nullopt;
  }
  note_work(asked, known->network, answer);
  const auto batch = choose_batch(asked, *known, answer);
  if (!batch) {
    return std::nullopt;
  }
  Plan plan;
  plan.nodes = asked.machine.nodes;
  plan.unit = unit_of(known->network, asked);
  plan.model_files = model_files(*known, asked);
  plan.setting.workload = workload_of(asked, known->network, *batch);
  plan_host(asked, plan, answer);
  if (!answer.reason.empty()) {
    return std::nullopt;
  }
  const bool on_gpu = !asked.machine.gpu.empty();
  if (!(on_gpu ? plan_gpu(asked, *known, plan, answer) : plan_cpu(asked, *known, plan, answer))) {
    return std::nullopt;
  }
  const auto pictures = plan.setting.workload.data;  // whether a host is stated for them or not
  plan_data(asked, plan, answer);
  note_encoded_pictures(asked, plan.setting.workload.data, *known, answer);
  if (!memory_suffices(asked, *known, plan, answer)) {
    return std::nullopt;
  }
  plan.laws = laws_of(model_of(plan), plan.setting.workload);
  if (const auto note = stand_in_note(measured_, plan.setting.workload);
      plan.host_matters && !is_program_loader(asked.loader) && !note.empty()) {
    answer.notes.push_back(note);
  }
  place_preprocessing(asked, pictures, *known, plan, answer);
  choose_disk(asked, plan, answer);
  if (asked.epochs) {
    set_length(asked, *asked.epochs, plan, answer);
  }
  return plan;
}

}  // namespace rightsize
