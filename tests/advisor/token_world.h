// The example jobs of language models that write tokens, and what the program answers to them.
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "support/program.h"
#include "support/temporary_folder.h"

namespace rightsize::test {

inline const std::string small_llm = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/llm/serve.toml";
inline const std::string large_llm =
    std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/llm/serve-70b.toml";

inline boost::json::value answer_of(std::vector<std::string> arguments, const std::string& model) {
  arguments.insert(arguments.end(), {"--model", model, "-o", "json"});
  const auto result = run(arguments);
  CAPTURE(result.err);
  CAPTURE(arguments.front());
  REQUIRE(result.code == cli::exit_ok);
  return boost::json::parse(result.out);
}

inline double number(const boost::json::value& value) {
  return value.to_number<double>();
}

// An example with one line in place of another.
inline std::string changed_llm(const std::string& from,
                               const std::string& to,
                               const std::string& file = small_llm) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  auto job = text.str();
  const auto at = job.find(from);
  REQUIRE(at != std::string::npos);
  return job.replace(at, from.size(), to);
}

// The same as a file.
inline std::string changed_llm_in(const TemporaryFolder& folder,
                                  const std::string& from,
                                  const std::string& to) {
  return folder.write("job.toml", changed_llm(from, to));
}

}  // namespace rightsize::test
