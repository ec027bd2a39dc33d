#include "advisor/own_machine_notes.h"

#include <string>

#include <fmt/format.h>

#include "advisor/candidate/disk_choice.h"
#include "advisor/candidate/own_stock.h"
#include "pricing/on_prem.h"

namespace rightsize {
namespace {

// Of an hour's price: what the purchase is spread over. Services take every hour.
void note_use(const Offer& offer, Recommendation& answer) {
  const auto& query = answer.query;
  const bool said = !offer.parts.empty() && !offer.parts.front().idle_borne;
  if (query.serves()) {
    return;
  }
  if (said && query.runs_per_month) {
    answer.assumptions.push_back(
        fmt::format("{}: its purchase goes by the utilisation that is said of it; the {:g} runs a "
                    "month do not enter its price",
                    offer.instance,
                    *query.runs_per_month));
  } else if (!said && query.runs_per_month) {
    answer.assumptions.push_back(
        fmt::format("{}: its purchase costs a month's part whatever it does, which the {:g} runs a "
                    "month bear between them, as if they were all it did (utilisation= says "
                    "otherwise); its power costs by the hour",
                    offer.instance,
                    *query.runs_per_month));
  } else if (!said) {
    answer.warnings.push_back(
        fmt::format("{}: its purchase is spread over all hours of its years, as if it never stood "
                    "idle: utilisation= of --on-prem, or --runs-per-month, says how much it works",
                    offer.instance));
  }
}

// As many are bought as it takes, where nobody says how many there are.
void note_count(const Offer& offer, const Option& option, Recommendation& answer) {
  const int machines =
      option.nodes *
      (answer.query.serves() ? 1 : at_once(option.hours.value, answer.query.runs_per_month));
  if (!offer.count && machines > 1) {
    const bool chosen =
        answer.chosen && answer.chosen->own && answer.chosen->instance == option.instance;
    auto& told = chosen ? answer.warnings : answer.assumptions;
    told.push_back(
        fmt::format("{}: there are the {} that it takes: count= of --on-prem says how many",
                    offer.instance,
                    machines));
  }
}

}  // namespace

void add_own_machine_notes(const Catalog& catalog, Recommendation& answer) {
  for (const auto& option : answer.options) {
    const auto* found = option.own ? own_offer(catalog, option.instance) : nullptr;
    if (found == nullptr) {
      continue;
    }
    note_use(*found, answer);
    note_count(*found, option, answer);
    if (found->source == own_figures_in_dollars) {
      answer.assumptions.push_back(fmt::format(
          "{}: its price names no currency and is taken to be in USD", found->instance));
    }
    if (option.disk == unsaid_own_disk) {
      answer.warnings.push_back(
          fmt::format("{}: nothing is said of its disk, which is taken to hold the data and not to "
                      "limit: disk= of --on-prem says how large it is",
                      found->instance));
    }
  }
}

}  // namespace rightsize
