#include "pricing/check.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "pricing/cpu_check.h"
#include "pricing/days.h"
#include "pricing/gpu_check.h"
#include "pricing/monthly.h"
#include "pricing/shapes.h"
#include "pricing/sold_as.h"
#include "pricing/spot_prices.h"
#include "pricing/usual_prices.h"

namespace rightsize {
namespace {

constexpr double absurd_ratio = 10;       // of a list price, up or down
constexpr double absurd_spot = 100;       // of on demand, down
constexpr double absurd_vcpus = 2048;     // the largest machine sold has 1,920
constexpr double absurd_gib = 32 * 1024;  // the largest machine sold has less: MiB in a GiB column
constexpr double same_gib = 1.2;          // GB for GiB, and what the system keeps, are less

class Check {
 public:
  Check(std::span<const Offer> offers, const CheckOptions& options)
      : offers_(offers),
        options_(options),
        usual_(known_offers(options)),
        gpus_(known_offers(options), options.gpu_doubt) {
    for (const auto& offer : known_offers(options)) {
      known_.emplace(key(offer, true), &offer);
      shapes_.emplace(offer.provider + "/" + offer.instance, &offer);
    }
  }

  std::vector<PriceIssue> run() {
    check_age();
    for (const auto& offer : offers_) {
      check_identity(offer);
      check_retired(offer);
      if (first_of_line(offer)) {
        check_shape(offer);
        gpus_.check(offer, shape(offer), issues_);
      }
      check_price(offer);
    }
    check_spot();
    check_cpus(offers_, options_.cpu_doubt, issues_);
    std::stable_sort(issues_.begin(), issues_.end(), [](const auto& a, const auto& b) {
      return a.line < b.line;
    });
    return std::move(issues_);
  }

 private:
  static std::span<const Offer> known_offers(const CheckOptions& options) {
    return options.known == nullptr ? std::span<const Offer>() : options.known->offers();
  }

  static std::string key(const Offer& offer, bool with_market) {
    return fmt::format("{}/{}/{}/{}/{}",
                       offer.provider,
                       offer.instance,
                       offer.region,
                       with_market ? to_string(offer.market) : "",
                       offer.price_per_hour.currency());
  }

  void add(const Offer& offer, std::string field, std::string text) {
    issues_.push_back({offer.table, offer.line, std::move(field), std::move(text)});
  }

  bool first_of_line(const Offer& offer) {
    return lines_.insert(fmt::format("{}:{}:{}", offer.table, offer.line, offer.instance)).second;
  }

  // Once per date, not once per row.
  void check_age() {
    std::set<std::string> seen;
    for (const auto& offer : offers_) {
      if (!seen.insert(offer.as_of).second) {
        continue;
      }
      auto doubt = age_doubt(offer.as_of, options_.today, options_.old_days, options_.stale_days);
      if (!doubt.empty()) {
        add(offer, "AsOf", std::move(doubt));
      }
    }
  }

  void check_identity(const Offer& offer) {
    if (offer.provider.empty()) {
      add(offer, "Provider", "whose price this is is not said; import with --provider NAME");
    }
    if (offer.region.empty()) {
      add(offer, "Region", fmt::format("{}: where it is sold is not said", offer.instance));
    }
    const auto& currency = offer.price_per_hour.currency();
    if (!is_currency_code(currency)) {
      add(offer,
          "Currency",
          fmt::format("\"{}\" is no ISO 4217 code such as USD or CNY", currency));
    }
    const auto [first, fresh] = seen_.emplace(sold_as(offer), &offer);
    if (!fresh && first->second->price_per_hour != offer.price_per_hour) {
      add(offer,
          "Price",
          fmt::format("{} {}, but line {} sells the same {} in {} at {} {}: delete one",
                      offer.price_per_hour.decimal(),
                      offer.price_per_hour.currency(),
                      first->second->line,
                      offer.instance,
                      offer.region,
                      first->second->price_per_hour.decimal(),
                      first->second->price_per_hour.currency()));
    }
  }

  // Once per type, not once per region.
  void check_retired(const Offer& offer) {
    const auto* retirement = retirement_of(offer, options_.retirements, options_.today);
    if (retirement != nullptr && retired_.insert(offer.provider + "/" + offer.instance).second) {
      add(offer,
          "InstanceType",
          fmt::format("{}: retired by the provider on {}, so it is not recommended ({})",
                      offer.instance,
                      retirement->on,
                      retirement->source));
    }
  }

  void check_shape(const Offer& offer) {
    const auto stated = [](const std::optional<double>& value) { return value && *value > 0; };
    if (!stated(offer.vcpus) || !stated(offer.memory_gib)) {
      add(offer,
          stated(offer.vcpus) ? "MemoryGiB" : "vCPUs",
          fmt::format("{}: not stated, so it is never recommended; fill it in", offer.instance));
    }
    if (offer.vcpus && *offer.vcpus > absurd_vcpus) {
      add(offer, "vCPUs", fmt::format("{:g}: no machine has so many", *offer.vcpus));
    }
    if (offer.memory_gib && *offer.memory_gib > absurd_gib) {
      add(offer, "MemoryGiB", fmt::format("{:.15g}: is this MiB?", *offer.memory_gib));
    }
    const Offer* known = shape(offer);
    if (known != nullptr && offer.vcpus && known->vcpus && *offer.vcpus != *known->vcpus) {
      add(offer,
          "vCPUs",
          fmt::format("{:g}, but {} says {:g}", *offer.vcpus, known->table, *known->vcpus));
    }
    if (known != nullptr && stated(offer.memory_gib) && known->memory_gib &&
        std::max(*offer.memory_gib, *known->memory_gib) >
            same_gib * std::min(*offer.memory_gib, *known->memory_gib)) {
      add(offer,
          "MemoryGiB",
          fmt::format(
              "{:g}, but {} says {:g}", *offer.memory_gib, known->table, *known->memory_gib));
    }
  }

  void check_price(const Offer& offer) {
    const auto found = known_.find(key(offer, true));
    if (found == known_.end()) {
      if (auto doubt = usual_.doubt(offer); !doubt.empty()) {
        add(offer, std::string(to_string(offer.market)), std::move(doubt));
      }
      return;
    }
    if (offer.market == Market::spot) {
      return;
    }
    const double list = found->second->price_per_hour.approximate();
    const double ratio = offer.price_per_hour.approximate() / list;
    if (ratio > absurd_ratio || ratio < 1 / absurd_ratio) {
      add(offer,
          std::string(to_string(offer.market)),
          fmt::format("{} is {} {}, where {} has {}: is the period or the currency another?",
                      price_as_told(offer),
                      ratio > 1 ? "more than ten times" : "less than a tenth of",
                      "the list price",
                      found->second->table,
                      found->second->price_per_hour.decimal()));
    }
  }

  void check_spot() {
    const SpotPrices elsewhere(offers_);
    std::map<std::string, const Offer*> on_demand;
    for (const auto& offer : offers_) {
      if (offer.market == Market::on_demand && !is_monthly(offer)) {
        on_demand.emplace(key(offer, false) + offer.book + offer.cpu, &offer);
      }
    }
    for (const auto& offer : offers_) {
      if (const auto doubt = elsewhere.doubt(offer); !doubt.empty()) {
        add(offer, std::string(to_string(offer.market)), doubt);
      }
      const auto found = on_demand.find(key(offer, false) + offer.book + offer.cpu);
      if (offer.market == Market::on_demand || found == on_demand.end()) {
        continue;
      }
      const auto& list = found->second->price_per_hour;
      if (offer.price_per_hour >= list) {
        add(offer,
            std::string(to_string(offer.market)),
            fmt::format("{} is not less than the {} on demand: do not take it for a {} price",
                        offer.price_per_hour.decimal(),
                        list.decimal(),
                        offer.market == Market::spot ? "spot" : "reserved"));
      } else if (offer.price_per_hour.approximate() * absurd_spot < list.approximate()) {
        add(offer,
            std::string(to_string(offer.market)),
            fmt::format("{} is less than a hundredth of the {} on demand: is it of one GPU, or of "
                        "another period?",
                        offer.price_per_hour.decimal(),
                        list.decimal()));
      }
    }
  }

  [[nodiscard]] const Offer* shape(const Offer& offer) const {
    const auto found = shapes_.find(offer.provider + "/" + offer.instance);
    return found == shapes_.end() ? nullptr : found->second;
  }

  std::span<const Offer> offers_;
  const CheckOptions& options_;
  UsualPrices usual_;
  GpuCheck gpus_;
  std::map<std::string, const Offer*> known_;   // by place, type, market and currency
  std::map<std::string, const Offer*> shapes_;  // by provider and type
  std::map<SoldAs, const Offer*> seen_;
  std::set<std::string> lines_;
  std::set<std::string> retired_;
  std::vector<PriceIssue> issues_;
};

}  // namespace

std::vector<PriceIssue> check_offers(std::span<const Offer> offers, const CheckOptions& options) {
  return Check(offers, options).run();
}

}  // namespace rightsize
