// What may be asked about the options of an answer: what if, why, against which, and the file that
// rents it.
#pragma once

#include <string>
#include <string_view>

#include "advisor/http/question.h"

namespace rightsize::http {

// A section of forms, about the options that the answer inside the page `report` lists; "" where it
// lists none.
[[nodiscard]] std::string option_questions(std::string_view report, const Question& question);

}  // namespace rightsize::http
