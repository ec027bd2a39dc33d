#include "advisor/way_out/next_name.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/candidate/constraint.h"
#include "advisor/machine/gpu_words.h"
#include "advisor/query/gpu_choice.h"

namespace rightsize {
namespace {

// The GPUs that are asked for, however many of them.
GpuChoice of_any_number(const Query& query) {
  std::vector<GpuWords> wanted;
  for (const auto& name : query.gpus) {
    wanted.push_back(gpu_words(name));
    wanted.back().count.reset();
  }
  return GpuChoice(std::move(wanted));
}

// Whether some machine is left to judge.
bool lets_any_pass(const Query& query, const Catalog& catalog) {
  const OfferConstraints constraints(query);
  const auto& offers = catalog.offers();
  return std::any_of(offers.begin(), offers.end(), [&](const Offer& offer) {
    return constraints.in_scope(offer) && !constraints.refusal_of(offer);
  });
}

void add_pattern_step(const Query& query, const Catalog& catalog, std::vector<std::string>& steps) {
  Query open = query;
  open.allow.clear();
  if (!query.allow.empty() && lets_any_pass(open, catalog)) {
    steps.push_back(
        fmt::format("--allow {} fits no machine here: it is a regular expression of the instance's "
                    "name alone, in its letters, such as ^g6e; --infra names places",
                    query.allow));
  }
}

// What the book of a GPU that is asked for says of it, where the query leaves that book out; empty
// where no machine of it would be in the query's places and markets.
std::string unasked_book(const Query& query, const Catalog& catalog, const GpuChoice& wanted) {
  for (const auto& offer : catalog.offers()) {
    if (offer.gpus < 1 || !wanted.holds(offer) || !is_unasked_compiled(offer, query)) {
      continue;
    }
    Query with = query;
    with.gpus.clear();
    with.book += fmt::format(",{}", book_of_compiled(toolchain_named(offer.gpu)));
    const OfferConstraints constraints(with);
    if (constraints.in_scope(offer) && !constraints.refusal_of(offer)) {
      return compiled_book_words(offer, query);
    }
  }
  return "";
}

void add_gpu_step(const Query& query, const Catalog& catalog, std::vector<std::string>& steps) {
  if (query.gpus.empty()) {
    return;
  }
  Query open = query;
  open.gpus.clear();
  const OfferConstraints constraints(open);
  const auto wanted = of_any_number(query);
  std::set<double> counts;
  std::set<std::string> elsewhere;
  for (const auto& offer : catalog.offers()) {
    if (offer.gpus < 1 || !wanted.holds(offer) || constraints.refusal_of(offer)) {
      continue;
    }
    if (constraints.in_scope(offer)) {
      counts.insert(offer.gpus);
    } else if (offer.market == Market::on_demand) {
      elsewhere.insert(offer.provider);
    }
  }
  const auto asked = fmt::format("--gpu {}", fmt::join(query.gpus, ","));
  if (!counts.empty()) {
    steps.push_back(
        fmt::format("{}: machines here have {} of them", asked, fmt::join(counts, ", ")));
  } else if (!elsewhere.empty()) {
    steps.push_back(fmt::format("{}: not rented here; {} rent{} it",
                                asked,
                                fmt::join(elsewhere, ", "),
                                elsewhere.size() == 1 ? "s" : ""));
  } else if (const auto book = unasked_book(query, catalog, wanted); !book.empty()) {
    steps.push_back(fmt::format("{}: {}", asked, book));
  }
}

}  // namespace

void add_name_steps(const Query& query, const Catalog& catalog, std::vector<std::string>& steps) {
  add_pattern_step(query, catalog, steps);
  add_gpu_step(query, catalog, steps);
}

}  // namespace rightsize
