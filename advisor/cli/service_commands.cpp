#include "advisor/cli/service_commands.h"

#include <algorithm>
#include <cmath>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/cli/asked.h"
#include "advisor/cli/flag_word.h"
#include "advisor/machine/sizing.h"
#include "advisor/query/usage_error.h"
#include "advisor/report/estimate_text.h"
#include "advisor/report/service_answer_text.h"
#include "advisor/report/sizing_price_text.h"
#include "advisor/report/sizing_text.h"
#include "advisor/report/units.h"

namespace rightsize::cli {
namespace {

namespace json = boost::json;

// Nothing can be predicted of such a machine.
int refused(Context& context,
            const Values& values,
            const std::string& format,
            const Configuration& asked,
            const Answer& answer) {
  emit(context,
       values,
       format == "json" ? json::serialize(report::estimate_to_json(asked, answer)) + "\n"
       : format == "table"
           ? report::estimate_text(asked, answer, context.out_style)
           : report::rendered(report::refusal_table(answer), format, context.out_style));
  return exit_nothing_satisfies;
}

json::object with_service(json::object document,
                          const Configuration& asked,
                          const ServiceAnswer& answer) {
  const auto why = too_slow(*asked.service, answer);
  if (!why.empty()) {
    document["status"] = "too_slow";
    document["reason"] = why;
  }
  document["service"] = report::service_answer_to_json(asked, answer);
  return document;
}

// The GPUs of the whole fleet, and the host around those of one machine. Requests come decoded:
// nothing is loaded, so a vCPU runs the program and no disk is asked for.
report::Table fleet_table(const ServiceAnswer& answer, const Sizing& host) {
  using report::Align;
  const auto& fleet = answer.fleet;
  const auto gpus = [&](int machines) {
    return machines > 0 ? std::to_string(machines * fleet.server.replicas) : std::string("∞");
  };
  report::Table table(
      {{"resource"}, {"least", Align::right}, {"90% interval", Align::right}, {"because"}});
  table.add({"gpus",
             gpus(fleet.machines) + " GPU",
             gpus(fleet.machines_low) + " … " + gpus(fleet.machines_high),
             fleet.each_per_s >= 1
                 ? fmt::format("one alone answers {} requests/s in time with the wanted confidence",
                               report::digits(fleet.each_per_s / fleet.server.replicas))
                 : "so many share the requests in time, with the wanted confidence"});
  for (const auto& row : report::needs_rows(host)) {
    table.add(row);
  }
  return table;
}

std::string fleet_text(const Configuration& asked,
                       const ServiceAnswer& answer,
                       const Sizing& host,
                       const std::optional<SizingPrice>& price,
                       const report::Style& style) {
  const auto why = too_slow(*asked.service, answer);
  const auto head = why.empty() ? report::fleet_sentence(asked, answer) +
                                      fmt::format(" [{}]", to_string(answer.time.source))
                                : fmt::format("Cannot: {}.", why);
  std::string text = style.bold(head) + "\n" + report::service_question(asked, answer) + "\n\n";
  if (why.empty()) {
    text += fleet_table(answer, host).text(style) + "\nvcpus, disk and memory are one machine's\n" +
            "\n" + report::service_answer_table(asked, answer).text(style) + "\n";
  }
  for (const auto& note : answer.answer.notes) {
    text += "- " + note + "\n";
  }
  return text + (price ? report::sizing_price_text(*price, style) : "");
}

// In its price a month of as many as the load takes.
std::optional<SizingPrice> fleet_price(const SizingPricer& price_of,
                                       const Configuration& one,
                                       const Sizing& host,
                                       const ServerFleet& fleet,
                                       Estimator& estimator) {
  auto price = fleet.machines > 0 ? price_of(one, host, estimator) : std::nullopt;
  if (price) {
    price->fleet = {fleet.machines, fleet.machines_low, fleet.machines_high};
  }
  return price;
}

}  // namespace

int predict_service(Context& context, const Values& values, const Configuration& asked) {
  const auto format = output_format(values, {"table", "json", "csv", "md"});
  auto estimator = estimator_for(values, asked);
  const auto answer = answer_service(estimator, asked);
  if (answer.answer.verdict != Verdict::ok) {
    return refused(context, values, format, asked, answer.answer);
  }
  emit(context,
       values,
       format == "json" ? json::serialize(with_service(
                              report::estimate_to_json(asked, answer.answer), asked, answer)) +
                              "\n"
       : format == "table"
           ? report::service_answer_text(asked, answer, context.out_style)
           : report::rendered(
                 report::service_answer_table(asked, answer), format, context.out_style));
  return any_number_answers(answer.fleet) ? exit_ok : exit_nothing_satisfies;
}

int size_service(Context& context,
                 const Values& values,
                 const Configuration& asked,
                 const SizingPricer& price_of) {
  const auto format = output_format(values, {"table", "json", "csv", "md"});
  for (const auto* option : {"utilisation", "chart"}) {
    if (given(values, option)) {
      throw UsageError(fmt::format(
          "--{}: a service is sized by its p99, not by how busy its GPUs are; leave it out",
          option));
    }
  }
  auto estimator = estimator_for(values, asked);
  const auto answer = answer_service(estimator, asked);
  if (answer.answer.verdict != Verdict::ok) {
    return refused(context, values, format, asked, answer.answer);
  }
  auto one = asked;
  one.batch = answer.fleet.server.max_batch;
  one.data = DataFormat::synthetic;
  constexpr double target = 0.95;  // nothing is loaded: any target needs the same
  const auto host = size_machine(estimator, one, target);
  const auto price = fleet_price(price_of, one, host, answer.fleet, estimator);
  auto document = report::sizing_to_json(host);
  document.erase("utilisation");
  document["price"] = price ? json::value(report::sizing_price_to_json(*price)) : nullptr;
  auto table = fleet_table(answer, host);
  for (auto& row : price ? report::price_rows(*price) : report::Rows()) {
    table.add(std::move(row));
  }
  emit(context,
       values,
       format == "json" ? json::serialize(with_service(std::move(document), asked, answer)) + "\n"
       : format == "table" ? fleet_text(asked, answer, host, price, context.out_style)
                           : report::rendered(table, format, context.out_style));
  return any_number_answers(answer.fleet) ? exit_ok : exit_nothing_satisfies;
}

}  // namespace rightsize::cli
