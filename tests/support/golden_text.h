// The texts of tests/golden, which RIGHTSIZE_UPDATE_GOLDEN=1 makes anew.
#pragma once

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace rightsize::test {

// One of them by its name, first made anew from `now` where that is asked for.
inline std::string golden(const std::string& name, const std::string& now) {
  const auto path = std::string(RIGHTSIZE_SOURCE_DIR) + "/tests/golden/" + name;
  if (const char* update = std::getenv("RIGHTSIZE_UPDATE_GOLDEN"); update && *update == '1') {
    std::ofstream(path) << now;
  }
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace rightsize::test
