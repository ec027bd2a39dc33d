#include "pricing/import/aws_offers.h"

#include <fmt/format.h>

#include "pricing/import/figures.h"

namespace rightsize {
namespace {

bool is_or_absent(std::string_view value, std::string_view wanted) {
  return value.empty() || value == wanted;
}

// The set Infracost and others use: plain Linux on shared hardware, no licence, no capacity block.
bool is_plain_linux(const AwsProduct& product) {
  return is_or_absent(product.family, "Compute Instance") && !product.instance.empty() &&
         product.operating_system == "Linux" && product.tenancy == "Shared" &&
         is_or_absent(product.software, "NA") && is_or_absent(product.capacity, "Used") &&
         is_or_absent(product.license, "No License required") &&
         is_or_absent(product.operation, "RunInstances") &&
         is_or_absent(product.market, "OnDemand");
}

// "2 x 900 NVMe SSD" -> 1800; "EBS only" -> absent.
std::optional<double> local_disk(std::string_view storage) {
  const auto x = storage.find(" x ");
  if (x == std::string_view::npos) {
    return std::nullopt;
  }
  const auto size = storage.substr(x + 3);
  const auto disks = read_quantity(storage.substr(0, x));
  const auto gib = read_quantity(size.substr(0, size.find(' ')));
  return disks && gib ? std::optional(*disks * *gib) : std::nullopt;
}

}  // namespace

void AwsOffers::published(std::string_view time) {
  as_of_ = date_of(time);
}

Offer AwsOffers::machine_of(const AwsProduct& product) {
  Offer offer;
  offer.provider = "aws";
  offer.instance = product.instance;
  offer.region = product.region.empty() ? product.location : product.region;
  offer.vcpus = read_quantity(product.vcpus);
  offer.memory_gib = read_quantity(product.memory);
  offer.local_disk_gib = local_disk(product.storage);
  offer.arch = is_arm_cpu(product.processor) ? "arm64" : product.processor.empty() ? "" : "x86_64";
  offer.cpu = options_.cpu_name(product.instance, product.processor);
  offer.gpus = read_quantity(product.gpus).value_or(0);
  if (const Offer* known = shapes_.of(product.instance)) {
    offer.gpu = known->gpu;
    offer.gpus = known->gpu.empty() ? offer.gpus : known->gpus;
    offer.gpu_memory_gib = known->gpu_memory_gib;
  } else if (const Offer* relative = shapes_.of_family(product.instance);
             relative != nullptr && offer.gpus > 0) {
    offer.gpu = relative->gpu;
    offer.gpu_memory_gib = relative->gpu_memory_gib;
  }
  if (offer.gpus > 0 && offer.gpu.empty()) {
    offer.gpu = "not stated";  // a machine with GPUs must not pass for one without
    out_.note(product.line,
              "gpu",
              fmt::format("{} has {:g} GPUs, but neither this file nor a table here says which",
                          product.instance,
                          offer.gpus));
  }
  offer.book = options_.book;
  offer.as_of = options_.as_of.empty() ? as_of_ : options_.as_of;
  offer.source = out_.file;
  offer.table = out_.file;
  offer.line = product.line;
  return offer;
}

void AwsOffers::add_product(const std::string& sku, const AwsProduct& product) {
  ++out_.rows;
  if (is_plain_linux(product)) {
    machines_.emplace(sku, Machine{machine_of(product)});
  } else {
    ++out_.left_out;
  }
}

bool AwsOffers::wants(const AwsTerm& term) const {
  return !term.reserved ||
         (term.offering_class != "convertible" && mentions(term.payment, options_.payment) &&
          (term.lease == "1yr" || term.lease == "3yr"));
}

std::optional<Money> AwsOffers::price_of(const AwsTerm& term, Market market) {
  const int hours = committed_hours(market);
  constexpr double most = 1e9;  // of a fee for three years; more may not even be held
  for (const auto& text : {term.hourly, term.upfront}) {
    if (rough_size(text).value_or(0) > most) {
      out_.note(term.line, "PricePerUnit", read_price(text, term.currency).trap);
      return std::nullopt;
    }
  }
  const auto part = [&](const std::string& text, const char* field) -> std::optional<Money> {
    if (text.empty()) {
      return std::nullopt;
    }
    try {
      return Money::parse(plain_decimal(text), term.currency);
    } catch (const PricingError& error) {
      out_.malformed(term.line, field, error.what());
      return std::nullopt;
    }
  };
  auto hourly = part(term.hourly, "hourly price");
  if (const auto upfront = part(term.upfront, "upfront fee"); upfront && hours > 0) {
    hourly = hourly.value_or(Money(0, term.currency)) + upfront->times(1, hours);
  }
  if (!hourly) {
    return std::nullopt;
  }
  const auto figure = read_price(hourly->decimal(), term.currency);
  if (!figure.trap.empty()) {
    out_.note(term.line, "PricePerUnit", figure.trap);
  }
  return figure.price;
}

void AwsOffers::add_term(const std::string& sku, const AwsTerm& term) {
  const auto machine = machines_.find(sku);
  if (machine == machines_.end() || !wants(term)) {
    return;
  }
  const Market market = !term.reserved        ? Market::on_demand
                        : term.lease == "1yr" ? Market::reserved_1y
                                              : Market::reserved_3y;
  machine->second.has_term = true;
  if (const auto price = price_of(term, market)) {
    out_.offers.push_back(machine->second.offer);
    out_.offers.back().market = market;
    out_.offers.back().payment = term.reserved ? options_.payment : "";
    out_.offers.back().price_per_hour = *price;
    out_.offers.back().line = term.line;
  }
}

void AwsOffers::finish() {
  for (const auto& [sku, machine] : machines_) {
    if (!machine.has_term) {
      out_.without_price(machine.offer.line);
    }
  }
}

}  // namespace rightsize
