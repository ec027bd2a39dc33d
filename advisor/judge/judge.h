// From a candidate to an option: prediction, time, the whole bill, and the chance of meeting the
// constraints. In two steps, for offers differ by region far more often than in shape: an outlook
// holds for every offer of one shape, a standing is what it costs at one of them.
#pragma once

#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "advisor/candidate/candidate.h"
#include "advisor/judge/uncertain_cost.h"
#include "advisor/recommendation.h"
#include "advisor/search.h"
#include "models/cpu_anchor.h"
#include "models/laws/cpu_compute.h"
#include "models/laws/cpu_kind.h"
#include "models/predict.h"

namespace rightsize {

// Of what comes to a fleet that is asked for so much of what it can serve, the share that it does.
[[nodiscard]] double served_share(double utilisation);

// What a candidate would do to the job on machines of one market, wherever they are rented.
struct Outlook {
  Prediction prediction;
  Estimate throughput;
  Source source = Source::assumed;
  std::string cpu_law;   // what the rate of a network on CPUs rests on that was not measured there
  double hours = 0;      // expected: with interruptions on a spot market; a month of a service
  double log_sd = 0;     // of ln(hours) of a job
  double faster = 1;     // of an error to the sooner side so much of it counts
  double hazard_sd = 0;  // part of it: of an assumed hazard of interruptions
  double moving = 0;     // the part of a job in which its model goes from and to the disk
  // P(the deadline is met), or that a service answers in time: at least that, where it takes as
  // many machines as the confidence asks for.
  double p_in_time = 1;
  int nodes = 1;  // machines
  std::optional<SpotTime> spot;
  std::optional<ServerFleet> service;
  std::optional<TokenFleet> tokens;

  // Of a job, so many standard deviations later than expected; below 0 sooner.
  [[nodiscard]] double hours_at(double deviations) const {
    return hours * std::exp(deviations * log_sd * (deviations < 0 ? faster : 1));
  }
  // The geometric mean over the times that it may take.
  [[nodiscard]] double typical_hours() const { return hours * typical_times(log_sd, faster); }
};

// What that costs at one offer, and whether it will do.
struct Standing {
  double cost = 0;        // expected, in the query's currency
  double score = 0;       // by the query's objective, of what a job typically costs (bill_curve.h)
  double p_limits = 1;    // P(deadline and budget are met)
  double each_per_s = 0;  // requests/s that one machine answers in time; of a job, jobs an hour
  double miss = 0;        // of a job that misses limits: how many times each would have to be, to
                          // be met with the wanted confidence, multiplied
  bool satisfies = false;
};

struct Judged {
  Option option;
  UncertainCost uncertain;
  Prediction prediction;
};

// What the law of networks on CPUs goes by, the same for all candidates: worked out when needed.
struct CpuFacts {
  std::optional<CpuWork> work;
  using Step = std::pair<int, Precision>;  // of a batch
  std::map<Step, std::optional<CpuAnchor>> anchors;
  struct Host {
    CpuKind kind;
    bool another = false;  // than the runs were on, for all that is known
  };
  // By provider, instance and the CPU that the price table names.
  std::map<std::tuple<std::string, std::string, std::string>, Host, std::less<>> hosts;
  std::map<Step, bool> measured;  // whether steps of such were
  std::optional<bool> pictures;   // whether the network reads them
};

// The model with what it lacks to predict the candidate: the law for a network that was never
// measured on such a CPU, and the loader of the query's stack.
[[nodiscard]] Model model_for(const Query& query,
                              const Evidence& evidence,
                              const Candidate& candidate);
// The same for many candidates: `facts` are filled in when they are first needed.
[[nodiscard]] Model model_for(const Query& query,
                              const Evidence& evidence,
                              const Candidate& candidate,
                              CpuFacts& facts);

class Judge {
 public:
  // Both are borrowed. Throws UsageError when nobody's object storage is where the data lie.
  Judge(const Query& query, const Evidence& evidence);

  // On a machine that stays. nullopt with the reason when nothing can be predicted, or it would
  // take for ever; without one where a service takes more than `most` of them. Throws ModelError
  // when the data path of the query was never measured.
  [[nodiscard]] std::optional<Outlook> outlook(const Candidate& candidate,
                                               Refusal& refusal,
                                               int most = std::numeric_limits<int>::max());
  // The same on a market whose machines are taken away.
  [[nodiscard]] std::optional<Outlook> interrupted(const Candidate& candidate,
                                                   const Outlook& undisturbed,
                                                   Refusal& refusal) const;

  // Of a query with a service: a candidate as a server of requests, and what a rated fleet of such
  // comes to; nullopt with the reason. The latter has no prediction in it: enough for standing().
  [[nodiscard]] std::optional<Server> server(const Candidate& candidate, Refusal& refusal);
  [[nodiscard]] std::optional<Outlook> serving(const ServerFleet& fleet, Refusal& refusal) const;

  // `offer` has the candidate's shape; `rule` is its provider's.
  [[nodiscard]] Standing standing(const Candidate& candidate,
                                  const Outlook& outlook,
                                  const Offer& offer,
                                  const BillingRule& rule) const;
  // Of a service: as many machines as the confidence takes, the last digits of a bisection aside.
  [[nodiscard]] bool is_in_time(const Outlook& fleet) const {
    return fleet.p_in_time >= query_.confidence - 1e-3;
  }
  // P(the deadline is met), 1 without one, by the hours of a job.
  [[nodiscard]] double chance_in_time(const Outlook& outlook) const;
  // The bill when it takes so many hours, in the query's currency, infinite beyond what money
  // counts; all are borrowed.
  [[nodiscard]] std::function<double(double)> bill_of(const Candidate& candidate,
                                                      const Outlook& outlook,
                                                      const Offer& offer) const;
  // P(the budget is kept), 1 without one.
  [[nodiscard]] double chance_affordable(const Candidate& candidate,
                                         const Outlook& outlook,
                                         const Offer& offer) const;
  [[nodiscard]] const BillingRule& rule_of(const Offer& offer) const;

  // Why it does not satisfy; "" when it does.
  [[nodiscard]] std::string shortfall(const Candidate& candidate,
                                      const Outlook& outlook,
                                      const Standing& standing,
                                      const Offer& offer) const;

  // What its cost rests on, for draws together with others'.
  [[nodiscard]] UncertainCost uncertain(const Candidate& candidate,
                                        const Outlook& outlook,
                                        const Standing& standing,
                                        const Offer& offer) const;

  // All of it, the bill line by line included.
  [[nodiscard]] Option option(const Candidate& candidate,
                              const Outlook& outlook,
                              const Standing& standing,
                              const Offer& offer) const;

  // The candidate at its own offer.
  [[nodiscard]] std::optional<Judged> judge(const Candidate& candidate, Refusal& refusal);

 private:
  [[nodiscard]] double miss_of(const Candidate& candidate,
                               const Outlook& outlook,
                               const Offer& offer) const;
  // By the network's steps as measured on a CPU, or else by the law for such a CPU.
  struct Basis {
    Predictor predictor;
    Source weakest = Source::fitted;
    std::string cpu_law;  // empty where it was measured
  };
  const Basis* basis_for(const Candidate& candidate, Refusal& refusal);
  // That of one of its minibatches.
  const Basis* basis_of(const Candidate& candidate, const Setting& minibatch, Refusal& refusal);
  [[nodiscard]] Basis measured_basis(const Candidate& candidate) const;
  [[nodiscard]] std::optional<Basis> lawful_basis(const Candidate& candidate,
                                                  const CpuKind& cpu) const;
  // On a disk that starts with credits for more requests than it earns, the average of the job.
  [[nodiscard]] Prediction foreseen(const Basis& basis, const Candidate& candidate) const;
  [[nodiscard]] static std::chrono::seconds billable(double hours);
  // As the offer's bill has them, in its currency.
  [[nodiscard]] BillTerms terms_of(const Offer& offer) const;
  [[nodiscard]] double cost_of(const Candidate& candidate,
                               const Offer& offer,
                               const BillingRule& rule,
                               double hours,
                               int nodes) const;
  [[nodiscard]] double typical_cost(const Candidate& candidate,
                                    const Outlook& outlook,
                                    const Offer& offer,
                                    const BillingRule& rule,
                                    const Standing& standing) const;
  // The hours of a job; false with the reason when it would take more than ten years.
  bool foresee_job(const Candidate& candidate, Outlook& outlook, Refusal& refusal) const;
  // How many of the machine a service takes; false with the reason when no number of them answers
  // in time, or without one when that is more than `most`.
  bool foresee_service(const Candidate& candidate, int most, Outlook& outlook, Refusal& refusal);
  [[nodiscard]] std::optional<Server> server_of(const Candidate& candidate,
                                                const Prediction& largest,
                                                Refusal& refusal);
  // Of one replica; `largest` is what the largest minibatch does. nullopt with the reason.
  [[nodiscard]] std::optional<MinibatchTime> minibatch_time(const Candidate& candidate,
                                                            const Prediction& largest,
                                                            Refusal& refusal);
  [[nodiscard]] std::string shortfall_of_service(const Outlook& outlook,
                                                 const Standing& standing) const;
  // The same of a language model that writes tokens (judge_tokens.cpp).
  [[nodiscard]] std::optional<Outlook> token_outlook(const Candidate& candidate,
                                                     Refusal& refusal) const;
  // Of as many as the candidate's as it takes.
  [[nodiscard]] const TokenFleet& token_fleet(const Candidate& candidate) const;
  [[nodiscard]] Standing token_standing(const Outlook& outlook, double cost) const;
  void fill_tokens(const Candidate& candidate,
                   const Outlook& outlook,
                   const Offer& offer,
                   Option& option) const;
  // What the search for the best left out of its fleet.
  void fill_service(const Outlook& outlook, const Standing& standing, Option& option) const;
  // Low and high cost, and hours, of the 90 % interval.
  void fill_estimates(const Candidate& candidate,
                      const Outlook& outlook,
                      const Standing& standing,
                      const Offer& offer,
                      Option& option) const;

  const Query& query_;
  const Evidence& evidence_;
  double deviations_;  // at the wanted confidence
  StoredDataPrices stored_data_;
  BillTerms terms_;  // but for the data
  mutable CpuFacts cpu_facts_;
  // On a GPU, by batch, and by the processes of the job's own loader.
  std::map<std::tuple<bool, int, Precision, int>, Basis> measured_;
  // Machines that differ in what a service does not feel are one server, worked out once.
  struct Fleet {
    std::optional<ServerFleet> of;
    bool rated = false;  // or its number alone
    int too_few = 0;     // it takes more
  };
  std::map<Server, Fleet> fleets_;
  // Likewise of one that writes tokens, by its GPUs and how they share the network.
  struct TokenMachine {
    std::string gpu;
    int replicas = 0;
    int gpus_each = 0;
    AttentionSharing attention = AttentionSharing::by_heads;
    double memory_bytes = 0;  // of one GPU
    double bytes_per_s = 0;   // which a supposed speed scales
    auto operator<=>(const TokenMachine&) const = default;
  };
  mutable std::map<TokenMachine, TokenFleet> token_fleets_;
  // By batch, vCPUs, their speed, and what is known of the CPU.
  std::map<std::tuple<int, double, double, std::string>, std::optional<Basis>> lawful_;
};

}  // namespace rightsize
