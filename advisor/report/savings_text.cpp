#include "advisor/report/savings_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "advisor/report/option_text.h"
#include "advisor/report/service_text.h"
#include "advisor/report/units.h"
#include "advisor/report/work_words.h"
#include "pricing/billing.h"

namespace rightsize::report {
namespace {

// "$3.10 a month, 21% (10% … 30%)"; a move that costs more says so, and nothing of savings.
std::string saved(double amount,
                  const Estimate& share,
                  const std::string& currency,
                  const char* per) {
  const double sign = amount < 0 ? -1 : 1;
  const double low = std::min(sign * share.low, sign * share.high);
  const double high = std::max(sign * share.low, sign * share.high);
  return fmt::format("{}{}{}, {} ({} … {})",
                     amount < 0 ? "none, it costs " : "",
                     money(std::abs(amount), currency),
                     amount < 0 ? fmt::format(" more {}", per) : fmt::format(" {}", per),
                     percent(sign * share.value),
                     percent(low),
                     percent(high));
}

std::string service_savings(const Recommendation& answer, const RightSizing& it) {
  return fmt::format("{}; ~{} instead of ~{} per million {}",
                     saved(it.savings_per_job, *it.savings_share, answer.query.currency, "a month"),
                     per_million(*answer.chosen),
                     per_million(*it.current),
                     answer.query.tokens ? "tokens" : "requests");
}

// So many runs that one machine has no time for them.
std::string machines_at_once(double hours, double runs) {
  const double machines = std::ceil(hours * runs / double{hours_per_month});
  return machines > 1 ? fmt::format(" ({:.0f} of the chosen at once)", machines) : "";
}

}  // namespace

std::string savings_text(const Recommendation& answer, const RightSizing& it) {
  if (answer.query.serves()) {
    return service_savings(answer, it);
  }
  const auto& currency = answer.query.currency;
  std::string text = saved(it.savings_per_job, *it.savings_share, currency, "per run");
  if (it.savings_per_month) {
    text += fmt::format("; {}{} per month at {} runs",
                        money(std::abs(*it.savings_per_month), currency),
                        *it.savings_per_month < 0 ? " more" : "",
                        digits(*answer.query.runs_per_month));
    text += machines_at_once(answer.chosen->hours.value, *answer.query.runs_per_month);
  }
  const double items = static_cast<double>(answer.query.items) * answer.query.epochs;
  return text + fmt::format("; {} instead of {} {} per million {}",
                            digits(answer.chosen->cost.value / items * 1e6),
                            digits(it.current->cost.value / items * 1e6),
                            currency,
                            words_of(answer.query).many);
}

}  // namespace rightsize::report
