// Price tables of a few lines, as the importers read them.
#pragma once

#include <sstream>
#include <string>
#include <string_view>

#include "pricing/import/import.h"

namespace rightsize::test {

inline ImportOptions options() {
  static const Catalog known = shipped_catalog();
  ImportOptions options;
  options.known = &known;
  options.gpu_name = [](std::string_view name) {
    return name == "Nvidia L4"           ? std::string("L4")
           : name == "NVIDIA Tesla V100" ? std::string("V100")
                                         : std::string(name);
  };
  return options;
}

inline ImportedTable import_text(const std::string& text, const std::string& format = "") {
  std::istringstream in(text);
  return import_prices(in, "theirs", options(), format);
}

inline bool has_issue(const ImportedTable& table, int line, std::string_view text) {
  for (const auto& issue : table.issues) {
    if (issue.line == line && issue.text.find(text) != std::string::npos) {
      return true;
    }
  }
  return false;
}

}  // namespace rightsize::test
