// fio as the peer of our own disk benchmarks.
#pragma once

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <boost/json.hpp>

namespace rightsize {

inline bool has_fio() {
  return std::system("fio --version > /dev/null 2>&1") == 0;
}

// Bytes per second of the one job that `options` describe; `direction` is "read" or "write". 0 when
// fio fails.
inline double fio_bytes_per_s(const std::string& options, const char* direction) {
  const auto line = "fio --name=peer --output-format=json " + options;
  FILE* pipe = popen(line.c_str(), "r");
  if (pipe == nullptr) {
    return 0;
  }
  std::string text;
  std::array<char, 4096> chunk{};
  for (std::size_t count = 0; (count = fread(chunk.data(), 1, chunk.size(), pipe)) > 0;) {
    text.append(chunk.data(), count);
  }
  if (pclose(pipe) != 0) {
    return 0;
  }
  const auto job = boost::json::parse(text).at("jobs").at(0);
  return job.at(direction).at("bw_bytes").to_number<double>();
}

}  // namespace rightsize
