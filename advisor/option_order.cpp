#include "advisor/option_order.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "advisor/query/exchanged_money.h"
#include "advisor/query/toml_fields.h"
#include "advisor/tokens/token_order.h"

namespace rightsize {
namespace {

struct Key {
  const char* name;
  double (*of)(const Option& option, const Query& query);
  bool descending;
};

// Hours of a job; of a service, which is rented by the month, what its objective takes for time.
double time_of(const Option& option, const Query& /*query*/) {
  return option.tokens    ? sequence_p99_s(*option.tokens)
         : option.service ? option.service->point.p99_s
                          : option.hours.value;
}

// In the currency of the question, whose options are all in it or have a rate.
double price_of(const Option& option, const Query& query) {
  const auto& price = option.price_per_hour;
  return exchanged(price, query.currency, query).value_or(price).approximate();
}

constexpr std::array<Key, 7> keys{{
    {"cost", [](const Option& o, const Query&) { return o.cost.value; }, false},
    {"time", time_of, false},
    {"throughput", [](const Option& o, const Query&) { return o.throughput.value; }, true},
    {"price", price_of, false},
    {"vcpus", [](const Option& o, const Query&) { return o.vcpus; }, false},
    {"memory", [](const Option& o, const Query&) { return o.memory_gib; }, false},
    {"chance", [](const Option& o, const Query&) { return o.p_cheapest; }, true},
}};

}  // namespace

void sort_options(Recommendation& answer, const std::string& order) {
  if (order.empty()) {
    return;
  }
  const auto colon = order.find(':');
  const auto name = order.substr(0, colon);
  const auto direction = colon == std::string::npos ? "" : order.substr(colon + 1);
  const auto key =
      std::find_if(keys.begin(), keys.end(), [&](const Key& k) { return k.name == name; });
  if (key == keys.end() || (!direction.empty() && direction != "asc" && direction != "desc")) {
    std::vector<std::string> names;
    for (const auto& known : keys) {
      names.emplace_back(known.name);
    }
    const auto near = key == keys.end() ? nearest_word(name, names) : "";
    throw UsageError(fmt::format(
        "sort {}: expected cost, time, throughput, price, vcpus, memory or chance, with "
        ":asc or :desc{}",
        order,
        near.empty() ? "" : fmt::format("; did you mean {}?", near)));
  }
  const bool descending = direction.empty() ? key->descending : direction == "desc";
  std::vector<std::size_t> from(answer.options.size());
  std::iota(from.begin(), from.end(), std::size_t{0});
  std::stable_sort(from.begin(), from.end(), [&](std::size_t i, std::size_t j) {
    const double a = key->of(answer.options[i], answer.query);
    const double b = key->of(answer.options[j], answer.query);
    return descending ? a > b : a < b;
  });
  std::vector<Option> options;
  std::vector<std::size_t> ties;
  for (const auto old : from) {
    if (std::find(answer.ties.begin(), answer.ties.end(), old) != answer.ties.end()) {
      ties.push_back(options.size());
    }
    options.push_back(std::move(answer.options[old]));
  }
  answer.options = std::move(options);
  answer.ties = std::move(ties);
}

void keep_options(Recommendation& answer, const std::vector<bool>& kept) {
  std::vector<Option> options;
  std::vector<std::size_t> ties;
  for (std::size_t i = 0; i < answer.options.size(); ++i) {
    if (!kept[i]) {
      continue;
    }
    if (std::find(answer.ties.begin(), answer.ties.end(), i) != answer.ties.end()) {
      ties.push_back(options.size());
    }
    options.push_back(std::move(answer.options[i]));
  }
  answer.options = std::move(options);
  answer.ties = std::move(ties);
}

std::vector<bool> first_and_own(const std::vector<Option>& options, std::size_t most) {
  std::vector<bool> kept;
  for (const auto& option : options) {
    kept.push_back(kept.size() < most || option.own);
  }
  return kept;
}

}  // namespace rightsize
