// What would change the answer: all candidates are judged again for each supposed value.
#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <iterator>
#include <map>
#include <tuple>

#include "advisor/candidate/constraint.h"
#include "advisor/candidate/cpu_law.h"
#include "advisor/explain/explanation.h"
#include "advisor/explain/job_field.h"
#include "advisor/service/service_field.h"
#include "advisor/tokens/token_field.h"
#include "pricing/hour_price.h"
#include "pricing/monthly.h"

namespace rightsize {
namespace {

// Of offers in scope that differ only by region, the cheapest: no other can be the answer, but
// where the data set lies in one region and is billed on its way to every other. What is rented by
// the month and by the hour are two: the month's 730th is less, and all of the month is paid. In
// the catalogue's order, by which search() tells equals apart.
std::vector<const Offer*> cheapest_regions(const Query& query, const Catalog& catalog) {
  const OfferConstraints constraints(query);
  std::map<std::tuple<std::string,
                      std::string,
                      std::string,
                      std::string,
                      Market,
                      std::string,
                      double,
                      std::optional<double>,
                      std::optional<double>,
                      std::string,
                      std::string,
                      bool>,
           const Offer*>
      best;
  for (const auto& offer : catalog.offers()) {
    if (!constraints.in_scope(offer) || constraints.refusal_of(offer)) {
      continue;
    }
    auto& kept = best[{offer.provider,
                       offer.instance,
                       offer.cpu,
                       offer.book,
                       offer.market,
                       offer.gpu,
                       offer.gpus,
                       offer.vcpus,
                       offer.memory_gib,
                       offer.price_per_hour.currency(),
                       query.data_at.empty() ? std::string() : offer.region,
                       is_monthly(offer)}];
    if (kept == nullptr || offer.price_per_hour < kept->price_per_hour) {
      kept = &offer;
    }
  }
  std::vector<const Offer*> offers;
  for (const auto& [key, offer] : best) {
    offers.push_back(offer);
  }
  std::sort(offers.begin(), offers.end(), std::less<>());
  return offers;
}

class Supposing {
 public:
  Supposing(const Query& query, const Evidence& evidence, const Option& option)
      : query_(query),
        option_(option),
        maker_(query,
               evidence.catalog,
               evidence.gpu_rates,
               evidence.cpu_speeds,
               evidence.model.cpu()) {
    Refusal refusal;
    for (const Offer* offer : cheapest_regions(query, evidence.catalog)) {
      auto candidates = maker_.all(*offer, refusal).made;
      std::move(candidates.begin(), candidates.end(), std::back_inserter(field_));
    }
    if (query.service) {
      servers_.emplace(query, evidence, field_);
    }
    if (query.tokens) {
      tokens_.emplace(query, evidence, field_);
    }
    if (!query.serves()) {
      jobs_.emplace(query, evidence, field_);
    }
  }

  [[nodiscard]] Sensitivity price() {
    const auto& rent = option_.price_per_month ? *option_.price_per_month : option_.price_per_hour;
    const double now = rent.approximate();
    const auto unit = rent.currency() + (option_.price_per_month ? " per month" : " per hour");
    constexpr double fine = 5e-5;  // prices are compared to more digits than anything else
    return moved(
        "price",
        unit,
        now,
        20,
        [&](double x) {
          std::deque<Offer> changed;  // stays where it is while candidates point into it
          const auto change = [&](Candidate& candidate) {
            changed.push_back(*candidate.offer);
            auto& offer = changed.back();
            set_hour_price(offer,
                           Money(std::llround(offer.price_per_hour.approximate() * x / now * 1e9),
                                 offer.price_per_hour.currency()));
            candidate.offer = &offer;
          };
          return chosen(query_, {[&](const Candidate& c) { return is_this(*c.offer); }, change, 0});
        },
        fine);
  }

  [[nodiscard]] Sensitivity deadline() {
    // Around what is asked, or where the option stands; out to where all or none are in time.
    const double least = option_.hours.low / 4;
    const double most = option_.hours.high * 8;
    const double around = query_.deadline_s ? *query_.deadline_s / 3600 : option_.hours.value;
    const double widest = std::max({2.0, around / least, most / around});
    const auto outcome = [&](double hours) {
      Query query = query_;
      query.deadline_s = hours * 3600;
      return chosen(query, {});
    };
    Sensitivity result{"deadline",
                       "h",
                       {},
                       around / widest,
                       around * widest,
                       find_flips_around(around, widest, outcome)};
    if (query_.deadline_s) {
      result.now = around;
    }
    return result;
  }

  // Of a query that has one.
  [[nodiscard]] Sensitivity budget() {
    const auto& now = *query_.budget;
    return moved("budget", now.currency(), now.approximate(), 20, [&](double amount) {
      Query query = query_;
      query.budget = Money(std::llround(amount * 1e9), now.currency());
      return chosen(query, {});
    });
  }

  [[nodiscard]] Sensitivity requests() {
    const double now = query_.service->requests_per_s;
    return moved("requests", "requests/s", now, 20, [&](double requests_per_s) {
      Query query = query_;
      query.service->requests_per_s = requests_per_s;
      return chosen(query, {});
    });
  }

  [[nodiscard]] Sensitivity sequences() {
    const double now = query_.tokens->sequences_per_s;
    return moved("sequences", "sequences/s", now, 20, [&](double sequences_per_s) {
      Query query = query_;
      query.tokens->sequences_per_s = sequences_per_s;
      return chosen(query, {});
    });
  }

  [[nodiscard]] Sensitivity limit(const char* what, double DecodeLimits::*seconds) {
    return moved(what, "s", query_.tokens->limits.*seconds, 20, [&](double limit_s) {
      Query query = query_;
      query.tokens->limits.*seconds = limit_s;
      return chosen(query, {});
    });
  }

  [[nodiscard]] Sensitivity latency() {
    return moved("99% within", "s", query_.service->p99_s, 20, [&](double p99_s) {
      Query query = query_;
      query.service->p99_s = p99_s;
      return chosen(query, {});
    });
  }

  [[nodiscard]] Sensitivity gpu_speed() {
    return moved("speed of the " + option_.gpu, "1", 1, 4, [&](double factor) {
      return chosen(query_,
                    {[&](const Candidate& c) { return c.offer->gpu == option_.gpu; },
                     [&](Candidate& candidate) { candidate.scale_gpu(factor); },
                     factor});
    });
  }

  [[nodiscard]] Sensitivity decode_rate() {
    // Of pictures that the CPU decodes for a GPU; what else it does, a network too, goes by its
    // speed.
    const bool decodes =
        !option_.gpu.empty() &&
        decodes_pictures(query_.format, query_.network, query_.sequence, query_.phase);
    return moved(decodes ? "decoding rate of every CPU" : "speed of every CPU",
                 "1",
                 1,
                 10,
                 [&](double factor) {
                   return chosen(query_,
                                 {[](const Candidate&) { return true; },
                                  [&](Candidate& candidate) { candidate.scale_cpu(factor); },
                                  factor});
                 });
  }

 private:
  static constexpr double precision = 1e-3;  // as fine as three digits show

  [[nodiscard]] bool is_this(const Offer& offer) const {
    return offer.provider == option_.provider && offer.instance == option_.instance &&
           offer.cpu == option_.cpu && offer.market == option_.market &&
           is_monthly(offer) == option_.price_per_month.has_value();
  }

  [[nodiscard]] std::string chosen(const Query& query, const Supposal& supposal) {
    return servers_  ? servers_->chosen(query, supposal)
           : tokens_ ? tokens_->chosen(query, supposal)
                     : jobs_->chosen(query, supposal);
  }

  [[nodiscard]] static Sensitivity moved(std::string what,
                                         std::string unit,
                                         double now,
                                         double widest,
                                         const std::function<std::string(double)>& outcome,
                                         double to = precision) {
    Sensitivity result{std::move(what), std::move(unit), now, now / widest, now * widest, {}};
    result.flips = find_flips_around(now, widest, outcome, to);
    return result;
  }

  const Query& query_;
  const Option& option_;
  CandidateMaker maker_;
  std::vector<Candidate> field_;         // every candidate that could be the answer, made once
  std::optional<ServiceField> servers_;  // of a service, borrowing them
  std::optional<TokenField> tokens_;     // of a language model that writes tokens, likewise
  std::optional<JobField> jobs_;         // of what has an end, likewise
};

// One that can be moved by a factor.
bool has_budget(const Query& query) {
  return query.budget && query.budget->approximate() > 0;
}

}  // namespace

std::vector<Sensitivity> sensitivities(const Query& query,
                                       const Evidence& evidence,
                                       const Option& option) {
  Supposing supposing(query, evidence, option);
  std::vector<Sensitivity> all = {supposing.price()};
  if (query.tokens) {
    const auto& limits = query.tokens->limits;
    all.push_back(supposing.sequences());
    if (std::isfinite(limits.first_token_s)) {
      all.push_back(supposing.limit("first token within", &DecodeLimits::first_token_s));
    }
    if (std::isfinite(limits.token_s) && query.tokens->output_tokens > 1) {
      all.push_back(supposing.limit("a token within", &DecodeLimits::token_s));
    }
    if (has_budget(query)) {
      all.push_back(supposing.budget());
    }
    all.push_back(supposing.gpu_speed());
    return all;
  }
  if (query.service) {
    all.push_back(supposing.requests());
    all.push_back(supposing.latency());
  } else {
    all.push_back(supposing.deadline());
  }
  if (has_budget(query)) {
    all.push_back(supposing.budget());
  }
  if (!option.gpu.empty()) {
    all.push_back(supposing.gpu_speed());
  }
  all.push_back(supposing.decode_rate());
  return all;
}

}  // namespace rightsize
