// A line as a pattern would have it, to show beside lines that do not match. A pure function.
#pragma once

#include <optional>
#include <string>

namespace rightsize {

// "step 1" for "step (\d+)": of an ECMAScript regular expression the first alternative of each
// choice, one of what may be repeated. nullopt for what is not followed (look-ahead, references to
// groups) or when the pattern does not match what came out.
[[nodiscard]] std::optional<std::string> example_line(const std::string& pattern);

}  // namespace rightsize
