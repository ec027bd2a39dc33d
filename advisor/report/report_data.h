// What a report shows, gathered once: the answer, the model behind it, and the runs behind that.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "advisor/recommendation.h"
#include "advisor/study/study.h"
#include "models/fit.h"
#include "models/validate.h"
#include "profiler/machine.h"
#include "profiler/record.h"

namespace rightsize::report {

struct ReportData {
  Recommendation answer;
  std::optional<Study> study;     // of the chosen option; absent when re-rendered from a file
  std::optional<Option> current;  // the machine that is used now, when it was said
  Model model;                    // the one the answer was computed with
  std::optional<FitSummary> fit;  // cross-validation run by run, when the records allow it
  Validation validation;          // the held-out runs; empty when there are none
  std::vector<Record> records;
  std::string records_note;  // where the records came from, or why there are none
  Machine machine;           // the measured one, as its latest record says
  std::string command;       // reproduces the report
};

// Fits, validates and describes; `records` may be empty. Never throws for lack of records.
[[nodiscard]] ReportData make_report_data(Recommendation answer,
                                          Model model,
                                          std::vector<Record> records,
                                          std::string records_note,
                                          std::string command);

// The answer with its `keep` best-ranked options and everything on the frontier (frontier.h): what
// a page can show of a catalog. Ties are carried along; options_total still counts all.
[[nodiscard]] Recommendation shortlisted(Recommendation answer, std::size_t keep);

// "AMD EPYC 9554, 2 of 2 cores, 16 GiB": the machine in one line.
[[nodiscard]] std::string machine_sentence(const Machine& machine);

}  // namespace rightsize::report
