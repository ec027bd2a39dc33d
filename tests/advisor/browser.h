// A real browser without a window, where one is installed.
#pragma once

#include <string>

#include "support/temporary_folder.h"

namespace rightsize::test {

// Has no network but this machine: a proxy nobody listens on makes whatever else a page would load
// fail, and be logged.
class Browser {
 public:
  Browser();

  [[nodiscard]] bool is_here() const { return !program_.empty(); }
  // What it prints with these flags (--dump-dom, --screenshot='...') and the page at `url`.
  [[nodiscard]] std::string run(const std::string& flags, const std::string& url) const;
  // The same as soon as all of the page is loaded, by the clock on the wall: the other has a clock
  // of its own, which stands still while a connection is open, as one to a stream of events is.
  [[nodiscard]] std::string run_when_loaded(const std::string& flags, const std::string& url) const;
  // What it said on stderr, the pages' consoles among it.
  [[nodiscard]] std::string log() const;

 private:
  std::string program_;  // "" where there is none
  TemporaryFolder folder_;
};

}  // namespace rightsize::test
