// An answer that was saved, by the name of its file.
#pragma once

#include <string>

#include "advisor/recommendation.h"

namespace rightsize::report {

struct NamedAnswer {
  std::string name;  // of the file it came from
  Recommendation answer;

  // The job's own where it has one: without it a job goes by its file.
  [[nodiscard]] const std::string& job() const {
    return answer.query.name.ends_with(".toml") ? name : answer.query.name;
  }
};

}  // namespace rightsize::report
