// One live line on stderr, on a terminal only; elsewhere nothing, or a plain line per call of
// log().
#pragma once

#include <ostream>
#include <string>

namespace rightsize::cli {

class ProgressLine {
 public:
  ProgressLine(std::ostream& err, bool is_terminal) : err_(err), is_terminal_(is_terminal) {}
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { clear(); }

  // Replaces the line.
  void show(const std::string& text) {
    if (is_terminal_) {
      err_ << "\r\033[K" << text << std::flush;
      shown_ = true;
    }
  }

  // Erases it, so that what is printed next starts on a clean line.
  void clear() {
    if (shown_) {
      err_ << "\r\033[K" << std::flush;
      shown_ = false;
    }
  }

 private:
  std::ostream& err_;
  bool is_terminal_;
  bool shown_ = false;
};

}  // namespace rightsize::cli
