#include "advisor/way_out/next_step.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/candidate/accelerator_query.h"
#include "advisor/candidate/constraint.h"
#include "advisor/candidate/shape.h"
#include "advisor/candidate/training_way.h"
#include "advisor/way_out/next_host_memory.h"
#include "advisor/way_out/next_latency.h"
#include "advisor/way_out/next_limit.h"
#include "advisor/way_out/next_name.h"
#include "advisor/way_out/next_own_count.h"
#include "advisor/way_out/way_out.h"

namespace rightsize {
namespace {

// A limit on what a machine has.
struct Range {
  const char* what;
  const char* one;  // of it
  std::optional<double> Query::*least;
  std::optional<double> Query::*most;
  std::optional<double> (*of)(const Offer& offer);  // nullopt: not published
};
constexpr Range ranges[] = {
    {"GPUs",
     "GPU",
     &Query::gpus_min,
     &Query::gpus_max,
     [](const Offer& o) { return std::optional(o.gpus); }},
    {"vCPUs", "vCPU", &Query::vcpus_min, &Query::vcpus_max, [](const Offer& o) { return o.vcpus; }},
    {"GiB of memory",
     "GiB of memory",
     &Query::memory_gib_min,
     &Query::memory_gib_max,
     [](const Offer& o) { return o.memory_gib; }},
};

// Whether a limit is on what nobody has published of the machine: it passes for want of a number,
// and is judged no further.
bool unknown_in_range(const Query& query, const Offer& machine) {
  return std::any_of(std::begin(ranges), std::end(ranges), [&](const Range& range) {
    return (query.*range.least || query.*range.most) && !range.of(machine);
  });
}

// The machines that were judged at all.
std::vector<const Offer*> machines_let_pass(const Query& query, const Catalog& catalog) {
  const OfferConstraints constraints(query);
  std::vector<const Offer*> machines;
  for (const auto& shape : shapes_in_scope(catalog.offers(), constraints)) {
    if (!constraints.refusal_of(shape.machine()) && !unknown_in_range(query, shape.machine())) {
      machines.push_back(&shape.machine());
    }
  }
  return machines;
}

double gpu_memory_gb(const Offer& offer, const GpuRates& rates) {
  const auto* gpu = rates.find(offer.gpu);
  const bool whole = offer.gpus >= 1 && offer.gpus == std::floor(offer.gpus);
  return gpu == nullptr || !whole ? 0 : offer.gpus * offer.gpu_memory_gib.value_or(gpu->memory_gb);
}

// Of the machines whose GPUs have too little memory the one that has most.
const Offer* largest_too_small(const Query& query,
                               const GpuRates& rates,
                               const std::vector<const Offer*>& machines,
                               const NetworkFacts& facts,
                               int batch) {
  const Offer* largest = nullptr;
  double most = 0;
  for (const auto* machine : machines) {
    const double memory = gpu_memory_gb(*machine, rates);
    if (memory <= most ||
        static_cast<int>(machine->gpus) * query.nodes_max % query.gpus_per_copy() != 0) {
      continue;
    }
    const auto asked = accelerator_query(query, *machine, rates, batch, query.nodes_max);
    if (!fits_gpu(facts, asked, *rates.find(machine->gpu), MemorySpared::as_needed)) {
      largest = machine;
      most = memory;
    }
  }
  return largest;
}

// Machines that share the parameters.
void add_more_nodes(const GpuRates& rates,
                    const NetworkFacts& facts,
                    AcceleratorQuery asked,
                    std::vector<WayOut>& ways) {
  if (asked.nodes > 1 || !has_backward(asked.phase) || !facts.transformer) {
    return;
  }
  const auto sold = gpu_as_sold(*rates.find(asked.gpu), asked.gpu_memory_bytes);
  for (asked.nodes = 2; asked.nodes <= 8; asked.nodes *= 2) {
    if (fits_safely(facts, asked, sold)) {
      ways.push_back(
          {fmt::format("--nodes-max {} fits (the GPUs share the parameters)", asked.nodes), asked});
      return;
    }
  }
}

// In the markets and books of the query, wherever.
std::set<std::string> gpus_sold(Query query, const Catalog& catalog) {
  query.infra.clear();
  const OfferConstraints constraints(query);
  std::set<std::string> gpus;
  for (const auto& offer : catalog.offers()) {
    if (constraints.in_scope(offer)) {
      gpus.insert(offer.gpu);
    }
  }
  return gpus;
}

// Whether the way takes another machine.
bool is_another(const AcceleratorQuery& step, const AcceleratorQuery& way) {
  return way.gpu != step.gpu || way.gpus_per_node != step.gpus_per_node;
}

// The query with what a way changes of a step.
Query followed(Query query, const AcceleratorQuery& step, const AcceleratorQuery& way) {
  if (way.batch != step.batch) {
    query.batches = {way.batch};
  }
  if (way.recompute != step.recompute) {
    query.recompute = true;
  }
  query.precision = way.precision;
  query.exchange = way.exchange;
  query.tuning = way.tuning;
  query.accumulate = query.global_batch > 0 ? 1 : way.accumulate;  // else worked out again
  query.tensor_parallel = way.tensor_parallel;
  query.nodes_max = std::max(query.nodes_max, way.nodes);
  if (is_another(step, way)) {  // wherever it is sold
    query.infra.clear();
    query.allow.clear();
    query.deny.clear();
    query.gpus.clear();
    query.gpus_min.reset();
    query.gpus_max.reset();
  }
  if (way.gpus_per_node != step.gpus_per_node) {
    query.gpus_min = query.gpus_max = way.gpus_per_node;
  }
  return query;
}

// What fits a GPU may still be too slow, or find no host with memory for it: a way is named as the
// search would judge it, with the limits it takes, and not at all where no offer goes it.
std::vector<std::string> ways_that_answer(const Evidence& evidence,
                                          const Query& query,
                                          const AcceleratorQuery& step,
                                          const std::vector<WayOut>& ways) {
  std::vector<std::string> answers;
  for (const auto& [words, way] : ways) {
    const bool another = is_another(step, way);
    const auto moved =
        limits_to_move(evidence, followed(query, step, way), another ? way.gpu : std::string());
    if (moved) {
      answers.push_back(
          words + (another ? " (with another --infra, --gpu, --allow or --gpus)" : "") +
          (moved->empty() ? "" : fmt::format(", with {}", fmt::join(*moved, ", or with "))));
    }
  }
  return answers;
}

void add_memory_step(const Evidence& evidence,
                     const Recommendation& answer,
                     const std::vector<const Offer*>& machines,
                     std::vector<std::string>& steps) {
  const auto& query = answer.query;
  const auto& rejected = answer.rejected;
  if (query.tokens || std::none_of(rejected.begin(), rejected.end(), [](const Rejection& one) {
        return one.lacking == Lacking::gpu_memory;
      })) {
    return;
  }
  const NetworkFacts facts(query.network, query.sequence, query.tuning, query.phase);
  const int batch =
      query.batches.empty() ? 1 : *std::min_element(query.batches.begin(), query.batches.end());
  const auto* largest = largest_too_small(query, evidence.gpu_rates, machines, facts, batch);
  if (largest == nullptr) {
    return;
  }
  const auto asked = accelerator_query(query, *largest, evidence.gpu_rates, batch, query.nodes_max);
  auto fitting = memory_ways_out(evidence.gpu_rates, asked, gpus_sold(query, evidence.catalog));
  add_more_nodes(evidence.gpu_rates, facts, asked, fitting);
  const auto ways = ways_that_answer(evidence, query, asked, fitting);
  steps.push_back(fmt::format(
      "GPU memory is too small for the batch on some offers; on the largest of them, {}/{}: {}",
      largest->provider,
      largest->instance,
      !ways.empty()     ? fmt::format("{}", fmt::join(ways, "; or "))
      : fitting.empty() ? "nothing that was tried fits"
                        : "what was tried fits the GPU, and is no answer on any offer"));
}

std::string words_of(std::optional<double> least, std::optional<double> most) {
  return least && most && *least == *most ? fmt::format("{:g}", *least)
         : least && most                  ? fmt::format("{:g} to {:g}", *least, *most)
         : least                          ? fmt::format("{:g} or more", *least)
                                          : fmt::format("{:g} or fewer", *most);
}

// What the machines have that the other limits let pass, on both sides of the range.
void add_range_step(const Query& query,
                    const Catalog& catalog,
                    const Range& range,
                    std::vector<std::string>& steps) {
  const auto least = query.*range.least;
  const auto most = query.*range.most;
  if (!least && !most) {
    return;
  }
  Query open = query;
  (open.*range.least).reset();
  (open.*range.most).reset();
  std::set<double> amounts;
  bool cut = false;
  for (const auto* machine : machines_let_pass(open, catalog)) {
    cut |= !machine->parts.empty();
    if (const auto amount = range.of(*machine)) {
      amounts.insert(*amount);
    }
  }
  std::vector<double> nearest;
  if (const auto above = amounts.upper_bound(most.value_or(HUGE_VAL)); above != amounts.end()) {
    nearest.push_back(*above);
  }
  const auto below = amounts.lower_bound(least.value_or(-1));
  if (below != amounts.begin()) {
    nearest.insert(nearest.begin(), *std::prev(below));
  }
  if (!nearest.empty()) {
    const bool alone = std::none_of(std::begin(ranges), std::end(ranges), [&](const Range& other) {
      return other.what != range.what && (query.*other.least || query.*other.most);
    });
    steps.push_back(fmt::format("no machine here{} has {} {}: the nearest have {:g}{}",
                                alone ? "" : " within the other limits",
                                words_of(least, most),
                                least == 1.0 && most == 1.0 ? range.one : range.what,
                                fmt::join(nearest, " and "),
                                cut ? " (of what is cut to measure some shapes are looked at: size "
                                      "prices the very one)"
                                    : ""));
  }
}

}  // namespace

std::vector<std::string> next_steps(const Evidence& evidence, const Recommendation& answer) {
  std::vector<std::string> steps;
  if (answer.chosen) {
    return steps;
  }
  if (!answer.options.empty()) {  // what comes closest: the job can be done, but not so
    add_limit_step(evidence, answer.query, steps);
    return steps;
  }
  const auto machines = machines_let_pass(answer.query, evidence.catalog);
  if (machines.empty()) {
    add_name_steps(answer.query, evidence.catalog, steps);
    for (const auto& range : ranges) {
      add_range_step(answer.query, evidence.catalog, range, steps);
    }
    return steps;
  }
  add_own_count_steps(evidence, answer, machines, steps);
  add_memory_step(evidence, answer, machines, steps);
  add_host_memory_step(evidence, answer, steps);
  if (answer.query.serves()) {
    add_latency_steps(evidence, answer.query, machines, steps);
  }
  return steps;
}

}  // namespace rightsize
