// What a machine costs a month by market, of the charts of a study.
#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/report/charts.h"
#include "advisor/report/study_charts.h"
#include "advisor/report/units.h"
#include "pricing/bill.h"
#include "pricing/place.h"

namespace rightsize::report {

namespace {

// A reservation or a month: for every hour, used or not.
bool paid_whole(const MarketPrice& price) {
  return price.by_month || committed_hours(price.market) > 0;
}

constexpr std::array<const char*, 5> roles{"one", "two", "three", "four", "muted"};

const MarketPrice* price_in(const Study& study, Market market) {
  const auto found =
      std::find_if(study.markets.begin(), study.markets.end(), [&](const MarketPrice& price) {
        return price.market == market && !price.by_month;
      });
  return found == study.markets.end() ? nullptr : &*found;
}

// "spot, reserved-1y"; "" where it is sold in every market.
std::string not_sold(const Study& study) {
  std::vector<std::string_view> missing;
  for (const auto market : all_markets) {
    if (price_in(study, market) == nullptr) {
      missing.push_back(to_string(market));
    }
  }
  return fmt::format("{}", fmt::join(missing, ", "));
}

// What the option's disks cost for an hour that they are held, in the currency of its bill: the
// same in every market. 0 without disks.
double disks_per_hour(const Recommendation& answer) {
  if (!answer.chosen || !(answer.chosen->hours.value > 0)) {
    return 0;
  }
  double cost = 0;
  for (const auto& line : answer.chosen->bill.lines) {
    cost += line.kind == BillLine::Kind::disk ? line.amount.approximate() : 0;
  }
  return cost / answer.chosen->hours.value;
}

// Of all its machines.
double machines_per_hour(const Recommendation& answer, const MarketPrice& price) {
  return price.per_hour * (answer.chosen ? std::max(1, answer.chosen->nodes) : 1);
}

std::string description_of(const Recommendation& answer, const Study& study) {
  const auto break_even = spot_break_even(answer, study);
  const double disks = disks_per_hour(answer);
  const auto missing = not_sold(study);
  const bool flat = std::any_of(study.markets.begin(), study.markets.end(), paid_whole);
  return fmt::format(
      "Machine hours of a month against their cost, each market in its cheapest region; a month "
      "has {} hours.{}{}{}{}",
      hours_per_month,
      flat ? " Lines that begin above 0 are paid for whether used or not." : "",
      disks > 0 ? fmt::format(" In each are the disks of the hours used, ~{} {} an hour.",
                              digits(disks),
                              study.markets[0].currency)
                : "",
      break_even ? fmt::format(" Spot stops paying when interruptions make the job {:.3g} times "
                               "as long.",
                               *break_even)
                 : "",
      missing.empty() ? "" : fmt::format(" No table has its price in: {}.", missing));
}

Series line_of(const Recommendation& answer, const MarketPrice& price, const char* role) {
  const double month = hours_per_month;
  const double machines = month * machines_per_hour(answer, price);
  Series line{market_words(price) + ", " + region_name(price.region),
              role,
              Mark::line,
              {},
              price.market == Market::spot,
              {}};
  const double unused = paid_whole(price) ? machines : 0;
  const double used = machines + month * disks_per_hour(answer);
  line.points = {{0, unused, {}, {}, "", ""}, {month, used, {}, {}, "", ""}};
  return line;
}

}  // namespace

std::string market_words(const MarketPrice& price) {
  return std::string(to_string(price.market)) + (price.by_month ? " by the month" : "");
}

std::optional<double> spot_break_even(const Recommendation& answer, const Study& study) {
  const auto* hour = price_in(study, Market::on_demand);
  const auto* spot = price_in(study, Market::spot);
  if (hour == nullptr || spot == nullptr || hour->currency != spot->currency) {
    return std::nullopt;
  }
  const double disks = disks_per_hour(answer);  // held for as long as the job takes
  return (machines_per_hour(answer, *hour) + disks) / (machines_per_hour(answer, *spot) + disks);
}

XyChart market_chart(const Recommendation& answer, const Study& study) {
  XyChart chart;
  chart.id = "chart-markets";
  chart.title = fmt::format("What {} costs a month, by market",
                            answer.chosen ? option_name(*answer.chosen) : "the chosen option");
  chart.x = {"hours used in the month", Scale::linear, {}, true};
  chart.y = {study.markets.empty() ? "cost" : "cost of the month, " + study.markets[0].currency,
             Scale::linear,
             {},
             true};
  chart.when_empty = answer.chosen && answer.chosen->own
                         ? "The chosen machine is your own: it is sold in no market."
                         : "There is no chosen option to price.";
  if (study.markets.empty()) {
    return chart;
  }
  chart.description = description_of(answer, study);
  for (std::size_t i = 0; i < study.markets.size(); ++i) {
    chart.series.push_back(line_of(answer, study.markets[i], roles[std::min(i, roles.size() - 1)]));
  }
  if (answer.chosen && !chart.series.empty()) {
    const auto& hours = answer.chosen->hours;
    chart.guides = {{true,
                     hours.value,
                     fmt::format("this job {} h", digits(hours.value)),
                     Range{hours.low, hours.high}}};
  }
  return chart;
}

}  // namespace rightsize::report
