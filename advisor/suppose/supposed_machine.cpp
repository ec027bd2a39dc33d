#include "advisor/suppose/supposed_machine.h"

#include <cmath>

#include <fmt/format.h>

#include "advisor/query/toml_fields.h"
#include "advisor/suppose/sizes.h"
#include "models/laws/gpu_name.h"
#include "pricing/hour_price.h"
#include "pricing/monthly.h"

namespace rightsize {
namespace {

// What the sizes of the family on either side sell for, with the same GPUs in the same place;
// nullopt outside what is sold. Linear between them: clouds price vCPUs and memory in proportion.
std::optional<Money> price_between_sizes(
    const Catalog& catalog, const Offer& like, SizeBy by, double size, std::string& note) {
  const auto sizes = sizes_around(catalog, like, by, size);
  const auto so_much = fmt::format("{:g} {}", size, by == &Offer::vcpus ? "vCPUs" : "GiB");
  if (!sizes.known()) {
    note = fmt::format(
        "nothing with {} is sold beside it: the price is kept [assumed]; price= sets another",
        so_much);
    return std::nullopt;
  }
  if (sizes.exact) {
    note = fmt::format("{} are sold as {}: its price is taken [published]; compare shows all of it",
                       so_much,
                       sizes.below->instance);
    return sizes.below->price_per_hour;
  }
  const auto share = std::llround(sizes.share * 1e6);
  note = fmt::format(
      "nobody sells {} with this GPU here: the price lies between {}'s and {}'s [scaled]; price= "
      "sets another",
      so_much,
      sizes.below->instance,
      sizes.above->instance);
  return sizes.below->price_per_hour.times(1'000'000 - share, 1'000'000) +
         sizes.above->price_per_hour.times(share, 1'000'000);
}

// Of more vCPUs and more memory the dearer: a size is sold with both.
void price_size(const Supposition& supposition,
                const Catalog& catalog,
                const Offer& now,
                Offer& offer,
                std::vector<std::string>& notes) {
  std::optional<Money> dearest;
  std::string note;
  const auto ask = [&](SizeBy by) {
    std::string said;
    const auto price = price_between_sizes(catalog, now, by, *(offer.*by), said);
    if (note.empty() || (price && (!dearest || *price > *dearest))) {
      note = said;
      dearest = price;
    }
  };
  if (supposition.vcpus) {
    ask(&Offer::vcpus);
  }
  if (supposition.memory_gib) {
    ask(&Offer::memory_gib);
  }
  if (dearest) {
    offer.price_per_hour = *dearest;
    offer.parts.clear();  // of another shape
  }
  notes.push_back(note);
}

// A machine cut to measure is priced by its parts: "8 vCPU", "30 GiB", "2 T4".
bool is_cut(const Offer& offer) {
  return offer.parts.size() >= 2 && offer.parts[0].what.ends_with(" vCPU") &&
         offer.parts[1].what.ends_with(" GiB");
}

// The same cut otherwise, each part at its own price; `offer` has the new shape and the same kind
// of GPU as `now`.
void price_cut(const Offer& now, Offer& offer, std::vector<std::string>& notes) {
  const auto part = [&](std::size_t i, double from, double to, const std::string& what) {
    constexpr double thousandths = 1000;
    offer.parts[i] = {what,
                      now.parts[i].per_hour.times(std::llround(to * thousandths),
                                                  std::llround(from * thousandths))};
  };
  part(0, *now.vcpus, *offer.vcpus, fmt::format("{:g} vCPU", *offer.vcpus));
  part(1, *now.memory_gib, *offer.memory_gib, fmt::format("{:g} GiB", *offer.memory_gib));
  if (now.parts.size() > 2) {
    part(2, now.gpus, offer.gpus, fmt::format("{:g} {}", offer.gpus, offer.gpu));
  }
  offer.price_per_hour = offer.parts[0].per_hour;
  for (std::size_t i = 1; i < offer.parts.size(); ++i) {
    offer.price_per_hour += offer.parts[i].per_hour;
  }
  notes.push_back(
      fmt::format("it is cut to measure: {:g} vCPU and {:g} GiB are priced anew, each at its own "
                  "price [published]; whether {} cuts it so is not checked",
                  *offer.vcpus,
                  *offer.memory_gib,
                  offer.provider));
}

void require_known(const std::string& gpu, const GpuRates& rates) {
  if (rates.find(gpu) != nullptr) {
    return;
  }
  std::vector<std::string> names;
  for (const auto& spec : rates.gpus()) {
    names.push_back(spec.name);
  }
  const auto near = nearest_word(gpu, names);
  throw UsageError(fmt::format("gpu: no figures for \"{}\"{}\n       rightsize gpus lists them",
                               gpu,
                               near.empty() ? "" : fmt::format(", did you mean \"{}\"?", near)));
}

void suppose_gpu(const Supposition& supposition, const GpuRates& rates, Offer& offer) {
  const auto colon = supposition.gpu.rfind(':');
  const auto name = supposition.gpu.substr(0, colon);
  if (const auto unread = unread_in_gpu_name(name).value_or(""); !unread.empty()) {
    throw UsageError(fmt::format(
        "gpu={}: expected a GPU, or one and how many, such as gpu=A100:8; \"{}\" is neither",
        supposition.gpu,
        unread));
  }
  offer.gpu = canonical_gpu_name(name);
  require_known(offer.gpu, rates);
  offer.gpu_memory_gib.reset();  // the data sheet's
  if (colon != std::string::npos) {
    offer.gpus = positive(
        "gpu", Change::parse("gpu", supposition.gpu.substr(colon + 1)).of(offer.gpus), offer.gpus);
  } else if (offer.gpus == 0) {
    offer.gpus = 1;
  }
}

}  // namespace

double positive(const std::string& key, double value, double now) {
  if (!(value > 0) || !std::isfinite(value)) {
    throw UsageError(fmt::format(
        "{}: {:g} now, {:g} with the supposition; it must stay above 0", key, now, value));
  }
  return value;
}

namespace {

// The price of what `offer` has become, where no price is set.
void price_shape(const Supposition& supposition,
                 const Evidence& evidence,
                 const Offer& now,
                 Offer& offer,
                 std::vector<std::string>& notes) {
  if (is_cut(now) && offer.gpu == now.gpu) {
    const bool same =
        offer.vcpus == now.vcpus && offer.memory_gib == now.memory_gib && offer.gpus == now.gpus;
    if (!same) {
      price_cut(now, offer, notes);
    }
  } else if (!supposition.gpu.empty()) {
    offer.parts.clear();  // they name another GPU
    if (!supposition.price) {
      notes.push_back(fmt::format("the price is kept, though it was {}; price= sets it",
                                  offer.gpu == now.gpu
                                      ? fmt::format("that of {:g} {}", now.gpus, now.gpu)
                                      : "another GPU's"));
    }
  } else if (supposition.vcpus || supposition.memory_gib) {
    price_size(supposition, evidence.catalog, now, offer, notes);
  }
}

}  // namespace

Offer supposed_offer(const Supposition& supposition,
                     const Evidence& evidence,
                     const Offer& now,
                     std::vector<std::string>& notes) {
  Offer offer = now;
  if (!supposition.gpu.empty()) {
    suppose_gpu(supposition, evidence.gpu_rates, offer);
  }
  if (supposition.vcpus) {
    offer.vcpus = positive("vcpus", supposition.vcpus->of(*now.vcpus), *now.vcpus);
  }
  if (supposition.memory_gib) {
    offer.memory_gib =
        positive("memory", supposition.memory_gib->of(*now.memory_gib), *now.memory_gib);
  }
  const auto& price = supposition.price;
  if (!price || !price->sets()) {
    price_shape(supposition, evidence, now, offer, notes);
  }
  if (price && is_monthly(offer)) {
    constexpr std::int64_t step = 1000;  // nano-units: a month counts six decimals
    const auto month = price->of(month_price(offer));
    static_cast<void>(positive("price", month.approximate(), month_price(offer).approximate()));
    rent_by_month(offer, Money(month.nanos() / step * step, month.currency()));
    notes.emplace_back("price= is of a month, as this machine is rented");
  } else if (price) {  // less or more than what it would cost so
    const auto before = offer.price_per_hour;
    set_hour_price(offer, price->of(before));
    static_cast<void>(positive("price", offer.price_per_hour.approximate(), before.approximate()));
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

}  // namespace rightsize
