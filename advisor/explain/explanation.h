// Why an option is what it is: the tree from its cost down to each law and measurement, what was
// given and what was used instead, and what would change the answer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <boost/json/fwd.hpp>

#include "advisor/explain/break_even.h"
#include "advisor/explain/cause.h"
#include "advisor/explain/flip.h"
#include "advisor/service/service_explanation.h"
#include "advisor/suppose/appraisal.h"
#include "advisor/tokens/token_explanation.h"

namespace rightsize {

struct Substitution {
  std::string what;
  std::string given;
  std::string used;
  std::string why;
};

// What advise answers when one number moves and all else stays.
struct Sensitivity {
  std::string what;  // "price"
  std::string unit;  // "USD per hour", "h", "s", "requests/s", "sequences/s", "1" (a factor)
  std::optional<double> now;  // nullopt: no limit is set
  double low = 0;             // the range that was tried
  double high = 0;
  std::vector<Flip> flips;  // outcomes are provider/instance, "" where nothing satisfies
};

// The nearest shape with the same GPUs and more or fewer vCPUs; where tokens are written, on which
// vCPUs have no bearing, with more or fewer of the same GPU.
struct Neighbour {
  Option option;
  double price_difference = 0;  // per hour, in the option's currency
  double hours_difference = 0;  // of a job
  double p99_difference_s = 0;  // of a service
  double cost_difference = 0;
};

struct Explanation {
  Query query;
  Option option;
  std::string place;              // that the name asks in; "": in the query's
  std::string besides;            // the market that the name asks for beside the query's; ""
  std::string chosen;             // what advise takes there; "" when nothing satisfies
  bool chosen_typically = false;  // over this one by what they typically cost alone
  bool chosen_near_tie = false;   // over this one, whose cost is the lesser (judge/near_ties.h)
  Cause cost;
  std::vector<Input> spread;  // half-widths of the interval by cause, unit "1": 0.13 is 13 %
  std::vector<Substitution> substitutions;
  std::vector<Sensitivity> sensitivities;
  std::vector<Neighbour> neighbours;
  std::optional<BreakEven> break_even;  // of a machine of one's own
  std::optional<ServiceMargins> service;
  std::optional<TokenMargins> tokens;
};

// `instance` empty: the one advise takes, or the nearest miss. What its place and market make of
// the question (offer_name.h) is told among the substitutions. Throws UsageError as
// Appraiser::appraise does.
[[nodiscard]] Explanation explain(const Query& asked,
                                  const Evidence& evidence,
                                  const std::string& instance);

// The tree of one appraisal; the model's laws for its workload are looked up anew. `billing_basis`:
// of the rule it is billed by, "published" or "assumed".
[[nodiscard]] Cause cost_tree(const Query& query,
                              const Model& model,
                              const Appraisal& appraisal,
                              const std::string& billing_basis = "published");

// Flip points by search: the option's price, the deadline, its GPU's speed, everybody's decoding;
// of a service the requests and the latency in the deadline's place, of a language model that
// writes tokens the sequences and each limit, and nothing of decoding pictures.
[[nodiscard]] std::vector<Sensitivity> sensitivities(const Query& query,
                                                     const Evidence& evidence,
                                                     const Option& option);

// The larger first; none where the provider has no such shape that can do the job.
[[nodiscard]] std::vector<Neighbour> neighbours(const Query& query,
                                                const Evidence& evidence,
                                                const Option& option);

// Schema "rightsize/explanation/1".
[[nodiscard]] boost::json::object to_json(const Explanation& explanation);

}  // namespace rightsize
