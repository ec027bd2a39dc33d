// What stands behind a network's name: "sdxl:steps=20:size=768x512" has two parts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rightsize {

struct FormPart {
  std::string_view text;  // "steps=20"
  std::string_view key;
  std::string_view value;  // "" where there is none
};

// In their order; they point into `name`. Throws NetworkError for a part that is said twice.
[[nodiscard]] std::vector<FormPart> form_parts(std::string_view name);

// Whether parts may stand behind what `name` begins with: a model that makes pictures, what reads
// and writes, a detector, a recommender, what hears, what sees.
[[nodiscard]] bool takes_parts(std::string_view name);

// "network sdxl:steps=x: " and why.
[[noreturn]] void refuse_form(std::string_view name, const std::string& why);

// A whole number of at least 1 and at most `most`; 0: the text is none.
[[nodiscard]] int form_number(std::string_view text, int most);

}  // namespace rightsize
