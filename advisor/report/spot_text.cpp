#include "advisor/report/spot_text.h"

#include <algorithm>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/report/table.h"
#include "advisor/report/units.h"

namespace rightsize::report {
namespace {

namespace json = boost::json;

Table time_table(const SpotReport& spot) {
  Table table({{"time"},
               {"simulated", Align::right},
               {"closed form", Align::right},
               {"cost", Align::right}});
  const auto row = [&](const char* name, std::optional<double> played_h, double law_h) {
    table.add({name,
               played_h ? duration(*played_h * 3600) : "—",
               duration(law_h * 3600),
               spot.usd_per_hour ? "~" + money(law_h * *spot.usd_per_hour, "USD") : "—"});
  };
  if (spot.law.chance_of_none > 0) {  // a machine may live so long
    constexpr double same = 1 + 1e-9;
    const bool played = spot.played.hours.front() <= spot.law.least_h * same;
    row("unbroken", played ? std::optional(spot.law.least_h) : std::nullopt, spot.law.least_h);
  }
  row("p50", spot.played.quantile_h(0.5), spot.law.p50_h);
  row("mean", spot.played.mean_h, spot.law.mean_h);
  row("p90", spot.played.quantile_h(0.9), spot.law.p90_h);
  return table;
}

// Where the interval is the user's: how the job's equal parts differ from it.
std::string given_interval(const SpotReport& spot) {
  if (spot.terms.interval_s <= 0) {
    return "";
  }
  const auto asked = duration(spot.terms.interval_s);
  return asked == duration(spot.law.interval_s) ? " [given]"
                                                : fmt::format(" ({} given, in equal parts)", asked);
}

}  // namespace

std::string spot_text(const SpotReport& spot, const Style& style) {
  const auto& terms = spot.terms;
  const auto source = spot.hazard_given ? "given" : std::string(to_string(spot.hazard_source));
  const auto answer = fmt::format("~{} for {} of work, {} in 9 of 10 runs; ~{} interruptions{}",
                                  duration(spot.law.mean_h * 3600),
                                  duration(spot.useful_h * 3600),
                                  duration(spot.law.p90_h * 3600) + " or less",
                                  digits(spot.law.interruptions),
                                  spot.hazard_given ? "" : fmt::format(" [{}]", source));
  // With a longest life the interval answers both losses, and Young's is no yardstick.
  const auto young =
      terms.longest_life_h > 0 || terms.interruptions_per_hour <= 0 || terms.interval_s > 0
          ? ""
          : fmt::format(
                " (Young's would be {})",
                duration(young_interval_s(terms.checkpoint_s, terms.interruptions_per_hour)));
  return fmt::format(
      "{}\n\n{}\n"
      "a checkpoint every {} of work{}{}, {} each{}\n"
      "{} interruptions an hour [{}], {} to restart{}{}\n"
      "{}; of the mean {} are checkpoints, lost work and restarts\n",
      style.bold(answer),
      time_table(spot).text(style),
      duration(spot.law.interval_s),
      given_interval(spot),
      young,
      duration(terms.checkpoint_s),
      spot.checkpoint_note,
      digits(terms.interruptions_per_hour),
      source,
      duration(terms.restart_s),
      spot.restart_note,
      terms.longest_life_h > 0
          ? fmt::format(", at most {} on one machine", duration(terms.longest_life_h * 3600))
          : "",
      spot.law.chance_of_none > 0
          ? fmt::format("{} of runs are not interrupted", chance(spot.law.chance_of_none))
          : "every run is interrupted",
      percent(1 - spot.useful_h / spot.law.mean_h));
}

json::object spot_to_json(const SpotReport& spot) {
  // Of times of which nearly all are short and few are very long the mean is beyond most of them.
  const double mean_h = spot.law.mean_h;
  const double low_h = std::min(spot.played.quantile_h(0.05), mean_h);
  const double high_h = std::max(spot.played.quantile_h(0.95), mean_h);
  json::object document{
      {"schema", "rightsize/spot/1"},
      {"status", "ok"},
      {"useful_h", spot.useful_h},
      {"time", to_json(Estimate{mean_h, low_h, high_h, 0.9, "h", spot.hazard_source})},
      {"p50_h", spot.law.p50_h},
      {"p90_h", spot.law.p90_h},
      {"simulated_mean_h", spot.played.mean_h},
      {"simulated_p50_h", spot.played.quantile_h(0.5)},
      {"simulated_p90_h", spot.played.quantile_h(0.9)},
      {"least_h", spot.law.least_h},
      {"interruptions", spot.law.interruptions},
      {"chance_of_none", spot.law.chance_of_none},
      {"checkpoint_interval_s", spot.law.interval_s},
      {"checkpoint_interval_given_s",  // which the job is cut by into equal parts
       spot.terms.interval_s > 0 ? json::value(spot.terms.interval_s) : json::value(nullptr)},
      {"checkpoint_s", spot.terms.checkpoint_s},
      {"restart_s", spot.terms.restart_s},
      {"interruptions_per_hour", spot.terms.interruptions_per_hour},
      {"hazard_source", to_string(spot.hazard_source)}};
  if (spot.usd_per_hour) {
    const double price = *spot.usd_per_hour;
    document["cost"] = to_json(
        Estimate{mean_h * price, low_h * price, high_h * price, 0.9, "USD", spot.hazard_source});
  }
  return document;
}

}  // namespace rightsize::report
