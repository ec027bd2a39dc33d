#include "advisor/suppose/appraisal.h"

#include <set>

#include <fmt/format.h>

#include "advisor/candidate/constraint.h"
#include "advisor/candidate/no_disk.h"
#include "advisor/full_name.h"
#include "advisor/judge/standing_order.h"
#include "advisor/query/toml_fields.h"

namespace rightsize {
namespace {

[[noreturn]] void unknown_instance(const std::string& name, const Catalog& catalog) {
  const bool with_provider = name.find('/') != std::string::npos;
  std::set<std::string> names;
  for (const auto& offer : catalog.offers()) {
    names.insert(with_provider ? offer.provider + "/" + offer.instance : offer.instance);
  }
  const auto near = nearest_word(name, {names.begin(), names.end()});
  throw UsageError(fmt::format(
      "no instance is called \"{}\" in the price tables{}{}\n       rightsize prices show "
      "--infra PROVIDER lists them",
      name,
      near.empty() ? "" : fmt::format(", did you mean \"{}\"?", near),
      own_machines(catalog)));
}

std::optional<Appraisal> appraised(Judge& judge, const Candidate& candidate, Refusal& refusal) {
  auto judged = judge.judge(candidate, refusal);
  if (!judged) {
    return std::nullopt;
  }
  return Appraisal{
      std::move(judged->option), candidate, judged->prediction, std::move(judged->uncertain)};
}

}  // namespace

Appraiser::Appraiser(const Query& query, const Evidence& evidence)
    : query_(query),
      evidence_(evidence),
      maker_(
          query, evidence.catalog, evidence.gpu_rates, evidence.cpu_speeds, evidence.model.cpu()) {}

std::vector<const Offer*> Appraiser::offers_named(const OfferName& name) const {
  const auto named = rightsize::offers_named(evidence_.catalog, name.instance);
  if (named.empty()) {
    unknown_instance(name.instance, evidence_.catalog);
  }
  Query scope = query_;
  if (!name.place.empty()) {
    scope.infra = {name.place};
  }
  if (name.market) {
    scope.markets = {*name.market};
  }
  auto offers = in_scope(named, scope, name.by_month);
  if (offers.empty()) {
    throw UsageError(
        fmt::format("{} is not sold in the place, market and book asked for{}: {}",
                    typed(name),
                    name.market || !name.place.empty() ? "" : " (--infra, --market, --book)",
                    sold_otherwise(named, scope)));
  }
  return offers;
}

void Appraiser::consider(const Offer& offer,
                         Judge& judge,
                         std::optional<Appraisal>& best,
                         Refusal& why) {
  for (const auto& candidate : maker_.all(offer, why).made) {
    auto found = appraised(judge, candidate, why);
    if (found && (!best || better_way(found->option, best->option))) {
      best = std::move(found);
    }
  }
}

Appraisal Appraiser::appraise(const std::string& name) {
  return appraise(read_offer_name(evidence_.catalog, name, ""));
}

Appraisal Appraiser::appraise(const OfferName& name) {
  const OfferConstraints constraints(query_);
  Judge judge(query_, evidence_);
  std::optional<Appraisal> best;
  Refusal why{std::string(no_disk_is_large_enough)};
  for (const Offer* offer : offers_named(name)) {
    if (auto refusal = constraints.refusal_of(*offer)) {
      why = *std::move(refusal);
    } else {
      consider(*offer, judge, best, why);
    }
  }
  if (!best) {
    throw CannotDoJob(name.market
                          ? with_market(name.instance, *name.market, name.by_month.value_or(false))
                          : name.instance,
                      why);
  }
  return *std::move(best);
}

std::optional<Appraisal> Appraiser::appraise(const Offer& offer) {
  Judge judge(query_, evidence_);
  std::optional<Appraisal> best;
  Refusal why;
  consider(offer, judge, best, why);
  return best;
}

std::optional<Appraisal> Appraiser::judge(const Candidate& candidate, Refusal& refusal) const {
  Judge judge(query_, evidence_);
  return appraised(judge, candidate, refusal);
}

}  // namespace rightsize
