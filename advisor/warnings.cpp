#include "advisor/warnings.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "advisor/candidate/cpu_law.h"
#include "advisor/candidate/epoch.h"
#include "advisor/candidate/lmdb_pictures.h"
#include "advisor/candidate/network_facts.h"
#include "advisor/candidate/own_loader.h"
#include "advisor/candidate/plain_programs.h"
#include "advisor/candidate/sound_words.h"
#include "advisor/candidate/stored_pictures.h"
#include "advisor/fleet_warnings.h"
#include "advisor/lacking_precision.h"
#include "advisor/length_warnings.h"
#include "advisor/order_warnings.h"
#include "advisor/price_warnings.h"
#include "advisor/query/job_defaults.h"
#include "advisor/query/job_work.h"
#include "advisor/service_warnings.h"
#include "advisor/update_batch.h"
#include "advisor/update_warnings.h"
#include "advisor/way_out/engine_instead.h"
#include "advisor/way_out/next_step.h"
#include "advisor/way_out/several_machines.h"
#include "advisor/way_out/shorter_window.h"
#include "advisor/way_out/smaller_pictures.h"
#include "advisor/way_warnings.h"
#include "kernels/gibibyte.h"
#include "kernels/longer_sequence.h"
#include "kernels/networks/detection/detection.h"
#include "kernels/work.h"
#include "models/laws/toolchain.h"
#include "pricing/on_prem.h"

namespace rightsize {
namespace {

// Of an answer that chose, as the next three.
void warn_of_tokens(Recommendation& answer) {
  const auto& chosen = *answer.chosen;
  if (!chosen.tokens) {
    return;
  }
  const auto& server = chosen.tokens->server;  // its work is one GPU's part
  const double weights_gib = server.work.weight_bytes * server.gpus_each() / bytes_per_gib;
  if (chosen.memory_gib > 0 && chosen.memory_gib < weights_gib) {
    answer.warnings.push_back(
        fmt::format("the host has {:g} GiB of memory and the weights {:.1f}: a server that reads "
                    "them whole before it copies them to the GPUs does not start there; "
                    "--memory-min {:.0f} asks for more",
                    chosen.memory_gib,
                    weights_gib,
                    std::ceil(weights_gib)));
  }
}

void warn_of_market(Recommendation& answer) {
  warn_of_fleet(answer);
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

void warn_of_compiler(Recommendation& answer) {
  const auto tools = toolchain_of_any(answer.chosen->gpu);
  if (compiles_whole(tools)) {
    answer.warnings.push_back(fmt::format(
        "{} runs what {} compiled, for each batch and length once: see that it takes your model "
        "before you rent",
        answer.chosen->gpu,
        compiler_words(tools).name));
  }
}

void warn_of_architecture(const Offer& chosen, Recommendation& answer) {
  if (chosen.arch == "arm64") {
    answer.warnings.push_back(
        fmt::format("{}'s CPU is Arm (arm64): containers and packages must be built for it; an "
                    "image of x86-64 alone does not start there",
                    chosen.instance));
  }
}

// Where what is not counted may cost as much as what is.
void warn_of_start(const Offer& chosen, Recommendation& answer) {
  constexpr double short_h = 0.25;
  constexpr double start_h = 1.0 / 6;  // to boot, pull an image, start and warm up takes minutes
  const auto& option = *answer.chosen;
  if (answer.query.serves() || is_own(chosen) || option.hours.value >= short_h) {
    return;
  }
  answer.warnings.push_back(fmt::format(
      "the job takes some {:.2g} minutes: booting, images and the program's start are not counted, "
      "and ten minutes of them cost {:.2f} {} more",
      60 * option.hours.value,
      start_h * option.nodes * option.price_per_hour.approximate(),
      option.price_per_hour.currency()));
}

std::string at_least_words(double hours) {
  constexpr double short_h = 2.0 / 60;
  return hours < short_h ? fmt::format("{:.0f} seconds", std::max(2.0, std::ceil(3600 * hours)))
         : hours < 2     ? fmt::format("{:.0f} minutes", std::ceil(60 * hours))
                         : fmt::format("{:.1f} hours", hours);
}

// What most programs do before they begin, onto the disk that they read from.
void warn_of_copying(Recommendation& answer) {
  constexpr double much = 0.1;  // of the job's time
  const auto& query = answer.query;
  const auto& chosen = *answer.chosen;
  const bool onto_disk = !query.serves() && chosen.disk_bytes_per_s > 0;
  const double copy_h =
      onto_disk ? static_cast<double>(query.dataset_bytes) / chosen.disk_bytes_per_s / 3600 : 0;
  const bool in_terabytes = query.dataset_bytes >= 1'000'000'000'000;
  if (copy_h > much * chosen.hours.value) {
    answer.warnings.push_back(
        fmt::format("copying {:.4g} {} onto its disk takes {} at the least, and is not counted",
                    static_cast<double>(query.dataset_bytes) / (in_terabytes ? 1e12 : 1e9),
                    in_terabytes ? "TB" : "GB",
                    at_least_words(copy_h)));
  }
}

// What detectors' own loaders do to pictures beyond a crop.
void warn_of_augmentation(Recommendation& answer) {
  const auto& query = answer.query;
  if (query.phase == Phase::train && is_detection(query.network) &&
      loaded_by(query) == LoadedBy::framework) {
    answer.warnings.push_back(
        "mosaic, affine and colour augmentation are not counted: a loader that makes them takes "
        "several times the vCPUs told here; profile yours and name it by --loader");
  }
}

void warn_of_sequence(Recommendation& answer) {
  const auto& query = answer.query;
  if (const auto trained = exceeded_length(query.network, query.sequence, query.phase)) {
    answer.warnings.push_back(
        fmt::format("sequences of {} tokens are longer than the {} that {} was trained for: its {}",
                    query.sequence,
                    trained,
                    query.network,
                    longer_positions));
  }
}

void warn_of_data(Recommendation& answer) {
  const auto& query = answer.query;
  if (query.serves() || query.items == 0 || !has_network(query)) {
    return;
  }
  warn_of_sequence(answer);
  warn_of_copying(answer);
  warn_of_augmentation(answer);
  const NetworkFacts facts(query.network, query.sequence, query.tuning, query.phase);
  if (const auto slower = slower_plain_programs(facts.network, query); !slower.empty()) {
    const double hours = answer.chosen->hours.value;
    answer.warnings.push_back(
        fmt::format("{}: {:.3g} to {:.3g} hours of this job, in place of {:.3g}",
                    slower,
                    least_plain_times * hours,
                    most_plain_times * hours,
                    hours));
  }
  if (auto slower = slower_whole_programs(query.network, query.phase); !slower.empty()) {
    answer.warnings.push_back(std::move(slower));
  }
  const auto bytes = static_cast<double>(query.dataset_bytes) / static_cast<double>(query.items);
  if (auto encoded = encoded_in_lmdb(query.format, bytes, facts.input_bytes); !encoded.empty()) {
    answer.warnings.push_back(std::move(encoded));
  }
  const auto update = update_batch(query, *answer.chosen).global();
  if (auto beyond = update_beyond_data(query.items, query.phase, update); !beyond.empty()) {
    answer.warnings.push_back(std::move(beyond));
  }
  if (auto small =
          too_small_pictures(facts, query.format, query.dataset_bytes, query.items, "[data] bytes");
      !small.empty()) {
    answer.warnings.push_back(std::move(small));
  }
}

// A lone request waits its window out: many are in time only where minibatches fill before. Where
// less of it costs markedly less, or leaves any machine, that is said.
void warn_of_window(const Evidence& evidence, Recommendation& answer) {
  auto shorter = shorter_window(evidence, answer);
  const auto& service = answer.query.service;
  if (answer.chosen && answer.chosen->service &&
      service->max_delay_s + step_seconds(answer.chosen->service->server.time, 1) >
          service->p99_s) {
    answer.warnings.push_back(
        fmt::format("max_delay = {:g}ms leaves a lone request no time within p99 = {:g}ms: these "
                    "machines are in time because minibatches fill sooner, and late in quiet "
                    "hours{}",
                    1e3 * service->max_delay_s,
                    1e3 * service->p99_s,
                    shorter.empty() ? "; ask for a smaller max_delay" : ""));
  }
  if (!shorter.empty()) {
    answer.warnings.push_back(std::move(shorter));
  }
}

}  // namespace

void add_warnings(const Evidence& evidence, const Offer* chosen, Recommendation& answer) {
  if (chosen == nullptr) {
    const auto steps = next_steps(evidence, answer);
    answer.warnings.insert(answer.warnings.end(), steps.begin(), steps.end());
    if (auto several = several_instead(evidence, answer); !several.empty()) {
      answer.warnings.push_back(std::move(several));
    }
    warn_of_window(evidence, answer);
    return;
  }
  warn_of_lacking_precision(answer);
  warn_of_single_pass(answer);
  warn_of_requests(answer);
  warn_of_tokens(answer);
  warn_of_market(answer);
  if (auto engine = engine_instead(evidence, answer); !engine.empty()) {
    answer.warnings.push_back(std::move(engine));
  }
  if (auto several = several_instead(evidence, answer); !several.empty()) {
    answer.warnings.push_back(std::move(several));
  }
  warn_of_window(evidence, answer);
  warn_of_way(evidence, *chosen, answer);
  warn_of_compiler(answer);
  warn_of_architecture(*chosen, answer);
  warn_of_start(*chosen, answer);
  warn_of_data(answer);
  warn_of_update(answer);
  warn_of_nearest_update(answer);
  warn_of_equal_lengths(answer);
  warn_of_long_sequences(answer);
  if (auto smaller = smaller_pictures(evidence, answer); !smaller.empty()) {
    answer.warnings.push_back(std::move(smaller));
  }
  warn_of_price(evidence.catalog, *chosen, answer);
  warn_of_order(answer);
}

}  // namespace rightsize
