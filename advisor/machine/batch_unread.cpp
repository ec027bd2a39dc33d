#include "advisor/machine/batch_unread.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "advisor/query/job_keys.h"
#include "models/laws/spelling.h"

namespace rightsize {

std::string ask_instead_of(std::string_view column) {
  // What tells how much there is to do, or what somebody measured there: no rate depends on it.
  static constexpr std::array<std::string_view, 7> told{
      "epochs", "at", "items", "p99", "first_token", "token", "burst"};
  const auto said = bare(column);
  if (said == "globalbatch") {
    return "say batch, of each GPU, and accumulate";
  }
  for (const auto& key : job_keys()) {
    const bool of_work = key.table == "job" || key.table == "data" || key.table == "service";
    const bool is_told = std::find(told.begin(), told.end(), key.key) != told.end();
    if (of_work && !is_told && bare(key.key) == said) {
      return fmt::format("ask for it in a job file, under [{}]{}",
                         key.table,
                         key.with.empty() ? "" : fmt::format(", with {}", key.with));
    }
  }
  return "";
}

}  // namespace rightsize
