// Questions to commands, and their answers as JSON: to compare what several say of one job.
#pragma once

#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "support/program.h"

namespace rightsize::test {

inline const std::string examples = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/";
inline const std::string demo_job = examples + "demo/job.toml";

// The shipped model is everybody's: nothing was fitted in this home.
inline boost::json::value answer(std::vector<std::string> arguments, const std::string& model) {
  arguments.insert(arguments.end(), {"--model", model, "-o", "json"});
  const auto result = run(arguments);
  CAPTURE(result.err);
  REQUIRE(result.code == cli::exit_ok);
  return boost::json::parse(result.out);
}

inline double value_of(const boost::json::value& estimate) {
  return estimate.at("value").to_number<double>();
}

}  // namespace rightsize::test
