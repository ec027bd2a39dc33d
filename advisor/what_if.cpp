#include "advisor/what_if.h"

#include <algorithm>
#include <cmath>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/appraisal.h"
#include "advisor/named_disk.h"
#include "models/laws/gpu_name.h"

namespace rightsize {
namespace {

namespace json = boost::json;

// Sizes of one family: "g6e.xlarge" and "g6e.4xlarge", "n1-standard-8" and "n1-standard-16",
// "Standard_NC24ads_A100_v4" and "Standard_NC48ads_A100_v4": names that differ after the point, or
// in one number.
bool same_family(const std::string& a, const std::string& b) {
  const auto point = a.find('.');
  if (point != std::string::npos) {
    return b.starts_with(a.substr(0, point + 1));
  }
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  std::size_t start = 0;
  while (start < a.size() && start < b.size() && a[start] == b[start]) {
    ++start;
  }
  while (start > 0 && digit(a[start - 1])) {
    --start;
  }
  const auto rest = [&](const std::string& name) {
    const auto end =
        std::find_if_not(name.begin() + static_cast<std::ptrdiff_t>(start), name.end(), digit);
    return std::string(end, name.end());
  };
  return rest(a) == rest(b);
}

// What the shapes on either side of `vcpus` sell for, with the same GPUs in the same place; nullopt
// outside what is sold. Linear between them: clouds price vCPUs and memory in proportion.
std::optional<Money> price_between_shapes(const Catalog& catalog,
                                          const Offer& like,
                                          double vcpus,
                                          std::string& note) {
  const Offer* below = nullptr;
  const Offer* above = nullptr;
  for (const auto& offer : catalog.offers()) {
    const bool same = offer.provider == like.provider && offer.region == like.region &&
                      offer.market == like.market && offer.book == like.book &&
                      offer.gpu == like.gpu && offer.gpus == like.gpus && offer.vcpus &&
                      offer.arch == like.arch;
    if (!same || !same_family(offer.instance, like.instance)) {
      continue;
    }
    if (*offer.vcpus <= vcpus && (below == nullptr || *offer.vcpus > *below->vcpus)) {
      below = &offer;
    }
    if (*offer.vcpus >= vcpus && (above == nullptr || *offer.vcpus < *above->vcpus)) {
      above = &offer;
    }
  }
  if (below == nullptr || above == nullptr) {
    return std::nullopt;
  }
  if (below == above || *below->vcpus == *above->vcpus) {
    note = fmt::format(
        "{} vCPUs are sold as {}: its price is taken [published]; compare shows all "
        "of it",
        vcpus,
        below->instance);
    return below->price_per_hour;
  }
  const auto share = std::llround((vcpus - *below->vcpus) / (*above->vcpus - *below->vcpus) * 1e6);
  note = fmt::format(
      "nobody sells {} vCPUs with this GPU here: the price lies between {}'s and "
      "{}'s [scaled]; price= sets another",
      vcpus,
      below->instance,
      above->instance);
  return below->price_per_hour.times(1'000'000 - share, 1'000'000) +
         above->price_per_hour.times(share, 1'000'000);
}

double positive(const std::string& key, double value, double now) {
  if (!(value > 0) || !std::isfinite(value)) {
    throw UsageError(fmt::format(
        "{}: {:g} now, {:g} with the supposition; it must stay above 0", key, now, value));
  }
  return value;
}

void suppose_gpu(const Supposition& supposition, Offer& offer, std::vector<std::string>& notes) {
  const auto colon = supposition.gpu.rfind(':');
  offer.gpu = canonical_gpu_name(supposition.gpu.substr(0, colon));
  offer.gpu_memory_gib.reset();  // the data sheet's
  if (colon != std::string::npos) {
    offer.gpus = positive(
        "gpu", Change::parse("gpu", supposition.gpu.substr(colon + 1)).of(offer.gpus), offer.gpus);
  } else if (offer.gpus == 0) {
    offer.gpus = 1;
  }
  if (!supposition.price) {
    notes.push_back("the price is kept, though it was another GPU's; price= sets it");
  }
}

Offer supposed_offer(const Supposition& supposition,
                     const Catalog& catalog,
                     const Offer& now,
                     std::vector<std::string>& notes) {
  Offer offer = now;
  if (!supposition.gpu.empty()) {
    suppose_gpu(supposition, offer, notes);
  }
  if (supposition.vcpus) {
    offer.vcpus = positive("vcpus", supposition.vcpus->of(*now.vcpus), *now.vcpus);
  }
  if (supposition.memory_gib) {
    offer.memory_gib =
        positive("memory", supposition.memory_gib->of(*now.memory_gib), *now.memory_gib);
  }
  if (supposition.price) {
    offer.price_per_hour = supposition.price->of(now.price_per_hour);
    offer.parts.clear();  // of another price
    positive("price", offer.price_per_hour.approximate(), now.price_per_hour.approximate());
  } else if (supposition.vcpus && supposition.gpu.empty()) {
    std::string note =
        "nothing with so many vCPUs is sold beside it: the price is kept [assumed]; "
        "price= sets another";
    if (const auto price = price_between_shapes(catalog, now, *offer.vcpus, note)) {
      offer.price_per_hour = *price;
    }
    notes.push_back(note);
  } else if (supposition.memory_gib) {
    notes.push_back("the price is kept [assumed]; price= sets another");
  }
  return offer;
}

int supposed_batch(const Supposition& supposition, int now) {
  const double batch = supposition.batch ? supposition.batch->of(now) : now;
  if (!(batch >= 1) || batch > 1e6 || batch != std::floor(batch)) {
    throw UsageError(
        fmt::format("batch: {:g} is no whole number of items from 1 to 1000000", batch));
  }
  return static_cast<int>(batch);
}

// A GPU that is `factor` as fast; on a machine without one the compute is the CPU's.
void suppose_speeds(const Supposition& supposition, Candidate& candidate) {
  if (supposition.gpu_speed) {
    if (candidate.offer->gpu.empty()) {
      throw UsageError("gpu-speed: this machine has no GPU");
    }
    candidate.scale_gpu(positive("gpu-speed", supposition.gpu_speed->of(1.0), 1));
  }
  if (supposition.cpu_speed) {
    candidate.scale_cpu(positive("cpu-speed", supposition.cpu_speed->of(1.0), 1));
  }
}

// What advise would take with `mine` in the place of the instance of its name.
std::string chosen_with(const Recommendation& answer, const Option& mine) {
  const Option* best = mine.satisfies ? &mine : nullptr;
  for (const auto& option : answer.options) {
    const bool itself = full_name(option) == full_name(mine) && option.market == mine.market;
    if (!itself && option.satisfies && (best == nullptr || better(option, *best))) {
      best = &option;
    }
  }
  return best == nullptr ? "" : full_name(*best);
}

json::value or_null(const std::string& text) {
  return text.empty() ? json::value(nullptr) : json::value(text);
}

}  // namespace

WhatIf what_if(const Query& query,
               const Evidence& evidence,
               const std::string& instance,
               const Supposition& supposition) {
  const auto answer = search(query, evidence);
  if (instance.empty() && answer.options.empty()) {
    throw UsageError("nothing can do this job at all; name an instance, or see rightsize advise");
  }
  Appraiser appraiser(query, evidence);
  const auto now =
      appraiser.appraise(instance.empty() ? full_name(answer.options.front()) : instance);
  WhatIf result;
  result.query = query;
  result.supposition = supposition;
  result.now = now.option;
  result.chosen_now = answer.chosen ? full_name(*answer.chosen) : "";
  result.chosen_supposed = result.chosen_now;
  const auto offer =
      supposed_offer(supposition, evidence.catalog, *now.candidate.offer, result.notes);
  CandidateMaker maker(
      query, evidence.catalog, evidence.gpu_rates, evidence.cpu_speeds, evidence.model.cpu_model);
  const auto disk = supposition.disk.empty() ? now.candidate.disk
                                             : disk_named(supposition.disk,
                                                          evidence.catalog,
                                                          query.dataset_bytes,
                                                          "disk",
                                                          now.candidate.offer->book);
  Way way = now.candidate.way;
  way.batch = supposed_batch(supposition, way.batch);
  auto candidate = maker.make(offer, disk, way, result.reason);
  if (!candidate) {
    return result;
  }
  suppose_speeds(supposition, *candidate);
  const auto supposed = appraiser.judge(*candidate, result.reason);
  if (!supposed) {
    return result;
  }
  result.supposed = supposed->option;
  result.ratios = ratios_of(now, *supposed, true);
  result.chosen_supposed = chosen_with(answer, supposed->option);
  return result;
}

json::object to_json(const WhatIf& what_if) {
  json::object document{{"schema", "rightsize/what-if/1"},
                        {"tool_version", RIGHTSIZE_VERSION},
                        {"supposed", json::value_from(what_if.supposition.words)},
                        {"now", to_json(what_if.now, 1)},
                        {"then", nullptr},
                        {"reason", or_null(what_if.reason)},
                        {"ratios", nullptr},
                        {"chosen_now", or_null(what_if.chosen_now)},
                        {"chosen_then", or_null(what_if.chosen_supposed)},
                        {"notes", json::value_from(what_if.notes)}};
  if (what_if.supposed) {
    document["then"] = to_json(*what_if.supposed, 1);
    document["ratios"] = {{"throughput", to_json(what_if.ratios.throughput)},
                          {"hours", to_json(what_if.ratios.hours)},
                          {"cost", to_json(what_if.ratios.cost)}};
  }
  return document;
}

}  // namespace rightsize
