// instances.json of ec2instances.info (Vantage): a list of types, each with pricing{region{linux{
// ondemand, spot_avg, spot_min, spot_max, reserved{"yrTerm1Standard.noUpfront"}}}}. GPU_memory is
// that of all GPUs together; reserved prices are effective hourly ones.
#include <array>

#include <fmt/format.h>

#include "pricing/import/adapters.h"
#include "pricing/import/figures.h"
#include "pricing/import/json_records.h"

namespace rightsize {
namespace {

class VantageInstances {
 public:
  VantageInstances(const ImportOptions& options, ImportedTable& table)
      : options_(options), out_(table), payment_key_(payment_key(options.payment)) {}

  void add(const JsonNode& instance) {
    ++out_.rows;
    const Offer shape = shape_of(instance);
    const auto before = out_.offers.size() + out_.issue_count;
    for (const auto& region : instance["pricing"].members) {
      const JsonNode& linux = region["linux"];
      Offer offer = shape;
      offer.region = region.key;
      offer.line = region.line;
      add_market(offer, Market::on_demand, linux["ondemand"], "ondemand");
      // Which spot price: the mean, or the highest of the period when there is no mean.
      const bool mean = linux["spot_avg"].kind != JsonNode::Kind::null;
      add_market(offer,
                 Market::spot,
                 mean ? linux["spot_avg"] : linux["spot_max"],
                 mean ? "spot_avg" : "spot_max");
      for (const auto& [market, years] :
           {std::pair{Market::reserved_1y, 1}, std::pair{Market::reserved_3y, 3}}) {
        const auto key = fmt::format("yrTerm{}Standard.{}", years, payment_key_);
        add_market(offer, market, linux["reserved"][key], key);
      }
    }
    if (out_.offers.size() + out_.issue_count == before) {
      out_.without_price(instance.line);
    }
  }

 private:
  static std::string payment_key(std::string_view payment) {
    return payment == "partial upfront" ? "partialUpfront"
           : payment == "all upfront"   ? "allUpfront"
           : payment == "no upfront"    ? "noUpfront"
                                        : "";  // savings plans are Azure's
  }

  [[nodiscard]] Offer shape_of(const JsonNode& instance) const {
    Offer offer;
    offer.provider = "aws";
    offer.instance = instance["instance_type"].text;
    offer.vcpus = read_quantity(instance["vCPU"].text);
    offer.memory_gib = read_quantity(instance["memory"].text);
    offer.gpus = read_quantity(instance["GPU"].text).value_or(0);
    if (offer.gpus > 0) {
      offer.gpu = instance["GPU_model"].text;
      if (const auto total = read_quantity(instance["GPU_memory"].text)) {
        offer.gpu_memory_gib = *total / offer.gpus;
      }
    }
    const JsonNode& storage = instance["storage"];
    const auto disks = read_quantity(storage["devices"].text);
    const auto gib = read_quantity(storage["size"].text);
    if (disks && gib) {
      offer.local_disk_gib = *disks * *gib;
    }
    for (const auto& arch : instance["arch"].members) {
      offer.arch = arch.text == "x86_64" || arch.text == "arm64" ? arch.text : offer.arch;
    }
    offer.cpu = options_.cpu_name(offer.instance, instance["physical_processor"].text);
    offer.book = options_.book;
    offer.as_of = options_.as_of;
    offer.source = out_.file;
    offer.table = out_.file;
    return offer;
  }

  void add_market(Offer& offer, Market market, const JsonNode& price, const std::string& field) {
    // The partitions of China are priced in their own currency, which the file does not say.
    const auto* currency = offer.region.starts_with("cn-") ? "CNY" : "USD";
    const auto figure = price_at(price.text, currency, price.line, field, out_);
    if (figure.price) {
      offer.market = market;
      offer.price_per_hour = *figure.price;
      offer.payment = committed_hours(market) > 0 ? options_.payment : "";
      offer.source = market == Market::spot ? out_.file + " " + field : out_.file;
      out_.offers.push_back(offer);
    }
  }

  const ImportOptions& options_;
  ImportedTable& out_;
  std::string payment_key_;
};

}  // namespace

void read_vantage(std::istream& in, const ImportOptions& options, ImportedTable& table) {
  VantageInstances instances(options, table);
  for_each_json_record(
      in,
      table.file,
      [](const JsonPath& path) { return path.size() == 1 && path[0] == "[]"; },
      [&](const JsonPath&, const JsonNode& instance) { instances.add(instance); });
}

}  // namespace rightsize
