#include "pricing/bill.h"

#include <string>

#include <fmt/format.h>

#include "pricing/billed.h"
#include "pricing/monthly.h"

namespace rightsize {
namespace {

std::string hours_text(std::chrono::seconds time) {
  return fmt::format("{:.2f} h",
                     static_cast<double>(time.count()) / static_cast<double>(seconds_per_hour));
}

void machine_lines(const Billed& billed, std::vector<BillLine>& lines) {
  if (billed.monthly()) {
    const auto months =
        static_cast<double>(billed.time().count()) / static_cast<double>(billed_month.count());
    lines.push_back(
        {BillLine::Kind::machine,
         billed.offer().instance + " monthly",
         fmt::format("{} x {:.3g} month{}", billed.nodes(), months, months == 1 ? "" : "s"),
         month_price(billed.offer()),
         "per month of 730 h",
         billed.machine()});
    return;
  }
  const auto quantity = fmt::format("{} x {}", billed.nodes(), hours_text(billed.time()));
  if (billed.offer().parts.empty()) {
    lines.push_back(
        {BillLine::Kind::machine,
         fmt::format("{} {}", billed.offer().instance, to_string(billed.offer().market)),
         quantity,
         billed.offer().price_per_hour,
         "per hour",
         billed.machine()});
    return;
  }
  Money rest = billed.machine();  // the last part takes what rounding left, so that all adds up
  for (const auto& part : billed.offer().parts) {
    const bool last = &part == &billed.offer().parts.back();
    const Money amount =
        part.per_hour.times(billed.time().count() * billed.nodes(), seconds_per_hour);
    lines.push_back({BillLine::Kind::machine,
                     fmt::format("{} {}", billed.offer().instance, part.what),
                     quantity,
                     part.per_hour,
                     "per hour",
                     last ? rest : amount});
    rest = Money(rest.nanos() - amount.nanos(), rest.currency());
  }
}

void time_lines(const Billed& billed, std::vector<BillLine>& lines) {
  if (const auto amount = billed.idle_cost()) {
    const auto use = billed.held();
    const auto* bought = billed.bought_part();
    lines.push_back({BillLine::Kind::reservation,
                     fmt::format("idle share of the {} ({})",
                                 bought == nullptr ? "reservation" : "purchase",
                                 use.words),
                     fmt::format("{} x {}", billed.nodes(), hours_text(billed.time())),
                     (bought == nullptr ? billed.offer().price_per_hour : bought->per_hour)
                         .times(use.idle, use.used),
                     "per hour",
                     *amount});
  }
  if (const auto amount = billed.sustained()) {
    lines.push_back({BillLine::Kind::discount,
                     "sustained use",
                     fmt::format("{} x {}", billed.nodes(), hours_text(billed.time())),
                     billed.offer().price_per_hour,
                     "per hour, list",
                     *amount});
  }
}

void disk_lines(const Billed& billed, std::vector<BillLine>& lines) {
  if (const auto amount = billed.disk()) {
    lines.push_back(
        {BillLine::Kind::disk,
         fmt::format("{} disk", billed.volume()->volume->name),
         fmt::format(
             "{} x {} GiB x {}", billed.nodes(), billed.volume()->gib, hours_text(billed.time())),
         *billed.volume()->volume->price_per_gib_month,
         "per GiB and month of 730 h",
         *amount});
  }
  if (const auto amount = billed.iops()) {
    lines.push_back({BillLine::Kind::disk,
                     fmt::format("{} IOPS", billed.volume()->volume->name),
                     fmt::format("{} x {} IOPS x {}",
                                 billed.nodes(),
                                 billed.volume()->bought.iops,
                                 hours_text(billed.time())),
                     *billed.volume()->volume->price_per_iops_month,
                     "per IOPS and month of 730 h",
                     *amount});
  }
  if (const auto amount = billed.throughput()) {
    lines.push_back({BillLine::Kind::disk,
                     fmt::format("{} throughput", billed.volume()->volume->name),
                     fmt::format("{} x {} MB/s x {}",
                                 billed.nodes(),
                                 billed.volume()->bought.mbps,
                                 hours_text(billed.time())),
                     *billed.volume()->volume->price_per_mbps_month,
                     "per MB/s and month of 730 h",
                     *amount});
  }
}

void data_lines(const Billed& billed, std::vector<BillLine>& lines) {
  if (billed.data() == nullptr) {
    return;
  }
  const auto& data = *billed.data();
  const auto home = fmt::format("{} {}", data.storage->provider, data.storage->name);
  const auto kept = charge_for_keeping(data, billed.time());
  lines.push_back({BillLine::Kind::storage,
                   home,
                   kept.whole_gib_months > 0
                       ? fmt::format("{} whole GiB-months", kept.whole_gib_months)
                       : fmt::format("{} x {}", gib_text(data.bytes), hours_text(billed.time())),
                   data.storage->per_gib_month,
                   "per GiB and month of 730 h",
                   kept.amount});
  const auto charge = charge_for_reads(data, billed.nodes());
  if (charge.amount.nanos() > 0) {
    lines.push_back({BillLine::Kind::storage,
                     "reads of " + home,
                     fmt::format("{} reads", charge.reads),
                     data.storage->per_1000_reads,
                     "per 1,000 reads",
                     charge.amount});
  }
  for (const auto& line : leaving(data, billed.offer(), billed.nodes())) {
    lines.push_back({BillLine::Kind::egress,
                     "out of " + home,
                     gib_text(line.bytes),
                     line.per_gib,
                     "per GiB",
                     line.amount});
  }
}

}  // namespace

Money bill_total(const Offer& offer,
                 int nodes,
                 const std::optional<VolumeChoice>& volume,
                 std::chrono::seconds used,
                 const BillingRule& rule,
                 const BillTerms& terms) {
  return Billed(offer, nodes, volume, used, rule, terms).total();
}

Bill bill(const Offer& offer,
          int nodes,
          const std::optional<VolumeChoice>& volume,
          std::chrono::seconds used,
          const BillingRule& rule,
          const BillTerms& terms) {
  const Billed billed(offer, nodes, volume, used, rule, terms);
  Bill result;
  machine_lines(billed, result.lines);
  time_lines(billed, result.lines);
  disk_lines(billed, result.lines);
  data_lines(billed, result.lines);
  result.total = result.lines.front().amount;
  for (std::size_t i = 1; i < result.lines.size(); ++i) {
    result.total += result.lines[i].amount;
  }
  return result;
}

}  // namespace rightsize
