// Colour, emphasis and width, or nothing of it: decided once per stream.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rightsize::report {

struct Style {
  bool color = false;
  std::size_t width = 0;  // columns of the terminal; 0: none, as wide as the text is

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
// `descriptor` is a terminal. The width of a terminal is COLUMNS, else what it says itself.
[[nodiscard]] Style style_for(int descriptor, std::string_view wish);

// By LC_ALL, LC_CTYPE, LANG: the first that is set.
[[nodiscard]] bool locale_is_utf8();

}  // namespace rightsize::report
