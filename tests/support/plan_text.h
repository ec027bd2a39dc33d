// Reading a plan from text, and the errors it meets.
#pragma once

#include <string>

#include "profiler/campaign/plan.h"

namespace rightsize::test {

inline Plan parsed_plan(const std::string& text) {
  PlanOptions options;
  options.identify = [](DataFormat, const std::string&) { return DatasetIdentity{100, 12345}; };
  return parse_plan(text, "folder/demo.toml", options);
}

inline std::string plan_error(const std::string& text) {
  try {
    static_cast<void>(parsed_plan(text));
  } catch (const PlanError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace rightsize::test
