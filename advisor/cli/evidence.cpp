#include "advisor/cli/evidence.h"

#include <filesystem>
#include <fstream>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "profiler/store/store.h"

namespace rightsize::cli {

Model load_model(const std::string& path) {
  if (!std::filesystem::exists(path)) {
    throw UsageError(fmt::format(
        "{}: there is no fitted model yet.\n       Run rightsize campaign FILE.toml and "
        "rightsize fit, or name one with --model",
        path));
  }
  boost::system::error_code error;
  const auto value = boost::json::parse(read_file(path), error);
  if (error || !value.is_object()) {
    throw ModelError(fmt::format("{}: not JSON: {}", path, error.message()));
  }
  try {
    return model_from_json(value.as_object());
  } catch (const ModelError& what) {
    throw ModelError(fmt::format("{}: {}; run rightsize fit again", path, what.what()));
  }
}

Knowledge load_knowledge(const Values& values) {
  return knowledge_with(load_model(model_path(values)));
}

std::vector<Record> load_records(const Values& values) {
  std::vector<Record> records;
  if (values.count("records") == 0) {
    const auto path = store_path(values);
    if (!std::filesystem::exists(path)) {
      throw UsageError(fmt::format(
          "{}: there are no records yet.\n       Run rightsize campaign FILE.toml, or name a JSONL "
          "file",
          path));
    }
    return Store(path, {Access::read}).all();
  }
  for (const auto& file : values["records"].as<std::vector<std::string>>()) {
    std::ifstream in(file);
    if (!in) {
      throw UsageError(fmt::format("{}: cannot open the file; does it exist?", file));
    }
    const auto more = read_jsonl(in, file);
    records.insert(records.end(), more.begin(), more.end());
  }
  return records;
}

}  // namespace rightsize::cli
