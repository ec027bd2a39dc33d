#include "pricing/catalog.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "pricing/gpu_share.h"
#include "pricing/import/adapters.h"
#include "pricing/import/csv_row.h"

namespace rightsize {
namespace {

std::optional<Money> price_of(const CsvRow& row, std::string_view column) {
  const auto text = row.text(column);
  return text.empty() ? std::nullopt : std::optional(Money::parse(text, row.text("Currency")));
}

// The fewer of both are moved, into the room of the many: a million offers are not held twice.
void append(std::vector<Offer>&& more, std::vector<Offer>& offers) {
  if (more.size() < offers.size()) {
    offers.insert(
        offers.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    return;
  }
  more.insert(
      more.begin(), std::make_move_iterator(offers.begin()), std::make_move_iterator(offers.end()));
  offers = std::move(more);
}

}  // namespace

void Catalog::add_offers(std::string_view csv, std::string_view table_name) {
  ImportedTable table;
  table.file = table_name;
  ImportOptions options;
  options.book = table_name;
  std::istringstream in{std::string(csv)};
  read_offer_table(in, options, table);
  add(std::move(table));
}

void Catalog::add(ImportedTable table) {
  TableInfo info{table.file, "", "", table.offers.size()};
  std::set<std::string> providers;
  std::set<std::string> dates;
  for (const auto& offer : table.offers) {
    providers.insert(offer.provider);
    dates.insert(offer.as_of);
  }
  std::for_each(table.offers.begin(), table.offers.end(), [&](Offer& offer) {
    name_share(offer);
    name_network(offer);
  });
  append(std::move(table.offers), offers_);
  info.provider = providers.size() == 1 ? *providers.begin() : "several";
  for (const auto& date : dates) {
    info.as_of += (info.as_of.empty() ? "" : "; ") + date;
  }
  tables_.push_back(info);
  issues_.insert(issues_.end(), table.issues.begin(), table.issues.end());
}

void Catalog::add(Offer offer) {
  name_share(offer);
  name_network(offer);
  offers_.push_back(std::move(offer));
}

void Catalog::name_network(Offer& offer) const {
  if (!networks_.empty() && offer.network.empty() && !offer.gpu.empty()) {
    const auto found = networks_.find(fmt::format("{}/{}", offer.provider, offer.instance));
    offer.network = found == networks_.end() ? "" : found->second;
  }
}

void Catalog::shelve(const std::function<bool(const Offer&)>& which) {
  for (auto& offer : offers_) {
    if (which(offer)) {
      offer.book = "shipped " + offer.book;
    }
  }
}

void Catalog::add_volumes(std::string_view csv, std::string_view table_name) {
  const auto table = parse_csv(csv, table_name);
  require_columns(table, {"Provider", "Class", "MBpsMax", "PricePerGiBMonth"}, table_name);
  for (const auto& row : table.rows) {
    const CsvRow reader(table, row, table_name);
    VolumeClass volume;
    volume.provider = reader.text("Provider");
    volume.name = reader.text("Class");
    volume.kind = reader.text("Kind");
    volume.iops_floor = reader.number("IopsFloor").value_or(0);
    volume.iops_base = reader.number("IopsBase").value_or(0);
    volume.iops_per_gib = reader.number("IopsPerGiB").value_or(0);
    volume.iops_max = reader.number("IopsMax").value_or(0);
    volume.mbps_base = reader.number("MBpsBase").value_or(0);
    volume.mbps_per_gib = reader.number("MBpsPerGiB").value_or(0);
    volume.mbps_max = reader.number("MBpsMax").value_or(0);
    volume.mbps_step_gib = reader.number("MBpsStepGiB").value_or(0);
    volume.mbps_step = reader.number("MBpsStep").value_or(0);
    volume.mbps_per_iops = reader.number("MBpsPerIops").value_or(0);
    volume.burst_iops = reader.number("BurstIops").value_or(0);
    volume.burst_iops_per_gib = reader.number("BurstIopsPerGiB").value_or(0);
    volume.io_credits = reader.number("IoCredits").value_or(0);
    volume.io_credits_per_gib = reader.number("IoCreditsPerGiB").value_or(0);
    volume.request_kib = reader.number("RequestKiB").value_or(0);
    volume.latency_ms = reader.number("LatencyMs").value_or(0);
    volume.min_gib = reader.number("MinGiB").value_or(1);
    volume.max_gib = reader.number("MaxGiB").value_or(0);
    volume.price_per_gib_month = price_of(reader, "PricePerGiBMonth");
    volume.price_per_iops_month = price_of(reader, "PricePerIopsMonth");
    volume.price_per_mbps_month = price_of(reader, "PricePerMBpsMonth");
    volume.book = reader.text("Book");
    volume.as_of = reader.text("AsOf");
    volume.source = reader.text("Source");
    volumes_.push_back(volume);
  }
}

void Catalog::add_object_storage(std::string_view csv, std::string_view table_name) {
  for (auto& storage : parse_object_storage(csv, table_name)) {
    storages_.push_back(std::move(storage));
  }
}

void Catalog::add_disk_caps(std::string_view csv, std::string_view table_name) {
  const auto table = parse_csv(csv, table_name);
  require_columns(table, {"Provider", "Instance", "Class", "MBps", "Iops"}, table_name);
  for (const auto& row : table.rows) {
    const CsvRow reader(table, row, table_name);
    DiskCap cap{reader.text("Provider"),
                reader.text("Instance"),
                reader.text("Class"),
                reader.number("MBps"),
                reader.number("Iops"),
                reader.text("Source")};
    auto key = fmt::format("{}/{}/{}", cap.provider, cap.instance, cap.volume);
    caps_.emplace(std::move(key), std::move(cap));
  }
}

void Catalog::add_networks(std::string_view csv, std::string_view table_name) {
  const auto table = parse_csv(csv, table_name);
  require_columns(table, {"Provider", "Instance", "Network"}, table_name);
  for (const auto& row : table.rows) {
    const CsvRow reader(table, row, table_name);
    networks_.insert_or_assign(
        fmt::format("{}/{}", reader.text("Provider"), reader.text("Instance")),
        reader.text("Network"));
  }
  for (auto& offer : offers_) {
    name_network(offer);
  }
}

const DiskCap* Catalog::disk_cap(std::string_view provider,
                                 std::string_view instance,
                                 std::string_view volume) const {
  for (const std::string_view name : {volume, std::string_view("*")}) {
    const auto found = caps_.find(fmt::format("{}/{}/{}", provider, instance, name));
    if (found != caps_.end()) {
      return &found->second;
    }
  }
  return nullptr;
}

void Catalog::add_retirements(std::string_view csv, std::string_view table_name) {
  auto more = parse_retirements(csv, table_name);
  std::move(more.begin(), more.end(), std::back_inserter(retirements_));
}

void Catalog::note_retired(std::string_view today) {
  for (auto& offer : offers_) {
    const auto* retirement = retirement_of(offer, retirements_, today);
    offer.retired_on = retirement == nullptr ? "" : retirement->on;
  }
}

namespace {

// "0:100 25:80": percent of the month and of the list price.
std::vector<UseTier> use_tiers(std::string_view text, std::string_view place) {
  std::vector<UseTier> tiers;
  std::istringstream in{std::string(text)};
  for (std::string word; in >> word;) {
    UseTier tier;
    if (std::sscanf(word.c_str(), "%d:%d", &tier.from_percent, &tier.rate_percent) != 2) {
      throw PricingError(fmt::format("{}: Sustained: \"{}\": expected 25:80", place, word));
    }
    tiers.push_back(tier);
  }
  return tiers;
}

}  // namespace

void Catalog::add_billing(std::string_view csv, std::string_view table_name) {
  const auto table = parse_csv(csv, table_name);
  require_columns(table, {"Provider", "Book", "GranularityS", "MinimumS"}, table_name);
  for (const auto& row : table.rows) {
    const CsvRow reader(table, row, table_name);
    const auto seconds = [&](std::string_view name) {
      return std::chrono::seconds(static_cast<std::int64_t>(reader.number(name).value_or(3600)));
    };
    BillingRule rule{reader.text("Provider"),
                     reader.text("Book"),
                     seconds("GranularityS"),
                     seconds("MinimumS"),
                     reader.text("Basis"),
                     reader.text("Source")};
    if (!reader.text("SpotLifetimeS").empty()) {
      rule.spot_lifetime = seconds("SpotLifetimeS");
    }
    rule.sustained =
        use_tiers(reader.text("Sustained"), fmt::format("{}:{}", table_name, row.line));
    rule.sustained_prefix = reader.text("SustainedPrefix");
    rules_.push_back(std::move(rule));
  }
}

std::string_view Catalog::rules_book(std::string_view book) const {
  const auto has = [&](const auto& row) { return row.book == book; };
  return std::any_of(volumes_.begin(), volumes_.end(), has) ||
                 std::any_of(rules_.begin(), rules_.end(), has)
             ? book
             : "current";
}

const BillingRule& Catalog::billing(std::string_view provider, std::string_view of_book) const {
  const BillingRule* last_resort = nullptr;
  const auto book = rules_book(of_book);
  for (const auto& rule : rules_) {
    if (rule.provider == provider && rule.book == book) {
      return rule;
    }
    if (rule.provider == "*") {
      last_resort = &rule;
    }
  }
  if (last_resort == nullptr) {
    throw PricingError(
        fmt::format("no billing rule for {} ({}) and none of last resort", provider, book));
  }
  return *last_resort;
}

}  // namespace rightsize
