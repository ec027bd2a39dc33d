#include "advisor/query/today_words.h"

#include <string>

namespace rightsize {

bool is_runs_per_month(double runs) {
  return runs >= 0.01 && runs <= 1e6;
}

void read_today(TomlFields job, Query& query) {
  if (const auto runs = job.number("runs_per_month")) {
    if (query.serves()) {
      job.fail("runs_per_month", std::string(no_runs_of_service));
    }
    if (!is_runs_per_month(*runs)) {
      job.fail("runs_per_month", "runs a month " + std::string(runs_per_month_grammar));
    }
    query.runs_per_month = *runs;
  }
  if (const auto current = job.text("current", "a machine in quotes such as \"g5.xlarge\"")) {
    if (current->find_first_not_of(" \t") == std::string::npos) {
      job.fail("current", "a machine such as \"g5.xlarge\", or \"4 x g5.xlarge\" of a service");
    }
    query.current = *current;
    query.current_said_by = job.place("current");
  }
}

}  // namespace rightsize
