#include "profiler/campaign/completion.h"

#include <exception>
#include <filesystem>

#include <fmt/format.h>

#include "kernels/onnx/onnx.h"
#include "profiler/campaign/combinations.h"
#include "profiler/campaign/serving.h"
#include "profiler/command/named_files.h"

namespace rightsize {

namespace fs = std::filesystem;

void Completion::operator()(const toml::table& run, Cell& cell) const {
  const auto folder = fs::path(path).parent_path().string();
  auto& work = cell.spec.workload;
  auto contradiction = complete_serving(cell, folder);
  contradiction = contradiction ? contradiction : contradiction_in(cell.spec);
  const auto* axes = run["axes"].as_table();
  if (run.contains("command") &&
      (run.contains("network") || (axes != nullptr && axes->contains("network")))) {
    contradiction = "network: a program after command brings its own work; expected one of them";
  }
  if (contradiction) {
    errors.fail_at(run.source(), *contradiction);
  }
  if (!cell.spec.command.empty()) {
    of_command(run, cell.spec);
    return;
  }
  work.network = rooted_network(
      options.network_meant ? options.network_meant(work.network) : work.network, folder);
  if (options.check_network && work.phase != Phase::preprocess) {
    try {
      options.check_network(work);
    } catch (const std::exception& unknown) {
      errors.fail_at(run.source(), unknown.what());
    }
  }
  of_data(run, cell.spec);
}

// The user's own program: the data, where named, are what is dropped from the page cache and whose
// disk is limited. Only the program knows how to read them, and how much of them: no items here.
void Completion::of_command(const toml::table& run, RunSpec& spec) const {
  auto& work = spec.workload;
  if (!find_program(spec.command.words[0])) {
    errors.fail_at(run.source(),
                   fmt::format("command = {}: there is no such program that may be executed",
                               spec.command.words[0]));
  }
  spec.command.files = named_files(spec.command.words);
  work.network = short_name(spec.command);
  work.batch = spec.command.items_per_step;
  work.data = DataFormat::synthetic;
  if (!work.data_path.empty()) {
    work.data_path = rooted(work.data_path);
  }
}

void Completion::of_data(const toml::table& run, RunSpec& spec) const {
  auto& work = spec.workload;
  if (work.data == DataFormat::synthetic) {
    work.data_path.clear();
    return;
  }
  if (work.data_path.empty()) {
    errors.fail_at(
        run.source(),
        fmt::format("data = \"{}\": expected data_path beside it, saw none", to_string(work.data)));
  }
  work.data_path = rooted(work.data_path);
  const auto identity = options.identify(work.data, work.data_path);
  spec.dataset_items = identity.items;
  spec.dataset_bytes = identity.bytes;
}

std::string Completion::rooted(const std::string& data_path) const {
  if (!fs::path(data_path).is_relative()) {
    return data_path;
  }
  const auto root =
      options.data_root.empty() ? fs::path(path).parent_path() : fs::path(options.data_root);
  return (root / data_path).lexically_normal().string();
}

}  // namespace rightsize
