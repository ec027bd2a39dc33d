// Words that Tab draws on beyond the session itself: files, the catalogue's names, values of flags.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rightsize::shell {

// What stands in the price tables; read once, when it is first asked for.
class CatalogNames {
 public:
  [[nodiscard]] const std::vector<std::string>& instances();  // "g6e.xlarge"
  [[nodiscard]] const std::vector<std::string>& places();     // "aws", "aws/us-east-1"
  [[nodiscard]] const std::vector<std::string>& books();      // "current"

 private:
  void read();
  bool was_read_ = false;
  std::vector<std::string> instances_;
  std::vector<std::string> places_;
  std::vector<std::string> books_;
};

// Paths that begin with `start` and end in `ending`, and folders, which end in a slash. Hidden ones
// only where `start` asks for them.
[[nodiscard]] std::vector<std::string> paths_from(std::string_view start, std::string_view ending);

// What the flag `setting` of advise takes, of those that take a few words; empty for the others.
[[nodiscard]] std::vector<std::string> values_of_setting(std::string_view setting,
                                                         CatalogNames& names);

// "vcpus=", "memory=": what what-if may suppose.
[[nodiscard]] std::vector<std::string> suppositions();

}  // namespace rightsize::shell
