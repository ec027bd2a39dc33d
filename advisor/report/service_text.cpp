#include "advisor/report/service_text.h"

#include <cmath>

#include <fmt/format.h>

#include "advisor/report/option_text.h"
#include "advisor/report/units.h"
#include "advisor/tokens/token_order.h"

namespace rightsize::report {

std::string machines_text(const ServerFleet& fleet) {
  return fleet.machines_low == fleet.machines && fleet.machines_high == fleet.machines
             ? fmt::format("{}", fleet.machines)
             : fmt::format("{} ({} … {})",
                           fleet.machines,
                           fleet.machines_low,
                           fleet.machines_high == 0 ? "?" : std::to_string(fleet.machines_high));
}

Estimate waited_for(const Option& option) {
  return option.tokens
             ? sequence_time(*option.tokens, option.cost.confidence, option.throughput.source)
             : option.p99;
}

std::string per_million_tokens(const Option& option) {
  return fine_money(option.cost_per_1m_tokens, option.cost.unit);
}

bool writes_texts(const Option& option) {
  return !option.tokens && option.cost_per_1m_tokens > 0;
}

std::string per_million(const Option& option) {
  return option.tokens ? per_million_tokens(option)
                       : money(option.cost_per_1k_requests * 1000, option.cost.unit);
}

std::string latency(double seconds) {
  return std::isnan(seconds) ? "—" : std::isinf(seconds) ? "never" : duration(seconds);
}

std::string about_latency(double seconds) {
  return (std::isfinite(seconds) ? "~" : "") + latency(seconds);
}

std::string least_latency(double seconds) {
  if (!(seconds > 0) || std::isinf(seconds)) {
    return latency(seconds);
  }
  const double last = std::pow(10, std::floor(std::log10(seconds)) - 2);  // of the three shown
  return latency(std::ceil(seconds / last * (1 - 1e-9)) * last);
}

std::string latency_text(const Estimate& seconds) {
  if (!std::isfinite(seconds.value)) {
    return latency(seconds.value);
  }
  return fmt::format(
      "~{} ({} … {})", latency(seconds.value), latency(seconds.low), latency(seconds.high));
}

std::string waited_words(const Option& option) {
  return latency_text(waited_for(option)) + (option.tokens ? " for all tokens" : " for a request");
}

std::string request_words(const std::string& network, const Service& service) {
  return fmt::format(
      "{} requests/s{} of {}, 99% within {}",
      digits(service.requests_per_s),
      service.group_size > 1 ? fmt::format(" in bursts of {:g}", service.group_size) : "",
      network,
      duration(service.p99_s));
}

std::string service_words(const Query& query) {
  return request_words(query.network, *query.service);
}

std::string month_words(const Query& query) {
  return query.service_hours ? fmt::format("a month of {:g} h", *query.service_hours) : "a month";
}

std::string service_sentence(const Recommendation& answer) {
  const auto& chosen = *answer.chosen;
  const auto& fleet = *chosen.service;
  return fmt::format(
      "Rent {} x {} ({}): ~{} {} ({} … {}), ~{} per million requests, for {}; p99 ~{}, {} "
      "of what they can serve{}.",
      fleet.machines,
      instance_label(chosen),
      gpu_and_place(chosen),
      money(chosen.cost.value, chosen.cost.unit),
      month_words(answer.query),
      money(chosen.cost.low, chosen.cost.unit),
      money(chosen.cost.high, chosen.cost.unit),
      per_million(chosen),
      service_words(answer.query),
      duration(fleet.point.p99_s),
      percent(fleet.point.utilisation),
      fleet.point.regime == ServingRegime::knee ? ", near its knee" : "");
}

Table service_table(const Recommendation& answer, std::size_t limit) {
  Table table({{""},
               {"machines", Align::right},
               {"instance"},
               {"where"},
               {"gpu"},
               {"batch", Align::right},
               {"p50", Align::right},
               {"p99", Align::right},
               {"load", Align::right},
               {"max req/s", Align::right},
               {"per month", Align::right},
               {"per 1M req", Align::right},
               {"if resized", Align::right},
               {"limited by"},
               {"speed"}});
  for (std::size_t i = 0; i < answer.options.size(); ++i) {
    const auto& option = answer.options[i];
    if (!option.service || !is_shown(answer, i, limit)) {
      continue;
    }
    const auto& point = option.service->point;
    table.add({row_mark(answer, i),
               machines_text(*option.service),
               instance_label(option),
               place(option),
               gpu_label(option),
               std::to_string(option.batch_per_gpu),
               about_latency(point.p50_s),
               about_latency(point.p99_s),
               percent(point.utilisation),
               "~" + digits(point.saturation_per_s),
               "~" + money(option.cost.value, option.cost.unit),
               "~" + per_million(option),
               option.satisfies ? chance(option.p_cheapest) : "—",
               std::string(limited_by(option)),
               std::string(to_string(option.throughput.source))});
  }
  return table;
}

}  // namespace rightsize::report
