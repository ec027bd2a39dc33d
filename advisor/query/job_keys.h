// The keys of a job file: what each means, and which table it belongs to, for whoever wrote it into
// another.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace rightsize {

struct JobKey {
  std::string_view table;  // "job"; "" at the top of the file
  std::string_view key;
  std::string_view meaning;
  std::string_view value;      // as an example, and what is taken unless it is said
  std::string_view with = "";  // what it goes with, where it is not always read
};

// Every key that the readers of a job file know (query.cpp, query_job.cpp, query_service.cpp).
[[nodiscard]] std::span<const JobKey> job_keys();

// Of a key that the table `in` does not have: ", which belongs under [data]"; of another's name for
// one of ours, ttft: ", did you mean "first_token"?"; "" where no table has it.
[[nodiscard]] std::string where_key_belongs(std::string_view key, std::string_view in);

}  // namespace rightsize
