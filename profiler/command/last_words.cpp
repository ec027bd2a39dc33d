#include "profiler/command/last_words.h"

#include <algorithm>
#include <cstddef>

#include <unistd.h>

namespace rightsize {
namespace {

constexpr std::size_t most_bytes = 600;  // some lines, of which the last tell the most

}  // namespace

void LastWords::add(const std::string& output) {
  tail_ += output;
  tail_.erase(0, tail_.size() - std::min(tail_.size(), most_bytes));
  // Standard error must not grow with a talkative program.
  if (!output.empty() && ftruncate(STDERR_FILENO, 0) == 0) {
    const auto words = all();
    static_cast<void>(!pwrite(STDERR_FILENO, words.data(), words.size(), 0));
  }
}

std::string LastWords::text() const {
  const auto words = all();
  return words.substr(0, words.find_last_not_of(" \n\r\t") + 1);
}

std::string LastWords::all() const {
  const bool there = kept_.empty() || tail_.find(kept_) != std::string::npos;
  return there ? tail_ : kept_ + "\n" + tail_;
}

}  // namespace rightsize
