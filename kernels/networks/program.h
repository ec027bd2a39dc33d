// A program of the user's in the place of a network: what it computes is not known, only what it
// was measured to take. "program:load.py" names the one that was profiled as load.py.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kernels/network.h"

namespace rightsize {

// "load.py" of "program:load.py"; nullopt for the name of a network.
[[nodiscard]] std::optional<std::string> program_named(std::string_view network);
// The same; any other name as it is.
[[nodiscard]] std::string bare_program(std::string_view network);
// The other way.
[[nodiscard]] std::string as_network(std::string_view program);

// Without parameters or work of its own, whose items are one number each.
[[nodiscard]] Network make_program(std::string_view program);

}  // namespace rightsize
