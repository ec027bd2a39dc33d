#include "profiler/campaign/plan.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/data/dataset.h"
#include "kernels/onnx/onnx.h"
#include "profiler/campaign/axis.h"
#include "profiler/campaign/combinations.h"
#include "profiler/campaign/differential.h"
#include "profiler/campaign/fields.h"
#include "profiler/campaign/hold_out.h"
#include "profiler/campaign/nearest.h"
#include "profiler/campaign/override.h"
#include "profiler/campaign/serving.h"
#include "profiler/campaign/toml_errors.h"
#include "profiler/command/named_files.h"

namespace rightsize {
namespace {

namespace fs = std::filesystem;

// Reads one file; the place of every complaint comes from the TOML node it is about.
class Reader {
 public:
  Reader(const std::string& path, const PlanOptions& options)
      : path_(path),
        options_(options),
        overrides_(parse_overrides(options.overrides)),
        errors_(path) {}

  Plan read(const toml::table& file) {
    Plan plan;
    plan.path = path_;
    plan.name = fs::path(path_).stem().string();
    if (file.contains("job") && !file.contains("run")) {
      throw PlanError(fmt::format(
          "{}: a question ([job]), not a campaign ([[run]]); ask it with rightsize advise {}",
          path_,
          path_));
    }
    errors_.check_keys(file, {"name", "defaults", "run"});
    if (const auto* name = file.get("name")) {
      plan.name = text_of("name", *name);
    }
    Cell defaults;
    if (const auto* node = file.get("defaults")) {
      const auto* table = node->as_table();
      if (table == nullptr) {
        errors_.fail("defaults", *node, "a table");
      }
      set_fields(*table, {}, defaults);
    }
    std::vector<Cell> cells;
    std::vector<std::string> names;
    for (const auto* run : run_tables(file)) {
      auto base = base_cell(*run, defaults);
      names.push_back(base.spec.name);
      if (is_wanted(base.spec.name)) {
        expand_run(*run, std::move(base), cells);
      }
    }
    check_sections(names);
    order(cells, plan);
    return plan;
  }

 private:
  std::string text_of(std::string_view key, const toml::node& node) const {
    const auto text = node.value_exact<std::string>();
    if (!text || text->empty()) {
      errors_.fail(key, node, "a name");
    }
    return *text;
  }

  void set_field(std::string_view key, const toml::node& value, Cell& cell) const {
    const auto* field = find_field(key);
    if (!field->set(value, cell)) {
      errors_.fail_at(value.source(),
                      fmt::format("{} = {}: {}", key, printed(value), refusal(*field, value)));
    }
  }

  // Every key must be a field of a run, or one of `extra`.
  void check_fields(const toml::table& table, std::vector<std::string_view> extra) const {
    for (const auto& field : campaign_fields()) {
      extra.push_back(field.name);
    }
    errors_.check_keys(table, extra);
  }

  void set_fields(const toml::table& table,
                  const std::vector<std::string_view>& extra,
                  Cell& cell) const {
    check_fields(table, extra);
    for (const auto& [key, value] : table) {
      if (find_field(key.str()) != nullptr) {
        set_field(key.str(), value, cell);
      }
    }
  }

  std::vector<const toml::table*> run_tables(const toml::table& file) const {
    const auto* node = file.get("run");
    const auto* array = node == nullptr ? nullptr : node->as_array();
    if (array == nullptr || array->empty()) {
      throw PlanError(fmt::format("{}: expected at least one [[run]]", path_));
    }
    std::vector<const toml::table*> tables;
    for (const auto& element : *array) {
      if (!element.is_table()) {
        errors_.fail("run", element, "a table: write [[run]]");
      }
      tables.push_back(element.as_table());
    }
    return tables;
  }

  Cell base_cell(const toml::table& run, const Cell& defaults) const {
    Cell base = defaults;
    set_fields(run, {"axes", "hold_out"}, base);
    if (base.spec.name.empty()) {
      errors_.fail_at(run.source(), "name: missing; give every [[run]] a name");
    }
    return base;
  }

  bool is_wanted(const std::string& name) const {
    const auto& wanted = options_.sections;
    return wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end();
  }

  void check_sections(const std::vector<std::string>& names) const {
    const std::vector<std::string_view> known(names.begin(), names.end());
    for (const auto& section : options_.sections) {
      if (std::find(names.begin(), names.end(), section) == names.end()) {
        const auto near = nearest(section, known);
        throw PlanError(fmt::format("--section \"{}\": {} has no [[run]] of that name; {}",
                                    section,
                                    path_,
                                    near.empty()
                                        ? fmt::format("it has \"{}\"", fmt::join(names, "\", \""))
                                        : fmt::format("did you mean \"{}\"?", near)));
      }
    }
  }

  void expand_run(const toml::table& run, Cell base, std::vector<Cell>& cells) const {
    const auto axes = axes_of(run);
    for (const auto& given : overrides_) {
      if (!has_axis(axes, given.key)) {
        set_field(given.key, *given.values.get(0), base);
      }
    }
    auto grid = cross(axes, {{std::move(base), {}}});
    for (auto& [cell, point] : grid) {
      for (const auto& [axis, value] : point) {
        cell.spec.name += fmt::format(" {}={}", axis, value);
      }
      std::erase(cell.spec.name, '"');
      cell.spec.hold_out = held_out(run.get("hold_out"), point, errors_);
      finish(run, cell);
      add(run, std::move(cell), cells);
    }
  }

  // Itself, or its three parts.
  void add(const toml::table& run, Cell cell, std::vector<Cell>& cells) const {
    if (!cell.differential && cell.synthetic.empty()) {
      cells.push_back(std::move(cell));
      return;
    }
    const auto why = cell.differential ? no_differential(cell.spec, cell.synthetic)
                                       : "synthetic: expected differential beside it";
    if (why) {
      errors_.fail_at(run.source(), *why);
    }
    for (auto& part : differential_parts(cell.spec, cell.synthetic)) {
      cells.push_back(cell);
      cells.back().spec = std::move(part);
    }
  }

  using Axes = std::vector<std::pair<std::string, const toml::node*>>;

  // The file's axes with the overridden ones in their place; an override may add one.
  Axes axes_of(const toml::table& run) const {
    Axes axes;
    if (const auto* node = run.get("axes")) {
      if (!node->is_table()) {
        errors_.fail("axes", *node, "a table like {cpus = [1, 2]}");
      }
      check_fields(*node->as_table(), {});
      for (const auto& [key, values] : *node->as_table()) {
        const auto* given = find_override(overrides_, key.str());
        axes.emplace_back(key.str(), given == nullptr ? &values : &given->values);
      }
    }
    for (const auto& given : overrides_) {
      if (given.is_axis && !has_axis(axes, given.key)) {
        axes.emplace_back(given.key, &given.values);
      }
    }
    return axes;
  }

  static bool has_axis(const Axes& axes, const std::string& key) {
    return std::any_of(
        axes.begin(), axes.end(), [&](const auto& axis) { return axis.first == key; });
  }

  std::vector<std::pair<Cell, Point>> cross(const Axes& axes,
                                            std::vector<std::pair<Cell, Point>> grid) const {
    for (const auto& [key, node] : axes) {
      const auto values = axis_values(key, *node, errors_);
      std::vector<std::pair<Cell, Point>> wider;
      for (const auto& [cell, point] : grid) {
        for (const auto& value : values) {
          auto next = std::pair(cell, point);
          if (!find_field(key)->set(*value, next.first)) {
            errors_.fail_at(
                node->source(),
                fmt::format(
                    "{} = {}: {}", key, printed(*value), refusal(*find_field(key), *value)));
          }
          next.second.emplace_back(key, printed(*value));
          wider.push_back(std::move(next));
        }
      }
      grid = std::move(wider);
    }
    return grid;
  }

  [[nodiscard]] std::string rooted(const std::string& data_path) const {
    if (!fs::path(data_path).is_relative()) {
      return data_path;
    }
    const auto root =
        options_.data_root.empty() ? fs::path(path_).parent_path() : fs::path(options_.data_root);
    return (root / data_path).lexically_normal().string();
  }

  // The user's own program: the data, where named, are what is dropped from the page cache and
  // whose disk is limited; only the program knows how to read them.
  void finish_command(const toml::table& run, RunSpec& spec) const {
    auto& work = spec.workload;
    if (!find_program(spec.command.words[0])) {
      errors_.fail_at(run.source(),
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
    // How much of it there is, is the user's business: a program may read a part, or something
    // else besides.
  }

  // Checks across fields, the place of the data, the identity of the dataset.
  void finish(const toml::table& run, Cell& cell) const {
    auto& work = cell.spec.workload;
    auto contradiction = complete_serving(cell, fs::path(path_).parent_path().string());
    contradiction = contradiction ? contradiction : contradiction_in(cell.spec);
    if (contradiction) {
      errors_.fail_at(run.source(), *contradiction);
    }
    if (!cell.spec.command.empty()) {
      finish_command(run, cell.spec);
      return;
    }
    work.network = rooted_network(work.network, fs::path(path_).parent_path().string());
    if (options_.check_network && work.phase != Phase::preprocess) {
      try {
        options_.check_network(work);
      } catch (const std::exception& unknown) {
        errors_.fail_at(run.source(), unknown.what());
      }
    }
    if (work.data == DataFormat::synthetic) {
      work.data_path.clear();
      return;
    }
    if (work.data_path.empty()) {
      errors_.fail_at(run.source(),
                      fmt::format("data = \"{}\": expected data_path beside it, saw none",
                                  to_string(work.data)));
    }
    work.data_path = rooted(work.data_path);
    const auto identity = options_.identify(work.data, work.data_path);
    cell.spec.dataset_items = identity.items;
    cell.spec.dataset_bytes = identity.bytes;
  }

  // Repeats are interleaved, so that slow drifts of the machine hit all cells alike.
  void order(const std::vector<Cell>& cells, Plan& plan) const {
    int most = 0;
    for (const auto& cell : cells) {
      most = std::max(most, cell.repeats);
    }
    std::set<std::string> seen;
    for (int repeat = 0; repeat < most; ++repeat) {
      for (const auto& cell : cells) {
        if (repeat >= cell.repeats) {
          continue;
        }
        auto spec = cell.spec;
        spec.repeat = repeat;
        spec.campaign = plan.name;
        spec.no_throttle = options_.no_throttle;
        if (seen.insert(run_id(spec)).second) {
          plan.runs.push_back(std::move(spec));
        } else {
          ++plan.duplicates;
        }
      }
    }
  }

  const std::string& path_;
  const PlanOptions& options_;
  const std::vector<Override> overrides_;
  TomlErrors errors_;
};

}  // namespace

DatasetIdentity identify_dataset(DataFormat format, const std::string& path) {
  try {
    if (format == DataFormat::tokens) {  // how many items depends on the sequence
      std::error_code error;
      const auto bytes = fs::file_size(path, error);
      return {0, error ? 0 : bytes};
    }
    const auto dataset = open_dataset(format, path);
    return {dataset->size(), dataset->stored_bytes()};
  } catch (const DataError&) {
    return {};
  }
}

Plan parse_plan(const std::string& text, const std::string& path, const PlanOptions& options) {
  toml::table file;
  try {
    file = toml::parse(text, path);
  } catch (const toml::parse_error& error) {
    throw PlanError(fmt::format("{}:{}:{}: {}",
                                path,
                                error.source().begin.line,
                                error.source().begin.column,
                                error.description()));
  }
  return Reader(path, options).read(file);
}

Plan load_plan(const std::string& path, const PlanOptions& options) {
  std::ifstream in(path);
  if (!in) {
    throw PlanError(
        fmt::format("{}: cannot be read; is the name right? Examples are in examples/", path));
  }
  return parse_plan({std::istreambuf_iterator<char>(in), {}}, path, options);
}

}  // namespace rightsize
