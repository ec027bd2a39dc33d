#include "advisor/fleet_warnings.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "advisor/full_name.h"
#include "advisor/query/burst_size.h"

namespace rightsize {
namespace {

// An option as many machines that answer, however they do it.
struct Counted {
  int machines = 0;
  int low = 0;
  int high = 0;  // 0: no number is enough
  double utilisation = 0;
};

Counted counted(const Option& option) {
  if (option.tokens) {
    const auto& fleet = *option.tokens;
    return {fleet.machines, fleet.machines_low, fleet.machines_high, fleet.utilisation};
  }
  const auto& fleet = *option.service;
  return {fleet.machines, fleet.machines_low, fleet.machines_high, fleet.point.utilisation};
}

// Nobody knows how many: at the slow end several times those that are enough with the confidence.
bool is_open(const Counted& fleet) {
  constexpr int times = 4;
  return fleet.high == 0 || fleet.high > times * fleet.machines;
}

int needed_as_expected(const Query& query, const Option& option) {
  return option.tokens ? token_machines_needed(*query.tokens, option.tokens->server, 1)
                       : machines_needed(*query.service, option.service->server, 1);
}

// P(some number of them answers in time): what more of them cannot help is what one takes alone.
double chance_of_any(const Query& query, const Option& option) {
  return option.tokens ? chance_enough(*query.tokens, option.tokens->server, most_machines)
                       : chance_enough(*query.service, option.service->server, most_machines);
}

// The best option whose number is known better; "" without one.
std::string surer_words(const Recommendation& answer) {
  const auto surer =
      std::find_if(answer.options.begin(), answer.options.end(), [](const Option& option) {
        return option.satisfies && !is_open(counted(option));
      });
  if (surer == answer.options.end()) {
    return "";
  }
  const auto fleet = counted(*surer);
  return fmt::format("; {} of {} ({} to {}) for {:.0f} {} a month are surer",
                     fleet.machines,
                     with_market(surer->instance, *surer),
                     fleet.low,
                     fleet.high,
                     surer->cost.value,
                     surer->cost.unit);
}

std::string open_words(const Recommendation& answer) {
  const auto& query = answer.query;
  const auto& chosen = *answer.chosen;
  const auto fleet = counted(chosen);
  const double none = 1 - chance_of_any(query, chosen);
  constexpr double telling = 1e-3;
  return fmt::format(
      "how many it takes hangs on how fast one proves to be: {} at the expected speed, {} for {:g} "
      "% confidence and {} at the slow end of what is known{}: ask for more time, or measure one "
      "first{}",
      needed_as_expected(query, chosen),
      fleet.machines,
      100 * query.confidence,
      fleet.high == 0 ? std::string("no number") : std::to_string(fleet.high),
      none < telling ? ""
                     : fmt::format(", and with a chance of {:.1f} % no number is in time, as one "
                                   "with nothing else to do is near the limit",
                                   100 * none),
      surer_words(answer));
}

// Why so many are idle.
std::string idle_words(const Query& query, const Counted& fleet) {
  const double burst = query.tokens ? query.tokens->burst : query.service->group_size;
  const double idle = 100 * (1 - fleet.utilisation);
  if (burst > 1) {
    return fmt::format(
        "so many machines stand {:.0f} % idle: they are there for bursts, of which one in 100 that "
        "comes has {:.0f} or more before it; ask for more time, or spread who calls "
        "(what-if burst=1 says what that saves)",
        idle,
        before_one_in_100(burst));
  }
  return fmt::format(
      "so many machines stand {:.0f} % idle: the latency asked for is near the least this machine "
      "can give, and their number hangs on the confidence; ask for more time, or a faster machine",
      idle);
}

}  // namespace

std::optional<FewerFirst> fewer_first(const Query& query, const Option& option) {
  constexpr int few = 3;
  const int all = counted(option).machines;
  const int expected = needed_as_expected(query, option);
  if (all > few || expected <= 0 || expected >= all) {
    return std::nullopt;
  }
  return FewerFirst{expected,
                    option.tokens
                        ? chance_enough(*query.tokens, option.tokens->server, expected)
                        : chance_enough(*query.service, option.service->server, expected)};
}

void warn_of_fleet(Recommendation& answer) {
  if (!answer.chosen->tokens && !answer.chosen->service) {
    return;
  }
  constexpr double idle = 0.15;
  const auto fleet = counted(*answer.chosen);
  if (fleet.machines > 1 && fleet.utilisation < idle) {
    answer.warnings.push_back(idle_words(answer.query, fleet));
  }
  if (is_open(fleet)) {
    answer.warnings.push_back(open_words(answer));
  } else if (const auto fewer = fewer_first(answer.query, *answer.chosen)) {
    answer.warnings.push_back(fmt::format(
        "at the expected speed {} of the {} machines would do: try so many first, in time with "
        "{:.0f} %, and add a machine where that shows it is not",
        fewer->machines,
        fleet.machines,
        std::floor(100 * fewer->chance)));
  }
}

}  // namespace rightsize
