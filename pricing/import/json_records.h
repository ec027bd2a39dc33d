// The parts of a huge JSON file that are wanted, one at a time. Numbers keep their own text,
// because a price must not pass through a double; memory is bounded by the largest part, not by the
// file.
#pragma once

#include <functional>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

namespace rightsize {

struct JsonNode {
  enum class Kind { null, boolean, number, string, array, object };

  Kind kind = Kind::null;
  std::string key;   // in its object; empty in an array
  std::string text;  // of a scalar: "0.0960000000" with all its digits, "true", the string itself
  std::vector<JsonNode> members;  // of an array or object
  int line = 0;                   // of its first character, from 1

  // The member of that name; a null node where there is none.
  [[nodiscard]] const JsonNode& operator[](std::string_view name) const;
};

// Keys from the root, "[]" for an element of an array: {"Items", "[]"}.
using JsonPath = std::vector<std::string>;

// Calls `use` for every value whose path `wanted` accepts (it is not asked about the parts of such
// a value). Several documents one after the other, as `cat page-*.json` makes them, are read as if
// each were alone. Throws PricingError "file:line: ..." on text that is not JSON, on more than 32
// levels and on a wanted value of more than 64 MiB.
void for_each_json_record(std::istream& in,
                          std::string_view file,
                          const std::function<bool(const JsonPath&)>& wanted,
                          const std::function<void(const JsonPath&, const JsonNode&)>& use);

}  // namespace rightsize
