#include "advisor/report/sizing_price_text.h"

#include <cmath>

#include <boost/json.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/bill_json.h"
#include "advisor/json_values.h"
#include "advisor/price_warnings.h"
#include "advisor/report/option_text.h"
#include "advisor/report/report_tables.h"
#include "advisor/report/units.h"
#include "pricing/billing.h"
#include "pricing/place.h"

namespace rightsize::report {
namespace {

namespace json = boost::json;

std::string exact(const Money& amount) {
  return amount.decimal() + " " + amount.currency();
}

// Where it is sold, and by whose word: "gcp custom-2-6144+1xT4 (us-central1), on demand, book
// current, as of 2026-07-30, custom.csv".
std::string sold_text(const Offer& offer) {
  return fmt::format("{} {} ({}), on demand, book {}, {}, {}",
                     offer.provider,
                     offer.instance,
                     region_name(offer.region),
                     offer.book,
                     dated(offer.as_of),
                     offer.table);
}

std::string disk_text(const PricedShape& shape) {
  return shape.disk.empty() ? "" : " with " + shape.disk;
}

// "97% busy, ~301 img/s", and what is amiss where that is less than asked.
std::string does_text(const PricedShape& shape, const SizingPrice& price) {
  return fmt::format("{} busy, ~{} {}{}",
                     percent(shape.busy),
                     digits(shape.throughput.value),
                     shape.throughput.unit,
                     price.keeps_busy(shape)
                         ? ""
                         : fmt::format(": none that is sold reaches {}", percent(price.target)));
}

// For as many as a service takes.
Estimate month_of(const PricedShape& shape, const SizingPrice::Fleet& fleet) {
  const double one = shape.hour.total.approximate() * static_cast<double>(hours_per_month);
  return {one * fleet.machines,
          one * fleet.low,
          fleet.high > 0 ? one * fleet.high : HUGE_VAL,
          shape.throughput.confidence,
          shape.hour.total.currency(),
          shape.throughput.source};
}

std::string range_text(const Estimate& cost) {
  return fmt::format("{} … {}",
                     money(cost.low, cost.unit),
                     std::isfinite(cost.high) ? money(cost.high, cost.unit) : "∞");
}

// "; 3 (2 … 4) of them: ~$1,152 a month ($767.96 … $1,536)"
std::string month_text(const PricedShape& shape, const SizingPrice& price) {
  if (!price.fleet) {
    return "";
  }
  const auto& fleet = *price.fleet;
  const auto month = month_of(shape, fleet);
  return fmt::format("; {} ({} … {}) of them: ~{} a month ({})",
                     fleet.machines,
                     fleet.low,
                     fleet.high > 0 ? std::to_string(fleet.high) : "∞",
                     money(month.value, month.unit),
                     range_text(month));
}

// "0.463744032 USD an hour; the job, ~98.7 h (61.8 … 157): ~$45.75 ($28.67 … $72.82)"
std::string cost_text(const PricedShape& shape) {
  auto text = exact(shape.hour.total) + " an hour";
  if (shape.cost && shape.hours) {
    const auto& hours = *shape.hours;
    const auto& cost = *shape.cost;
    text += fmt::format("; the job, ~{} h ({} … {}): ~{} ({} … {})",
                        digits(hours.value),
                        digits(hours.low),
                        digits(hours.high),
                        money(cost.value, cost.unit),
                        money(cost.low, cost.unit),
                        money(cost.high, cost.unit));
  }
  return text;
}

std::string reason(const SizingPrice& price) {
  if (!price.left_out.empty()) {
    return fmt::format(
        "{} sells this GPU by the unit, and the places that are asked for leave it out: --infra {} "
        "takes it in",
        price.left_out,
        price.left_out);
  }
  return fmt::format("no price table asked for sells this GPU by the unit in such a machine{}",
                     price.sold_by_the_unit.empty()
                         ? "; --custom-prices FILE adds one of yours"
                         : fmt::format(" (they sell {}); --custom-prices FILE adds one of yours",
                                       fmt::join(price.sold_by_the_unit, ", ")));
}

std::string not_sold(const SizingPrice& price) {
  if (!price.by_the_month.empty()) {
    return fmt::format(
        "by the hour no price table asked for has a machine that holds it; by the month there is "
        "{}: advise counts such months",
        price.by_the_month);
  }
  if (!price.refusal.empty()) {
    return "what holds it is not what the job asks for: " + price.refusal;
  }
  return price.retired ? "what the tables have is retired; --retired takes it all the same"
                       : "no price table asked for has a machine that holds it";
}

// Its end is null where no number of machines is enough at the slow end.
json::value month_to_json(const PricedShape& shape, const SizingPrice& price) {
  if (!price.fleet) {
    return nullptr;
  }
  const auto month = month_of(shape, *price.fleet);
  auto document = rightsize::to_json(month);
  document["high"] = finite(month.high);
  return document;
}

json::value to_json(const std::optional<PricedShape>& shape, const SizingPrice& price) {
  if (!shape) {
    return nullptr;
  }
  const auto& offer = shape->offer;
  const auto bill = [](const Bill& one) {
    return json::object{{"bill_total", money_to_json(one.total)}, {"bill", bill_to_json(one)}};
  };
  return json::object{
      {"provider", offer.provider},
      {"instance", offer.instance},
      {"region", offer.region},
      {"market", to_string(offer.market)},
      {"vcpus", *offer.vcpus},
      {"why_more_vcpus", or_null(shape->why_more_vcpus)},
      {"memory_gib", *offer.memory_gib},
      {"gpu", offer.gpu},
      {"gpus", offer.gpus},
      {"disk", or_null(shape->disk)},
      {"accelerator_busy", shape->busy},
      {"throughput", rightsize::to_json(shape->throughput)},
      {"hours", shape->hours ? json::value(rightsize::to_json(*shape->hours)) : nullptr},
      {"book", offer.book},
      {"as_of", or_null(offer.as_of)},
      {"source", or_null(offer.source)},
      {"hour", bill(shape->hour)},
      {"month", month_to_json(*shape, price)},
      {"cost", shape->cost ? json::value(rightsize::to_json(*shape->cost)) : nullptr},
      {"job", shape->job ? json::value(bill(*shape->job)) : nullptr}};
}

}  // namespace

std::string sizing_price_text(const SizingPrice& price, const Style& style) {
  std::string text = "\nwhat " + price.shape + " costs\n";
  if (price.by_the_unit) {
    const auto& shape = *price.by_the_unit;
    text += fmt::format("cut to measure: {}{}{}{}\n{}; {}{}\n",
                        sold_text(shape.offer),
                        disk_text(shape),
                        shape.why_more_vcpus.empty() ? "" : "; ",
                        shape.why_more_vcpus,
                        does_text(shape, price),
                        cost_text(shape),
                        month_text(shape, price)) +
            bill_table(shape.hour).text(style) +
            (shape.job ? "\n" + bill_table(*shape.job).text(style) : "");
  } else {
    text += "cut to measure: " + reason(price) + "\n";
  }
  if (!price.standard) {
    return text + "as it is sold: " + not_sold(price) + "\n";
  }
  const auto& shape = *price.standard;
  text += fmt::format(
      "{}as it is sold: {} is {}{}, {} vCPU and {} GiB\n{}; {}{}\n",
      price.by_the_unit ? "\n" : "",
      price.keeps_busy(shape) ? "the cheapest machine that holds it" : "what comes nearest",
      sold_text(shape.offer),
      disk_text(shape),
      axis_number(*shape.offer.vcpus),
      axis_number(*shape.offer.memory_gib),
      does_text(shape, price),
      cost_text(shape),
      month_text(shape, price));
  // A job's own bill is none of its hours by the hour's where its provider bills in steps.
  return text + (price.by_the_unit ? "" : bill_table(shape.hour).text(style)) +
         (shape.job ? "\n" + bill_table(*shape.job).text(style) : "");
}

Rows price_rows(const SizingPrice& price) {
  const auto row = [&](const char* how, const std::optional<PricedShape>& sold, std::string none) {
    if (!sold) {
      return std::vector<std::string>{how, "—", "—", std::move(none)};
    }
    const auto cost = price.fleet ? month_of(*sold, *price.fleet) : sold->cost;
    return std::vector<std::string>{
        how,
        cost ? fmt::format(
                   "~{} {}", money(cost->value, cost->unit), price.fleet ? "a month" : "the job")
             : exact(sold->hour.total) + " an hour",
        cost ? range_text(*cost) : "—",
        fmt::format("{}{}: {}", sold_text(sold->offer), disk_text(*sold), does_text(*sold, price))};
  };
  return {row("cut to measure", price.by_the_unit, reason(price)),
          row("as it is sold", price.standard, not_sold(price))};
}

json::object sizing_price_to_json(const SizingPrice& price) {
  return {{"shape", price.shape},
          {"target", price.target},
          {"by_the_unit", to_json(price.by_the_unit, price)},
          {"by_the_unit_reason", or_null(price.by_the_unit ? "" : reason(price))},
          {"standard", to_json(price.standard, price)},
          {"standard_reason", or_null(price.standard ? "" : not_sold(price))}};
}

}  // namespace rightsize::report
