// The entries of examples/founding, asked in-process as their READMEs ask them.
#pragma once

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "pricing/import/csv.h"
#include "support/program.h"

namespace rightsize::test {

inline std::string founding(const std::string& file) {
  return std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/founding/" + file;
}

using Row = std::map<std::string, std::string>;

// The rows of a batch file with the columns that predict adds.
inline std::vector<Row> predicted(const std::string& file) {
  const auto result = run_without_model({"predict", "--batch-file", founding(file)});
  CAPTURE(result.err);
  REQUIRE(result.code == cli::exit_ok);
  const auto table = parse_csv(result.out, file);
  std::vector<Row> rows;
  for (const auto& line : table.rows) {
    Row row;
    for (std::size_t i = 0; i < table.header.size(); ++i) {
      row[table.header[i]] = line.fields[i];
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

// The one row that has all of `wanted`.
inline Row the(const std::vector<Row>& rows, const Row& wanted) {
  std::vector<Row> found;
  for (const auto& row : rows) {
    bool same = true;
    for (const auto& [column, value] : wanted) {
      same = same && row.at(column) == value;
    }
    if (same) {
      found.push_back(row);
    }
  }
  REQUIRE(found.size() == 1);
  return found.front();
}

inline double rate(const std::vector<Row>& rows, const Row& wanted) {
  const auto row = the(rows, wanted);
  CAPTURE(row.at("reason"));
  REQUIRE(row.at("status") == "ok");
  return std::atof(row.at("throughput").c_str());
}

// A command that answers with -o json.
inline boost::json::value answer_of(std::vector<std::string> words) {
  words.insert(words.end(), {"-o", "json"});
  const auto result = run_without_model(words);
  CAPTURE(result.err);
  REQUIRE(result.code == cli::exit_ok);
  return boost::json::parse(result.out);
}

// The least amount that size names: of "vcpus", "disk" (MB/s) or "memory" (GiB).
inline double need(const boost::json::value& sizing, const char* resource) {
  return sizing.at("needs").at(resource).at("least").at("value").to_number<double>();
}

// Items per second of an answer of predict.
inline double throughput(const boost::json::value& estimate) {
  return estimate.at("throughput").at("value").to_number<double>();
}

}  // namespace rightsize::test
