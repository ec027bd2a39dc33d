#include "advisor/report/pair_table.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include <fmt/format.h>

#include "advisor/full_name.h"
#include "advisor/report/option_text.h"
#include "advisor/report/service_text.h"
#include "advisor/report/token_text.h"
#include "advisor/report/units.h"
#include "advisor/report/work_words.h"
#include "pricing/billing.h"
#include "pricing/place.h"

namespace rightsize::report {
namespace {

using Fact = std::function<std::string(const Option&)>;

struct Pair {
  const Option& first;
  const Option& second;
};

void add_fact(Table& table, const Pair& pair, const char* name, const Fact& fact) {
  table.add({name, fact(pair.first), fact(pair.second), ""});
}

// "1.42 x (1.29 … 1.57) faster": the side that is further from 1 is said in words. "" where a side
// has no end.
std::string ratio_text(const Estimate& ratio, const char* more, const char* less) {
  if (!std::isfinite(ratio.value)) {
    return "";
  }
  if (digits(ratio.low) == "1.00" && digits(ratio.high) == "1.00") {
    return "the same";
  }
  if (digits(ratio.value) == "1.00") {
    return fmt::format("about the same ({} … {})", digits(ratio.low), digits(ratio.high));
  }
  const bool up = ratio.value >= 1;
  return fmt::format("{} x ({} … {}) {}",
                     digits(up ? ratio.value : 1 / ratio.value),
                     digits(up ? ratio.low : 1 / ratio.high),
                     digits(up ? ratio.high : 1 / ratio.low),
                     up ? more : less);
}

std::string with_range(const std::string& value, const std::string& low, const std::string& high) {
  return fmt::format("~{} ({} … {})", value, low, high);
}

std::string cost_text(const Option& option) {
  return with_range(money(option.cost.value, option.cost.unit),
                    money(option.cost.low, option.cost.unit),
                    money(option.cost.high, option.cost.unit));
}

std::string rate_text(const Option& option) {
  return with_range(digits(option.throughput.value),
                    digits(option.throughput.low),
                    digits(option.throughput.high));
}

std::string busy_cell(const Option& option, Bound bound) {
  const double busy = option.busy[static_cast<std::size_t>(bound)];
  if (busy == 0) {
    return "—";
  }
  return percent(busy) + (option.limited_by == bound ? " <= limits" : "");
}

// A fleet's: what it costs, how soon and how much it answers.
void add_fleets(Table& table, const Pair& pair, const Ratios& ratios) {
  const auto& [first, second] = pair;
  add_fact(table, pair, "machines", [](const Option& o) { return machines_text(*o.service); });
  table.add({"cost of a month",
             cost_text(first),
             cost_text(second),
             ratio_text(ratios.cost, "dearer", "cheaper")});
  add_fact(
      table, pair, "per million requests", [](const Option& o) { return "~" + per_million(o); });
  table.add({"p99",
             latency_text(first.p99),
             latency_text(second.p99),
             ratios.p99 ? ratio_text(*ratios.p99, "later", "sooner") : ""});
  add_fact(table, pair, "p50, p95", [](const Option& o) {
    const auto& point = o.service->point;
    return fmt::format("{}, {}", about_latency(point.p50_s), about_latency(point.p95_s));
  });
  add_fact(table, pair, "load", [](const Option& o) {
    return percent(o.service->point.utilisation) +
           (o.service->point.regime == ServingRegime::knee ? ", near its knee" : "");
  });
  add_fact(table, pair, "most requests/s", [](const Option& o) {
    return "~" + digits(o.service->point.saturation_per_s);
  });
  table.add({"of one machine",
             rate_text(first),
             rate_text(second),
             ratio_text(ratios.throughput, "faster", "slower")});
}

void add_estimates(Table& table, const Query& query, const Pair& pair, const Ratios& ratios) {
  const auto& [first, second] = pair;
  table.add({fmt::format("throughput {}", words_of(query).per_s),
             rate_text(first),
             rate_text(second),
             ratio_text(ratios.throughput, "faster", "slower")});
  table.add(
      {"hours",
       with_range(digits(first.hours.value), digits(first.hours.low), digits(first.hours.high)),
       with_range(digits(second.hours.value), digits(second.hours.low), digits(second.hours.high)),
       ratio_text(ratios.hours, "longer", "shorter")});
  table.add({"cost of the job",
             cost_text(first),
             cost_text(second),
             ratio_text(ratios.cost, "dearer", "cheaper")});
  if (writes_texts(first) && writes_texts(second)) {
    add_fact(table, pair, "per million tokens", [](const Option& o) {
      return "~" + per_million_tokens(o);
    });
  }
}

// A fleet's that writes tokens.
void add_token_fleets(Table& table, const Pair& pair, const Ratios& ratios) {
  const auto& [first, second] = pair;
  const auto add_waiting = [&](const char* name,
                               double DecodeLatency::*which,
                               const std::optional<Estimate>& ratio) {
    const auto of = [which](const Option& o) {
      return latency_text(waiting_of(*o.tokens, which, o.cost.confidence, o.throughput.source));
    };
    table.add({name, of(first), of(second), ratio ? ratio_text(*ratio, "later", "sooner") : ""});
  };
  add_fact(table, pair, "machines", [](const Option& o) { return machines_text(*o.tokens); });
  add_fact(table, pair, "each", [](const Option& o) { return replicas_text(o.tokens->server); });
  table.add({"cost of a month",
             cost_text(first),
             cost_text(second),
             ratio_text(ratios.cost, "dearer", "cheaper")});
  add_fact(table, pair, "per million tokens", [](const Option& o) {
    return "~" + fine_money(o.cost_per_1m_tokens, o.cost.unit);
  });
  add_waiting("p99 first token", &DecodeLatency::first_token_p99_s, ratios.first_token_p99);
  add_waiting("p99 token", &DecodeLatency::token_p99_s, ratios.token_p99);
  add_fact(table, pair, "load", [](const Option& o) { return percent(o.tokens->utilisation); });
  add_fact(table, pair, "in time, one alone", [](const Option& o) {
    const double each = o.tokens->each_per_s;
    return each > 0 ? fmt::format("~{} sequences/s", digits(each)) : std::string("none");
  });
  table.add({"tokens/s of one machine",
             rate_text(first),
             rate_text(second),
             ratio_text(ratios.throughput, "faster", "slower")});
  add_fact(table, pair, "precision", [](const Option& o) { return form_words(o.tokens->server); });
}

// What a job and requests go by, and tokens do not.
void add_resources(Table& table, const Pair& pair) {
  // Of a service the shares are of a machine that is asked for all it can answer.
  const char* when = pair.first.service ? "busy at most load" : "busy";
  add_fact(table, pair, "disk", [](const Option& o) { return o.disk; });
  add_fact(table, pair, "batch, precision", [](const Option& o) {
    return fmt::format("{}, {}", o.batch_per_gpu, to_string(o.precision));
  });
  if (split_words(pair.first) != split_words(pair.second) || !split_words(pair.first).empty()) {
    add_fact(table, pair, "its GPUs", [](const Option& o) {
      const auto split = split_words(o);
      return split.empty() ? std::string("each has all") : split;
    });
  }
  for (std::size_t i = 0; i < bound_count; ++i) {
    const auto bound = static_cast<Bound>(i);
    add_fact(table,
             pair,
             fmt::format("{} {}", to_string(bound), when).c_str(),
             [bound](const Option& o) { return busy_cell(o, bound); });
  }
}

}  // namespace

std::string rent(const Option& option, double per_hour) {
  const auto& currency = option.price_per_hour.currency();
  const double amount = per_hour * (option.price_per_month ? hours_per_month : 1);
  const char* period = option.price_per_month ? "month" : "h";
  return currency == "USD" ? fmt::format("${}/{}", four_digits(amount), period)
                           : fmt::format("{} {}/{}", four_digits(amount), currency, period);
}

Table pair_table(const Query& query,
                 const Option& first,
                 const Option& second,
                 const Ratios& ratios,
                 const std::array<std::string, 3>& titles) {
  const Pair pair{first, second};
  Table table({{""}, {titles[0], Align::right}, {titles[1], Align::right}, {titles[2]}});
  if (first.tokens && second.tokens) {
    add_token_fleets(table, pair, ratios);
  } else if (first.service && second.service) {
    add_fleets(table, pair, ratios);
  } else {
    add_estimates(table, query, pair, ratios);
  }
  if (!first.tokens && !first.service && std::max(first.nodes, second.nodes) > 1) {
    add_fact(table, pair, "machines", [](const Option& o) { return std::to_string(o.nodes); });
  }
  add_fact(table, pair, "speed from", [](const Option& o) {
    return std::string(to_string(o.throughput.source));
  });
  add_fact(table, pair, "meets constraints", [](const Option& o) {
    // Rounded down: 89.96 % is no 90 %.
    return o.satisfies ? chance(o.p_deadline)
                       : fmt::format("{:.1f}% too unlikely", std::floor(1e3 * o.p_deadline) / 10);
  });
  add_fact(table, pair, "price", [](const Option& o) {
    return rent(o, o.price_per_hour.approximate());
  });
  add_fact(table, pair, "where", [](const Option& o) {
    const bool goes_without_saying = o.market == Market::on_demand && !o.price_per_month;
    return region_name(o.region) + (goes_without_saying ? "" : ", " + market_text(o));
  });
  add_fact(table, pair, "gpu", gpu_label);
  add_fact(table, pair, "vCPUs, GiB", [](const Option& o) {
    return fmt::format("{}, {}", axis_number(o.vcpus), axis_number(o.memory_gib));
  });
  if (!first.tokens) {
    add_resources(table, pair);
  }
  return table;
}

}  // namespace rightsize::report
