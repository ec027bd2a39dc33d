#include "advisor/judge/judge.h"

#include <algorithm>
#include <cmath>

#include "advisor/candidate/data_home.h"
#include "advisor/candidate/epoch.h"
#include "advisor/candidate/own_stock.h"
#include "advisor/judge/mishap.h"
#include "advisor/machine/setting_sources.h"
#include "advisor/query/job_work.h"
#include "kernels/normal_distribution.h"
#include "models/job_time.h"

namespace rightsize {
namespace {

constexpr double absurd_hours = 10 * 365.25 * 24;  // no price or plan holds that long

// That the hours stay under `limit`.
double chance_under(double limit_h, const Outlook& outlook) {
  const double far = std::log(limit_h / outlook.hours);
  return normal_cdf(far / (outlook.log_sd * (far < 0 ? outlook.faster : 1)));
}

Source source_of(const Candidate& candidate, const Prediction& prediction) {
  return source_that_matters(
      {Source::fitted, candidate.rate_source, candidate.cpu_source, candidate.disk.source},
      candidate.uncertainty,
      prediction);
}

// How far ln(hours) moves by an assumed hazard that may as well be half or twice as large.
double hazard_spread(SpotTerms terms, double useful_h) {
  constexpr double factor = 2;
  terms.interruptions_per_hour /= factor;
  const double rarer_h = spot_mean_h(terms, useful_h);
  terms.interruptions_per_hour *= factor * factor;
  const double oftener_h = spot_mean_h(terms, useful_h);
  return std::isinf(oftener_h) ? 1 : std::log(oftener_h / rarer_h) / 2;
}

// A program works through its items, however many its steps took; nobody knows of updates.
double epoch_of_node(const Query& query, const Candidate& candidate) {
  if (!has_network(query)) {
    return static_cast<double>(query.items) / candidate.way.nodes;
  }
  const auto gpus = std::max(1, static_cast<int>(candidate.offer->gpus));
  return items_of_epoch(
      query.items, candidate.way.nodes, query.phase, std::int64_t{candidate.way.batch} * gpus);
}

// Those that share what is paid for by the month. A service of some hours of it is one.
std::optional<double> paid_runs_per_month(const Query& query) {
  return query.service_hours ? 1.0 : query.runs_per_month;
}

}  // namespace

Judge::Judge(const Query& query, const Evidence& evidence)
    : query_(query),
      evidence_(evidence),
      deviations_(deviations_at(query.confidence)),
      stored_data_(query, evidence.catalog),
      terms_{query.utilisation_percent, std::nullopt, paid_runs_per_month(query)} {}

BillTerms Judge::terms_of(const Offer& offer) const {
  auto terms = terms_;
  terms.data = stored_data_.in(offer.price_per_hour.currency());
  return terms;
}

const BillingRule& Judge::rule_of(const Offer& offer) const {
  return evidence_.catalog.billing(offer.provider, offer.book);
}

Prediction Judge::foreseen(const Basis& basis, const Candidate& candidate) const {
  auto uncertainty = candidate.uncertainty;
  if (!basis.cpu_law.empty()) {
    uncertainty.cpu_speed = 0;  // the law's own interval has it
  }
  const int nodes = candidate.way.nodes;
  if (query_.service) {  // it has no epochs
    return of_nodes(basis.predictor.predict(candidate.setting, uncertainty), nodes);
  }
  const JobLength share{epoch_of_node(query_, candidate), query_.epochs};
  return of_nodes(predict_job(basis.predictor, candidate.setting, uncertainty, share).prediction,
                  nodes);
}

double Judge::chance_in_time(const Outlook& outlook) const {
  return query_.deadline_s ? chance_under(*query_.deadline_s / 3600, outlook) : 1;
}

namespace {

// Hours of work that interruptions cut into parts: the last part's checkpoint is the state that
// machines that stay write after the last step.
double hours_to_cut(const Candidate& candidate, const Outlook& undisturbed) {
  const auto moving_s = [&](const ModelFiles& files) {
    return files.moving_s(candidate.disk.speed, undisturbed.nodes);
  };
  const auto& files = candidate.model_files;
  return undisturbed.hours - (moving_s(files) - moving_s(files.weights_alone())) / 3600;
}

}  // namespace

bool Judge::foresee_job(const Candidate& candidate, Outlook& outlook, Refusal& refusal) const {
  const JobLength all{candidate.way.nodes * epoch_of_node(query_, candidate),
                      query_.epochs,
                      candidate.model_files.moving_s(candidate.disk.speed, outlook.nodes),
                      candidate.disk.log_sd};
  outlook.hours = job_seconds(outlook.prediction, all) / 3600;
  outlook.log_sd = job_log_sd(outlook.prediction, all);
  outlook.faster = job_faster(outlook.prediction, all);
  outlook.moving = moving_share(outlook.prediction, all);
  outlook.source = source_of_hours(outlook.source, candidate.disk.source, outlook.prediction, all);
  if (!(outlook.hours <= absurd_hours)) {
    refusal = {"would take more than ten years", Lacking::speed};
    return false;
  }
  outlook.p_in_time = chance_in_time(outlook);
  return true;
}

namespace {

// nullopt with the reason where fewer are there than it takes.
std::optional<Outlook> if_enough(Outlook outlook,
                                 const Query& query,
                                 const Offer& offer,
                                 Refusal& refusal) {
  auto too_few = why_too_few(offer, query, outlook.nodes, outlook.hours);
  if (too_few.empty()) {
    return outlook;
  }
  refusal = {std::move(too_few), Lacking::machines};
  return std::nullopt;
}

}  // namespace

std::optional<Outlook> Judge::outlook(const Candidate& candidate, Refusal& refusal, int most) {
  if (candidate.tokens) {
    auto outlook = token_outlook(candidate, refusal);
    return outlook ? if_enough(*std::move(outlook), query_, *candidate.offer, refusal)
                   : std::nullopt;
  }
  const Basis* basis = basis_for(candidate, refusal);
  if (basis == nullptr) {
    return std::nullopt;
  }
  Outlook outlook;
  outlook.nodes = candidate.way.nodes;
  outlook.prediction = foreseen(*basis, candidate);
  outlook.source = weaker(basis->weakest, source_of(candidate, outlook.prediction));
  outlook.cpu_law = basis->cpu_law;
  outlook.throughput = basis->predictor.estimate(outlook.prediction, outlook.source);
  const bool foreseen = query_.service ? foresee_service(candidate, most, outlook, refusal)
                                       : foresee_job(candidate, outlook, refusal);
  return foreseen ? if_enough(std::move(outlook), query_, *candidate.offer, refusal) : std::nullopt;
}

std::optional<Outlook> Judge::interrupted(const Candidate& candidate,
                                          const Outlook& undisturbed,
                                          Refusal& refusal) const {
  if (query_.serves()) {
    return undisturbed;  // it is never done, so nothing of it is lost
  }
  const double frozen = query_.tuning.adapters.any() ? candidate.model_files.weights_bytes : 0;
  auto terms = spot_terms(query_.interruptions,
                          rule_of(*candidate.offer),
                          spot_files(candidate.checkpoint_bytes, frozen, undisturbed.nodes),
                          candidate.disk.speed.bytes_per_s);
  terms.interruptions_per_hour *= undisturbed.nodes;  // one that is taken stops them all
  const double useful_h = hours_to_cut(candidate, undisturbed);
  const auto time = spot_time(terms, useful_h);
  if (!time.possible || !(time.mean_h <= absurd_hours)) {
    refusal = {"would take more than ten years, interruptions counted", Lacking::speed};
    return std::nullopt;
  }
  Outlook outlook = undisturbed;
  outlook.spot = time;
  outlook.hours = time.mean_h;
  outlook.hazard_sd = query_.interruptions.hazard_stated ? 0 : hazard_spread(terms, useful_h);
  const auto with_luck = [&](double log_sd) {
    return std::hypot(log_sd, time.deviation_h / time.mean_h, outlook.hazard_sd);
  };
  outlook.log_sd = with_luck(undisturbed.log_sd);
  outlook.faster =
      outlook.log_sd > 0 ? with_luck(undisturbed.log_sd * undisturbed.faster) / outlook.log_sd : 1;
  outlook.p_in_time = chance_in_time(outlook);
  return outlook;
}

std::optional<Judged> Judge::judge(const Candidate& candidate, Refusal& refusal) {
  const Offer& offer = *candidate.offer;
  auto seen = outlook(candidate, refusal);
  if (seen && offer.market == Market::spot) {
    seen = interrupted(candidate, *seen, refusal);
  }
  if (!seen) {
    return std::nullopt;
  }
  const auto stands = standing(candidate, *seen, offer, rule_of(offer));
  return Judged{option(candidate, *seen, stands, offer),
                uncertain(candidate, *seen, stands, offer),
                seen->prediction};
}

}  // namespace rightsize
