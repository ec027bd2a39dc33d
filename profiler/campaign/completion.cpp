#include "profiler/campaign/completion.h"

#include <algorithm>
#include <array>
#include <exception>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "kernels/onnx/onnx.h"
#include "profiler/campaign/combinations.h"
#include "profiler/campaign/serving.h"
#include "profiler/command/named_files.h"

namespace rightsize {

namespace fs = std::filesystem;

namespace {

// "batch=1,2" of --set, which makes a run of each.
bool varies(const std::vector<std::string>& overrides, std::string_view key) {
  return std::any_of(overrides.begin(), overrides.end(), [&](const std::string& text) {
    const auto equals = text.find('=');
    return equals != std::string::npos && text.substr(0, equals) == key &&
           text.find_first_of(",[:", equals) != std::string::npos;
  });
}

// The first key of a run with a program that says what our own work is; "" for none. Those of
// [defaults] are for the other runs.
std::string_view said_of_our_work(const toml::table& run,
                                  const std::vector<std::string>& overrides) {
  constexpr std::array<std::string_view, 10> ours{"network",
                                                  "precision",
                                                  "engine",
                                                  "batch",
                                                  "sequence",
                                                  "ranks",
                                                  "exchange",
                                                  "compression",
                                                  "replay_items_per_s",
                                                  "loader_threads"};
  const auto* axes = run["axes"].as_table();
  for (const auto key : ours) {
    if (run.contains(key) || (axes != nullptr && axes->contains(key)) || varies(overrides, key)) {
      return key;
    }
  }
  return {};
}

// The first word that names a file from the campaign file's folder and none from the current one.
std::string lies_beside(const std::vector<std::string>& words, const fs::path& folder) {
  std::error_code none;
  const auto beside = std::find_if(words.begin(), words.end(), [&](const std::string& word) {
    return !folder.empty() && !word.empty() && fs::path(word).is_relative() &&
           !fs::exists(word, none) && fs::is_regular_file(folder / word, none);
  });
  return beside == words.end() ? "" : *beside;
}

}  // namespace

void Completion::operator()(const toml::table& run, Cell& cell) const {
  const auto folder = fs::path(path).parent_path().string();
  auto& work = cell.spec.workload;
  auto contradiction = complete_serving(cell, folder);
  contradiction = contradiction ? contradiction : contradiction_in(cell.spec);
  if (const auto ours = said_of_our_work(run, options.overrides);
      !cell.spec.command.empty() && !ours.empty()) {
    contradiction =
        fmt::format("{}: a program after command brings its own work; expected one of them", ours);
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
  if (const auto word = lies_beside(spec.command.words, fs::path(path).parent_path());
      !word.empty()) {
    errors.fail_at(
        run.source(),
        fmt::format("command: {} is not in the current folder, where programs start, but "
                    "beside this file: cd {} first, or write its whole path",
                    word,
                    fs::path(path).parent_path().string()));
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
