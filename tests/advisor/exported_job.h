// A job to export, and the parsers of those who will read it.
#pragma once

#include <cstdlib>
#include <fstream>
#include <string>

#include <fmt/format.h>

#include "advisor/export/exporter.h"
#include "support/temporary_folder.h"

namespace rightsize::test {

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// An option and its question without a search.
inline Recommendation answer_named(const std::string& name) {
  Recommendation answer;
  answer.query.name = name;
  answer.query.file = "job.toml";
  answer.query.items = 1000;
  Option option;
  option.provider = "aws";
  option.instance = "g5.xlarge";
  option.region = "us-east-1";
  option.gpu = "A10G";
  option.gpus = 1;
  option.vcpus = 4;
  option.memory_gib = 16;
  option.disk = "gp3 151 GiB";
  option.disk_class = "gp3";
  option.disk_gib = 151;
  option.disk_bytes_per_s = 125e6;
  option.batch_per_gpu = 128;
  option.hours = {10, 8, 25.51, 0.9, "h", Source::scaled};
  option.cost = {10.06, 8.05, 25.66, 0.9, "USD", Source::scaled};
  option.satisfies = true;
  option.price_per_hour = Money::parse("1.006", "USD");
  option.price_as_of = "2026-01-02";
  answer.options = {option};
  answer.chosen = option;
  return answer;
}

inline bool python_has(const char* module) {
  return std::system(fmt::format("/usr/bin/python3 -c 'import {}' 2>/dev/null", module).c_str()) ==
         0;
}

// Reads `text` with `reader` into `it` and runs `asserts` on it; true when Python agrees.
inline bool python_agrees(const std::string& reader,
                          const std::string& text,
                          const std::string& asserts) {
  const TemporaryFolder folder;
  std::ofstream(folder / "file") << text;
  std::ofstream(folder / "check.py") << "import sys, json\n"
                                     << "text = open(sys.argv[1]).read()\n"
                                     << reader << "\n"
                                     << asserts;
  return std::system(
             fmt::format("/usr/bin/python3 {} {}", folder / "check.py", folder / "file").c_str()) ==
         0;
}

inline const std::string yaml_reader = "import yaml; it = yaml.safe_load(text)";

}  // namespace rightsize::test
