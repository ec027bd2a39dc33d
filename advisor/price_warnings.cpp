#include "advisor/price_warnings.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/candidate/constraint.h"
#include "advisor/candidate/cpu_law.h"
#include "advisor/candidate/disk_choice.h"
#include "advisor/candidate/own_stock.h"
#include "advisor/low_price_warnings.h"
#include "pricing/check.h"
#include "pricing/days.h"
#include "pricing/import/import.h"
#include "pricing/monthly.h"
#include "pricing/on_prem.h"
#include "pricing/third_party.h"

namespace rightsize {
namespace {

// Of a book of another time age is the point; prices without a date are warned of apart.
void warn_of_age(const Offer& offer, Recommendation& answer) {
  constexpr std::size_t length_of_day = 10;
  const auto& as_of = offer.as_of;
  const auto days =
      days_between(day_at_the_latest(as_of), answer.generated_at.substr(0, length_of_day));
  if (!offer.book.starts_with("era-") && days && *days > CheckOptions{}.old_days) {
    answer.warnings.push_back(
        fmt::format("the chosen price is of {}, {} days ago: check it before "
                    "you rent",
                    as_of.substr(0, length_of_day),
                    *days));
  }
  const bool has_day =
      !as_of.empty() && as_of.find("undated") == std::string::npos && as_of != as_given;
  if (has_day && (!days || *days < 0)) {
    answer.warnings.push_back(
        fmt::format("the chosen price is dated {}, {}: check it before you rent",
                    as_of,
                    days ? "which is yet to come" : "which is no day"));
  }
}

void warn_of_region(Recommendation& answer) {
  const auto& chosen = *answer.chosen;
  if (chosen.region.empty()) {
    answer.warnings.push_back(
        fmt::format("the price table does not say in which regions {} has {}: look for one before "
                    "you rent",
                    chosen.provider,
                    chosen.instance));
  }
}

void warn_of_disk_price(Recommendation& answer) {
  const auto& chosen = *answer.chosen;
  const auto pricing = disk_pricing(chosen.disk, chosen.disk_class);
  if (pricing != DiskPricing::listed) {
    answer.warnings.push_back(fmt::format(
        "no disk price of {} in {} is in the tables: {}",
        chosen.provider,
        chosen.price_per_hour.currency(),
        pricing == DiskPricing::assumed ? "the bill's disk line is assumed"
                                        : "the disk is not billed, and its speed is assumed"));
  }
}

void warn_of_disk_speed(const Catalog& catalog, Recommendation& answer) {
  const auto& chosen = *answer.chosen;
  if (chosen.disk_gib > 0 && disk_pricing(chosen.disk, chosen.disk_class) == DiskPricing::listed &&
      catalog.disk_cap(chosen.provider, chosen.instance, chosen.disk_class) == nullptr) {
    answer.warnings.push_back(
        fmt::format("no table says what {} lets through to its disks: they are taken at their own "
                    "speed",
                    chosen.instance));
  }
}

void warn_of_billing(const Catalog& catalog, const Offer& offer, Recommendation& answer) {
  if (is_monthly(offer)) {
    if (!answer.chosen->service && !answer.chosen->tokens) {  // they run all month
      answer.warnings.push_back(
          fmt::format("{} is rented by the month at {} {}: whole months are billed, used or not",
                      offer.instance,
                      month_price(offer).decimal(),
                      offer.price_per_hour.currency()));
    }
    return;
  }
  const auto& billing = catalog.billing(offer.provider, offer.book);
  if (billing.basis == "assumed") {
    answer.warnings.push_back(
        fmt::format("that {} bills by the {} is assumed, not published in our tables",
                    answer.chosen->provider,
                    billing.granularity.count() <= 1    ? "second"
                    : billing.granularity.count() <= 60 ? "minute"
                                                        : "hour"));
  }
}

// Rows of a table of the user's that gave no offer; of the first notes of it, which are kept. (Of
// other formats than tables an offer is not of one line.)
void warn_of_rows_left_out(const Catalog& catalog, Recommendation& answer) {
  std::map<std::string, std::set<int>> left_out;
  std::map<std::string, std::size_t> notes;
  for (const auto& issue : catalog.issues()) {
    if (issue.line > 0 && issue.field != "Provider" && issue.field != unread_column &&
        issue.table.ends_with(".csv")) {
      left_out[issue.table].insert(issue.line);
      ++notes[issue.table];
    }
  }
  if (left_out.empty()) {
    return;
  }
  for (const auto& offer : catalog.offers()) {
    if (const auto table = left_out.find(offer.table); table != left_out.end()) {
      table->second.erase(offer.line);
    }
  }
  for (const auto& [table, lines] : left_out) {
    if (!lines.empty()) {
      answer.warnings.push_back(fmt::format(
          "{0}: {1} left out, the first in line {2}: rightsize prices check {0} says why",
          table,
          notes[table] >= ImportedTable::most_issues
              ? fmt::format("{} rows or more are", lines.size())
          : lines.size() == 1 ? "a row is"
                              : fmt::format("{} rows are", lines.size()),
          *lines.begin()));
    }
  }
}

// What was noted of a table of the user's when it was read (usual_prices.h), and whose prices they
// were taken for (cli/table_provider.h), which is said of one row for all.
void warn_of_doubt(const Catalog& catalog, const Offer& offer, Recommendation& answer) {
  for (const auto& issue : catalog.issues()) {
    // Of another market's price nothing is said; of the row's other fields it is.
    const auto of_market = parse_market(issue.field);
    const bool of_row = issue.line == offer.line && (!of_market || *of_market == offer.market);
    const bool of_table = issue.field == "Provider" || issue.field == unread_column;
    if (issue.table == offer.table && (of_row || of_table)) {
      answer.warnings.push_back(
          fmt::format("{}:{}: {}: {}", issue.table, issue.line, issue.field, issue.text));
    }
  }
}

// Of those that people see, whose names alone say so otherwise.
void warn_of_hosts(Recommendation& answer) {
  constexpr std::size_t seen = 10;
  const auto end =
      answer.options.begin() + static_cast<std::ptrdiff_t>(std::min(seen, answer.options.size()));
  const auto of_third_party = [](const Option& option) {
    return is_of_third_party(option.provider, option.instance);
  };
  const auto found = std::find_if(answer.options.begin(), end, of_third_party);
  if (found == end) {
    return;
  }
  const auto others = std::count_if(found, end, of_third_party) - 1;
  answer.warnings.push_back(
      fmt::format("{}/{}{} run{} on hosts of third parties, which {} only brokers: what they "
                  "guarantee, and who "
                  "can reach your data there, is for you to find out{}",
                  found->provider,
                  found->instance,
                  others > 0 ? fmt::format(" and {} more of the first options", others) : "",
                  others > 0 ? "" : "s",
                  found->provider,
                  found->provider == "runpod" ? "; --deny _COMMUNITY leaves them out" : ""));
}

// The catalogues that these tables are of hold some of the families and sizes without a GPU alone
// (pricing/README.md).
void warn_of_sample(const Catalog& catalog, const Offer& offer, Recommendation& answer) {
  const bool sampled =
      offer.book == "current" && (offer.provider == "aws" || offer.provider == "azure");
  if (!sampled || !offer.gpu.empty()) {
    return;
  }
  std::set<std::string> types;
  for (const auto& one : catalog.offers()) {
    if (one.provider == offer.provider && one.gpu.empty() && one.book == offer.book) {
      types.insert(one.instance);
    }
  }
  answer.warnings.push_back(
      fmt::format("the tables hold {} types of {} without a GPU, a sample of what it sells: other "
                  "sizes and families may be cheaper; --prices takes a list of yours",
                  types.size(),
                  offer.provider));
}

// A market that was asked for beside others, where no table has a price of it.
void warn_of_unpriced_market(const Catalog& catalog, Recommendation& answer) {
  const OfferConstraints constraints(answer.query);
  std::map<std::string, std::set<Market>> sold;
  for (const auto& offer : catalog.offers()) {
    if (!is_own(offer) && constraints.in_scope(offer)) {
      sold[offer.provider].insert(offer.market);
    }
  }
  for (const auto market : answer.query.markets) {
    std::vector<std::string> without;
    for (const auto& [provider, markets] : sold) {
      if (!markets.contains(market)) {
        without.push_back(provider);
      }
    }
    if (!without.empty()) {
      answer.warnings.push_back(fmt::format(
          "{} was not weighed of {}: no price table has such prices{}",
          to_string(market),
          fmt::join(without, ", "),
          committed_hours(market) > 0 ? "; --reserved-discount 40% takes them to be so much lower"
                                      : ""));
    }
  }
}

}  // namespace

bool has_assumed_price(const Option& option) {
  return option.price_source.find(assumed_price) != std::string::npos;
}

std::string dated(std::string_view as_of) {
  if (as_of.empty()) {
    return "undated";
  }
  const bool without_day = as_of.starts_with("undated") || as_of == as_given;
  return (without_day ? "" : "as of ") + std::string(as_of);
}

void warn_of_price(const Catalog& catalog, const Offer& offer, Recommendation& answer) {
  const auto& chosen = *answer.chosen;
  warn_of_age(offer, answer);
  warn_of_region(answer);
  if (committed_hours(chosen.market) > 0) {
    const int machines =
        chosen.nodes *
        (answer.query.serves() ? 1 : at_once(chosen.hours.value, answer.query.runs_per_month));
    answer.warnings.push_back(fmt::format(
        "{}: {}what is signed for is {} hours of {}",
        to_string(chosen.market),
        answer.query.serves() ? "" : "the bill is this job's share; ",
        committed_hours(chosen.market),
        machines > 1 ? fmt::format("each of the {} machines", machines) : "the machine"));
  }
  warn_of_doubt(catalog, offer, answer);
  warn_of_low_price(catalog, offer, answer);
  warn_of_hosts(answer);
  warn_of_sample(catalog, offer, answer);
  warn_of_rows_left_out(catalog, answer);
  if (has_assumed_price(chosen)) {
    answer.warnings.push_back("the chosen price is assumed, as --reserved-discount says");
  }
  warn_of_disk_price(answer);
  if (chosen.price_as_of.empty() || chosen.price_as_of.find("undated") != std::string::npos) {
    answer.warnings.push_back("the chosen price carries no date: check it before you rent");
  }
  warn_of_disk_speed(catalog, answer);
  warn_of_unpriced_market(catalog, answer);
  warn_of_billing(catalog, offer, answer);
}

void warn_of_cpus(const CpuSpeeds& cpu_speeds, Recommendation& answer) {
  std::map<std::string, std::string> unknown;  // the first instance of each
  for (const auto& option : answer.options) {
    if (!option.cpu.empty() && !knows_cpu(cpu_speeds, option.cpu)) {
      unknown.emplace(option.cpu, option.instance);
    }
  }
  for (const auto& [cpu, instance] : unknown) {
    answer.warnings.push_back(fmt::format(
        "{}: {}",
        instance,
        unknown_cpu_words(cpu, "what is known of the instance, or the usual host of the years,")));
  }
}

}  // namespace rightsize
