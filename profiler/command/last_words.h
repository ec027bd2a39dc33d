// The end of what a program printed, kept where the parent of the worker looks for last words: its
// standard error, which is a file in memory.
#pragma once

#include <string>
#include <utility>

namespace rightsize {

class LastWords {
 public:
  void add(const std::string& output);

  // A line that is to be found among them however much follows it; "" for none.
  void keep(std::string line) { kept_ = std::move(line); }

  [[nodiscard]] std::string text() const;

  // To follow a sentence.
  [[nodiscard]] std::string quoted() const { return text().empty() ? "" : ": " + text(); }

 private:
  [[nodiscard]] std::string all() const;

  std::string tail_;
  std::string kept_;
};

}  // namespace rightsize
