#include "advisor/cli/flags_again.h"

#include <cstdint>

#include <boost/any.hpp>
#include <fmt/format.h>

namespace rightsize::cli {

std::vector<std::string> flags_again(const Values& values, std::set<std::string> left_out) {
  left_out.insert({"job", "output", "out-file", "max-results", "sort", "chart"});
  std::vector<std::string> words;
  const auto add = [&](const std::string& name, const std::string& value) {
    words.insert(words.end(), {"--" + name, value});
  };
  for (const auto& [name, given] : values) {
    if (given.defaulted() || left_out.contains(name)) {
      continue;
    }
    const auto* text = boost::any_cast<std::string>(&given.value());  // of a switch an empty one
    if (text != nullptr && !text->empty()) {
      add(name, *text);
    } else if (const auto* number = boost::any_cast<double>(&given.value())) {
      add(name, fmt::format("{}", *number));
    } else if (const auto* small = boost::any_cast<int>(&given.value())) {
      add(name, std::to_string(*small));
    } else if (const auto* whole = boost::any_cast<std::uint64_t>(&given.value())) {
      add(name, std::to_string(*whole));
    } else if (name == "recompute") {  // a bool with a word, unlike switches
      add(name, given.as<bool>() ? "true" : "false");
    } else if (const auto* several = boost::any_cast<std::vector<std::string>>(&given.value())) {
      for (const auto& one : *several) {
        add(name, one);
      }
    } else {
      words.push_back("--" + name);  // a switch
    }
  }
  return words;
}

}  // namespace rightsize::cli
