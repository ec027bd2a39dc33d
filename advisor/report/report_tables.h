// The tables that only a report has, as values: HTML and Markdown render the same ones.
#pragma once

#include <string>
#include <vector>

#include "advisor/report/report_data.h"
#include "advisor/report/table.h"

namespace rightsize::report {

// What the numbers rest on: prices as of, market, month, confidence, machine, version.
[[nodiscard]] Table premises_table(const ReportData& data);

// The chosen one beside what somebody will ask about: the fastest, the best of another provider,
// the best with another GPU. Empty when nothing was chosen.
[[nodiscard]] Table alternatives_table(const Recommendation& answer);

// Every line of the itemised bill and its total.
[[nodiscard]] Table bill_table(const Bill& bill);

// Everything known of one option: shape, estimates with intervals, and where each figure is from.
[[nodiscard]] Table facts_table(const Option& option, const Query& query);

[[nodiscard]] Table rejection_table(const Recommendation& answer);

// Busy shares in numbers, of the first `limit` options.
[[nodiscard]] Table busy_table(const Recommendation& answer, std::size_t limit);

// The measured points of the throughput chart.
[[nodiscard]] Table sweep_table(const std::vector<Record>& records);

// Peaks and means of the timelines that are drawn.
[[nodiscard]] Table timeline_table(const std::vector<const Record*>& runs);

// "of 1,281,167 images, 90 epochs, ... : 34 offers satisfy, 1,928 were rejected".
[[nodiscard]] std::string scope_sentence(const Recommendation& answer);

}  // namespace rightsize::report
