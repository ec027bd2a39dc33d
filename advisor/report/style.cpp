#include "advisor/report/style.h"

#include <cstdlib>

#include <unistd.h>

namespace rightsize::report {
namespace {

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && value[0] != '\0';
}

}  // namespace

Style style_for(int descriptor, std::string_view wish) {
  if (wish == "always") {
    return {true};
  }
  if (wish == "never" || is_set("NO_COLOR")) {
    return {false};
  }
  if (is_set("FORCE_COLOR") || is_set("CLICOLOR_FORCE")) {
    return {true};
  }
  const char* term = std::getenv("TERM");
  const bool dumb = term != nullptr && std::string_view(term) == "dumb";
  return {!dumb && isatty(descriptor) == 1};
}

}  // namespace rightsize::report
