// The program as its user meets it: text in, text and exit code out, no process in between.
#pragma once

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <boost/json.hpp>

#include "advisor/cli/command.h"
#include "support/made_model.h"
#include "support/temporary_folder.h"

namespace rightsize::test {

struct Result {
  int code = 0;
  std::string out;
  std::string err;
};

inline Result run(const std::vector<std::string>& arguments) {
  std::ostringstream out;
  std::ostringstream err;
  cli::Context context{out, err, {}, {}, false};
  const int code = cli::run_program(context, arguments);
  return {code, out.str(), err.str()};
}

// In a home without a model.
inline Result run_without_model(const std::vector<std::string>& arguments) {
  const TemporaryFolder home;
  setenv("XDG_DATA_HOME", (home / "").c_str(), 1);
  auto result = run(arguments);
  unsetenv("XDG_DATA_HOME");
  return result;
}

// Writes the made model and names it.
class ModelFile {
 public:
  ModelFile() : path_(folder_ / "model.json") {
    std::ofstream(path_) << boost::json::serialize(to_json(made_model()));
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  TemporaryFolder folder_;
  std::string path_;
};

}  // namespace rightsize::test
