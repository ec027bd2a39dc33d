// What a run still lacks once its fields are read: the rules across fields, where its data lie and
// what they are, whether its network or program is known.
#pragma once

#include <string>

#include "profiler/campaign/fields.h"
#include "profiler/campaign/plan.h"
#include "profiler/campaign/toml_errors.h"

namespace rightsize {

// All three outlive it; `path` is the campaign file's.
struct Completion {
  const std::string& path;
  const PlanOptions& options;
  const TomlErrors& errors;

  // Throws PlanError at the place of `run`.
  void operator()(const toml::table& run, Cell& cell) const;

 private:
  void of_command(const toml::table& run, RunSpec& spec) const;
  void of_data(const toml::table& run, RunSpec& spec) const;
  [[nodiscard]] std::string rooted(const std::string& data_path) const;
};

}  // namespace rightsize
