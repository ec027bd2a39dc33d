// Pages of GCP's Cloud Billing catalogue (Compute Engine): {"skus": [{description, category{
// resourceFamily, usageType}, serviceRegions[], pricingInfo[{pricingExpression{tieredRates[{
// unitPrice{currencyCode, units, nanos}}]}}]}]}. It prices a core, a GiB and a GPU; a machine is
// their sum, with its shape from Shapes.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "pricing/import/adapters.h"
#include "pricing/import/figures.h"
#include "pricing/import/json_records.h"
#include "pricing/mebibyte.h"
#include "pricing/shapes.h"

namespace rightsize {
namespace {

// Other things to buy than a running machine by the hour.
constexpr std::array<std::string_view, 10> other_things{"Sole Tenancy",
                                                        "Reserved",
                                                        "Premium",
                                                        "suspended",
                                                        "Commitment",
                                                        "DWS",
                                                        "Calendar",
                                                        "Confidential",
                                                        "Extended",
                                                        "Custom"};

std::string lowered(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  }
  return result;
}

// "n1 core" of "Spot Preemptible N1 Predefined Instance Core running in Americas"; "gpu T4" of
// "Nvidia Tesla T4 GPU running in ..."; empty for anything else.
std::string resource_of(std::string_view description, const ImportOptions& options) {
  for (const std::string_view prefix : {"Spot Preemptible ", "Preemptible "}) {
    if (description.starts_with(prefix)) {
      description.remove_prefix(prefix.size());
    }
  }
  const auto end = std::min(description.find(" running in "), description.find(" attached to "));
  if (end == std::string_view::npos) {
    return "";
  }
  const auto what = description.substr(0, end);
  if (what.ends_with(" GPU")) {
    return "gpu " + options.gpu_name(what.substr(0, what.size() - 4));
  }
  const std::string unit = what.ends_with(" Core")                            ? "core"
                           : what.ends_with(" Ram") || what.ends_with(" RAM") ? "ram"
                                                                              : "";
  const std::string family = what.starts_with("Compute optimized") ? "c2"
                             : what.starts_with("Memory-optimized")
                                 ? "m1"
                                 : lowered(what.substr(0, what.find(' ')));
  return unit.empty() ? "" : family + " " + unit;
}

// A machine whose local disks are in its shape but have a SKU of their own.
bool has_bundled_disk(const Offer& shape) {
  return shape.instance.starts_with("a3-") || shape.instance.starts_with("a2-ultragpu") ||
         shape.instance.starts_with("z3-") || shape.instance.starts_with("a4-") ||
         shape.instance.find("lssd") != std::string::npos;
}

class GcpSkus {
 public:
  GcpSkus(const ImportOptions& options, ImportedTable& table)
      : options_(options), out_(table), shapes_(options.known, "gcp") {}

  void add(const JsonNode& sku) {
    ++out_.rows;
    const auto& description = sku["description"].text;
    const auto& usage = sku["category"]["usageType"].text;
    const auto resource = resource_of(description, options_);
    bool other = resource.empty() || (usage != "OnDemand" && usage != "Preemptible");
    for (const auto word : other_things) {
      other = other || mentions(description, word);
    }
    const auto price = other ? std::nullopt : price_of(sku);
    if (!price) {
      out_.left_out += other ? 1 : 0;
      return;
    }
    for (const auto& region : sku["serviceRegions"].members) {
      regions_.insert(region.text);
      const auto& [key, kept] =
          *prices_.emplace(Key{resource, region.text, usage == "Preemptible"}, *price).first;
      if (kept != *price) {
        out_.note(
            sku.line,
            "unitPrice",
            fmt::format("{} in {} at {}, but another SKU before it says {}: the first is kept",
                        description,
                        region.text,
                        price->decimal(),
                        kept.decimal()));
      }
    }
  }

  // Every machine whose parts all have a price, in every region.
  void assemble() {
    int bundled = 0;
    for (const Offer* shape : shapes_.all()) {
      if (has_bundled_disk(*shape)) {
        ++bundled;
        continue;
      }
      for (const auto& region : regions_) {
        for (const auto market : {Market::on_demand, Market::spot}) {
          add_machine(*shape, region, market);
        }
      }
    }
    if (bundled > 0) {
      out_.note(
          0,
          "description",
          fmt::format("{} machine types with local disks of their own are left out: the disks are "
                      "priced apart, and the sum would be too low",
                      bundled));
    }
  }

 private:
  using Key = std::tuple<std::string, std::string, bool>;

  std::optional<Money> price_of(const JsonNode& sku) {
    const auto& infos = sku["pricingInfo"].members;
    if (infos.empty()) {
      out_.without_price(sku.line);
      return std::nullopt;
    }
    const auto& expression = infos.front()["pricingExpression"];
    const auto& rates = expression["tieredRates"].members;
    if (rates.size() != 1) {
      out_.note(
          sku.line, "tieredRates", fmt::format("{} tiers, expected one: left out", rates.size()));
      return std::nullopt;
    }
    const JsonNode& unit = rates.front()["unitPrice"];
    if (as_of_.empty()) {
      as_of_ = date_of(infos.front()["effectiveTime"].text);
    }
    constexpr double most = 1e9;  // more may not even be held
    if (rough_size(unit["units"].text).value_or(0) > most) {
      out_.note(sku.line, "unitPrice", read_price(unit["units"].text, "USD").trap);
      return std::nullopt;
    }
    // units is an integer in quotes, nanos an integer: exact, no double on the way.
    const auto& currency = unit["currencyCode"].text;
    const auto whole = read_price_part(unit["units"], sku.line);
    const auto nanos = read_price_part(unit["nanos"], sku.line);
    if (!whole || !nanos) {
      return std::nullopt;
    }
    const Money price = Money(whole->nanos(), currency.empty() ? "USD" : currency) +
                        Money(nanos->nanos() / 1'000'000'000, currency.empty() ? "USD" : currency);
    if (price.nanos() <= 0) {
      out_.note(sku.line,
                "unitPrice",
                fmt::format("{} is not a price anybody pays: left out", sku["description"].text));
      return std::nullopt;
    }
    return price;
  }

  // nullopt where it is malformed, and that was noted.
  std::optional<Money> read_price_part(const JsonNode& node, int line) {
    try {
      return node.text.empty() ? Money(0, "USD") : Money::parse(node.text, "USD");
    } catch (const PricingError& error) {
      out_.malformed(line, "unitPrice", error.what());
      return std::nullopt;
    }
  }

  [[nodiscard]] const Money* price(const std::string& resource,
                                   const std::string& region,
                                   Market market) const {
    const auto found = prices_.find({resource, region, market == Market::spot});
    return found == prices_.end() ? nullptr : &found->second;
  }

  void add_machine(const Offer& shape, const std::string& region, Market market) {
    const auto family = shape.instance.substr(0, shape.instance.find('-'));
    const Money* core = price(family + " core", region, market);
    const Money* ram = price(family + " ram", region, market);
    const Money* gpu = shape.gpu.empty() ? nullptr : price("gpu " + shape.gpu, region, market);
    const bool complete = core != nullptr && ram != nullptr && shape.vcpus && shape.memory_gib &&
                          (shape.gpu.empty() || gpu != nullptr) &&
                          *shape.vcpus == std::floor(*shape.vcpus);
    if (!complete) {
      return;
    }
    Money total = core->times(static_cast<std::int64_t>(*shape.vcpus));
    total += ram->times(std::llround(*shape.memory_gib * mib_per_gib), mib_per_gib);
    if (gpu != nullptr) {
      total += gpu->times(std::llround(shape.gpus));
    }
    Offer offer = shape;
    offer.region = region;
    offer.market = market;
    offer.price_per_hour = total;
    offer.payment.clear();
    offer.book = options_.book;
    offer.as_of = options_.as_of.empty() ? as_of_ : options_.as_of;
    offer.source = out_.file + ": sum of core, GiB and GPU SKUs";
    offer.table = out_.file;
    offer.line = 0;
    out_.offers.push_back(offer);
  }

  const ImportOptions& options_;
  ImportedTable& out_;
  Shapes shapes_;
  std::string as_of_;
  std::set<std::string> regions_;
  std::map<Key, Money> prices_;
};

}  // namespace

void read_gcp(std::istream& in, const ImportOptions& options, ImportedTable& table) {
  GcpSkus skus(options, table);
  for_each_json_record(
      in,
      table.file,
      [](const JsonPath& path) {
        return path.size() >= 2 && path.back() == "[]" && path[path.size() - 2] == "skus";
      },
      [&](const JsonPath&, const JsonNode& sku) { skus.add(sku); });
  skus.assemble();
}

}  // namespace rightsize
