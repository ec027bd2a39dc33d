#include "profiler/measure/exec_arguments.h"

#include <algorithm>
#include <string_view>

#include <unistd.h>

namespace rightsize {

std::vector<std::string> environment_with(const std::vector<std::string>& variables) {
  std::vector<std::string> all;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text(*variable);
    const auto name = text.substr(0, text.find('=') + 1);
    const bool replaced =
        std::any_of(variables.begin(), variables.end(), [&](const std::string& ours) {
          return ours.starts_with(name);
        });
    if (!replaced) {
      all.emplace_back(text);
    }
  }
  all.insert(all.end(), variables.begin(), variables.end());
  return all;
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (auto& word : words) {
    pointers.push_back(word.data());
  }
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace rightsize
