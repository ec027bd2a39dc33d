// Which of many candidates a language model that writes tokens takes, asked again and again with
// one number supposed otherwise (sensitivity.cpp, comparison.cpp). How many replicas are enough is
// kept from one question to the next: it hangs on the load and the limits, not on the price, and
// machines of one kind of GPU share it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "advisor/candidate/candidate.h"
#include "advisor/judge/best_of_field.h"
#include "advisor/judge/judge.h"
#include "advisor/search.h"
#include "advisor/suppose/supposal.h"

namespace rightsize {

class TokenField {
 public:
  // All borrowed; `query` has tokens, and so has every candidate.
  TokenField(const Query& query, const Evidence& evidence, const std::vector<Candidate>& field);

  // full_name() of the one that search() would take of the field, "" where none satisfies.
  // `query` differs from the constructor's in its load and limits only.
  [[nodiscard]] std::string chosen(const Query& query, const Supposal& supposal);
  // Its place in the field; nullopt where none satisfies.
  [[nodiscard]] std::optional<std::size_t> best_of(const Query& query, const Supposal& supposal);

 private:
  // Whatever of a replica decides how many are enough.
  using Replica =
      std::tuple<double, double, double, double, double, double, int, int, double, double>;
  using Load = std::tuple<double, double, double>;  // and the two limits
  using LoadOf = std::tuple<Replica, Load>;
  struct Question;

  void consider(std::size_t index, const Question& question, BestOfField& best);
  [[nodiscard]] static Replica replica_of(const TokenServer& server);
  [[nodiscard]] static LoadOf load_of(const TokenService& service, const TokenServer& server);
  // Of 99 of 100 sequences that come now and then.
  [[nodiscard]] double alone_s(const TokenService& service, const TokenServer& server);
  [[nodiscard]] const TokenPoint& point_of(const TokenService& service,
                                           const TokenServer& server,
                                           int machines);
  // Enough with so much bad luck; 0: no number is, or none up to `most`.
  [[nodiscard]] int machines(const TokenService& service,
                             const TokenServer& server,
                             double deviations,
                             int most);
  [[nodiscard]] int replicas_enough(const TokenService& service,
                                    const TokenServer& server,
                                    double deviations,
                                    int most);
  // As many as are given, or as it takes, and the chance that they are enough; 0: none is, or more
  // than `most`.
  struct Fleet {
    int machines = 0;
    double p_enough = 0;
  };
  [[nodiscard]] Fleet fleet_of(const Query& query, const TokenServer& server, int most);

  const Evidence& evidence_;
  const std::vector<Candidate>& field_;
  struct Needed {
    int replicas = 0;
    int too_few = 0;  // more are needed, where their number is not known
  };
  std::map<std::pair<LoadOf, double>, Needed> replicas_needed_;
  // Of so many that take so many times as long, by their load: limits ask for the same again.
  std::map<std::tuple<Replica, double, double, int>, DecodeTail> tails_;
  std::map<std::pair<LoadOf, int>, double> chances_;               // of so many replicas
  std::map<std::tuple<Replica, int, double>, TokenPoint> points_;  // of so many, by their load
  std::vector<std::size_t> order_;  // of being asked: the likely best first
};

}  // namespace rightsize
