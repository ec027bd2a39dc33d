// Colour and emphasis, or nothing: decided once per stream.
#pragma once

#include <string>
#include <string_view>

namespace rightsize::report {

struct Style {
  bool color = false;

  [[nodiscard]] std::string bold(std::string_view text) const { return wrap(text, "1"); }
  [[nodiscard]] std::string dim(std::string_view text) const { return wrap(text, "2"); }
  [[nodiscard]] std::string good(std::string_view text) const { return wrap(text, "32"); }
  [[nodiscard]] std::string bad(std::string_view text) const { return wrap(text, "31"); }

 private:
  [[nodiscard]] std::string wrap(std::string_view text, std::string_view code) const {
    if (!color) {
      return std::string(text);
    }
    return "\033[" + std::string(code) + "m" + std::string(text) + "\033[0m";
  }
};

// --color auto|always|never, then NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, TERM=dumb, then whether
// `descriptor` is a terminal.
[[nodiscard]] Style style_for(int descriptor, std::string_view wish);

}  // namespace rightsize::report
