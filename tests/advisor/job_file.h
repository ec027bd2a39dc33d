// A job file written for a test, and what is wrong with it.
#pragma once

#include <fstream>
#include <string>

#include "advisor/query/query.h"
#include "support/temporary_folder.h"

namespace rightsize::test {

class JobFile {
 public:
  // With a [job] of defaults behind a text that has none.
  explicit JobFile(const std::string& text) : path_(folder_ / "job.toml") {
    std::ofstream(path_) << text << (text.find("[job") == std::string::npos ? "\n[job]\n" : "");
  }
  [[nodiscard]] Query load() const { return load_query(path_); }
  // Behind the file's name: ":2:1: unknown key ...".
  [[nodiscard]] std::string error() const {
    try {
      static_cast<void>(load());
    } catch (const UsageError& what) {
      const std::string message = what.what();
      return message.substr(message.find("job.toml") + 8);
    }
    return "no error";
  }

 private:
  TemporaryFolder folder_;
  std::string path_;
};

// The least [data] that a job has.
inline const std::string least_data = "[data]\nitems = 1000\nbytes = \"110MB\"\n";

}  // namespace rightsize::test
