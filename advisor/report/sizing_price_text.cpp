#include "advisor/report/sizing_price_text.h"

#include <boost/json.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/bill_json.h"
#include "advisor/json_values.h"
#include "advisor/report/option_text.h"
#include "advisor/report/report_tables.h"
#include "advisor/report/units.h"
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
  return !shape.disk_is_enough ? ", without a disk: none that is sold there reads so fast"
         : shape.disk.empty()  ? ""
                               : " with " + shape.disk;
}

// "; the job, ~148 h, ~$65.90"
std::string job_text(const PricedShape& shape, const SizingPrice& price) {
  return shape.job && price.hours ? fmt::format("; the job, ~{} h ({} … {}): {}",
                                                digits(price.hours->value),
                                                digits(price.hours->low),
                                                digits(price.hours->high),
                                                exact(shape.job->total))
                                  : "";
}

std::string reason(const SizingPrice& price) {
  return fmt::format("no price table sells this GPU by the unit in such a machine{}",
                     price.sold_by_the_unit.empty()
                         ? "; --custom-prices FILE adds one of yours"
                         : fmt::format(" (they sell {}); --custom-prices FILE adds one of yours",
                                       fmt::join(price.sold_by_the_unit, ", ")));
}

json::value to_json(const std::optional<PricedShape>& shape) {
  if (!shape) {
    return nullptr;
  }
  const auto& offer = shape->offer;
  const auto bill = [](const Bill& one) {
    return json::object{{"total", one.total.decimal()},
                        {"currency", one.total.currency()},
                        {"bill", bill_to_json(one)}};
  };
  return json::object{{"provider", offer.provider},
                      {"instance", offer.instance},
                      {"region", offer.region},
                      {"market", to_string(offer.market)},
                      {"vcpus", *offer.vcpus},
                      {"memory_gib", *offer.memory_gib},
                      {"gpu", offer.gpu},
                      {"gpus", offer.gpus},
                      {"disk", or_null(shape->disk)},
                      {"disk_is_enough", shape->disk_is_enough},
                      {"book", offer.book},
                      {"as_of", or_null(offer.as_of)},
                      {"source", or_null(offer.source)},
                      {"hour", bill(shape->hour)},
                      {"job", shape->job ? json::value(bill(*shape->job)) : nullptr}};
}

}  // namespace

std::string sizing_price_text(const SizingPrice& price, const Style& style) {
  std::string text = "\nwhat " + price.shape + " costs\n";
  if (price.by_the_unit) {
    const auto& shape = *price.by_the_unit;
    text += fmt::format("cut to measure: {}{}\n{} an hour{}\n",
                        sold_text(shape.offer),
                        disk_text(shape),
                        exact(shape.hour.total),
                        job_text(shape, price)) +
            bill_table(shape.hour).text(style) +
            (shape.job ? "\n" + bill_table(*shape.job).text(style) : "");
  } else {
    text += "cut to measure: " + reason(price) + "\n";
  }
  if (!price.standard) {
    return text + "as it is sold: no price table has a machine that holds it\n";
  }
  const auto& shape = *price.standard;
  text += fmt::format(
      "{}as it is sold: the cheapest machine that holds it is {}{}, {} vCPU and {} GiB\n"
      "{} an hour{}\n",
      price.by_the_unit ? "\n" : "",
      sold_text(shape.offer),
      disk_text(shape),
      axis_number(*shape.offer.vcpus),
      axis_number(*shape.offer.memory_gib),
      exact(shape.hour.total),
      job_text(shape, price));
  return text + (price.by_the_unit ? "" : bill_table(shape.hour).text(style));
}

json::object sizing_price_to_json(const SizingPrice& price) {
  return {{"shape", price.shape},
          {"hours", price.hours ? rightsize::to_json(*price.hours) : json::value(nullptr)},
          {"by_the_unit", to_json(price.by_the_unit)},
          {"by_the_unit_reason", or_null(price.by_the_unit ? "" : reason(price))},
          {"standard", to_json(price.standard)}};
}

}  // namespace rightsize::report
