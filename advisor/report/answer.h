// A Recommendation rendered: the answer first, then the table, why, what was rejected, what next.
#pragma once

#include <string>
#include <vector>

#include "advisor/recommendation.h"
#include "advisor/report/answer_tables.h"
#include "advisor/report/style.h"

namespace rightsize::report {

// "Take g6e.4xlarge ...": one sentence, or why there is none.
[[nodiscard]] std::string answer_sentence(const Recommendation& answer);

// Whoever had better stay on the machine of today is not told to take the first of the table.
[[nodiscard]] bool stays(const Recommendation& answer);

// What every form of the answer leads with: "Stay on ...", else the sentence above.
[[nodiscard]] std::string headline(const Recommendation& answer);

// What follows it about the machine of today, a line each; none without answer.current.
[[nodiscard]] std::vector<std::string> current_lines(const Recommendation& answer);

// "Rejected 19 offers: ...", each reason with how many; empty where none was rejected.
[[nodiscard]] std::string rejected_line(const Recommendation& answer);

// `again` is the job with the flags that it was asked about, as words for a shell: what follows
// "rightsize advise" and "rightsize report" in the commands that are proposed next.
[[nodiscard]] std::string answer_text(const Recommendation& answer,
                                      const Style& style,
                                      std::size_t limit,
                                      bool wide,
                                      const std::string& again);
[[nodiscard]] std::string answer_markdown(const Recommendation& answer, std::size_t limit);

}  // namespace rightsize::report
