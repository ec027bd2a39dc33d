// What advise says to ask instead where nothing satisfies, and asking that.
#pragma once

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "support/program.h"
#include "support/temporary_folder.h"

namespace rightsize::test {

inline const std::string examples = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/";

struct Asked {
  int code = 0;
  std::string warnings;  // a line each
};

inline Asked advise(const std::string& job,
                    std::vector<std::string> flags,
                    const std::string& model) {
  flags.insert(flags.begin(), {"advise", job});
  flags.insert(flags.end(), {"--model", model, "-o", "json"});
  const auto result = run(flags);
  CAPTURE(result.err);
  REQUIRE(result.code != cli::exit_usage);
  std::string warnings;
  const auto answer = boost::json::parse(result.out);
  for (const auto& warning : answer.at("warnings").as_array()) {
    warnings += std::string(warning.as_string()) + "\n";
  }
  return {result.code, warnings};
}

// What the expression's first group found, "" where it is not there.
inline std::string found(const std::string& text, const std::string& expression) {
  std::smatch match;
  return std::regex_search(text, match, std::regex(expression)) ? match[1].str() : "";
}

// The same, each time it is found.
inline std::vector<std::string> all_found(const std::string& text, const std::string& expression) {
  const std::regex pattern(expression);
  return {std::sregex_token_iterator(text.begin(), text.end(), pattern, 1),
          std::sregex_token_iterator()};
}

inline std::vector<std::string> with(std::vector<std::string> flags, const std::string& more) {
  const std::regex space(" ");
  std::copy(std::sregex_token_iterator(more.begin(), more.end(), space, -1),
            std::sregex_token_iterator(),
            std::back_inserter(flags));
  return flags;
}

inline std::string job_of(const TemporaryFolder& folder, const std::string& fields) {
  auto path = folder / "job.toml";
  std::ofstream(path) << "[job]\n" << fields << "[data]\nitems = 1000\nformat = \"synthetic\"\n";
  return path;
}

}  // namespace rightsize::test
