// A Recommendation rendered: the answer first, then the table, why, what was rejected, what next.
#pragma once

#include <string>

#include "advisor/recommendation.h"
#include "advisor/report/style.h"
#include "advisor/report/table.h"

namespace rightsize::report {

// "Take g6e.4xlarge ...": one sentence, or why there is none.
[[nodiscard]] std::string answer_sentence(const Recommendation& answer);

// The options, the chosen one marked; `limit` rows, 0 = all. `wide` adds disk, batch and sources.
[[nodiscard]] Table option_table(const Recommendation& answer, std::size_t limit, bool wide);

// That of the query's kind: option_table() of a job, service_table() of a service.
[[nodiscard]] Table shown_table(const Recommendation& answer, std::size_t limit, bool wide);

// The same rows, each with the number that stands for it in the shell.
[[nodiscard]] Table numbered_option_table(const Recommendation& answer, std::size_t limit);

// The same options with plain numbers, one unit per column, for CSV.
[[nodiscard]] Table option_data(const Recommendation& answer);

// The job with the flags that it was asked about, as words for a shell: what follows "rightsize
// advise" and "rightsize report" in the commands that are proposed next.
struct AskedAgain {
  std::string advise;
  std::string report;
};

[[nodiscard]] std::string answer_text(const Recommendation& answer,
                                      const Style& style,
                                      std::size_t limit,
                                      bool wide,
                                      const AskedAgain& again);
[[nodiscard]] std::string answer_markdown(const Recommendation& answer, std::size_t limit);

}  // namespace rightsize::report
