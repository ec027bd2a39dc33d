#include "advisor/cli/out_file.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "advisor/query/usage_error.h"

namespace rightsize::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 6> written{"out-file", "html", "md", "csv", "json", "trace"};

bool is_written(std::string_view option) {
  return std::find(written.begin(), written.end(), option) != written.end();
}

// What an option says; none of numbers and switches.
std::vector<std::string> texts_of(const boost::program_options::variable_value& value) {
  if (const auto* text = boost::any_cast<std::string>(&value.value())) {
    return {*text};
  }
  const auto* texts = boost::any_cast<std::vector<std::string>>(&value.value());
  return texts == nullptr ? std::vector<std::string>() : *texts;
}

// Also of a table in a folder of them.
bool reads(const std::string& option, const std::string& said, const fs::path& file) {
  std::error_code none;
  if (fs::equivalent(said, file, none)) {
    return true;
  }
  const bool folder =
      (option == "prices" || option == "custom-prices") && fs::is_directory(said, none);
  return folder && fs::equivalent(said, fs::absolute(file, none).parent_path(), none);
}

}  // namespace

bool to_stdout(const Values& values) {
  return values.count("out-file") == 0 || values["out-file"].as<std::string>() == "-";
}

void refuse_input(const Values& values, const std::string& said_by, const std::string& path) {
  std::error_code none;
  if (!fs::is_regular_file(path, none)) {  // a device or a pipe can be read and written
    return;
  }
  for (const auto& [name, value] : values) {
    for (const auto& said : is_written(name) ? std::vector<std::string>() : texts_of(value)) {
      if (reads(name, said, path)) {
        throw UsageError(
            fmt::format("{} {}: that file is read, as {} {}, and would be written over; "
                        "name another",
                        said_by,
                        path,
                        name,
                        said));
      }
    }
  }
}

void check_written_files(const Values& values) {
  for (const auto option : written) {
    const std::string name(option);
    if (values.count(name) == 0) {
      continue;
    }
    for (const auto& path : texts_of(values[name])) {
      if (path != "-") {
        refuse_input(values, "--" + name, path);
        check_writable(path);
      }
    }
  }
}

}  // namespace rightsize::cli
