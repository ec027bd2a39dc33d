#include "advisor/report/pair_data.h"

#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "advisor/explain/cause_values.h"
#include "advisor/report/service_text.h"

namespace rightsize::report {
namespace {

std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{:.6g}", value) : "";
}

bool is_exact(const Estimate& estimate) {
  return estimate.low == estimate.value && estimate.high == estimate.value;
}

class Rows {
 public:
  explicit Rows(const std::array<std::string, 2>& names)
      : table_({{"fact"},
                {"unit"},
                right(names[0]),
                right(names[0] + "_low"),
                right(names[0] + "_high"),
                right(names[1]),
                right(names[1] + "_low"),
                right(names[1] + "_high"),
                right("ratio"),
                right("ratio_low"),
                right("ratio_high"),
                {"source"}}) {}

  void add(const char* fact,
           const Estimate& first,
           const Estimate& second,
           const std::optional<Estimate>& ratio) {
    std::vector<std::string> cells = {fact, first.unit};
    append(first, cells);
    append(second, cells);
    const bool told = ratio && !(is_exact(*ratio) && ratio->value == 1);
    append(told ? *ratio : exact(NAN, "1", first.source), cells);
    cells.emplace_back(to_string(weaker(first.source, second.source)));
    table_.add(std::move(cells));
  }

  [[nodiscard]] Table table() && { return std::move(table_); }

 private:
  static Column right(const std::string& title) { return {title, Align::right}; }

  static void append(const Estimate& estimate, std::vector<std::string>& cells) {
    const bool sure = is_exact(estimate) || std::isnan(estimate.value);
    cells.push_back(number(estimate.value));
    cells.push_back(sure ? "" : number(estimate.low));
    cells.push_back(sure ? "" : number(estimate.high));
  }

  Table table_;
};

template <typename Fleet>
Estimate machines_of(const Option& option, const Fleet& fleet) {
  return {static_cast<double>(fleet.machines),
          static_cast<double>(fleet.machines_low),
          fleet.machines_high > 0 ? static_cast<double>(fleet.machines_high) : INFINITY,
          option.cost.confidence,
          "machines",
          option.cost.source};
}

// What a unit of the work costs, as uncertain as the whole.
Estimate price_of_unit(const Option& option, double amount) {
  const double share = amount / option.cost.value;
  return {amount,
          option.cost.low * share,
          option.cost.high * share,
          option.cost.confidence,
          option.cost.unit,
          option.cost.source};
}

// How many of what, and how soon they answer; of services.
void add_fleets(const Option& a, const Option& b, const Ratios& ratios, Rows& rows) {
  rows.add("machines", machines_of(a, *a.service), machines_of(b, *b.service), std::nullopt);
  const auto add = [&](const char* fact, const char* unit, double ServingPoint::*value) {
    const auto of = [&](const Option& option) {
      return exact(option.service->point.*value, unit, option.p99.source);
    };
    rows.add(fact, of(a), of(b), std::nullopt);
  };
  add("p50", "s", &ServingPoint::p50_s);
  add("p95", "s", &ServingPoint::p95_s);
  rows.add("p99", a.p99, b.p99, ratios.p99);
  add("utilisation", "1", &ServingPoint::utilisation);
  add("most_requests", "requests/s", &ServingPoint::saturation_per_s);
  rows.add("cost_per_1k_requests",
           price_of_unit(a, a.cost_per_1k_requests),
           price_of_unit(b, b.cost_per_1k_requests),
           ratios.cost);
}

// The same of language models that write tokens.
void add_token_fleets(const Option& a, const Option& b, const Ratios& ratios, Rows& rows) {
  rows.add("machines", machines_of(a, *a.tokens), machines_of(b, *b.tokens), std::nullopt);
  const auto add = [&](const char* fact,
                       double DecodeLatency::*which,
                       const std::optional<Estimate>& ratio) {
    const auto of = [&](const Option& option) {
      return waiting_of(*option.tokens, which, option.cost.confidence, option.throughput.source);
    };
    rows.add(fact, of(a), of(b), ratio);
  };
  add("first_token_p50", &DecodeLatency::first_token_p50_s, std::nullopt);
  add("first_token_p95", &DecodeLatency::first_token_p95_s, std::nullopt);
  add("first_token_p99", &DecodeLatency::first_token_p99_s, ratios.first_token_p99);
  add("token_p50", &DecodeLatency::token_p50_s, std::nullopt);
  add("token_p95", &DecodeLatency::token_p95_s, std::nullopt);
  add("token_p99", &DecodeLatency::token_p99_s, ratios.token_p99);
  const auto source = a.throughput.source;
  rows.add("utilisation",
           exact(a.tokens->utilisation, "1", source),
           exact(b.tokens->utilisation, "1", source),
           std::nullopt);
  rows.add("in_time_each",
           exact(a.tokens->each_per_s, "sequences/s", source),
           exact(b.tokens->each_per_s, "sequences/s", source),
           std::nullopt);
  rows.add("cost_per_1m_output_tokens",
           price_of_unit(a, a.cost_per_1m_tokens),
           price_of_unit(b, b.cost_per_1m_tokens),
           ratios.cost);
}

// Of lists of texts. Those of what is supposed may be of other lengths, so the ratio is not that of
// the costs.
void add_texts(const Option& a, const Option& b, const Ratios& ratios, Rows& rows) {
  const auto each = [](const Option& option) {
    return option.cost_per_1m_tokens / option.cost.value;
  };
  auto ratio = ratios.cost;
  for (auto* part : {&ratio.value, &ratio.low, &ratio.high}) {
    *part *= each(b) / each(a);
  }
  rows.add("cost_per_1m_output_tokens",
           price_of_unit(a, a.cost_per_1m_tokens),
           price_of_unit(b, b.cost_per_1m_tokens),
           ratio);
}

}  // namespace

Table pair_data(const Option& first,
                const Option& second,
                const Ratios& ratios,
                const std::array<std::string, 2>& names) {
  Rows rows(names);
  rows.add("throughput", first.throughput, second.throughput, ratios.throughput);
  if (first.tokens && second.tokens) {
    add_token_fleets(first, second, ratios, rows);
  } else if (first.service && second.service) {
    add_fleets(first, second, ratios, rows);
  } else {
    rows.add("hours", first.hours, second.hours, ratios.hours);
  }
  rows.add("cost", first.cost, second.cost, ratios.cost);
  if (writes_texts(first) && writes_texts(second)) {
    add_texts(first, second, ratios, rows);
  }
  const auto price = [](const Option& option) {
    const auto& money = option.price_per_hour;
    return exact(money.approximate(),
                 money.currency() + "/h",
                 option.own ? Source::assumed : Source::published);
  };
  const auto& a = first.price_per_hour;
  const auto& b = second.price_per_hour;
  const bool comparable = a.currency() == b.currency() && a.approximate() > 0;
  rows.add("price_per_hour",
           price(first),
           price(second),
           comparable
               ? std::optional(exact(b.approximate() / a.approximate(), "1", Source::published))
               : std::nullopt);
  return std::move(rows).table();
}

}  // namespace rightsize::report
