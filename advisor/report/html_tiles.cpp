#include "advisor/report/html_tiles.h"

#include <cmath>

#include <fmt/format.h>

#include "advisor/full_name.h"
#include "advisor/report/answer.h"
#include "advisor/report/charts.h"
#include "advisor/report/escape.h"
#include "advisor/report/option_text.h"
#include "advisor/report/service_text.h"
#include "advisor/report/units.h"
#include "pricing/place.h"

namespace rightsize::report {
namespace {

std::string tile(const std::string& title, const std::string& value, const std::string& note) {
  return fmt::format(
      "<div class=\"tile\"><dt>{}</dt><dd><strong>{}</strong> <span>{}</span></dd></div>\n",
      escape_html(title),
      escape_html(value),
      escape_html(note));
}

std::string waiting_tile(const char* title, const Estimate& wait, const std::string& sure) {
  return std::isnan(wait.value)
             ? ""
             : tile(title,
                    (std::isinf(wait.value) ? "" : "~") + latency(wait.value),
                    fmt::format("{}{} … {}", sure, latency(wait.low), latency(wait.high)));
}

std::string waiting_tiles(const Option& option, const std::string& sure) {
  if (!option.tokens) {
    return waiting_tile("99 of 100 answers within", option.p99, sure);
  }
  const auto wait = [&](double DecodeLatency::*which) {
    return waiting_of(*option.tokens, which, option.cost.confidence, option.throughput.source);
  };
  return waiting_tile(
             "99 of 100 first tokens within", wait(&DecodeLatency::first_token_p99_s), sure) +
         waiting_tile("and a token every", wait(&DecodeLatency::token_p99_s), sure);
}

// The machine a reader is told to have: of one that is kept nobody drew how likely it is to be the
// cheapest, but of one that ranks first.
struct Advice {
  const Option& option;
  const char* verb;
  bool first;
};

Advice advice_of(const Recommendation& answer) {
  if (!stays(answer)) {
    return {*answer.chosen, "Rent", true};
  }
  const auto& now = *answer.current->current;
  const bool first =
      full_name(now) == full_name(*answer.chosen) && now.nodes == answer.chosen->nodes;
  return {first ? *answer.chosen : now, "Stay on", first};
}

std::string service_tiles(const Advice& advice) {
  const auto& option = advice.option;
  const auto sure = percent(option.cost.confidence) + " interval ";
  return "<dl class=\"tiles\">" +
         tile(advice.verb,
              fmt::format("{} x {}", option.nodes, option_name(option)),
              region_name(option.region) + ", " + market_text(option)) +
         tile("A month costs",
              "~" + money(option.cost.value, option.cost.unit),
              fmt::format("{}{} … {}; ~{} per million {}",
                          sure,
                          money(option.cost.low, option.cost.unit),
                          money(option.cost.high, option.cost.unit),
                          per_million(option),
                          option.tokens ? "tokens" : "requests")) +
         waiting_tiles(option, sure) +
         tile("In time",
              chance(option.p_deadline) + " probable",
              advice.first
                  ? chance(option.p_cheapest) + " to be the cheapest once resized to its true speed"
                  : "nothing is clearly better") +
         "</dl>\n";
}

}  // namespace

std::string tiles(const Recommendation& answer) {
  if (!answer.chosen) {
    return "";
  }
  const auto advice = advice_of(answer);
  const auto& option = advice.option;
  if (answer.query.serves()) {
    return service_tiles(advice);
  }
  const auto sure = percent(option.cost.confidence) + " interval ";
  return "<dl class=\"tiles\">" +
         tile(advice.verb,
              option_name(option),
              region_name(option.region) + ", " + market_text(option)) +
         tile("Whole job costs",
              "~" + money(option.cost.value, option.cost.unit),
              fmt::format("{}{} … {}",
                          sure,
                          money(option.cost.low, option.cost.unit),
                          money(option.cost.high, option.cost.unit))) +
         tile("and takes",
              "~" + digits(option.hours.value) + " h",
              fmt::format(
                  "{}{} … {} h", sure, digits(option.hours.low), digits(option.hours.high))) +
         tile("Meets the constraints",
              chance(option.p_deadline) + " probable",
              advice.first ? chance(option.p_cheapest) + " to be the cheapest that does"
                           : "nothing is clearly better") +
         "</dl>\n";
}

}  // namespace rightsize::report
