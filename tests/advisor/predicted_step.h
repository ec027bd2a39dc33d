// What `predict` says of a network that trains on data that is made, on a machine that is
// described.
#pragma once

#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "support/program.h"

namespace rightsize::test {

using Words = std::vector<std::string>;

inline Result predict_step(const std::string& network,
                           const std::string& machine,
                           const Words& more,
                           const std::string& sequence = "2048") {
  Words words{"predict",
              "--network",
              network,
              "--machine",
              machine,
              "--data",
              "synthetic",
              "--sequence",
              sequence};
  words.insert(words.end(), more.begin(), more.end());
  return run_without_model(words);
}

// As a document; it is an answer.
inline boost::json::value predicted_step(const std::string& network,
                                         const std::string& machine,
                                         Words more,
                                         const std::string& sequence = "2048") {
  more.insert(more.end(), {"-o", "json"});
  const auto result = predict_step(network, machine, more, sequence);
  CAPTURE(result.out);
  CAPTURE(result.err);
  REQUIRE(result.code == cli::exit_ok);
  return boost::json::parse(result.out);
}

inline double rate(const boost::json::value& document) {
  return document.at("throughput").at("value").as_double();
}

// Of each GPU's memory.
inline double gib(const boost::json::value& document) {
  return document.at("gpu_memory_needed_gib").as_double();
}

}  // namespace rightsize::test
