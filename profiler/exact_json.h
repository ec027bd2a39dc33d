// JSON whose numbers are read exactly.
#pragma once

#include <optional>
#include <string_view>

#include <boost/json.hpp>

namespace rightsize {

// The value of `text`, each number the double nearest to its digits: what is read and written again
// is the same text. (boost::json::parse of 1.81 is off in the last place of one double in
// eight.) Nothing where `text` is not one JSON value.
[[nodiscard]] std::optional<boost::json::value> parse_exactly(std::string_view text);

}  // namespace rightsize
