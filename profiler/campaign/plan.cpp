#include "profiler/campaign/plan.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/data/dataset.h"
#include "profiler/campaign/completion.h"
#include "profiler/campaign/differential.h"
#include "profiler/campaign/grid.h"
#include "profiler/campaign/nearest.h"
#include "profiler/campaign/override.h"
#include "profiler/campaign/toml_errors.h"
#include "profiler/campaign/toml_mistake.h"

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

  void set_fields(const toml::table& table,
                  const std::vector<std::string_view>& extra,
                  Cell& cell) const {
    check_fields(table, extra, errors_);
    for (const auto& [key, value] : table) {
      if (find_field(key.str()) != nullptr) {
        set_field(key.str(), value, cell, errors_, value.source());
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
    const auto axes = axes_of(run, overrides_, errors_);
    for (const auto& given : overrides_) {
      if (!has_axis(axes, given.key)) {
        const auto& value = *given.values.get(0);
        set_field(given.key, value, base, errors_, value.source());
      }
    }
    auto grid = grid_of(axes, std::move(base), errors_);
    check_runs(run, grid, cells);
    if (overrides_.empty()) {  // which may leave out what the file holds out
      refuse_idle_hold_out(run.get("hold_out"), points_of(grid), errors_);
    }
    for (auto& [cell, point] : grid) {
      for (const auto& [axis, value] : point) {
        cell.spec.name += fmt::format(" {}={}", axis, value);
      }
      std::erase(cell.spec.name, '"');
      cell.spec.hold_out = held_out(run.get("hold_out"), point, errors_);
      Completion{path_, options_, errors_}(run, cell);
      add(run, std::move(cell), cells);
    }
  }

  static std::vector<Point> points_of(const std::vector<std::pair<Cell, Point>>& grid) {
    std::vector<Point> points;
    for (const auto& [cell, point] : grid) {
      points.push_back(point);
    }
    return points;
  }

  // Of all sections so far and this one's grid, before a network or a data set of it is looked at.
  void check_runs(const toml::table& run,
                  const std::vector<std::pair<Cell, Point>>& grid,
                  const std::vector<Cell>& before) const {
    std::size_t runs = 0;
    for (const auto& cell : before) {
      runs += static_cast<std::size_t>(cell.repeats);
    }
    for (const auto& [cell, point] : grid) {
      const std::size_t parts = cell.differential ? differential_runs : 1;
      runs += parts * static_cast<std::size_t>(cell.repeats);
    }
    if (runs > most_runs) {
      errors_.fail_at(run.source(),
                      fmt::format("up to here {} runs, with repeats = {}: expected {} at most; ask "
                                  "for fewer repeats, or shorten the axes",
                                  runs,
                                  grid.back().first.repeats,
                                  most_runs));
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
                                toml_mistake(error.description())));
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
