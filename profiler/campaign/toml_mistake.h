// What is wrong with a file that is not TOML, in our words and with what to do: toml++ speaks of
// its grammar.
#pragma once

#include <string>
#include <string_view>

namespace rightsize {

// Of toml++'s description, "Error while parsing string: encountered end-of-file". One that is not
// known stays as it is, behind "not TOML: ".
[[nodiscard]] std::string toml_mistake(std::string_view description);

}  // namespace rightsize
