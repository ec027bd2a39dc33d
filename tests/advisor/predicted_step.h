// What `predict` says of a network that trains on data that is made, on a machine that is
// described.
#pragma once

#include <fstream>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "support/program.h"
#include "support/temporary_folder.h"

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

// The same of a job file, whose [job] has these lines beside its epochs, and of a batch file with
// one row.
inline boost::json::value predicted_job(const std::string& lines, const std::string& machine) {
  const TemporaryFolder folder;
  std::ofstream(folder / "job.toml")
      << "[job]\n"
      << lines << "epochs = 1\n[data]\nitems = 1000\nbytes = \"1MB\"\n";
  const auto result = run_without_model(
      {"predict", folder / "job.toml", "--data", "synthetic", "--machine", machine, "-o", "json"});
  CAPTURE(result.err);
  REQUIRE(result.code == cli::exit_ok);
  return boost::json::parse(result.out);
}

inline double rate_of_row(const std::string& headings, const std::string& cells) {
  const TemporaryFolder folder;
  std::ofstream(folder / "rows.csv") << headings << "\n" << cells << "\n";
  const auto result =
      run_without_model({"predict", "--batch-file", folder / "rows.csv", "-o", "jsonl"});
  CAPTURE(result.out);
  REQUIRE(result.code == cli::exit_ok);
  return boost::json::parse(result.out).at("throughput").to_number<double>();
}

inline double rate(const boost::json::value& document) {
  return document.at("throughput").at("value").as_double();
}

// Of each GPU's memory.
inline double gib(const boost::json::value& document) {
  return document.at("gpu_memory_needed_gib").as_double();
}

}  // namespace rightsize::test
