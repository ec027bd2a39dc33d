// The committed records of real runs (examples/measurements/).
#pragma once

#include <fstream>
#include <string>
#include <vector>

#include <boost/json.hpp>

#include "profiler/record.h"

namespace rightsize::test {

inline std::vector<Record> measured_records(const std::string& file) {
  std::ifstream in(RIGHTSIZE_SOURCE_DIR "/examples/measurements/" + file);
  std::vector<Record> records;
  for (std::string line; std::getline(in, line);) {
    records.push_back(record_from_json(boost::json::parse(line).as_object()));
  }
  return records;
}

}  // namespace rightsize::test
