#include "advisor/report/style.h"

#include <cstdlib>

#include <sys/ioctl.h>
#include <unistd.h>

namespace rightsize::report {
namespace {

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && value[0] != '\0';
}

bool wants_color(int descriptor, std::string_view wish) {
  if (wish == "always") {
    return true;
  }
  if (wish == "never" || is_set("NO_COLOR")) {
    return false;
  }
  if (is_set("FORCE_COLOR") || is_set("CLICOLOR_FORCE")) {
    return true;
  }
  const char* term = std::getenv("TERM");
  const bool dumb = term != nullptr && std::string_view(term) == "dumb";
  return !dumb && isatty(descriptor) == 1;
}

std::size_t terminal_width(int descriptor) {
  if (isatty(descriptor) != 1) {
    return 0;
  }
  if (is_set("COLUMNS")) {
    const long columns = std::strtol(std::getenv("COLUMNS"), nullptr, 10);
    if (columns > 0) {
      return static_cast<std::size_t>(columns);
    }
  }
  winsize size{};
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace

Style style_for(int descriptor, std::string_view wish) {
  return {wants_color(descriptor, wish), terminal_width(descriptor)};
}

bool locale_is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    if (is_set(name)) {
      const std::string_view value = std::getenv(name);
      return value.find("UTF-8") != value.npos || value.find("utf8") != value.npos;
    }
  }
  return false;
}

}  // namespace rightsize::report
