// Which of many candidates a service takes, asked again and again with one number supposed
// otherwise (sensitivity.cpp). What a supposition leaves as it was is kept from one question to the
// next: how long minibatches take, and how many machines a load takes.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "advisor/candidate/candidate.h"
#include "advisor/judge/best_of_field.h"
#include "advisor/judge/judge.h"
#include "advisor/search.h"
#include "advisor/suppose/supposal.h"

namespace rightsize {

class ServiceField {
 public:
  // All borrowed; `query` has a service. Of equals the first in `field` is taken.
  ServiceField(const Query& query, const Evidence& evidence, const std::vector<Candidate>& field);

  // full_name() of the one that search() would take of the field, "" where none satisfies.
  // `query` differs from the constructor's in its service's load and latency only.
  [[nodiscard]] std::string chosen(const Query& query, const Supposal& supposal);

 private:
  // Of one server, as far as it was asked for.
  struct Fleet {
    std::optional<ServerFleet> of;
    bool rated = false;  // or its number alone
    int too_few = 0;     // it takes more
  };
  using Fleets = std::map<std::pair<double, double>, Fleet>;  // by requests/s and latency
  struct Known {
    bool asked = false;
    std::optional<Server> server;
    double most_per_s = 0;     // that one machine can do, limits aside
    Fleets* fleets = nullptr;  // of all candidates that have such a server
  };
  struct Question;

  Known& known(std::size_t index);
  void consider(std::size_t index, const Question& question, BestOfField& best);
  static void weigh(std::size_t index,
                    const Question& question,
                    const Candidate& candidate,
                    const ServerFleet& fleet,
                    BestOfField& best);
  [[nodiscard]] static double most_worth(const Question& question,
                                         const BestOfField& best,
                                         const Candidate& candidate);
  // With what is known of it: of looser limits, if not of its own.
  static Fleet& fleet_within(Fleets& fleets, const Service& service);
  // As many as the confidence takes; nullptr where those are none, or more than `most`.
  [[nodiscard]] static ServerFleet* fleet_of(const Question& question,
                                             const Server& server,
                                             double most,
                                             Fleet& known);

  const Query& query_;
  const Evidence& evidence_;
  const std::vector<Candidate>& field_;
  Judge judge_;
  std::vector<Known> known_;
  std::map<Server, Fleets> fleets_;   // most machines are sold in many ways
  std::map<Server, Fleet> supposed_;  // of those that this question makes faster
  // As they are asked: the likely best first, so that most others need not be sized.
  std::vector<std::size_t> order_;
};

}  // namespace rightsize
