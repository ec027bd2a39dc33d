#include "advisor/right_sizing/right_sizing_file.h"

#include <optional>
#include <string>
#include <string_view>

namespace rightsize {
namespace {

std::optional<Finding> finding_of(std::string_view text) {
  for (const auto finding : {Finding::underprovisioned,
                             Finding::overprovisioned,
                             Finding::not_optimized,
                             Finding::optimized,
                             Finding::not_judged}) {
    if (to_string(finding) == text) {
      return finding;
    }
  }
  return std::nullopt;
}

std::string text_of(const JsonPlace& place, const char* key) {
  return place.says(key) ? place[key].text() : "";
}

std::optional<double> number_of(const JsonPlace& place, const char* key) {
  return place.says(key) ? std::optional(place[key].number()) : std::nullopt;
}

// Of what the move costs more it is negative.
Estimate read_share(const JsonPlace& place) {
  Estimate share{place["value"].number(),
                 place["low"].number(),
                 place["high"].number(),
                 place["confidence"].share(),
                 place["unit"].text(),
                 Source::assumed};
  for (const auto source :
       {Source::measured, Source::fitted, Source::scaled, Source::published, Source::assumed}) {
    if (to_string(source) == place["source"].text()) {
      share.source = source;
    }
  }
  return share;
}

void read_move(const JsonPlace& place, RightSizing& result) {
  const auto& savings = place["savings_opportunity"];
  if (savings.says("share")) {
    result.savings_share = read_share(savings["share"]);
    result.savings_per_job = savings["per_job"].number();
  }
  result.savings_per_month = number_of(savings, "estimated_monthly_savings");
  result.risk = place["performance_risk"]["score"].whole_from(0);
  result.p_missed = place["performance_risk"]["probability"].share();
  if (place.says("migration_effort")) {
    result.effort = place["migration_effort"]["word"].text();
    result.effort_reason = place["migration_effort"]["reason"].text();
  }
}

}  // namespace

RightSizing read_right_sizing(const JsonPlace& place,
                              const std::function<Option(const JsonPlace&)>& read_option) {
  RightSizing result;
  result.name = place["instance"].text();
  result.place = text_of(place, "place");
  if (place.says("option")) {
    result.current = read_option(place["option"]);
  }
  result.counted = !place.says("counted") || place["counted"].flag();
  if (place.says("fewer")) {
    result.fewer = read_option(place["fewer"]);
  }
  for (const auto* key : {"cannot_do_the_job", "cannot_be_judged", "note"}) {  // one at most
    result.reason += text_of(place, key);
  }
  result.finding = place["finding"].word(
      finding_of, "Underprovisioned, Overprovisioned, NotOptimized, Optimized or NotJudged");
  result.reason_codes = place["finding_reason_codes"].texts();
  if (place.says("p_better")) {
    result.p_better = place["p_better"].share();
  }
  result.move = place["move"].flag();
  if (result.move) {
    read_move(place, result);
  }
  return result;
}

}  // namespace rightsize
