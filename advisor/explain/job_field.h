// Which of many candidates a job takes, asked again and again with one number supposed otherwise
// (sensitivity.cpp). What a candidate does to the job is foreseen once; it is foreseen again only
// where its speed is supposed otherwise and it could then be the best.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "advisor/candidate/candidate.h"
#include "advisor/judge/best_of_field.h"
#include "advisor/judge/judge.h"
#include "advisor/judge/near_ties.h"
#include "advisor/search.h"
#include "advisor/suppose/supposal.h"

namespace rightsize {

class JobField {
 public:
  // All borrowed; `query` is of a job, which has an end.
  JobField(const Query& query, const Evidence& evidence, const std::vector<Candidate>& field);

  // full_name() of the one that search() would take of the field, "" where none satisfies.
  // `query` differs from the constructor's in its deadline only.
  [[nodiscard]] std::string chosen(const Query& query, const Supposal& supposal);

 private:
  // A candidate as it is.
  struct Seen {
    std::optional<Outlook> outlook;  // empty: it cannot do the job
    double undisturbed_h = 0;        // without interruptions: no less at any speed it has
    double score = 0;
  };
  struct Question;
  // One that satisfies, whose cost may be as much as the least.
  struct Near {
    std::size_t index = 0;
    NearTie tie;
  };

  void consider(std::size_t index, Question& question, BestOfField& best);
  [[nodiscard]] std::size_t first_of(std::vector<Near>& near, const BestOfField& best) const;
  // As supposed; nullopt where it cannot do the job, or not be the best.
  [[nodiscard]] std::optional<Standing> supposed_standing(std::size_t index,
                                                          Question& question,
                                                          const BestOfField& best);
  [[nodiscard]] static std::optional<Outlook> foresee(Judge& judge,
                                                      const Candidate& candidate,
                                                      double* undisturbed_h);

  const Evidence& evidence_;
  const std::vector<Candidate>& field_;
  std::vector<Seen> seen_;
  std::vector<std::size_t> order_;  // of being asked: the best as they are first
};

}  // namespace rightsize
