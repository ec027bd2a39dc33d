#include "advisor/report/option_columns.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "advisor/full_name.h"

namespace rightsize::report {
namespace {

using O = Option;

// Of a run of seconds cents are too coarse: its cost would read as nothing.
std::string cents(double value) {
  return value > 0 && value < 0.1 ? plain_number(value) : fmt::format("{:.2f}", value);
}

constexpr std::array of_all{
    OptionColumn{"provider", [](const O& o) { return o.provider; }},
    OptionColumn{"instance", [](const O& o) { return o.instance; }},
    OptionColumn{"region", [](const O& o) { return o.region; }},
    OptionColumn{"market", [](const O& o) { return std::string(to_string(o.market)); }},
    OptionColumn{"gpu", [](const O& o) { return o.gpu; }},
    OptionColumn{"gpus", [](const O& o) { return plain_number(o.gpus); }},
    OptionColumn{"vcpus", [](const O& o) { return plain_number(o.vcpus); }},
    OptionColumn{"memory_gib", [](const O& o) { return plain_number(o.memory_gib); }},
    OptionColumn{"disk", [](const O& o) { return o.disk; }},
    OptionColumn{"batch_per_gpu", [](const O& o) { return std::to_string(o.batch_per_gpu); }},
    OptionColumn{"items_per_s", [](const O& o) { return plain_number(o.throughput.value); }},
    OptionColumn{"items_per_s_low", [](const O& o) { return plain_number(o.throughput.low); }},
    OptionColumn{"items_per_s_high", [](const O& o) { return plain_number(o.throughput.high); }},
    OptionColumn{"hours", [](const O& o) { return plain_number(o.hours.value); }},
    OptionColumn{"hours_low", [](const O& o) { return plain_number(o.hours.low); }},
    OptionColumn{"hours_high", [](const O& o) { return plain_number(o.hours.high); }},
    OptionColumn{"cost", [](const O& o) { return cents(o.cost.value); }},
    OptionColumn{"cost_low", [](const O& o) { return cents(o.cost.low); }},
    OptionColumn{"cost_high", [](const O& o) { return cents(o.cost.high); }},
    OptionColumn{"currency", [](const O& o) { return o.cost.unit; }},
    OptionColumn{"p_cheapest", [](const O& o) { return plain_number(o.p_cheapest); }},
    OptionColumn{"bottleneck", [](const O& o) { return std::string(bottleneck_of(o)); }},
    OptionColumn{"source", [](const O& o) { return std::string(to_string(o.throughput.source)); }},
    OptionColumn{"price_as_of", [](const O& o) { return o.price_as_of; }},
    OptionColumn{"nodes", [](const O& o) { return std::to_string(o.nodes); }},
    OptionColumn{"split", [](const O& o) { return split_words(o); }},
    OptionColumn{"p_constraints", [](const O& o) { return plain_number(o.p_deadline); }},
    OptionColumn{"satisfies_constraints",
                 [](const O& o) { return std::string(o.satisfies ? "true" : "false"); }},
    OptionColumn{"cpu", [](const O& o) { return o.cpu; }},
    OptionColumn{"by_month",
                 [](const O& o) { return std::string(o.price_per_month ? "true" : "false"); }},
    OptionColumn{"rate_unit", [](const O& o) { return o.throughput.unit; }}};

constexpr std::array of_services{
    OptionColumn{"machines", [](const O& o) { return std::to_string(o.service->machines); }},
    OptionColumn{"machines_low",
                 [](const O& o) { return std::to_string(o.service->machines_low); }},
    OptionColumn{"machines_high",
                 [](const O& o) {
                   const int most = o.service->machines_high;
                   return most == 0 ? std::string() : std::to_string(most);
                 }},
    OptionColumn{"p99_s", [](const O& o) { return plain_number(o.p99.value); }},
    OptionColumn{"p99_low_s", [](const O& o) { return plain_number(o.p99.low); }},
    OptionColumn{"p99_high_s", [](const O& o) { return plain_number(o.p99.high); }},
    OptionColumn{"p50_s", [](const O& o) { return plain_number(o.service->point.p50_s); }},
    OptionColumn{"utilisation",
                 [](const O& o) { return plain_number(o.service->point.utilisation); }},
    OptionColumn{"max_requests_per_s",
                 [](const O& o) { return plain_number(o.service->point.saturation_per_s); }},
    OptionColumn{"p_in_time", [](const O& o) { return plain_number(o.service->p_enough); }},
    OptionColumn{"cost_per_1k_requests",
                 [](const O& o) { return plain_number(o.cost_per_1k_requests); }}};

// Of a service that writes tokens and of a list of texts alike; 0 where nothing is written.
constexpr OptionColumn cost_of_tokens{
    "cost_per_1m_output_tokens", [](const O& o) {
      return o.cost_per_1m_tokens > 0 ? plain_number(o.cost_per_1m_tokens) : std::string();
    }};
constexpr std::array of_texts{cost_of_tokens};

constexpr std::array of_tokens{
    OptionColumn{"machines", [](const O& o) { return std::to_string(o.tokens->machines); }},
    OptionColumn{"machines_low", [](const O& o) { return std::to_string(o.tokens->machines_low); }},
    OptionColumn{"machines_high",
                 [](const O& o) {
                   const int most = o.tokens->machines_high;
                   return most == 0 ? std::string() : std::to_string(most);
                 }},
    OptionColumn{"gpus_per_replica",
                 [](const O& o) { return std::to_string(o.tokens->server.gpus_each()); }},
    OptionColumn{"replicas_per_machine",
                 [](const O& o) { return std::to_string(o.tokens->server.replicas); }},
    OptionColumn{"attention",
                 [](const O& o) { return std::string(to_string(o.tokens->server.attention)); }},
    OptionColumn{
        "first_token_p99_s",
        [](const O& o) { return plain_number(o.tokens->expected.latency.first_token_p99_s); }},
    OptionColumn{"token_p99_s",
                 [](const O& o) { return plain_number(o.tokens->expected.latency.token_p99_s); }},
    OptionColumn{"sequences_in_flight",
                 [](const O& o) { return plain_number(o.tokens->expected.point.sequences); }},
    OptionColumn{"utilisation", [](const O& o) { return plain_number(o.tokens->utilisation); }},
    OptionColumn{"p_in_time", [](const O& o) { return plain_number(o.tokens->p_enough); }},
    cost_of_tokens};

const OptionColumn* column_in(std::span<const OptionColumn> columns, std::string_view name) {
  const auto found = std::find_if(
      columns.begin(), columns.end(), [&](const OptionColumn& one) { return one.name == name; });
  return found == columns.end() ? nullptr : &*found;
}

}  // namespace

std::vector<OptionColumn> columns_of(const Query& query) {
  std::vector<OptionColumn> columns(of_all.begin(), of_all.end());
  if (query.tokens) {
    columns.insert(columns.end(), of_tokens.begin(), of_tokens.end());
  }
  if (query.writing.of_texts()) {
    columns.insert(columns.end(), of_texts.begin(), of_texts.end());
  }
  if (query.service) {
    columns.insert(columns.end(), of_services.begin(), of_services.end());
  }
  return columns;
}

std::string option_cell(const Option& option, std::string_view column) {
  if (const auto* one = column_in(of_all, column)) {
    return one->cell(option);
  }
  assert(column_in(of_tokens, column) != nullptr || column_in(of_services, column) != nullptr);
  const auto* one = option.tokens    ? column_in(of_tokens, column)
                    : option.service ? column_in(of_services, column)
                                     : column_in(of_texts, column);
  return one != nullptr ? one->cell(option) : "";
}

std::string plain_number(double value) {
  return std::isfinite(value) ? fmt::format("{:.6g}", value) : std::string();
}

}  // namespace rightsize::report
