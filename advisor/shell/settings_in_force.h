// What a session's question is made of, and who said so: the job file, the session, or nobody.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "advisor/query/query.h"

namespace rightsize::shell {

struct SettingInForce {
  std::string key;     // as `set` takes it
  std::string value;   // likewise
  std::string source;  // "set here", the job file's name, "default"
};

// "constraints.deadline", "job.batch_per_gpu": all that a job file says, the defaults too that it
// repeats. Throws UsageError.
[[nodiscard]] std::set<std::string> keys_stated(const std::string& job_file);

// `asked` is the question of the file `query.file` under the settings `set`, `written` that of the
// file alone, which says the keys `stated`. Settings that nobody gave a value are left out; those
// of `set` never.
[[nodiscard]] std::vector<SettingInForce> settings_in_force(
    const Query& asked,
    const Query& written,
    const std::set<std::string>& stated,
    const std::map<std::string, std::vector<std::string>>& set);

}  // namespace rightsize::shell
