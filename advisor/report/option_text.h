// The words for an option and its job that every rendering shares.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "advisor/recommendation.h"

namespace rightsize::report {

[[nodiscard]] std::string range(const Estimate& estimate);      // "3.24 … 7.89"
[[nodiscard]] std::string gpu_label(const Option& option);      // "2x L40S", "—" without one
[[nodiscard]] std::string place(const Option& option);          // "aws/us-east-1"
[[nodiscard]] std::string gpu_and_place(const Option& option);  // "A10G, aws/us-east-1"
[[nodiscard]] std::string market_text(const Option& option);    // "on-demand by the month"
// "g6e.4xlarge [Spot]", "big@EPYC 9R14": no two of one provider are called the same.
[[nodiscard]] std::string instance_label(const Option& option);
[[nodiscard]] std::string_view limited_by(const Option& option);  // "gpu compute"
[[nodiscard]] std::string busy_text(const Option& option);        // "98% busy"
[[nodiscard]] std::string job_text(const Query& query);           // "resnet50 training of ..."

// " (why)"; nothing where no reason is known, as of an option read from a file.
[[nodiscard]] std::string in_brackets(const std::string& reason);

// Whether a table of `limit` options (0: all) shows this one: what is the user's own is shown
// wherever it ranks.
[[nodiscard]] bool is_shown(const Recommendation& answer, std::size_t row, std::size_t limit);

// What marks a row of a table of options: "*" the choice, "=" what cannot be told apart from it.
[[nodiscard]] std::string row_mark(const Recommendation& answer, std::size_t row);

// Breaks at spaces so that no line is longer than `width`; later lines are indented.
[[nodiscard]] std::string wrapped(const std::string& text,
                                  std::size_t width,
                                  const std::string& indent);

}  // namespace rightsize::report
