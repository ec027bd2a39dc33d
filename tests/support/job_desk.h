// A folder with a model and a job, which commands are asked about as their user would.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "support/program.h"
#include "support/program_model.h"
#include "support/temporary_folder.h"

namespace rightsize::test {

class JobDesk {
 public:
  // `job` is the text of the job file.
  JobDesk(const std::string& job, const Model& model)
      : model_(write_model(folder_, model)), job_(folder_.write("job.toml", job)) {}

  // The first word is the command; the job comes behind it.
  [[nodiscard]] Result ask(std::vector<std::string> words) const {
    words.insert(words.begin() + 1, job_);
    words.insert(words.end(), {"--model", model_});
    return run(words);
  }
  // As JSON, of what has an answer.
  [[nodiscard]] boost::json::value told(std::vector<std::string> words) const {
    words.insert(words.end(), {"-o", "json"});
    const auto said = ask(std::move(words));
    REQUIRE_MESSAGE(said.code == cli::exit_ok, said.err);
    return boost::json::parse(said.out);
  }
  // What is said of a question that is a mistake.
  [[nodiscard]] std::string refused(std::vector<std::string> words) const {
    const auto said = ask(std::move(words));
    CHECK(said.code == cli::exit_usage);
    return said.err;
  }

 private:
  TemporaryFolder folder_;
  std::string model_;
  std::string job_;
};

}  // namespace rightsize::test
